"""Motions that cost least: closed forms, control by prediction, and what is refused. exact_test.py has the library's numbers."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import ulna

SLIDE = """
gravity = [0, 0, 0]
[[body]]
name = "cart"
mass = 3
com = [0, 0, 0]
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "rail"
kind = "prismatic"
axis = [1, 0, 0]
parent = "base"
child = "cart"
"""
UP = dict(knots=100, step=0.02, running={"torque_weight": 1e-2}, terminal={"posture": [1.0, 0.5], "posture_weight": 500, "velocity_weight": 50},
          compiled=False)


def test_a_cart_by_riccati():
    """A mass on a rail: whole steps are exact, and the recursion of Riccati gives torques, gains and cost."""
    knots, h, m = 30, 0.05, 3.0
    control = ulna.OptimalControl(ulna.load(SLIDE), knots=knots, step=h, compiled=False,
                                  running={"posture_weight": 4, "velocity_weight": 0.5, "torque_weight": 0.2},
                                  terminal={"posture_weight": [70], "velocity_weight": [6]})
    assert control.knots == knots and control.step == h and control.model.nv == 1
    A, B = np.array([[1, h], [0, 1]]), np.array([[h * h / 2 / m], [h / m]])
    Q, R, P = h * np.diag([4, 0.5]), h * 0.2, np.diag([70.0, 6.0])
    K = np.zeros((knots, 1, 2))
    for k in reversed(range(knots)):
        K[k] = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
        P = Q + A.T @ P @ (A - B @ K[k])
    x = np.array([0.7, -0.3])
    found = control.solve(x[:1], x[1:])
    assert found["converged"] and found["cost"] == pytest.approx(0.5 * x @ P @ x, rel=1e-10)
    assert found["t"] == pytest.approx(h * np.arange(knots + 1)) and found["gains"].shape == (knots, 1, 2)
    assert np.allclose(found["gains"], -K, rtol=1e-9, atol=1e-9)
    for k in range(knots):
        assert np.allclose([found["q"][k, 0], found["v"][k, 0]], x, atol=1e-10)
        assert np.allclose(found["tau"][k], -K[k] @ x, atol=1e-9)
        x = A @ x + B @ found["tau"][k]


def test_limits_of_torque_and_of_the_file():
    arm = ulna.load("planar2r")
    free = ulna.OptimalControl(arm, **UP).solve([0, 0], iterations=200)
    held = ulna.OptimalControl(arm, torque_limits=(-1, [8, 6]), **UP).solve([0, 0], iterations=200)
    assert free["tau"].min() < -1 and free["tau"].max() > 6 and held["cost"] > free["cost"]
    assert held["tau"].min() == -1 and np.all(held["tau"].max(axis=0) <= [8, 6]) and held["tau"][:, 1].max() == 6
    panda = ulna.load("panda_like")
    hand = ulna.OptimalControl(panda, knots=20, step=0.01, terminal={"tips": {"position": [0.5, 0.4, 0.2], "position_weight": 1e6}}, compiled=False)
    assert np.all(np.abs(hand.solve(0.3 * np.ones(7))["tau"]) <= panda.effort_limits)


def test_a_pose_is_reached():
    arm = ulna.load("panda_like")
    q = np.array([0, 0, 0, -1.5, 0, 1.5, 0])
    pose = arm.pose(q + 0.15, "flange")
    control = ulna.OptimalControl(arm, running={"torque_weight": 1e-6, "velocity_weight": 1e-3},
                                  terminal={"tips": [{"frame": "flange", "pose": pose, "position_weight": 1e5, "orientation_weight": 1e4}],
                                            "velocity_weight": 1}, method="semi_implicit", compiled=False)
    end = control.solve(q)["q"][-1]
    assert np.allclose(arm.pose(end, "flange"), pose, atol=2e-3)


def test_prediction_goes_on_from_where_it_was():
    """A first torque that is applied, and the state after it: what is left of the motion is already the best."""
    arm = ulna.load("planar2r")
    control = ulna.OptimalControl(arm, **UP)
    with pytest.raises(ValueError, match="no motion yet"):
        control.solve([0, 0], shift=1)
    first = control.solve([0, 0], iterations=200)
    again = control.solve(first["q"][1], first["v"][1], shift=1, iterations=0)
    assert again["iterations"] == 0 and not again["converged"]
    assert np.array_equal(again["tau"][:-1], first["tau"][1:]) and np.array_equal(again["tau"][-1], first["tau"][-1])
    assert np.allclose(again["q"][:-1], first["q"][1:], atol=1e-12)
    begun = ulna.OptimalControl(arm, **UP).solve([0, 0], torques=first["tau"], iterations=0)
    assert begun["cost"] == first["cost"] and np.array_equal(begun["q"], first["q"])
    rest = ulna.OptimalControl(arm, **UP).solve([0, 0], torques=[1.0, 2.0], iterations=0)
    assert np.array_equal(rest["tau"], np.tile([1.0, 2.0], (100, 1)))


def test_what_is_wrong_is_told():
    arm = ulna.load("planar2r")
    for error, words, given in (
        (ValueError, r"running\['torque_weight'\] has shape \(3,\)", dict(running={"torque_weight": [1, 2, 3]})),
        (ValueError, "terminal has no 'postur'; its keys are posture, ", dict(terminal={"postur": [0, 0]})),
        (TypeError, "terminal is 3", dict(terminal=3)),
        (TypeError, "", dict(running={"torque_weight": "much"})),
        (ulna.InputError, "weight", dict(running={"torque_weight": -1})),
        (ulna.InputError, "no torque acts there", dict(terminal={"torque_weight": 1})),
        (ValueError, r"terminal\['tips'\]\[0\] needs 'position'", dict(terminal={"tips": {"frame": "tip"}})),
        (ValueError, r"'pose'\] has shape \(3, 3\)", dict(terminal={"tips": {"pose": np.eye(3)}})),
        (ulna.InputError, "no rotation", dict(terminal={"tips": {"pose": np.diag([1, 1, -1, 1])}})),
        (ulna.InputError, "elbow", dict(terminal={"tips": {"frame": "elbow", "position": [0, 0, 0]}})),
        (TypeError, "frame", dict(keep_out={"frame": 3, "radius": 1, "weight": 1})),
        (ValueError, r"keep_out\[0\]\['radius'\] is missing", dict(keep_out=[{"weight": 1}])),
        (ValueError, "lower, upper", dict(torque_limits=5)),
        (ValueError, r"torque_limits\[1\] has shape", dict(torque_limits=(0, [1, 2, 3]))),
        (ulna.InputError, "actuated: 7", dict(actuated=[7])),
        (ulna.InputError, "knots", dict(knots=0)),
        (ulna.InputError, "step", dict(step=0)),
        (ValueError, "'rk4' or 'semi_implicit'", dict(method="euler")),
    ):
        with pytest.raises(error, match=words):
            ulna.OptimalControl(arm, **{"compiled": False, **given})
    with pytest.raises(ulna.InputError, match="closed loops"):
        ulna.OptimalControl(ulna.load("four_bar"))
    with pytest.raises(TypeError, match="ulna.load"):
        ulna.OptimalControl("planar2r")
    control = ulna.OptimalControl(arm, knots=10, compiled=False)
    for words, given in (("q has shape", dict(q=[0])), ("v has shape", dict(q=[0, 0], v=[1, 2, 3])),
                         ("torques has 3 rows; there are 10 knots", dict(q=[0, 0], torques=np.zeros((3, 2)))),
                         ("shift takes the torques", dict(q=[0, 0], shift=1, torques=[0, 0])), ("iterations is -1", dict(q=[0, 0], iterations=-1))):
        with pytest.raises(ValueError, match=words):
            control.solve(**given)
    with pytest.raises(ulna.InputError, match="not finite"):
        control.solve([0, 0], [1e200, 0])
    with pytest.raises(ValueError, match="no motion yet"):  # of which nothing is left
        control.solve([0, 0], shift=0)
    assert control.solve([0, 0])["converged"]
    with pytest.raises(TypeError, match="not been initialised"):
        ulna.OptimalControl.__new__(ulna.OptimalControl).solve([0, 0])


def test_one_thread_at_a_time_and_ctrl_c():
    arm = ulna.load("panda_like")
    control = ulna.OptimalControl(arm, knots=20_000, step=1e-3, terminal={"posture": 0.3 * np.ones(7), "posture_weight": 1e3},
                                  running={"torque_weight": 1e-3}, compiled=False)
    busy = []

    def interrupt():
        time.sleep(1.0)
        try:
            control.solve(np.zeros(7))
        except RuntimeError as error:
            busy.append(str(error))
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    begin = time.monotonic()
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        control.solve(np.zeros(7), iterations=100_000, least=0.0)
    thread.join()
    assert len(busy) == 1 and "another thread" in busy[0]
    assert time.monotonic() - begin < 60
    assert control.solve(np.zeros(7), shift=0, iterations=0)["iterations"] == 0  # it has a motion all the same
