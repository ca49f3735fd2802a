"""Inverse kinematics, checked by forward kinematics."""

import numpy as np
import pytest

import ulna


@pytest.fixture(scope="module")
def arm():
    return ulna.load("panda_like")


def poses(arm, count):
    return arm.pose(np.array([arm.random_state(seed=k)[0] for k in range(count)]))


def test_one_pose(arm):
    T = poses(arm, 1)[0]
    found = arm.ik(T)
    assert found["solved"] and "reason" not in found
    assert np.allclose(arm.pose(found["q"]), T, atol=1.1e-6, rtol=0)
    lower, upper = arm.limits
    assert np.all(found["q"] >= lower) and np.all(found["q"] <= upper)


def test_many_poses(arm):
    T = poses(arm, 500)
    one, two = arm.ik(T, threads=1), arm.ik(T, threads=2)
    assert one["solved"].dtype == bool and one["solved"].all() and one["q"].shape == (500, 7)
    assert np.array_equal(one["q"], two["q"])
    assert np.allclose(arm.pose(one["q"]), T, atol=1.1e-6, rtol=0)
    assert np.allclose(arm.pose(arm.ik(T, start=np.zeros(7))["q"]), T, atol=1.1e-6, rtol=0)


def test_positions_and_parts(arm):
    T = poses(arm, 20)
    found = arm.ik(T[:, :3, 3])
    assert found["solved"].all()
    assert np.allclose(arm.pose(found["q"])[:, :3, 3], T[:, :3, 3], atol=1.1e-6, rtol=0)
    assert np.allclose(arm.pose(arm.ik(T[0, :3, 3])["q"])[:3, 3], T[0, :3, 3], atol=1.1e-6, rtol=0)
    pointing = arm.ik(T[1], weights=[1, 1, 1, 1, 1, 0])
    assert np.allclose(arm.pose(pointing["q"])[:3, 2:], T[1, :3, 2:], atol=1.1e-6, rtol=0)


def test_closed_loops():
    mechanism = ulna.load("five_bar")
    found = mechanism.ik([0.05, -0.6, 0.0])
    assert found["solved"]
    assert np.allclose(mechanism.pose(found["q"])[:3, 3], [0.05, -0.6, 0.0], atol=1.1e-6, rtol=0)
    assert np.allclose(mechanism.assemble(found["q"]), found["q"], atol=1e-9)
    assert mechanism.ik([3.0, 0.0, 0.0])["reason"] == "the lengths of the links"


def test_two_frames(arm):
    q = arm.random_state(seed=9)[0]
    elbow, tip = arm.pose(q, "link4")[:3, 3], arm.pose(q)
    found = arm.ik([tip, elbow], [arm.frame_names[-1], "link4"])
    assert found["solved"]
    assert np.allclose(arm.pose(found["q"], "link4")[:3, 3], elbow, atol=1.1e-6, rtol=0)


def test_preference(arm):
    T, start = poses(arm, 3)[2], np.array([0, 0, 0, -1.5, 0, 1.8, 0])
    torque = {prefer: np.linalg.norm(arm.gravity(arm.ik(T, start=start, prefer=prefer)["q"])) for prefer in ("near", "middle", "gravity")}
    assert torque["gravity"] <= min(torque.values()) * (1 + 1e-6)


def test_all_postures(arm):
    puma = ulna.load("puma560")
    T = puma.pose([0.1, -0.7, 0.4, 0.5, 0.6, 0.7])
    found = puma.ik_all(T)
    assert found["closed_form"] and found["q"].shape == (8, 6) and found["family"] == list(range(8))
    assert np.allclose(puma.pose(found["q"]), T, atol=1e-9, rtol=0)
    family = arm.ik_all(poses(arm, 1)[0], samples=5)
    assert not family["closed_form"] and len(family["family"]) == len(family["q"])


def test_out_of_reach(arm):
    found = arm.ik([0, 0, 5.0])
    assert not found["solved"] and "lengths" in found["reason"] and found["position_error"] > 3
    T = np.eye(4)
    T[0, 3] = 9
    assert ulna.load("puma560").ik_all(T)["q"].shape == (0, 6)


def test_wrong_arguments(arm):
    for wrong in (np.zeros((3, 4)), np.zeros(4), np.zeros((2, 2, 4, 4))):
        with pytest.raises(ValueError, match="pose has shape"):
            arm.ik(wrong)
    with pytest.raises(ValueError, match="prefer is"):
        arm.ik(np.eye(4), prefer="best")
    with pytest.raises(ValueError, match="six are wanted"):
        arm.ik(np.eye(4), weights=[1])
    with pytest.raises(ValueError, match="not finite"):
        arm.ik(np.full((4, 4), np.nan))
    with pytest.raises(ValueError, match="no rotation"):
        arm.ik(np.diag([2.0, 1.0, 1.0, 1.0]))
    with pytest.raises(ValueError, match="closed loops"):
        ulna.load("four_bar").ik(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="no link or frame|nose"):
        arm.ik(np.eye(4), "nose")
    many = arm.ik(np.stack([poses(arm, 1)[0], np.full((4, 4), np.nan)]))
    assert list(many["solved"]) == [True, False] and np.isnan(many["q"][1]).all()
