"""arm.workspace: sizes against closed forms, arrays of the right shapes."""

import numpy as np
import pytest
import ulna


def test_ball_of_the_stanford_arm():
    arm = ulna.load("stanford3")
    found = arm.workspace(ranges={"joint3": (0, 1)}, slices=1)
    assert abs(found["size"]["value"] - 4 / 3 * np.pi) < found["size"]["error"]
    assert found["boundary"].shape[1:] == (3, 3)
    assert len(found["slices"]) == 2
    assert np.allclose(arm.pose(found["q"])[:, :3, 3], found["points"], atol=1e-4)
    a, b, c = np.moveaxis(found["boundary"], 1, 0)
    volume = np.sum(a * np.cross(b, c)) / 6
    assert volume == pytest.approx(found["size"]["value"], rel=1e-2)


def test_refusals():
    with pytest.raises(ulna.InputError, match="no limits"):
        ulna.load("stanford3").workspace()
    arm = ulna.load("puma560")
    for wrong in ({"slices": 51}, {"slices": -1}, {"accuracy": float("nan")}, {"accuracy": 0.0},
                  {"ranges": {"joint1": (float("nan"), 1.0)}}):
        with pytest.raises(ulna.InputError, match=next(iter(wrong)).rstrip("s")):
            arm.workspace(**wrong)
