"""Every function of the dynamics and kinematics against the library itself, to the last bit."""

import os
import subprocess

import numpy as np
import pytest
from conftest import BUILD, states

import ulna

PROGRAM = os.path.join(BUILD, "test", "python_numbers")
ROBOTS = ["panda_like", "puma560", "stanford", "satellite_arm"]


def library(robot, quantity, how, q, v, x):
    """The numbers that the library writes for these states."""
    given = b"".join(np.ascontiguousarray(part).tobytes() for part in (q, v, x))
    count = 1 if q.ndim == 1 else len(q)
    done = subprocess.run([PROGRAM, robot, quantity, how, str(count)], input=given, capture_output=True, check=True)
    return np.frombuffer(done.stdout)


CALLS = {
    "id": lambda m, q, v, x: [m.inverse_dynamics(q, v, x)],
    "fd": lambda m, q, v, x: [m.forward_dynamics(q, v, x)],
    "gravity": lambda m, q, v, x: [m.gravity(q)],
    "gim": lambda m, q, v, x: [m.mass_matrix(q)],
    "minv": lambda m, q, v, x: [m.inverse_mass_matrix(q)],
    "c": lambda m, q, v, x: [np.swapaxes(m.coriolis_matrix(q, v), -1, -2)],
    "mci": lambda m, q, v, x: [np.swapaxes(m.convective_inertia(q, v), -1, -2)],
    "jacobian": lambda m, q, v, x: [np.swapaxes(m.jacobian(q, reference="own_axes"), -1, -2)],
    "velocity": lambda m, q, v, x: [m.velocity(q, v, reference="own_axes")],
    "com": lambda m, q, v, x: [m.com(q)],
    "momentum": lambda m, q, v, x: [m.momentum(q, v)],
    "potential_energy": lambda m, q, v, x: [m.potential_energy(q)],
    "kinetic_energy": lambda m, q, v, x: [m.kinetic_energy(q, v)],
    "did": lambda m, q, v, x: [np.swapaxes(d, -1, -2) for d in m.inverse_dynamics_derivatives(q, v, x)],
    "dfd": lambda m, q, v, x: [np.swapaxes(d, -1, -2) for d in m.forward_dynamics_derivatives(q, v, x)],
}

# Of one state alone.
OWN = {
    "acceleration": lambda m, q, v, x: [m.acceleration(q, v, x, reference="own_axes")],
    "udu": lambda m, q, v, x: [m.udu(q)[0].T, m.udu(q)[1]],
    "constraint_force": lambda m, q, v, x: [m.constraint_force_matrices(q)[key].T for key in "ABC"],
    "spatial_operator": lambda m, q, v, x: [m.spatial_operator_matrices(q, v)[key].T for key in ("Phi", "D", "C", "G")],
    "homogeneous": lambda m, q, v, x: list(m.homogeneous_matrices(q, v, x).values()),
    "joint_actions": lambda m, q, v, x: [m.joint_actions(q, v, x)],
    "manipulability": lambda m, q, v, x: [manipulability(m, q)],
    "optimal_control": lambda m, q, v, x: reach(m, q, v, x),
}

# Of mechanisms with closed loops. q is closed, v given freely.
LOOPS = {
    "assemble": lambda m, q, v, x: [m.assemble(q)],
    "closed_rates": lambda m, q, v, x: [m.closed_rates(q, v)],
    "closed_accelerations": lambda m, q, v, x: [m.closed_rates(q, x, v=m.closed_rates(q, v))],
    "loop_equations": lambda m, q, v, x: [m.loop_equations(q, v)[key].T for key in ("A", "b", "residual")],
    "mobility": lambda m, q, v, x: [np.array(list(m.mobility(q).values()), float)],
    "loop_manipulability": lambda m, q, v, x: [manipulability(m, q)],
}


def reach(m, q, v, x):
    """The problem of numbers.cpp."""
    control = ulna.OptimalControl(m, knots=20, step=0.01, running={"torque_weight": 1e-3, "velocity_weight": [0.1] * m.nv},
                                  terminal={"tips": {"position": x[:3], "position_weight": [1e4, 2e4, 3e4]}, "velocity_weight": 10},
                                  keep_out={"centre": [0.4, 0.1, 0.4], "radius": 0.1, "weight": 1e3}, limit_weight=100, compiled=False)
    found = control.solve(q, v, iterations=15)
    return [np.array([found["cost"], found["iterations"]]), found["q"], found["tau"], found["gains"][0].T]


def manipulability(model, q):
    found = model.manipulability(q)
    return np.array([found[key] for key in ("manipulability", "condition", "smallest", "rank", "full_rank")], float)


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("quantity", CALLS)
def test_one_state(robot, quantity):
    model = ulna.load(robot)
    q, v, x = (part[0] for part in states(model, 1, seed=3))
    got = np.concatenate([np.ascontiguousarray(part).ravel() for part in CALLS[quantity](model, q, v, x)])
    np.testing.assert_array_equal(got, library(robot, quantity, "one", q, v, x))


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("quantity", CALLS)
def test_many_states(robot, quantity):
    model = ulna.load(robot)
    q, v, x = states(model, 7, seed=4)
    got = np.concatenate([np.ascontiguousarray(part).ravel() for part in CALLS[quantity](model, q, v, x)])
    np.testing.assert_array_equal(got, library(robot, quantity, "many", q, v, x))


@pytest.mark.parametrize("robot", ["panda_like", "stanford"])
@pytest.mark.parametrize("quantity", OWN)
def test_what_has_one_state_alone(robot, quantity):
    model = ulna.load(robot)
    q, v, x = (part[0] for part in states(model, 1, seed=6))
    got = np.concatenate([np.ascontiguousarray(part).ravel() for part in OWN[quantity](model, q, v, x)])
    np.testing.assert_array_equal(got, library(robot, quantity, "one", q, v, x))


@pytest.mark.parametrize("robot", ["slider_crank", "five_bar"])
@pytest.mark.parametrize("quantity", LOOPS)
def test_closed_loops(robot, quantity):
    model = ulna.load(robot)
    random = np.random.default_rng(7)
    q = model.assemble(0.3 + np.arange(model.nq) * 0.2)
    v, x = random.standard_normal((2, model.nv))
    got = np.concatenate([np.ascontiguousarray(part).ravel() for part in LOOPS[quantity](model, q, v, x)])
    np.testing.assert_array_equal(got, library(robot, quantity, "one", q, v, x))


@pytest.mark.parametrize("robot", ROBOTS)
def test_poses(robot):
    model = ulna.load(robot)
    q, v, x = states(model, 7, seed=5)
    one = library(robot, "fk", "one", q[0], v[0], x[0]).reshape(4, 4)
    np.testing.assert_array_equal(model.pose(q[0]), one)
    numbers = library(robot, "fk", "many", q, v, x)
    rotations, positions = numbers[:63].reshape(7, 3, 3).transpose(0, 2, 1), numbers[63:].reshape(7, 3)
    poses = model.pose(q)
    np.testing.assert_array_equal(poses[:, :3, :3], rotations)
    np.testing.assert_array_equal(poses[:, :3, 3], positions)
    np.testing.assert_array_equal(poses[:, 3], np.tile([0, 0, 0, 1], (7, 1)))
