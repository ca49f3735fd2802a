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
