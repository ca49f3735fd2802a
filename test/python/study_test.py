"""Runs, ensembles, sweeps, counts, code, selection: against the command and the library's own files."""

import copy
import io
import json
import os
import pickle
import signal
import subprocess
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
from conftest import BUILD

import ulna

COMMAND = os.path.join(BUILD, "ulna")


def command(*arguments):
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def ur5():
    return ulna.load("ur5_like")


def test_a_scenario_runs_as_by_the_command(tmp_path):
    command("simulate", "kuka_pd", "--for", "0.3", "-o", str(tmp_path / "by_command"))
    theirs, ours = ulna.read(tmp_path / "by_command"), ulna.simulate("kuka_pd", duration=0.3)
    np.testing.assert_array_equal(ours.rows, theirs.rows)
    assert ours.names == theirs.names and ours.status == theirs.status == "completed"
    assert [c.group for c in ours.columns] == [c.group for c in theirs.columns]
    ours.save(tmp_path / "by_python", hdf5=True)
    for name in ("trajectory.csv",):
        assert (tmp_path / "by_python" / name).read_bytes() == (tmp_path / "by_command" / name).read_bytes()
    assert (tmp_path / "by_python" / "trajectory.h5").exists()
    assert ulna.read(tmp_path / "by_python").scenario == ours.scenario
    command("simulate", "--again", str(tmp_path / "by_python"), "--hdf5", "-o", str(tmp_path / "again"))
    np.testing.assert_array_equal(ulna.read(tmp_path / "again").rows, ours.rows)


def test_scenarios_as_names_text_and_dictionaries(ur5):
    named = ulna.scenario("kuka_pd")
    assert ulna.scenario(ulna.to_dict(named)).to_text() == named.to_text() == ulna.scenario(named.to_text()).to_text()
    table = {"robot": "ur5_like", "run": {"for": 0.2}, "start": {"q": [0.1] * 6}, "drive": {"kind": "constant", "torque": 1.0}}
    by_table = ulna.simulate(table)
    by_arguments = ulna.simulate(ur5, q0=np.full(6, 0.1), drive=ulna.constant(1.0), duration=0.2)
    by_object = ulna.simulate({**table, "robot": ur5})
    np.testing.assert_array_equal(by_table.rows, by_arguments.rows)
    np.testing.assert_array_equal(by_table.rows, by_object.rows)
    with pytest.raises(ulna.InputError, match="drive"):
        ulna.simulate({**table, "drive": {"kind": "nix"}})
    with pytest.raises(TypeError, match="no argument 'durations'"):
        ulna.simulate(ur5, durations=3)
    with pytest.raises(ValueError, match=r"q0 has shape \(2, 6\)"):
        ulna.simulate(ur5, q0=np.zeros((2, 6)))


def test_a_function_drives_as_the_library_does(ur5):
    kp, kd, target = 200.0, 30.0, np.full(6, 0.2)
    options = dict(q0=np.zeros(6), duration=0.5, tolerance=1e-10)
    built_in = ulna.simulate(ur5, drive=ulna.pd(kp, kd, target), **options)
    own = ulna.simulate(ur5, drive=lambda t, q, v: kp * (target - q) - kd * v, **options)
    np.testing.assert_allclose(own.q, built_in.q, atol=1e-8)
    spline = ulna.simulate(ur5, drive=ulna.pd(kp, kd, ulna.spline([0.0, 0.5], [np.zeros(6), np.ones(6)])), **options)
    np.testing.assert_allclose(spline.group("reference")[[0, -1]], [np.zeros(6), np.ones(6)], atol=1e-12)
    quintic = ulna.simulate(ur5, drive=ulna.computed_torque(100, 20, ulna.quintic([0.3] * 6, 0.4)), **options)
    np.testing.assert_allclose(quintic.q[-1], 0.3, atol=1e-6)


@pytest.mark.parametrize("integrator", ["dop853", "bdf", "adams", "rkf45"])
def test_what_a_function_raises_comes_out(ur5, integrator):
    def broken(t, q, v):
        if t > 0.05:
            raise LookupError("no torque today")
        return np.zeros(6)

    with pytest.raises(LookupError, match="no torque today"):
        ulna.simulate(ur5, drive=broken, duration=1, integrator=integrator)
    with pytest.raises(ValueError, match=r"the drive's result has shape \(3,\)"):
        ulna.simulate(ur5, drive=lambda t, q, v: np.zeros(3), duration=1, integrator=integrator)


def test_arrays_are_views_and_outlive_their_run(ur5):
    run = ulna.simulate(ur5, duration=0.1)
    q = run.q
    assert np.shares_memory(q, run.rows) and np.shares_memory(run.t, run.rows) and not q.flags.writeable
    before = q.copy()
    del run
    np.testing.assert_array_equal(q, before)


def test_tables_and_pictures(ur5, tmp_path):
    run = ulna.simulate(ur5, duration=0.1)
    table = run.table()
    assert list(table.columns) == run.names and len(table) == len(run) == 11
    assert len(run.plot().axes) == 4
    page = run._repr_html_()
    assert page.startswith("<iframe") and len(page) > 100_000
    energy = run["kinetic"] + run["potential"]
    np.testing.assert_allclose(run.energy, energy, rtol=1e-12)
    with pytest.raises(KeyError, match="no column 'nix'"):
        run["nix"]


def test_a_loop_of_your_own(ur5):
    """Under held torques as many steps of rk4 are the run with that step."""
    start, torque = np.full(6, 0.2), np.full(6, 0.5)
    robot = ulna.Stepper(ur5, "rk4", 1e-3)
    np.testing.assert_array_equal(robot.q, ur5.neutral())
    robot.set_state(start, np.zeros(6), t=1.0)
    for _ in range(100):
        robot.step(torque)
    run = ulna.simulate(ur5, q0=start, drive=ulna.constant(torque), integrator="rk4", step=1e-3, duration=0.1, every=0.1)
    np.testing.assert_allclose(robot.q, run.q[-1], rtol=1e-12)
    np.testing.assert_allclose(robot.v, run.v[-1], rtol=1e-11)
    assert robot.time == pytest.approx(1.1) and robot.model == ur5
    with pytest.raises(ValueError, match=r"tau has shape \(5,\)"):
        robot.step(np.zeros(5))
    with pytest.raises(ulna.InputError, match="torque 1 is not a finite number"):
        robot.step(np.full(6, np.nan))
    np.testing.assert_allclose(robot.q, run.q[-1], rtol=1e-12)
    with pytest.raises(ulna.InputError, match="nix"):
        ulna.Stepper(ur5, "nix")
    bar = ulna.Stepper(ulna.load("four_bar"), "dp5", 1e-2)
    for _ in range(20):
        bar.step(np.zeros(3))
    assert np.abs(bar.model.loop_equations(bar.q, bar.v)["residual"]).max() < 1e-8


def test_a_run_that_fails_says_why(ur5):
    run = ulna.simulate(ur5, duration=1, drive=lambda t, q, v: 1e12 * v + 1e3, integrator="rk4", step=0.01)
    assert not run.ok and run.reason


INTERRUPTED = """
import sys, time, numpy as np, ulna
arm = ulna.load("chain:40")
print("ready", flush=True)
began = time.monotonic()
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("call", ["big = ulna.load('stewart'); big.assembly_modes(big.neutral(), big.joint_names[:1], tries=10**6)",
                                  "z = np.zeros(40, 'f4'); arm.forward_dynamics(np.zeros((800_000, 40), 'f4'), z, z, method='constraint_force', threads=1)",
                                  "ulna.simulate(arm, duration=1e5, progress=False)",
                                  "[ulna.codegen(arm, of=['dfd']) for _ in range(20)]",
                                  "ulna.reproduce('all')",
                                  "ulna.simulate(ulna.load('ur5_like'), duration=1e5, drive=lambda t, q, v: -v)",
                                  "ulna.ensemble(arm, runs=10000, vary={'mass': ulna.normal(percent=1)}, duration=1000, every=1000)"])
def test_ctrl_c(call, tmp_path):
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED.format(call=call)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    assert process.stdout.readline() == "interrupted\n"
    # 0.1 s on a free machine; tests share theirs
    assert time.monotonic() - began < 2.0
    assert process.wait(60) == 0  # codegen goes on alone to its end


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_without_tqdm(ur5, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    drive = lambda t, q, v: time.sleep(1e-4) or -v  # noqa: E731
    for stream, told in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        ulna.simulate(ur5, duration=0.2, drive=drive, progress=True)
        assert ("of 0.2 s" in stream.getvalue()) == told


def test_progress(ur5, capsys):
    ulna.simulate(ur5, duration=2.0, drive=lambda t, q, v: -v, progress=True)
    assert "2/2 s" in capsys.readouterr().err


def test_an_ensemble_in_its_folder(ur5, tmp_path):
    options = dict(runs=300, vary=["q=normal:5deg"], duration=2, every=0.5, integrator="dp5", tolerance=1e-6)
    whole = ulna.ensemble(ur5, **options, folder=tmp_path / "whole")
    np.testing.assert_array_equal(ulna.read(tmp_path / "whole")["q1"], whole["q1"])
    script = ("import sys, ulna; ulna.ensemble(ulna.load('ur5_like'), folder=sys.argv[1], threads=1, "
              f"**{options!r})")
    process = subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "cut")])
    partial = tmp_path / "cut" / "ensemble.partial"
    while process.poll() is None and (not partial.exists() or partial.stat().st_size < 20_000):
        time.sleep(0.002)
    process.kill()
    process.wait()
    assert partial.exists(), "it was finished before it could be killed"
    with pytest.raises(ulna.InputError, match="resume it, or delete it"):
        ulna.ensemble(ur5, **options, folder=tmp_path / "cut")
    with pytest.raises(ulna.InputError, match="the number of runs differs"):
        ulna.ensemble(ur5, **{**options, "runs": 301}, folder=tmp_path / "cut", resume=True)
    with pytest.raises(ValueError, match="give the folder"):
        ulna.ensemble(ur5, **options, resume=True)
    ulna.ensemble(ur5, **options, folder=tmp_path / "cut", resume=True)
    assert (tmp_path / "cut" / "ensemble.h5").read_bytes() == (tmp_path / "whole" / "ensemble.h5").read_bytes()
    assert not partial.exists()


def test_ensembles(ur5, tmp_path):
    options = dict(runs=40, vary={"q": ulna.normal(deg=5), "mass": ulna.uniform(percent=(-10, 10))}, duration=0.2, integrator="dp5",
                   tolerance=1e-6, keep=["q", "energy"])
    ours = ulna.ensemble(ur5, **options)
    assert ours.samples.shape == (40, 21, 7) and ours.status == ["completed"] * 40
    one = ulna.ensemble(ur5, **{**options, "runs": 3}, threads=1)
    np.testing.assert_array_equal(one.samples, ours.samples[:3])
    command("simulate", "ur5_like", "--runs", "40", "--vary", "q=normal:5deg", "--vary", "mass=uniform:-10..10%", "--for", "0.2",
            "--integrator", "dp5", "--tol", "1e-6", "--keep", "q,energy", "-o", str(tmp_path / "by_command"))
    theirs = ulna.read(tmp_path / "by_command")
    for name in ours.names:
        np.testing.assert_array_equal(ours[name], theirs[name])
    for name, drawn in ours.parameters.items():
        np.testing.assert_array_equal(drawn, theirs.parameters[name])
    np.testing.assert_array_equal(ours.ends["q"], theirs.ends["q"])
    assert ours.table().shape[0] == 40 and len(ours.plot("q1", "energy").axes) == 2
    np.testing.assert_allclose(ours.percentiles("q1", [50])[0], np.median(ours["q1"], axis=0), rtol=1e-12)
    ours.save(tmp_path / "by_python")
    again = ulna.read(tmp_path / "by_python")
    np.testing.assert_array_equal(again["q3"], ours["q3"])
    assert again.columns == ours.columns
    for options, words in (({"threads": -1}, "-1 threads"), ({"compiled": True, "method": "denoc"}, "leave out the method 'denoc'")):
        with pytest.raises(ulna.InputError, match=words):
            ulna.ensemble("planar2r", runs=2, vary={"q": ulna.normal(deg=5)}, duration=0.1, **options)
    with pytest.raises(ValueError, match="packs"):
        ulna.ensemble(ur5, runs=2, vary={"q": ulna.normal(1)}, drive=lambda t, q, v: v)


def test_closed_loops():
    bar = ulna.load("four_bar")
    assert bar.mobility()["mobility"] == 1 and bar.loop_names
    q = bar.assemble(bar.neutral() + 0.1)
    equations = bar.loop_equations(q, np.zeros(bar.nv))
    assert np.abs(equations["residual"]).max() < 1e-11
    v = bar.closed_rates(q, np.ones(bar.nv))
    np.testing.assert_allclose(equations["A"] @ v, 0, atol=1e-12)
    tau = np.array([0.5, 0, 0])
    a = bar.forward_dynamics(q, v, tau)
    np.testing.assert_allclose(a, bar.forward_dynamics(q, v, tau, method="independent"), atol=1e-10)
    np.testing.assert_allclose(bar.closed_rates(q, a, v), a, atol=1e-10)
    driven = bar.joint_names[0]
    torque = bar.inverse_dynamics(q, v, a, actuated=[driven])
    np.testing.assert_allclose(torque, tau, atol=1e-10)
    document = json.loads(command("fd", "four_bar", "--q", ",".join(map(repr, q.tolist())), "--v", ",".join(map(repr, v.tolist())),
                                  "--tau", "0.5,0,0", "--json"))
    np.testing.assert_allclose(a, document["a"], rtol=1e-9, atol=1e-9)
    many = np.array([q, q + 0.1, q])  # the second is open
    for threads in (1, 2):
        rows = bar.forward_dynamics(many, v, tau, threads=threads)
        assert np.array_equal(rows[0], a) and np.array_equal(rows[2], a) and np.isnan(rows[1]).all()
    rows = bar.inverse_dynamics(many, v, a, actuated=[driven], wrench={"rocker": [0, 0, 1, 0, 0, 0]})
    assert np.array_equal(rows[2], bar.inverse_dynamics(q, v, a, actuated=[driven], wrench={"rocker": [0, 0, 1, 0, 0, 0]}))
    assert bar.forward_dynamics(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3))).shape == (0, 3)
    assert len(bar.assembly_modes(q, [driven])) >= 2
    assert bar.mass_matrix(np.array([q, q])).shape == (2, 3, 3)  # of the tree
    np.testing.assert_allclose(bar.bias(q, v), bar.coriolis_matrix(q, v) @ v + bar.gravity(q), atol=1e-12)
    run = ulna.simulate(bar, q0=q, duration=0.2)
    assert run.ok and run.result["largest_residual"] < 1e-8


def test_sweeps(tmp_path):
    ours = ulna.sweep("slider_crank", {"crank_pin": (0, 2 * np.pi)}, time=2, steps=36)
    command("loop", "slider_crank", "--drive", "crank_pin=0..6.283185307179586", "--for", "2", "--steps", "36", "-o", str(tmp_path / "s"))
    theirs = np.loadtxt(tmp_path / "s" / "table.csv", delimiter=",", skiprows=1)
    np.testing.assert_array_equal(ours.rows, theirs)
    assert ours.complete and ours.q.shape == (37, 3)
    ours.save(tmp_path / "ours")
    assert (tmp_path / "ours" / "table.csv").read_bytes() == (tmp_path / "s" / "table.csv").read_bytes()
    first, second = (ulna.sweep("four_bar", {"crank_pivot": (0.5, 1.0)}, steps=3, mode=mode) for mode in (1, 2))
    assert first["q1"][0] == second["q1"][0] and abs(first["q2"][0] - second["q2"][0]) > 0.1
    with pytest.raises(ulna.InputError, match="mode 3: 2 assembly modes"):
        ulna.sweep("four_bar", {"crank_pivot": (0.5, 1.0)}, mode=3)


def test_counts_and_code(tmp_path):
    theirs = json.loads(command("count", "puma560", "--of", "gim,id,fd", "--json"))["counts"]
    ours = ulna.count("puma560", of=["gim", "id", "fd"])
    keys = ("robot", "of", "method", "regrouped", "mul", "add", "div", "sincos", "cheapest")
    assert [{k: row[k] for k in keys} for row in ours] == [{k: row[k] for k in keys} for row in theirs]
    assert ulna.count("puma560", of=["fk"])[0]["mul"] > 0
    code = ulna.codegen("puma560", of=["id"])
    code.save(tmp_path / "puma560.c")
    subprocess.run(["cc", "-c", "-o", str(tmp_path / "puma.o"), str(tmp_path / "puma560.c")], check=True)
    assert (tmp_path / "puma560.h").read_text() == code.header


SIZE_TASK = {"title": "swing", "segment": [{"to": ["30 deg", "45 deg"], "time": 1, "payload": 0.5}, {"dwell": 0.5}, {"to": [0, 0], "time": 1}]}
SIZE_MOTORS = {"motor": [{"name": "small", "torque": 0.05, "speed": 400}, {"name": "large", "torque": 2, "peak_torque": 5, "speed": 400}],
               "gear": [{"ratio": 50, "efficiency": 0.9}, {"ratio": 100}]}


def test_size(tmp_path):
    from ulna._text import to_toml

    done = ulna.size("planar2r", SIZE_TASK, motors=SIZE_MOTORS, margin=1.2)
    (tmp_path / "task.toml").write_text(to_toml(SIZE_TASK))
    (tmp_path / "motors.toml").write_text(to_toml(SIZE_MOTORS))
    said = command("size", "planar2r", "--task", str(tmp_path / "task.toml"), "--motors", str(tmp_path / "motors.toml"), "--margin", "1.2",
                   "--json", "-o", str(tmp_path / "cycle.csv"))
    theirs = json.loads(said)
    assert {key: done[key] for key in theirs} == theirs and done["fits"]
    rows = np.loadtxt(tmp_path / "cycle.csv", delimiter=",", skiprows=1)
    assert np.array_equal(np.column_stack([done[key] for key in ("t", "q", "v", "a", "tau")]), rows)
    arm = ulna.load("planar2r")
    resting = (done["t"] > 1.001) & (done["t"] < 1.499)
    assert np.allclose(done["tau"][resting], arm.gravity(done["q"][resting]))
    again = ulna.size(arm, tmp_path / "task.toml")
    assert "fits" not in again and "motor" not in again["joints"][0] and np.array_equal(again["tau"], done["tau"])
    for wrong, words in (({"segment": [{"to": [1, 2, 3]}]}, "3 numbers"), ({"segment": [{"to": [1, 1], "tme": 1}]}, "tme")):
        with pytest.raises(ulna.InputError, match=words):
            ulna.size(arm, wrong)
    with pytest.raises(ulna.InputError, match="margin"):
        ulna.size(arm, SIZE_TASK, motors=SIZE_MOTORS, margin=0.5)


def test_selection(tmp_path):
    ours = ulna.select(["rtx", "stanford3"], cpu=False, weights={"energy": 2.0})
    assert ours.best in ("rtx", "stanford3") and set(ours.names) == {"rtx", "stanford3"}
    assert ours.criteria["energy"]["weight"] == 2 and ours.table().shape[1] == 3
    with pytest.raises(ulna.InputError, match="nix"):
        ulna.select(["rtx"], weights={"nix": 1.0}, cpu=False)
    task = ulna.select(["planar2r"], cpu=False, task={"profile": "quintic", "time": 2.0, "to": [1.0, 0.5]})
    np.testing.assert_allclose(task.arms[0]["q"][-1], [1.0, 0.5], atol=1e-12)
    variants = ulna.select(["planar2r"], vary={"link1.a": (0.4, 0.6)}, steps=2)
    assert len(variants.names) == 2 and set(variants.front) <= {0, 1}
    variants.save(tmp_path / "ours")
    command("select", "planar2r", "--vary", "link1.a=0.4..0.6", "--steps", "2", "-o", str(tmp_path / "theirs"))
    assert (tmp_path / "ours" / "select.json").read_bytes() == (tmp_path / "theirs" / "select.json").read_bytes()
    asked = ulna.select(["planar2r"], vary={"link1.a": (0.5, 1.5)}, steps=3, rules={"link1.mass": "2*link1.a"}, stiffness={"joint1": 8e3},
                        criteria=["reach", "stiffness", "peak.1"], require={"reach": (1.7, None), "peak.1": (None, 1e9)})
    np.testing.assert_allclose(asked.criteria["reach"]["values"], [1.5, 2.0, 2.5], rtol=1e-12)
    np.testing.assert_allclose(asked.criteria["stiffness"]["values"], 8e3 / np.array([1.5, 2.0, 2.5]) ** 2, rtol=1e-9)
    assert sorted(asked.order) == [1, 2] and "reach is 1.5 m and must be above 1.7 m" in asked.arms[0]["broken"]
    with pytest.raises(ulna.InputError, match="made in code"):
        ulna.select([ulna.load("planar2r")], vary={"link1.a": (0.4, 0.6)})


def test_the_papers():
    book = ulna.reproduce("fijany_bejczy", fast=True)
    assert book["papers"] and "<html" in book.page.lower()
    assert list(ulna.papers()) == ["saha2001", "fijany_bejczy", "bhangale2004", "wolinski2015", "legnani1996"]
    with pytest.raises(ulna.InputError, match="no paper"):
        ulna.reproduce("nix")


def test_a_motion_file_through_the_dynamics(tmp_path):
    arm = ulna.load("puma560")
    run = ulna.simulate(arm, q0=np.full(6, 0.3), duration=0.2, every=0.05)
    run.save(tmp_path / "run")
    told = ulna.inverse_dynamics_of_motion(arm, tmp_path / "run" / "trajectory.csv", tmp_path / "tau.csv", method="denoc")
    assert told == {"rows": len(run.t), "outside_limits": []}
    rows = np.loadtxt(tmp_path / "tau.csv", delimiter=",", skiprows=1)
    assert np.array_equal(rows[:, 0], run.t)
    for row, q, v, a in zip(rows, run.q, run.v, run.a):  # one state after another, as the file is read
        assert np.array_equal(row[1:], arm.inverse_dynamics(q, v, a, method="denoc"))
    ulna.inverse_dynamics_of_motion(arm, tmp_path / "run" / "trajectory.csv", tmp_path / "actions.csv", actions=True)
    assert np.loadtxt(tmp_path / "actions.csv", delimiter=",", skiprows=1).shape == (len(run.t), 1 + 6 * 6)
    (tmp_path / "bad.csv").write_text("0,1,2\n")
    with pytest.raises(ulna.InputError, match="bad.csv") as raised:
        ulna.inverse_dynamics_of_motion(arm, tmp_path / "bad.csv", tmp_path / "none.csv")
    assert raised.value.line == 1 and not (tmp_path / "none.csv").exists()


def test_a_folder_is_repeated(tmp_path):
    run = ulna.simulate("planar2r", q0=[0.1, 0.2], duration=0.3, every=0.1)
    run.save(tmp_path / "run")
    again = ulna.simulate(ulna.repeated_scenario(tmp_path / "run"))
    assert np.array_equal(again.q, run.q)
    with pytest.raises(ulna.InputError, match="no such file"):
        ulna.repeated_scenario(tmp_path / "nowhere")


def test_counts_are_those_of_the_command():
    rows = ulna.count("stanford", of=["id", "dfd"])
    assert [row["method"] for row in rows if row["of"] == "dfd"] == ["-"]
    cheapest = [row for row in rows if row["of"] == "id" and row["cheapest"]]
    least = min(row["mul"] + row["div"] + row["add"] for row in rows if row["of"] == "id")
    assert [row["mul"] + row["div"] + row["add"] for row in cheapest] == [least]
    with pytest.raises(ulna.InputError, match="loop"):
        ulna.count("four_bar")


def test_a_run_keeps_its_own_robot(tmp_path):
    """The name of a model that was made in code may be that of another robot."""
    heavy = ulna.load("ur5_like").with_payload(5.0)
    run = ulna.simulate(heavy, duration=0.2)
    for scenario in (run.scenario, pickle.loads(pickle.dumps(run.scenario)), copy.deepcopy(run.scenario)):
        assert scenario == run.scenario and scenario.model == heavy
        np.testing.assert_array_equal(ulna.simulate(scenario).q, run.q)
    assert run.scenario != ulna.simulate("ur5_like", duration=0.2).scenario
    run.save(tmp_path / "run")
    with pytest.raises(ulna.InputError, match="made in code"):
        ulna.read(tmp_path / "run").scenario
    for scenario in (ulna.scenario(heavy), ulna.scenario({"robot": heavy})):
        np.testing.assert_array_equal(ulna.simulate(scenario, duration=0.2).q, run.q)


@pytest.mark.parametrize("drive", [lambda t, q, v: -v, ulna.pd(9, 3, ulna.spline([0, 1], np.zeros((2, 6))))])
def test_a_drive_that_is_in_no_file(ur5, drive, tmp_path):
    run = ulna.simulate(ur5, drive=drive, duration=0.1)
    run.save(tmp_path / "run")
    for scenario in (run.scenario, pickle.loads(pickle.dumps(run.scenario)), ulna.read(tmp_path / "run").scenario):
        with pytest.raises(ulna.InputError, match="give a drive"):
            ulna.simulate(scenario)
        np.testing.assert_array_equal(ulna.simulate(scenario, drive=drive).q, run.q)
    refused = subprocess.run([COMMAND, "simulate", "--again", tmp_path / "run"], capture_output=True, text=True, check=False)
    assert refused.returncode != 0 and "give a drive" in refused.stderr


def test_closed_loops_must_be_closed():
    bar = ulna.load("four_bar")
    still = [0, 0, 0]
    for call in (bar.forward_dynamics, bar.inverse_dynamics):
        with pytest.raises(ulna.InputError, match="open at this position.*assemble"):
            call([0.3, 0, 0], still, still)
    with pytest.raises(ulna.InputError, match="open at this position"):
        bar.closed_rates([0.3, 0, 0], [1, 1, 1])
    q = bar.assemble([0.3, 0, 0], held="crank_pivot")
    with pytest.raises(ulna.InputError, match="velocities open the loops"):
        bar.forward_dynamics(q, [1, 1, 1], still)
    document = json.loads(command("fd", "four_bar", "--q", "0.3,0,0", "--json"))
    np.testing.assert_allclose(bar.forward_dynamics(document["q"], still, still), document["a"], rtol=1e-9)
    with pytest.raises(ulna.InputError, match="no closed loops"):
        ulna.load("planar2r").assembly_modes([0, 0], [])
    with pytest.raises(ulna.InputError, match="-5 tries"):
        bar.assembly_modes(q, "crank_pivot", tries=-5)
    assert len(bar.assembly_modes(q, "crank_pivot")) == 2
    torque = bar.inverse_dynamics(q, still, bar.forward_dynamics(q, still, [1, 0, 0]), actuated="crank_pivot")
    np.testing.assert_allclose(torque, [1, 0, 0], atol=1e-12)


@pytest.fixture(scope="module")
def results(ur5):
    return {
        "run": ulna.simulate("stanford_forced", duration=0.1),
        "loop_run": ulna.simulate("slider_crank_free", duration=0.1),
        "ensemble": ulna.ensemble(ur5, runs=3, vary="q=normal:5deg", keep="q", duration=0.1),
        "sweep": ulna.sweep("slider_crank", {"crank_pin": (0, 1)}, steps=5),
        "select": ulna.select(["rtx", "stanford3"], cpu=False),
        "variants": ulna.select("planar2r", vary={"link1.a": (0.4, 0.6)}, steps=2),
        "book": ulna.reproduce("001", fast=True),
    }


def test_folders_are_read_as_they_were(results, tmp_path):
    for name, made in results.items():
        made.save(tmp_path / name)
        read = ulna.read(tmp_path / name)
        assert type(read) is type(made), name
        if name in ("run", "loop_run", "sweep"):
            assert read.columns == made.columns
            np.testing.assert_array_equal(read.rows, made.rows)
            assert read.events == made.events
        if name in ("select", "variants"):
            assert (read.names, read.order, read.apart, read.front) == (made.names, made.order, made.apart, made.front)
            np.testing.assert_allclose(read.scores[read.order], made.scores[made.order], rtol=1e-15)
            assert read.table().equals(made.table()) and read.criteria.keys() == made.criteria.keys()
        if name == "book":
            assert read == made and read.page == made.page
    assert ulna.read(tmp_path / "run").columns[3] == ("q3", "joint3", "m", "position")
    with pytest.raises(ulna.InputError, match="no result of Ulna") as caught:
        ulna.read(tmp_path)
    assert caught.value.file is caught.value.line is None and not caught.value.findings


def test_results_travel(ur5, results, tmp_path):
    for name, made in results.items():
        for other in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
            assert repr(other) == repr(made)
            if isinstance(made, ulna.Table):
                np.testing.assert_array_equal(other.rows, made.rows)
        copy.deepcopy(made).save(tmp_path / name)
        if name != "book":
            with pytest.raises(ValueError, match="came from a pickle"):
                pickle.loads(pickle.dumps(made)).save(tmp_path / "other")
    with ProcessPoolExecutor(1) as pool:
        run = pool.submit(ulna.simulate, ur5, duration=0.1).result(timeout=60)
    np.testing.assert_array_equal(run.q, ulna.simulate(ur5, duration=0.1).q)


def test_reports(ur5, results, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    for name, made in results.items():
        if name == "book":
            continue
        assert made._repr_html_().startswith("<iframe"), name
        assert os.path.exists(made.show()) and len(made.report()) > 10_000
        made.save(tmp_path / name)
        read = ulna.read(tmp_path / name)
        assert read.show() == str(tmp_path / name / "report.html")
        os.remove(tmp_path / name / "report.html")
        assert read._repr_html_().startswith("<pre>&lt;ulna.")
        with pytest.raises(FileNotFoundError, match="no report.html"):
            read.show()
    assert len(opened) == 12
    with pytest.raises(ValueError, match="folder is empty"):
        ulna.simulate(ur5, duration=0.1).save("")


def test_what_is_wrong_with_an_argument(ur5, tmp_path):
    for options, words in (({"duration": -1}, "^duration is -1"), ({"q0": np.zeros(5)}, "^q0 has 5 numbers; this robot wants 6"),
                           ({"v0": np.zeros(7)}, "^v0 has 7 numbers"), ({"every": -1}, "^'every' is -1")):
        with pytest.raises(ulna.InputError, match=words) as caught:
            ulna.simulate(ur5, **options)
        assert caught.value.file is caught.value.line is None
    path = tmp_path / "wrong.toml"
    path.write_text('robot = "ur5_like"\n[start]\nq = [1, 2]\n')
    for options in ({}, {"duration": 1}):
        with pytest.raises(ulna.InputError, match="start.q has 2 numbers") as caught:
            ulna.simulate(path, **options)
        assert caught.value.file == str(path)
    with pytest.raises(ulna.InputError, match="payload of 'flange'"):
        ulna.load("panda_like").with_payload(1, inertia=[1, 0, 0])


def test_one_word_is_a_list_of_one(ur5):
    assert ulna.count("planar2r", of="id") == ulna.count("planar2r", of=["id"])
    assert ulna.codegen("planar2r", of="id") == ulna.codegen("planar2r", of=["id"])
    assert ulna.select("planar2r", cpu=False).names == ["planar2r"]
    assert all(row["bytes"] > 0 for row in ulna.count("planar2r", of="gim"))


def test_progress_of_the_papers():
    from ulna import _papers

    told = []
    _papers.reproduce("all", True, told.append)
    assert told == list(range(1, 1 + sum(sections for *_, sections in _papers.papers())))


def test_groups_that_are_not_there(ur5):
    run = ulna.simulate(ur5, duration=0.1)
    with pytest.raises(KeyError, match="no group 'nix'"):
        run.plot("nix")


def test_percentiles_of_times_that_no_run_came_to():
    stopped = ulna.ensemble("planar2r", runs=2, vary="q=normal:1deg", duration=0.2,
                            events=[{"joint": "joint1", "velocity": -0.1, "action": "stop"}])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(stopped.percentiles("q1")).any()


def test_descriptions_are_compared():
    drive = ulna.pd(1, [2.0] * 6, ulna.spline([0, 1], np.zeros((2, 6))))
    again = pickle.loads(pickle.dumps(drive))
    assert drive == again and hash(drive) == hash(again) and len({drive, again}) == 1
    assert drive != ulna.pd(1, [2.0] * 6, ulna.spline([0, 1], np.ones((2, 6)))) and ulna.hold(1.0) == ulna.hold(1.0)


def test_most_steps():
    run = ulna.simulate("planar2r", most_steps=5, duration=5)
    assert run.status == "too_stiff" and "most_steps" in run.reason and run.result["statistics"]["steps"] <= 6


def test_selection_with_ranges_and_payloads(tmp_path):
    ulna.select("planar2r", vary={"link1.a": (0.4, 0.6)}, steps=2, ranges={"planar2r.joint1": (0.0, 0.3)},
                payloads=[{"mass": 2.0, "com": [0, 0.1, 0]}]).save(tmp_path / "ours")
    command("select", "planar2r", "--vary", "link1.a=0.4..0.6", "--steps", "2", "--range", "planar2r.joint1=0..0.3", "--payload",
            "2@0,0.1,0", "-o", str(tmp_path / "theirs"))
    assert (tmp_path / "ours" / "select.json").read_bytes() == (tmp_path / "theirs" / "select.json").read_bytes()
    with pytest.raises(ulna.InputError, match="range 'nix.joint1'"):
        ulna.select("rtx", cpu=False, ranges={"nix.joint1": (0, 1)})


def test_code_takes_a_payload():
    code = ulna.codegen("puma560", of="id", payload_input="link6")
    assert "payload" in code.header and "payload" not in ulna.codegen("puma560", of="id").header
    with pytest.raises(ulna.InputError, match="nose"):
        ulna.codegen("puma560", of="id", payload_input="nose")
