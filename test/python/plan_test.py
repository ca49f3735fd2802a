"""Ensembles in chunks, by whatever hands them out: the same files each time."""

import concurrent.futures
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import ulna

OPTIONS = dict(runs=120, vary=["q=normal:5deg"], duration=0.5, every=0.1, integrator="dp5", tolerance=1e-6, keep=["q", "tip"])
MPIRUN = os.environ.get("ULNA_MPIRUN")


@pytest.fixture(scope="module")
def ur5():
    return ulna.load("ur5_like")


@pytest.fixture(scope="module")
def whole(ur5, tmp_path_factory):
    """The files of one process, one chunk after the other."""
    folder = tmp_path_factory.mktemp("whole") / "out"
    plan = ulna.ensemble_plan(ur5, **OPTIONS, folder=folder, chunk=16)
    chunks = plan.chunks()
    assert [chunk.count for chunk in chunks] == [16] * 7 + [8]
    assert all(chunk.run() for chunk in chunks)
    assert not chunks[3].run()  # it is there
    assert plan.collect()["counts"]["completed"] == 120
    return files_of(folder)


def files_of(folder):
    shards = sorted((folder / "ensemble.shards").glob("*.h5"))
    return [(path.name, path.read_bytes()) for path in [folder / "ensemble.h5", *shards]]


def run(chunk):
    return chunk.run()


def test_the_same_runs_as_in_memory(ur5, whole, tmp_path):
    plan = ulna.ensemble_plan(ur5, **OPTIONS, folder=tmp_path / "out", chunk=16)
    summary = plan.run()
    together, alone = ulna.read(tmp_path / "out"), ulna.ensemble(ur5, **OPTIONS, folder=tmp_path / "alone")
    np.testing.assert_array_equal(together.samples, alone.samples)
    assert together.parameters.keys() == alone.parameters.keys() and len(together) == 120
    assert files_of(tmp_path / "out") == whole
    assert summary["final"][0]["p50"] == np.median(alone["q1"][:, -1])
    with pytest.raises(ulna.InputError, match="resume it, or delete it"):
        ulna.ensemble_plan(ur5, **OPTIONS, folder=tmp_path / "out", chunk=16).chunks()
    merged = ulna.ensemble_plan(ur5, **OPTIONS, folder=tmp_path / "out", chunk=16, resume=True)
    merged.chunks()
    merged.collect(merge=True)
    assert (tmp_path / "out" / "ensemble.h5").read_bytes() == (tmp_path / "alone" / "ensemble.h5").read_bytes()


def test_futures(ur5, whole, tmp_path):
    plan = ulna.ensemble_plan(ur5, **OPTIONS, folder=tmp_path / "out", chunk=16)
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        assert all(pool.map(run, reversed(plan.chunks())))
    plan.collect()
    assert files_of(tmp_path / "out") == whole


def test_threads_of_one_process(ur5, whole, tmp_path):
    plan = ulna.ensemble_plan(ur5, **OPTIONS, folder=tmp_path / "out", chunk=16)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        assert all(pool.map(run, plan.chunks()))
    plan.collect()
    assert files_of(tmp_path / "out") == whole


def test_dask(ur5, whole, tmp_path):
    distributed = pytest.importorskip("distributed")
    plan = ulna.ensemble_plan(ur5, **OPTIONS, folder=tmp_path / "out", chunk=16)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None,
                                  local_directory=str(tmp_path / "dask")) as cluster, distributed.Client(cluster) as client:
        assert all(client.gather(client.map(run, plan.chunks(), pure=False)))
    plan.collect()
    assert files_of(tmp_path / "out") == whole


def test_what_is_missing_is_told_and_resumed(ur5, whole, tmp_path):
    plan = ulna.ensemble_plan(ur5, **OPTIONS, folder=tmp_path / "out", chunk=16)
    for chunk in plan.chunks()[:5]:
        assert pickle.loads(pickle.dumps(chunk)).run()
    with pytest.raises(ulna.InputError, match="3 of 8 chunks are missing"):
        plan.collect()
    del plan
    damaged = tmp_path / "out" / "ensemble.shards" / "0000002.h5"
    damaged.write_bytes(damaged.read_bytes()[:-1])
    again = ulna.ensemble_plan(ur5, **OPTIONS, folder=tmp_path / "out", chunk=16, resume=True)
    assert [chunk.run() for chunk in again.chunks()] == [False, False, True, False, False, True, True, True]
    again.collect()
    assert files_of(tmp_path / "out") == whole


def test_the_array_job_of_the_examples(tmp_path):
    """Its tasks as the batch system would start them, one after the other; two of them again."""
    where = os.path.join(os.environ["ULNA_SOURCE"], "examples", "cluster")
    script = os.path.join(where, "ensemble_array.py")
    environment = {**os.environ, "RUNS": "200", "OUT": str(tmp_path / "out"), "SLURM_ARRAY_TASK_COUNT": "3", "SCRIPT": script}

    def step(what, **more):
        return subprocess.run(what, env={**environment, **more}, capture_output=True, text=True, check=True).stdout

    assert step([sys.executable, script, "begin"]) == "4 chunks\n"
    task = ["bash", os.path.join(where, "array.sbatch")]
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    for number, computed in ((2, 1), (0, 2), (0, 0), (1, 1), (2, 0)):
        assert step(task, SLURM_ARRAY_TASK_ID=str(number), PATH=path) == f"task {number}: {computed} chunks computed\n"
    assert "'completed': 200" in step([sys.executable, script, "collect"])
    assert len(ulna.read(tmp_path / "out")) == 200


@pytest.mark.skipif(MPIRUN is None, reason="this build has no MPI")
def test_the_batch_job_of_the_examples(tmp_path):
    script = os.path.join(os.environ["ULNA_SOURCE"], "examples", "cluster", "ensemble.sbatch")
    (tmp_path / "falls.toml").write_text('robot = "ur5_like"\n[run]\nfor = 2\nevery = 0.1\nintegrator = "dp5"\ntolerance = 1e-6\n'
                                         '[ensemble]\nruns = 1\nvary = ["q=normal:5deg"]\n')
    environment = {**os.environ, "SCENARIO": "falls.toml", "RUNS": "40", "OUT": "out", "PATH": os.environ["ULNA_BUILD"] + os.pathsep + os.environ["PATH"],
                   "MPIRUN_FLAGS": "--oversubscribe -n 2", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    for _ in range(2):  # the second finds all done
        done = subprocess.run(["bash", script], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert "40 of 40 runs" in done.stdout
    # the warning before the time limit, and the job that goes on
    long = {**environment, "RUNS": "1500", "OUT": "long"}
    process = subprocess.Popen(["bash", script], cwd=tmp_path, env=long, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and len(list(tmp_path.glob("long/ensemble.shards/*.h5"))) < 2:
        time.sleep(0.005)
    process.send_signal(signal.SIGUSR1)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 138 and "of 1500 runs are finished" in out
    assert subprocess.run(["bash", script], cwd=tmp_path, env=long, capture_output=True, timeout=120).returncode == 0


RANKS = """
import sys, ulna
from mpi4py import MPI
plan = ulna.ensemble_plan(ulna.load("ur5_like"), **{options!r}, folder=sys.argv[1], chunk=16)
summary = plan.run(MPI.COMM_WORLD)
assert summary["counts"]["completed"] == 120
again = ulna.ensemble_plan(ulna.load("ur5_like"), **{options!r}, folder=sys.argv[1], chunk=16)
try:
    again.run(MPI.COMM_WORLD)
except ulna.InputError as error:
    assert MPI.COMM_WORLD.Get_rank() == 0 and "resume it" in str(error)
except RuntimeError as error:
    assert MPI.COMM_WORLD.Get_rank() > 0 and "another rank" in str(error)
"""


@pytest.mark.skipif(MPIRUN is None, reason="this build has no MPI")
def test_ranks_of_mpi4py(whole, tmp_path):
    pytest.importorskip("mpi4py")
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run([MPIRUN, "--oversubscribe", "-n", "3", "--bind-to", "none", sys.executable, "-c",
                           RANKS.format(options=OPTIONS), str(tmp_path / "out")], capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    assert files_of(tmp_path / "out") == whole


SWEEP = {"vary": {"link1.a": (0.5, 1.5), "link2.a": (0.5, 1.5)}, "steps": 6, "chunk": 5}


def sweep_files(folder):
    return {name: (folder / name).read_bytes() for name in ("sweep.csv", "select.json", "report.html")}


def test_design_sweep(tmp_path):
    pandas = pytest.importorskip("pandas")
    sweep = ulna.design_sweep("planar2r", **SWEEP, folder=tmp_path / "out", threads=1)
    assert (sweep.arms, sweep.ranked, sweep.refused) == (36, 36, 0)
    assert set(sweep.criteria) == {"workspace", "energy"}
    table = sweep.table()
    assert isinstance(table, pandas.DataFrame) and len(table) == 36
    a, b = table["link1.a"], table["link2.a"]
    assert (abs(table["workspace"] - np.pi * ((a + b) ** 2 - (a - b) ** 2)) <= table["workspace_error"] * (1 + 1e-9)).all()  # and round-off
    assert sorted(point["arm"] for point in sweep.front) == list(table.index[table["front"] == 1])
    assert sweep.best == sweep.ranking[0]["name"] and sweep.ranking[0]["score"] == table["score"].max()
    again = ulna.read(tmp_path / "out")
    assert isinstance(again, ulna.DesignSweep) and again.front == sweep.front
    with pytest.raises(ulna.InputError, match="effort"):
        ulna.design_sweep("planar2r", **SWEEP, folder=tmp_path / "no", effort=3)
    with pytest.raises(ulna.InputError, match="nothing to resume"):
        ulna.design_sweep("planar2r", **SWEEP, folder=tmp_path / "no", resume=True)


SWEEP_RANKS = """
import sys, ulna
from mpi4py import MPI
sweep = ulna.design_sweep("planar2r", **{options!r}, folder=sys.argv[1], comm=MPI.COMM_WORLD)
assert sweep.arms == 36 and sweep.front
try:
    ulna.design_sweep("planar2r", **{options!r}, folder=sys.argv[1], resume=True, comm=MPI.COMM_WORLD)
except ulna.InputError as error:
    assert MPI.COMM_WORLD.Get_rank() == 0 and "nothing to resume" in str(error)
except RuntimeError as error:
    assert MPI.COMM_WORLD.Get_rank() > 0 and "another rank" in str(error)
"""


@pytest.mark.skipif(MPIRUN is None, reason="this build has no MPI")
def test_design_sweep_by_ranks_of_mpi4py(tmp_path):
    pytest.importorskip("mpi4py")
    ulna.design_sweep("planar2r", **SWEEP, folder=tmp_path / "alone", threads=2)
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run([MPIRUN, "--oversubscribe", "-n", "3", "--bind-to", "none", sys.executable, "-c",
                           SWEEP_RANKS.format(options=SWEEP), str(tmp_path / "out")], capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    assert sweep_files(tmp_path / "out") == sweep_files(tmp_path / "alone")
