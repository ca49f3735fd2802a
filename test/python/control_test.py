"""Linear systems and feedback against equations of their own."""

import numpy as np
import pytest
import ulna


def test_linearise():
    arm = ulna.load("panda_like")
    rng = np.random.default_rng(3)
    q, v, tau = rng.uniform(-1, 1, 7), rng.uniform(-1, 1, 7), rng.uniform(-5, 5, 7)
    near = arm.linearise(q, v, tau)
    assert near["A"].shape == (14, 14) and near["B"].shape == (14, 7)
    h = 1e-6
    for k in range(7):
        step = h * np.eye(7)[k]
        by_q = (arm.forward_dynamics(q + step, v, tau) - arm.forward_dynamics(q - step, v, tau)) / (2 * h)
        by_v = (arm.forward_dynamics(q, v + step, tau) - arm.forward_dynamics(q, v - step, tau)) / (2 * h)
        scale = np.abs(near["A"]).max()
        assert np.allclose(near["A"][7:, k], by_q, atol=1e-7 * scale)
        assert np.allclose(near["A"][7:, 7 + k], by_v, atol=1e-7 * scale)
    assert np.allclose(near["B"][7:], np.linalg.inv(arm.mass_matrix(q)))
    frequencies = np.sort(np.abs(np.linalg.eigvals(near["A"])))
    assert np.isclose(near["modes"][0]["frequency"], frequencies[0])
    held = arm.linearise(q)
    assert np.allclose(held["tau"], arm.inverse_dynamics(q, np.zeros(7), np.zeros(7)))
    assert np.allclose(held["a"], 0, atol=1e-8)


def test_lqr():
    arm = ulna.load("puma560")
    near = arm.linearise(np.array([0.1, -0.5, 0.3, 0.2, 0.4, 0.1]))
    A, B = near["A"], near["B"]
    Q, R = np.linspace(1, 2, 12), np.linspace(0.1, 0.2, 6)
    gains = ulna.lqr(A, B, Q, R)
    P = gains["P"]
    residual = A.T @ P + P @ A - P @ B @ np.diag(1 / R) @ B.T @ P + np.diag(Q)
    assert np.abs(residual).max() < 1e-10 * np.abs(P @ B @ np.diag(1 / R) @ B.T @ P).max()
    assert np.allclose(gains["K"], np.diag(1 / R) @ B.T @ P)
    sampled = ulna.lqr(A, B, Q, R, period=0.001)
    assert sampled["found"] and np.abs(sampled["poles"]).max() < 1
    none = ulna.lqr(np.zeros((2, 2)), np.array([[1.0], [0.0]]), np.ones(2), np.ones(1))
    assert not none["found"] and "no input" in none["reason"]
    with pytest.raises(ulna.InputError):
        ulna.lqr(A, B, -Q, R)
