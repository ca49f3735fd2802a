"""The fastest motion along a path."""

import numpy as np
import pytest

import ulna


def test_bang_bang():
    arm = ulna.load("planar2r")
    motion = arm.plan([[0, 0], [1, -1]], straight=True, acceleration=[2, 5])
    assert motion["possible"] and motion["time"] == pytest.approx(2 * np.sqrt(0.5), rel=1e-4)
    assert motion["q"].shape == motion["tau"].shape == (len(motion["t"]), 2)
    assert np.all(np.abs(motion["a"]) <= np.array([2, 5]) * (1 + 1e-9))
    assert np.allclose(motion["q"][-1], [1, -1])
    assert arm.plan([[0, 0], [1, -1]], straight=True, acceleration=2)["time"] == pytest.approx(motion["time"], rel=1e-4)


def test_the_torques_are_those_of_the_motion():
    arm = ulna.load("panda_like")
    way = np.array([[0, 0, 0, -1.5, 0, 1.5, 0], [1, 0.3, 0, -1, 0.4, 1.8, 0], [0.5, 0, 0.3, -2, 0, 2, 1]])
    motion = arm.plan(way, every=0.002)
    assert np.allclose(motion["tau"], arm.inverse_dynamics(motion["q"], motion["v"], motion["a"]), atol=1e-9)
    effort = np.array([87, 87, 87, 87, 12, 12, 12])
    assert np.all(np.abs(motion["tau"]) <= effort * 1.002)


def test_without_a_path():
    arm = ulna.load("panda_like")
    start, end = [0, 0, 0, -1.5, 0, 1.5, 0], [1, 0.3, 0, -1, 0.4, 1.8, 0]
    fast = arm.plan_to(start, end, every=0.002)
    assert fast["possible"] and fast["time"] < fast["straight"]
    assert np.allclose(fast["q"][0], start) and np.allclose(fast["q"][-1], end)
    assert np.allclose(fast["tau"], arm.inverse_dynamics(fast["q"], fast["v"], fast["a"]), atol=1e-9)
    assert np.all(np.abs(fast["tau"]) <= np.array([87, 87, 87, 87, 12, 12, 12]) * 1.001)
    easy = arm.plan_to(start, end, least="torque", time=1.0)
    assert easy["time"] == pytest.approx(1.0) and easy["torque_square"] < fast["torque_square"]
    assert not arm.plan_to(start, end, least="energy", time=0.01)["possible"]
    with pytest.raises(ValueError, match="one of time, torque and energy"):
        arm.plan_to(start, end, least="money")
    with pytest.raises(ValueError, match="need the time"):
        arm.plan_to(start, end, least="energy")


def test_jerk():
    arm = ulna.load("planar2r")
    soft = arm.plan([[0, 0], [1, 0]], straight=True, jerk=10, every=0.001)
    assert soft["time"] == pytest.approx(4 * (0.5 / 10) ** (1 / 3), rel=1e-4)
    assert np.max(np.abs(np.diff(soft["a"][1:-1, 0]))) <= 10 * 0.001 * 1.01
    assert arm.plan([[0, 0], [1, 0]], straight=True, effort=90, torque_rate=100)["time"] > arm.plan([[0, 0], [1, 0]], straight=True, effort=90)["time"]


def test_force_between_tip_and_load():
    """A load off the tip is held by a force of its own: m (a - g) at its centre, of the motion that comes out."""
    arm = ulna.load("panda_like")
    way = np.array([[0, 0, 0, -1.5, 0, 1.5, 0], [1, 0.3, 0, -1, 0.4, 1.8, 0]])
    held = arm.plan(way, tip_force=25, tip_mass=2, tip_com=[0, 0, 0.1], every=0.001)
    assert held["time"] > 1.05 * arm.plan(way)["time"]
    assert held["time"] != arm.plan(way, tip_force=25, tip_mass=2)["time"]
    load = np.array([arm.pose(q, "flange") @ [0, 0, 0.1, 1] for q in held["q"]])[:, :3]
    a = (load[2:] - 2 * load[1:-1] + load[:-2]) / 1e-6
    force = 2 * np.linalg.norm(a + [0, 0, 9.81], axis=1)[1:-1]
    assert 24 < np.percentile(force, 95) < 25 * 1.01
    with pytest.raises(ulna.InputError, match="tip_mass"):
        arm.plan(way, tip_force=25)


def test_no_and_wrong():
    arm = ulna.load("planar2r")
    no = arm.plan([[0, 0], [1, 1]], effort=0.1)
    assert not no["possible"] and "torque" in no["reason"]
    for wrong, words in (([0, 0], "two or more"), ([[0, 0], [0, 0]], "are the same"), ([[0, 0], [1, np.nan]], "not finite")):
        with pytest.raises(ValueError, match=words):
            arm.plan(wrong, effort=9)
    with pytest.raises(ValueError, match="nothing limits"):
        arm.plan([[0, 0], [1, 1]])
    with pytest.raises(ValueError, match="positive"):
        arm.plan([[0, 0], [1, 1]], effort=-1)
