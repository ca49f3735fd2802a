"""Robots: where they come from, what they say, and how they travel."""

import copy
import inspect
import os
import pickle

import numpy as np
import pytest
from conftest import SOURCE, states

import ulna

ROD = dict(joint="revolute", a=0.4, mass=3.0, com=[-0.2, 0, 0], inertia=[0.004, 0.05, 0.05])
TEXT = 'name = "rod"\ndh = "standard"\n[[link]]\njoint = "revolute"\na = 0.4\nmass = 3.0\ncom = [-0.2, 0, 0]\ninertia = [0.004, 0.05, 0.05]\n'


def test_all_ways_to_a_robot(tmp_path):
    made = ulna.robot(dh="standard", name="rod", links=[ROD])
    (tmp_path / "rod.toml").write_text(TEXT)
    for other in (ulna.load(TEXT), ulna.load(tmp_path / "rod.toml"), ulna.load({"name": "rod", "dh": "standard", "link": [ROD]})):
        assert other == made and hash(other) == hash(made)
    assert made != ulna.robot(dh="standard", name="rod", links=[{**ROD, "mass": 3.1}])
    q, v = np.array([0.7]), np.array([0.2])
    for form in ("urdf", "mjcf", "sdf"):
        other = ulna.load(made.to_text(form))
        np.testing.assert_allclose(other.mass_matrix(q), made.mass_matrix(q), rtol=1e-12)
    assert ulna.load("chain:12").nv == 12


def test_facts(arm):
    assert (arm.name, arm.nq, arm.nv, arm.tip) == ("panda_like", 7, 7, "flange")
    assert arm.joint_names == arm.q_names == arm.v_names and len(arm.joint_names) == 7
    lower, upper = arm.limits
    assert lower.shape == upper.shape == (7,) and (lower < upper).all()
    assert arm.effort_limits.shape == arm.velocity_limits.shape == (7,)
    np.testing.assert_array_equal(arm.gravity_vector, [0, 0, -9.81])
    assert sum(link["mass"] for link in arm.links) > 10 and "panda_like" in repr(arm)
    satellite = ulna.load("satellite_arm")
    assert satellite.nq == satellite.nv + 1 and satellite.has_free_base and len(satellite.q_names) == satellite.nq


@pytest.mark.parametrize("name", [name for name in ulna.robots() if ":" not in name])
def test_pickles_and_copies_are_the_same_to_the_bit(name):
    robot = ulna.load(name)
    again = pickle.loads(pickle.dumps(robot))
    assert again == robot and again is not robot and copy.copy(robot) == copy.deepcopy(robot) == robot
    q, v = robot.random_state(seed=5)
    np.testing.assert_array_equal(again.mass_matrix(q), robot.mass_matrix(q))
    np.testing.assert_array_equal(again.pose(q), robot.pose(q))
    np.testing.assert_array_equal(again.coriolis_matrix(q, v), robot.coriolis_matrix(q, v))


def test_wrong_robots_say_where(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text('dh = "standard"\n[[link]]\njoint = "revolvo"\n')
    with pytest.raises(ulna.InputError) as caught:
        ulna.load(path)
    assert (caught.value.file, caught.value.line) == (str(path), 3)
    assert "revolvo" in str(caught.value) and "use one of" in caught.value.findings[0]["remedy"]
    with pytest.raises(ulna.InputError, match="unknown robot 'nix'") as caught:
        ulna.load("nix")
    assert caught.value.file is None and caught.value.line is None
    assert issubclass(ulna.InputError, ValueError)


def test_check():
    assert ulna.check(TEXT) == ulna.load(TEXT).check() == ulna.check("ur5_like") == []
    assert {f["severity"] for f in ulna.check("puma560")} == {"warning"}
    findings = ulna.check("puma560_printed")
    assert any(f["severity"] == "error" for f in findings) and all(f["reason"] for f in findings)
    with pytest.raises(ulna.InputError):
        ulna.robot(dh="standard", links=[{**ROD, "mass": -1}])
    assert ulna.check({"dh": "standard", "links": [{**ROD, "mass": -1}]})[0]["link"] == "link1"


def test_check_looks_at_loops():
    assert not [f for f in ulna.check("four_bar") if f["severity"] == "error"]
    ring = ulna.load("four_bar").to_text()
    far = ring.replace("child_pose = { xyz = [0.8, 0, 0] }", "child_pose = { xyz = [8, 0, 0] }")
    assert far != ring and any("does not close" in f["reason"] for f in ulna.check(far))
    assert any("does not close" in f["reason"] for f in ulna.load(far).check())


def test_changes(arm):
    q, v, a = (part[0] for part in states(arm, 1))
    down = arm.changed(gravity=[0, 0, 0])
    np.testing.assert_array_equal(down.gravity(q), np.zeros(7))
    np.testing.assert_array_equal(ulna.load("panda_like", gravity=[0, 0, 0]).gravity(q), np.zeros(7))
    loaded = arm.with_payload(2.0, [0.1, 0, 0])
    # a point mass adds m Jᵀ J of its place to M
    J = arm.jacobian(q, reference="world_axes")
    R = arm.pose(q)[:3, :3]
    arm_of_force = R @ [0.1, 0, 0]
    point = J[3:] + np.cross(J[:3].T, arm_of_force).T
    np.testing.assert_allclose(loaded.mass_matrix(q), arm.mass_matrix(q) + 2 * point.T @ point, rtol=1e-10, atol=1e-12)
    assert loaded != arm
    assert ulna.load("ur5_like", free_base=True).nv == 12
    assert arm.attached(ulna.load("planar2r"), "hand_").nv == 9


def test_positions_are_a_group():
    robot = ulna.load("satellite_arm")
    q, _ = robot.random_state(seed=1)
    other, step = robot.random_state(seed=2)
    there = robot.integrate(q, step)
    assert there.shape == (robot.nq,)
    np.testing.assert_allclose(robot.difference(q, there), step, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(there[3:7]), 1, atol=1e-15)


def test_everything_that_help_shows_has_a_text():
    bare = [name for name in ulna.__all__ if name != "__version__" and not inspect.getdoc(getattr(ulna, name))]
    for cls in (ulna.Model, ulna.Scenario, ulna.Stepper, ulna.Run, ulna.Ensemble, ulna.Sweep, ulna.Comparison, ulna.Table,
                ulna.Column):
        bare += [f"{cls.__name__}.{name}" for name, member in vars(cls).items()
                 if not name.startswith("_") and not inspect.getdoc(member)]
    assert bare == []
    sweep = ulna.sweep("slider_crank", {"crank_pin": (0, 1)}, steps=2)
    # what __init__ sets is told in the text of the class, or of the one that it comes from
    for made in (sweep, ulna.ensemble("planar2r", runs=1, vary="q=normal:1deg", duration=0.01), ulna.simulate("planar2r", duration=0.01),
                 ulna.select("planar2r", cpu=False), ulna.pd(1, 2, 3.0), ulna.hold(1.0), ulna.normal(1)):
        text = " ".join(cls.__doc__ or "" for cls in type(made).__mro__)
        assert [name for name in vars(made) if not name.startswith("_") and f"{name}:" not in text] == [], type(made)


def test_signatures(arm):
    assert str(inspect.signature(arm.forward_dynamics)).startswith("(q, v, tau, *, method='auto', compiled=False")
    assert str(inspect.signature(ulna.Stepper)) == "(model, integrator='rk4', step=0.001, *, method='auto', tolerance=1e-09)"
    for cls in (ulna.Model, ulna.Stepper, ulna.Scenario):
        for name, member in vars(cls).items():
            if not name.startswith("_") and not isinstance(member, property):
                assert "self" in inspect.signature(getattr(cls, name)).parameters, name
    assert str(inspect.signature(arm.assemble)) == "(q, held=())"
    assert list(inspect.signature(ulna.Model.jacobian).parameters) == ["self", "q", "frame", "reference", "dtype", "out", "threads"]


def test_types_are_those_of_the_stub():
    """Every name of the stub is there, and every public name is in the stub."""
    import ast

    with open(os.path.join(SOURCE, "python", "ulna", "_core.pyi"), encoding="utf-8") as file:
        tree = ast.parse(file.read())
    for cls in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        stub = {node.name for node in cls.body if isinstance(node, ast.FunctionDef)} | {
            node.target.id for node in cls.body if isinstance(node, ast.AnnAssign)}
        real = {name for name in vars(getattr(ulna._core, cls.name)) if not name.startswith("_")}
        assert {name for name in stub if not name.startswith("_")} == real, cls.name
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert functions == {name for name, member in vars(ulna._core).items()
                         if not name.startswith("_") and callable(member) and not isinstance(member, type)}


def test_motors_that_joints_share():
    text = (
        'gravity = [0, 0, 0]\ndh = "standard"\n'
        + '[[link]]\njoint = "revolute"\nalpha = "90 deg"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n' * 2
        + '[[coupling]]\nname = "wrist"\njoints = ["joint1", "joint2"]\n'
        + "[[coupling.motor]]\ngears = [3, 4]\ninertia = 0.01\ntorque = 2\n"
        + "[[coupling.motor]]\ngears = [3, -4]\ninertia = 0.03\nspeed = 7\n"
    )
    arm = ulna.load(text)
    (wrist,) = arm.couplings
    assert wrist["name"] == "wrist" and wrist["joints"] == ["joint1", "joint2"]
    assert wrist["torque"] == [2.0, np.inf] and wrist["speed"] == [np.inf, 7.0]
    gears, rotors = np.array(wrist["gears"]), np.diag([0.01, 0.03])
    alone = ulna.load(text[: text.index("[[coupling]]")])
    q = np.array([0.2, 0.5])
    np.testing.assert_allclose(arm.mass_matrix(q) - alone.mass_matrix(q), gears.T @ rotors @ gears, rtol=1e-14)
    assert alone.couplings == [] and pickle.loads(pickle.dumps(arm)) == arm != alone
