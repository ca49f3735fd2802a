"""The two-link arm against equations written out here, and its derivatives against differences of those."""

import numpy as np
import pytest

import ulna


@pytest.fixture(scope="module")
def planar():
    """Two rods in a vertical plane, gravity along -y: the numbers of the equations are the robot's."""
    links = [dict(joint="revolute", a=0.4, mass=3.0, com=[-0.15, 0, 0], inertia=[0.02, 0.05, 0.06]),
             dict(joint="revolute", a=0.3, mass=2.0, com=[-0.1, 0, 0], inertia=[0.015, 0.02, 0.03])]
    return ulna.robot(dh="standard", gravity=[0, -9.81, 0], links=links)


def equations(q, v):
    """M, C (Christoffel's) and g of any textbook: l1, distances of the mass centres r, moments about them I."""
    m1, m2, l1, r1, r2, i1, i2 = 3.0, 2.0, 0.4, 0.25, 0.2, 0.06, 0.03
    c2, s2 = np.cos(q[1]), np.sin(q[1])
    m22 = i2 + m2 * r2**2
    m12 = m22 + m2 * l1 * r2 * c2
    m11 = i1 + m1 * r1**2 + m2 * l1**2 + m22 + 2 * m2 * l1 * r2 * c2
    h = m2 * l1 * r2 * s2
    C = np.array([[-h * v[1], -h * (v[0] + v[1])], [h * v[0], 0.0]])
    g2 = m2 * r2 * 9.81 * np.cos(q[0] + q[1])
    return np.array([[m11, m12], [m12, m22]]), C, np.array([(m1 * r1 + m2 * l1) * 9.81 * np.cos(q[0]) + g2, g2])


STATES = np.random.default_rng(7).uniform(-3, 3, (20, 3, 2))


@pytest.mark.parametrize("state", STATES)
def test_matrices_and_dynamics(planar, state):
    q, v, a = state
    M, C, g = equations(q, v)
    close = dict(rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(planar.mass_matrix(q), M, **close)
    np.testing.assert_allclose(planar.coriolis_matrix(q, v), C, **close)
    np.testing.assert_allclose(planar.gravity(q), g, **close)
    tau = M @ a + C @ v + g
    for method in ("newton_euler", "denoc", "spatial_operator", "homogeneous"):
        np.testing.assert_allclose(planar.inverse_dynamics(q, v, a, method=method), tau, rtol=1e-12, atol=1e-12)
    for method in ("articulated_body", "composite_body", "denoc", "constraint_force", "spatial_operator", "homogeneous"):
        np.testing.assert_allclose(planar.forward_dynamics(q, v, tau, method=method), a, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(planar.bias(q, v), C @ v + g, rtol=1e-12, atol=1e-12)


def test_kinematics(planar):
    q, v = np.array([0.3, 0.8]), np.array([1.0, -2.0])
    angle = q[0] + q[1]
    tip = np.array([0.4 * np.cos(q[0]) + 0.3 * np.cos(angle), 0.4 * np.sin(q[0]) + 0.3 * np.sin(angle), 0])
    T = planar.pose(q, "link2")
    np.testing.assert_allclose(T[:3, 3], tip, atol=1e-15)
    np.testing.assert_allclose(T[:2, :2], [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], atol=1e-15)
    J = planar.jacobian(q, "link2", reference="world_axes")
    np.testing.assert_allclose(J[2], [1, 1], atol=1e-15)
    np.testing.assert_allclose(J[3:5, 0], [-tip[1], tip[0]], atol=1e-15)
    np.testing.assert_allclose(planar.velocity(q, v, reference="world_axes"), J @ v, atol=1e-15)
    own = planar.jacobian(q, "link2", reference="own_axes")
    np.testing.assert_allclose(T[:3, :3] @ own[3:], J[3:], atol=1e-15)
    np.testing.assert_allclose(planar.jacobian(q, reference="world_origin")[3:, 0], 0, atol=1e-15)
    M, _, _ = equations(q, v)
    assert planar.kinetic_energy(q, v) == pytest.approx(0.5 * v @ M @ v, rel=1e-14)
    assert planar.manipulability(q)["manipulability"] == pytest.approx(0.4 * 0.3 * np.sin(q[1]), rel=1e-12)
    assert planar.manipulability([0.2, 0])["singular"]


def test_derivatives(planar):
    q, v, a = STATES[0]
    step = 1e-6

    def torque(q, v, a):
        M, C, g = equations(q, v)
        return M @ a + C @ v + g

    dq, dv, da = planar.inverse_dynamics_derivatives(q, v, a)
    for j, e in enumerate(np.eye(2) * step):
        np.testing.assert_allclose(dq[:, j], (torque(q + e, v, a) - torque(q - e, v, a)) / (2 * step), atol=1e-8)
        np.testing.assert_allclose(dv[:, j], (torque(q, v + e, a) - torque(q, v - e, a)) / (2 * step), atol=1e-8)
    np.testing.assert_allclose(da, equations(q, v)[0], rtol=1e-13)
    fq, fv, ft = planar.forward_dynamics_derivatives(q, v, torque(q, v, a))
    np.testing.assert_allclose(ft, np.linalg.inv(da), rtol=1e-10)
    np.testing.assert_allclose(fq, -ft @ dq, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(fv, -ft @ dv, rtol=1e-8, atol=1e-8)


def test_wrench_is_at_the_mass_centre_in_world_axes(planar):
    q, v, a = STATES[1]
    angle = q[0] + q[1]
    centre = np.array([0.4 * np.cos(q[0]) + 0.2 * np.cos(angle), 0.4 * np.sin(q[0]) + 0.2 * np.sin(angle)])
    moment, force = 2.0, np.array([3.0, -4.0])
    lever = centre[0] * force[1] - centre[1] * force[0] + moment
    elbow = centre - 0.4 * np.array([np.cos(q[0]), np.sin(q[0])])
    generalised = np.array([lever, elbow[0] * force[1] - elbow[1] * force[0] + moment])
    wrench = {"link2": [0, 0, moment, *force, 0]}
    without = planar.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(planar.inverse_dynamics(q, v, a, wrench=wrench), without - generalised, rtol=1e-12)
    np.testing.assert_allclose(planar.forward_dynamics(q, v, without - generalised, wrench=wrench), a, rtol=1e-10)
    many = planar.inverse_dynamics(np.tile(q, (9, 1)), v, a, wrench=wrench)
    np.testing.assert_allclose(many, np.tile(without - generalised, (9, 1)), rtol=1e-12)
    rows = np.outer(np.arange(9.0), wrench["link2"])
    many = planar.forward_dynamics(np.tile(q, (9, 1)), v, without, wrench={"link2": rows})
    M = equations(q, v)[0]
    np.testing.assert_allclose(many, a + np.arange(9.0)[:, None] * np.linalg.solve(M, generalised), rtol=1e-9, atol=1e-9)


def test_formulations_own_matrices(planar):
    q, v, a = STATES[2]
    M, C, g = equations(q, v)
    U, D = planar.udu(q)
    np.testing.assert_allclose(U @ np.diag(D) @ U.T, M, rtol=1e-13)
    assert U[1, 0] == 0 and U[0, 0] == U[1, 1] == 1
    x = planar.constraint_force_matrices(q)
    np.testing.assert_allclose(x["C"] - x["B"].T @ np.linalg.solve(x["A"], x["B"]), np.linalg.inv(M), rtol=1e-8)
    s = planar.spatial_operator_matrices(q, v)
    np.testing.assert_allclose(s["H"].T @ s["Phi"].T @ s["M"] @ s["Phi"] @ s["H"], M, rtol=1e-12)
    np.testing.assert_allclose(s["C"] @ v, C @ v, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(s["G"], g, rtol=1e-12)
    h = planar.homogeneous_matrices(q, v, a)
    assert h["M"].shape == (2, 4, 4)
    np.testing.assert_allclose(h["W"][1][:3, :3], [[0, -v.sum(), 0], [v.sum(), 0, 0], [0, 0, 0]], atol=1e-14)
    np.testing.assert_allclose(planar.joint_actions(q, v, a)[:, 2], planar.inverse_dynamics(q, v, a), rtol=1e-12)
