"""Arrays in and out: shapes, dtypes, layouts, and what is refused in which words."""

import tracemalloc

import numpy as np
import pytest
from conftest import states

import ulna


@pytest.mark.parametrize("count", [0, 1, 2, 7, 4097])
def test_a_batch_is_its_states(arm, count):
    q, v, x = states(arm, min(count, 7))
    q, v, x = (np.resize(part, (count, 7)) for part in (q, v, x))
    tau = arm.inverse_dynamics(q, v, x)
    assert tau.shape == (count, 7) and tau.flags.c_contiguous
    a = arm.forward_dynamics(q, v, tau)
    M, C = arm.mass_matrix(q), arm.coriolis_matrix(q, v)
    assert M.shape == C.shape == (count, 7, 7)
    assert arm.jacobian(q, reference="world_axes").shape == (count, 6, 7)
    assert arm.pose(q).shape == (count, 4, 4)
    for k in range(0, count, 1024):
        one = arm.inverse_dynamics(q[k], v[k], x[k])
        np.testing.assert_allclose(tau[k], one, rtol=1e-13, atol=1e-13)
        np.testing.assert_array_equal(tau[k], tau[k % 7])  # the result of a state is that of the state alone
        np.testing.assert_allclose(M[k] @ x[k] + C[k] @ v[k] + arm.gravity(q[k]), one, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(a, x, rtol=1e-9, atol=1e-9)


def test_threads_do_not_change_a_bit(arm):
    q, v, x = (np.resize(part, (5000, 7)) for part in states(arm, 50))
    np.testing.assert_array_equal(arm.forward_dynamics(q, v, x, threads=1), arm.forward_dynamics(q, v, x, threads=2))


def test_float32(arm):
    q, v, x = states(arm, 100)
    singles = [part.astype(np.float32) for part in (q, v, x)]
    tau = arm.inverse_dynamics(*singles)
    assert tau.dtype == np.float32
    np.testing.assert_allclose(tau, arm.inverse_dynamics(*(s.astype(float) for s in singles)), rtol=2e-4, atol=2e-4)
    assert arm.inverse_dynamics(singles[0], v, x).dtype == np.float64
    assert arm.inverse_dynamics(q, v, x, dtype=np.float32).dtype == np.float32
    assert arm.inverse_dynamics(*singles, dtype="float64").dtype == np.float64
    np.testing.assert_array_equal(arm.inverse_dynamics(*(s[0] for s in singles)), tau[0])
    assert arm.pose(singles[0]).dtype == arm.bias(*singles[:2]).dtype == np.float32
    np.testing.assert_array_equal(arm.bias(q, v, threads=1), arm.inverse_dynamics(q, v, np.zeros(7)))


def test_layouts(arm):
    q, v, x = states(arm, 64)
    want = arm.inverse_dynamics(q, v, x)
    fortran, strided = np.asfortranarray(q), np.repeat(v, 2, axis=0)[::2]
    backwards, swapped = x[::-1][::-1], q.astype(">f8")
    readonly = q.copy()
    readonly.flags.writeable = False
    for positions in (fortran, swapped, readonly, q.tolist()):
        np.testing.assert_array_equal(arm.inverse_dynamics(positions, strided, backwards), want)
    np.testing.assert_array_equal(arm.gravity(np.zeros(7, dtype=int)), arm.gravity(np.zeros(7)))


def test_several_frames_at_once(arm):
    q, v, _ = states(arm, 9)
    names = ["link3", "flange"]
    for at in (q, q[0], q.astype(np.float32)):
        T, J = arm.pose(at, names), arm.jacobian(at, names, reference="own_axes")
        rates = arm.velocity(at, v[: len(at)] if at.ndim == 2 else v[0], names, reference="own_axes")
        assert T.shape == (*at.shape[:-1], 2, 4, 4) and J.shape == (*at.shape[:-1], 2, 6, 7) and rates.shape == (*at.shape[:-1], 2, 6)
        for k, name in enumerate(names):
            np.testing.assert_array_equal(T[..., k, :, :], arm.pose(at, name))
            np.testing.assert_array_equal(J[..., k, :, :], arm.jacobian(at, name, reference="own_axes"))
    out = np.empty((9, 2, 4, 4))
    assert arm.pose(q, names, out=out) is out
    np.testing.assert_array_equal(out, arm.pose(q, names))


@pytest.mark.parametrize("compiled", [False, True])
def test_each_state_has_its_own_payload(arm, compiled):
    q, v, x = states(arm, 9)
    rows = np.zeros((9, 10))
    rows[:, 0] = np.arange(9)  # kg; the first state carries nothing
    rows[:, 1:4] = [0.02, -0.01, 0.1]
    rows[:, 4:7] = np.outer(np.arange(9), [0.01, 0.012, 0.015])
    tau = arm.inverse_dynamics(q, v, x, payload={"flange": rows}, compiled=compiled)
    a = arm.forward_dynamics(q, v, tau, payload={"flange": rows}, compiled=compiled)
    M, g = (f(q, payload={"flange": rows}, compiled=compiled) for f in (arm.mass_matrix, arm.gravity))
    np.testing.assert_allclose(a, x, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(tau[0], arm.inverse_dynamics(q[0], v[0], x[0]), rtol=1e-12, atol=1e-12)
    for k in range(1, 9):
        loaded = arm.with_payload(rows[k, 0], com=rows[k, 1:4], inertia=rows[k, 4:], frame="flange")
        np.testing.assert_allclose(tau[k], loaded.inverse_dynamics(q[k], v[k], x[k]), rtol=1e-11, atol=1e-11)
        np.testing.assert_allclose(M[k], loaded.mass_matrix(q[k]), rtol=1e-11, atol=1e-12)
        np.testing.assert_allclose(g[k], loaded.gravity(q[k]), rtol=1e-11, atol=1e-11)
        one = arm.inverse_dynamics(q[k], v[k], x[k], payload={"flange": rows[k]}, compiled=compiled)
        np.testing.assert_allclose(one, tau[k], rtol=1e-12, atol=1e-12)
    with pytest.raises(ValueError, match=r"the mass of row 1 is below zero"):
        arm.gravity(q[:2], payload={"flange": [[1] * 10, [-1] * 10]})
    with pytest.raises(ValueError, match=r"payload has shape \(3, 10\), and there are 9 states"):
        arm.gravity(q, payload={"flange": rows[:3]})


def test_one_row_stands_for_all(arm):
    q, v, x = states(arm, 33)
    for shape in ((1, 7), (7,)):
        got = arm.inverse_dynamics(q, v[0].reshape(shape), x[0].reshape(shape), wrench={"flange": np.ones((1, 6))})
        np.testing.assert_array_equal(got, arm.inverse_dynamics(q, np.tile(v[0], (33, 1)), np.tile(x[0], (33, 1)), wrench={"flange": np.ones(6)}))
    assert arm.gravity(q[:1]).shape == (1, 7) and arm.coriolis_matrix(q[:1], v[:0]).shape == (0, 7, 7)
    np.testing.assert_array_equal(arm.inverse_dynamics(q, v[0], x[0]), arm.inverse_dynamics(q, np.tile(v[0], (33, 1)), np.tile(x[0], (33, 1))))


def test_arrays_are_not_copied(arm):
    q, v, x = states(arm, 33)
    out = np.empty((33, 7))
    assert arm.inverse_dynamics(q, v, x, out=out) is out
    np.testing.assert_array_equal(out, arm.inverse_dynamics(q, v, x))
    matrix = np.empty((33, 7, 7))
    assert arm.mass_matrix(q, out=matrix) is matrix
    other = np.empty((33, 7, 7))  # rows side by side, where the library writes columns
    assert arm.coriolis_matrix(q, v, out=other) is other
    np.testing.assert_array_equal(other, arm.coriolis_matrix(q, v))
    backwards = np.empty((33, 7))[::-1]
    arm.gravity(q, out=backwards)
    np.testing.assert_array_equal(backwards, arm.gravity(q))
    three = tuple(np.empty((33, 7, 7)) for _ in range(3))
    results = arm.forward_dynamics_derivatives(q, v, x, out=three)
    assert all(a is b for a, b in zip(three, results))
    np.testing.assert_array_equal(three[0], arm.forward_dynamics_derivatives(q, v, x)[0])
    place = x.copy()
    arm.inverse_dynamics(q, v, place, out=place)
    np.testing.assert_array_equal(place, arm.inverse_dynamics(q, v, x))


def test_out_may_overlap_with_an_argument(arm):
    """As in NumPy, the result is that of arrays apart."""
    rng = np.random.default_rng(1)
    for overlap in (lambda b: (b[:100], b[1:]), lambda b: (b[1:], b[:100]), lambda b: (b[::2], b[:51])):
        q, out = overlap(rng.uniform(-1, 1, (101, 7)))
        want = arm.gravity(q.copy())
        assert arm.gravity(q, out=out) is out
        np.testing.assert_array_equal(out, want)
    whole = rng.uniform(-1, 1, (40, 49))
    q = whole[:, :7].copy()
    first = whole[0, :7]  # one state that stands for all, in the place of the first result
    want = arm.coriolis_matrix(q, first.copy())
    np.testing.assert_array_equal(arm.coriolis_matrix(q, first, out=whole.reshape(40, 7, 7)), want)
    D = np.empty((40, 7, 7))
    with pytest.raises(ValueError, match="share memory"):
        arm.forward_dynamics_derivatives(q, q, q, out=(D, D, np.empty((40, 7, 7))))


def test_out_by_columns_is_written_directly(arm):
    """A transposed view: no other memory of its size is taken."""
    q, v, _ = (np.resize(part, (20_000, 7)) for part in states(arm, 9))
    out = np.empty((20_000, 7, 7)).transpose(0, 2, 1)
    arm.coriolis_matrix(q[:200], v[:200], out=out[:200])
    tracemalloc.start()
    assert arm.coriolis_matrix(q, v, out=out) is out
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < out.nbytes / 10
    np.testing.assert_array_equal(out, arm.coriolis_matrix(q, v))


@pytest.mark.parametrize("count", [0, 1, 2, 7, 4097])
@pytest.mark.parametrize("reference", ["world_axes", "own_axes", "world_origin"])
def test_velocities_of_frames(count, reference):
    robot = ulna.load("satellite_arm")
    q, v, _ = (np.resize(part, (count, part.shape[1])) for part in states(robot, 7))
    got = robot.velocity(q, v, "link2", reference=reference)
    assert got.shape == (count, 6)
    J = robot.jacobian(q, "link2", reference=reference)
    np.testing.assert_allclose(got, (J @ v[:, :, None])[:, :, 0], rtol=1e-12, atol=1e-12)
    if count > 0:
        np.testing.assert_allclose(robot.velocity(q[0], v[0], "link2", reference=reference), got[0], rtol=1e-12, atol=1e-13)
        np.testing.assert_array_equal(robot.velocity(q[0], v, "link2", reference=reference)[0], got[0])
        np.testing.assert_array_equal(robot.velocity(q, v[0], "link2", reference=reference)[0], got[0])
        single = robot.velocity(q.astype("f4"), v.astype("f4"), "link2", reference=reference, threads=1)
        assert single.dtype == np.float32
        np.testing.assert_allclose(single, got, atol=2e-5)


def test_nan_stays_in_its_row(arm):
    q, v, x = states(arm, 40)
    want = arm.forward_dynamics(q, v, x)
    q[13, 2] = np.nan
    got = arm.forward_dynamics(q, v, x)
    assert np.isnan(got[13]).any()
    np.testing.assert_array_equal(np.delete(got, 13, 0), np.delete(want, 13, 0))
    assert np.isnan(arm.inverse_dynamics(q[13], v[13], x[13])).any()


def test_quaternions():
    robot = ulna.load("satellite_arm")
    q, v, x = states(robot, 9)
    want = robot.inverse_dynamics(q, v, x)
    q[4, 3:7] *= 2
    got = robot.inverse_dynamics(q, v, x)
    assert np.isnan(got[4]).all()
    np.testing.assert_array_equal(np.delete(got, 4, 0), np.delete(want, 4, 0))
    ways = [lambda: robot.inverse_dynamics(q[4], v[4], x[4]), lambda: robot.integrate(q[4], v[4]), lambda: robot.difference(q[4], q[0]),
            lambda: robot.inverse_dynamics(q[4], v[4], x[4], dtype="f4"), lambda: robot.pose(q[4], dtype="f4"),
            lambda: robot.inverse_dynamics(q[4], v[4], x[4], compiled=True)]
    for way in ways:
        with pytest.raises(ValueError, match="quaternion"):
            way()


def test_a_singular_inertia_matrix():
    robot = ulna.load("panda_like", free_base=True)  # its base has no mass
    q, v, x = states(robot, 3)
    for options in ({}, {"dtype": np.float32}):
        with pytest.raises(ulna.InputError, match="inertia matrix is singular"):
            robot.forward_dynamics(q[0], v[0], x[0], **options)
    assert np.isnan(robot.forward_dynamics(q, v, x)).any()


ZERO = np.zeros(7)
WRONG = [
    (lambda m: m.inverse_dynamics(ZERO[:3], ZERO, ZERO), ValueError, r"q has shape \(3,\); \(7,\) or \(N, 7\) is wanted"),
    (lambda m: m.inverse_dynamics(ZERO, np.zeros((2, 6)), ZERO), ValueError, r"v has shape \(2, 6\)"),
    (lambda m: m.gravity(np.zeros((2, 2, 7))), ValueError, r"q has shape \(2, 2, 7\)"),
    (lambda m: m.gravity(3.0), ValueError, r"q has shape \(\)"),
    (lambda m: m.coriolis_matrix(np.zeros((3, 7)), np.zeros((4, 7))), ValueError, "q has 3 rows and v has 4"),
    (lambda m: m.gravity(ZERO * 1j), ValueError, "q has dtype complex128; real numbers are wanted"),
    (lambda m: m.gravity(np.array(["a"] * 7)), ValueError, "q has dtype <U1"),
    (lambda m: m.gravity(ZERO, out=np.zeros(6)), ValueError, r"out has shape \(6,\).*\(7,\) of float64"),
    (lambda m: m.gravity(ZERO, out=np.zeros(7, "f4")), ValueError, "dtype float32; .* of float64"),
    (lambda m: m.gravity(ZERO, out=np.broadcast_to(0.0, 7)), ValueError, "read-only"),
    (lambda m: m.gravity(ZERO, dtype=int), ValueError, "dtype must be float32 or float64"),
    (lambda m: m.gravity(), TypeError, "misses the argument 'q'"),
    (lambda m: m.gravity(ZERO, ZERO), TypeError, "takes 1 arguments without a name"),
    (lambda m: m.gravity(ZERO, nix=1), TypeError, "no argument 'nix'"),
    (lambda m: m.gravity(ZERO, q=ZERO), TypeError, "'q' twice"),
    (lambda m: m.gravity(ZERO, method="nix"), ulna.InputError, "unknown method 'nix'"),
    (lambda m: m.mass_matrix(ZERO, method="newton_euler"), ulna.InputError, "does not give the mass matrix"),
    (lambda m: m.gravity(ZERO, threads=-1), ValueError, "threads is -1"),
    (lambda m: m.pose(ZERO, "nix"), ulna.InputError, "no link or frame 'nix'; it has base, link1"),
    (lambda m: m.jacobian(ZERO), TypeError, "needs reference="),
    (lambda m: m.jacobian(ZERO, reference="nix"), ValueError, "reference is 'nix'"),
    (lambda m: m.inverse_dynamics(ZERO, ZERO, ZERO, wrench={"nix": np.zeros(6)}), ulna.InputError, "no link or frame 'nix'"),
    (lambda m: m.inverse_dynamics(ZERO, ZERO, ZERO, wrench={"base": np.zeros(6)}), ulna.InputError, "on the ground"),
    (lambda m: m.inverse_dynamics(ZERO, ZERO, ZERO, wrench={"link3": np.zeros(5)}), ValueError, r"the wrench on 'link3' has shape \(5,\)"),
    (lambda m: m.inverse_dynamics(ZERO, ZERO, ZERO, wrench={"link3": np.zeros((5, 6))}), ValueError, r"'link3' has shape \(5, 6\); one state"),
    (lambda m: m.gravity(ZERO, payload={"nix": np.zeros(10)}), ulna.InputError, "no link or frame 'nix'"),
    (lambda m: m.gravity(ZERO, payload={"base": np.zeros(10)}), ulna.InputError, "on the ground"),
    (lambda m: m.gravity(ZERO, payload={"flange": np.zeros(4)}), ValueError, r"payload has shape \(4,\)"),
    (lambda m: m.gravity(ZERO, payload=3.0), TypeError, "payload must be a dict of one link or frame"),
    (lambda m: m.gravity(ZERO, payload={"flange": np.zeros(10)}, method="homogeneous"), ulna.InputError, "takes no payload"),
    (lambda m: m.pose(ZERO, []), ValueError, "frame names no frame"),
    (lambda m: m.pose(ZERO, ["flange", "nix"]), ulna.InputError, "no link or frame 'nix'"),
    (lambda m: m.gravity(np.zeros((3, 7)), out=np.lib.stride_tricks.as_strided(np.zeros(7), (3, 7), (0, 8))), ValueError, "one place"),
    (lambda m: m.com([0]), ValueError, r"q has shape \(1,\)"),
    (lambda m: m.momentum(ZERO), TypeError, "momentum"),
    (lambda m: m.kinetic_energy(np.zeros((2, 7)), np.zeros((3, 7))), ValueError, "2"),
    (lambda m: m.potential_energy(np.zeros((2, 7)), out=np.zeros((2, 1))), ValueError, r"\(2,\)"),
    (lambda m: ulna.Stepper(m).step([0]), ValueError, r"tau has shape \(1,\); one state is wanted: \(7,\)$"),
    (lambda m: ulna.Stepper("panda_like"), TypeError, "'panda_like'; an ulna.Model is wanted"),
    (lambda m: ulna.Stepper(m, tolerance=-1), ulna.InputError, "tolerances"),
    (lambda m: m.integrate(np.zeros((2, 7)), ZERO), ValueError, r"q has shape \(2, 7\); one state"),
    (lambda m: m.changed(gravity=9.81), ValueError, r"gravity has shape \(\)"),
    (lambda m: m.with_payload(1, com=[0, 0]), ValueError, r"com has shape \(2,\)"),
    (lambda m: m.with_payload(1, inertia=3), ValueError, r"inertia has shape \(\)"),
    (lambda m: m.random_state(-1), ValueError, "seed is -1"),
    (lambda m: m.random_state(scale=np.nan), ValueError, "scale"),
    (lambda m: ulna.load("panda_like", allow_nonphysical=True), TypeError, "the reason"),
    (lambda m: ulna.load(3), TypeError, "a robot is 3; a model, a name"),
    (lambda m: ulna.simulate(None), TypeError, "a scenario is None; a model, a name"),
    (lambda m: ulna.Model.__new__(ulna.Model), TypeError, "ulna.load"),
    (lambda m: ulna.Scenario.__new__(ulna.Scenario), TypeError, "ulna.scenario"),
    (lambda m: ulna.Stepper.__new__(ulna.Stepper).time, TypeError, "not been initialised"),
    (lambda m: ulna.uniform(deg=3), ValueError, "deg is 3; two numbers"),
    (lambda m: ulna.spline([[0, 1]], [[0.0] * 7]), ValueError, r"times have shape \(1, 2\)"),
    (lambda m: ulna.reproduce(3), TypeError, "paper is 3"),
    (lambda m: ulna.sweep("slider_crank", {"crank_pin": 3}), ValueError, "'crank_pin' is 3; two numbers"),
    (lambda m: ulna.sweep("slider_crank", {"crank_pin": (0, 1)}, q=[0]), ValueError, r"one state is wanted: \(3,\)"),
    (lambda m: ulna.select("planar2r", vary={"link1.a": 3}), ValueError, "'link1.a' is 3"),
    (lambda m: ulna.select("planar2r", threads=-1), ulna.InputError, "-1 threads"),
    (lambda m: ulna.simulate(m, method="denoc", compiled=True, duration=0.1), ulna.InputError, "leave out the method 'denoc'"),
    (lambda m: m.inverse_dynamics(ZERO, ZERO, ZERO, actuated=["joint1"]), ulna.InputError, "closed loops"),
]


@pytest.mark.parametrize("call, kind, words", WRONG)
def test_wrong_arguments(arm, call, kind, words):
    with pytest.raises(kind, match=words):
        call(arm)


def test_compiled_code(arm):
    q, v, x = states(arm, 50)
    np.testing.assert_allclose(arm.inverse_dynamics(q, v, x, compiled=True), arm.inverse_dynamics(q, v, x), rtol=1e-12, atol=1e-12)
    one = arm.forward_dynamics(q[3], v[3], x[3], compiled=True)
    np.testing.assert_array_equal(one, arm.forward_dynamics(q, v, x, compiled=True)[3])


def test_compiled_code_without_a_compiler(arm, monkeypatch, tmp_path):
    monkeypatch.setenv("ULNA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    robot = ulna.load("panda_like")
    with pytest.warns(RuntimeWarning, match="generic"):
        np.testing.assert_allclose(robot.gravity(ZERO, compiled=True), arm.gravity(ZERO), atol=1e-12)
