"""Ensembles in chunks: for processes of one machine, for dask, for ranks of mpi4py, for tasks of a batch system."""

from __future__ import annotations

import json
import os
import pickle
import threading
from typing import Any, Mapping, Sequence

from . import _core
from ._core import Model, Scenario
from ._drives import Law
from ._ensembles import put_ensemble_together
from ._progress import progress_of
from ._scenarios import DriveLike, ScenarioLike

_here = threading.local()  # what a thread has made of the plan whose chunks it runs: workers, compiled code


class Chunk:
    """Some of the runs of a plan. It can be pickled, and run wherever the plan's folder is seen."""

    def __init__(self, spec: bytes, index: int, first: int, count: int) -> None:
        self._spec = spec
        self.index = index
        self.first = first  # number of its first run
        self.count = count

    def run(self) -> bool:
        """Computes the runs and keeps them in the plan's folder. False: they were there already."""
        if getattr(_here, "spec", None) != self._spec:
            _here.plan = _core.EnsemblePlan(*pickle.loads(self._spec))
            _here.spec = self._spec
        return bool(_here.plan.run(self.index))

    def __repr__(self) -> str:
        return f"<ulna.Chunk {self.index}: runs {self.first} to {self.first + self.count - 1}>"


class EnsemblePlan:
    """An ensemble that is computed in chunks, in any order and by any processes, and collected in the end."""

    def __init__(self, scenario: Scenario, robot: Model | None, folder: str, chunk: int, resume: bool, compiled: bool,
                 threads: int) -> None:
        self.scenario = scenario
        self.folder = folder
        self._call = (scenario, robot, folder, chunk, compiled, threads)
        self._resume = resume
        self._plan: Any = None

    def _begun(self) -> Any:
        if self._plan is None:
            plan = _core.EnsemblePlan(*self._call)
            plan.begin(self._resume)
            self._plan = plan
        return self._plan

    def chunks(self) -> list[Chunk]:
        """All of them; those that are in the folder already are quick to run. Makes the folder, and holds it against
        other plans as long as this one lives."""
        plan, spec = self._begun(), pickle.dumps(self._call)
        return [Chunk(spec, index, *plan.chunk(index)) for index in range(plan.count)]

    def share(self, part: int, parts: int) -> list[Chunk]:
        """Every `parts`th chunk from number `part` on, for a process that knows which of so many it is, such as a task of an
        array job. Another process has begun the plan by chunks()."""
        if not 0 <= part < parts:
            raise ValueError(f"part {part} of {parts}; parts are counted from 0")
        plan, spec = _core.EnsemblePlan(*self._call), pickle.dumps(self._call)
        return [Chunk(spec, index, *plan.chunk(index)) for index in range(part, plan.count, parts)]

    def collect(self, merge: bool = False) -> dict[str, Any]:
        """The files that `ulna simulate` writes, from the chunks, which must all have been run; what is in run.json. merge:
        ensemble.h5 holds the runs themselves, and the chunks' files go. ulna.read(folder) has all runs."""
        result: dict[str, Any] = json.loads(self._begun().collect(merge))
        return result

    def run(self, comm: Any = None, *, merge: bool = False, progress: bool = False) -> dict[str, Any] | None:
        """All chunks, and collects them. comm: a communicator of mpi4py, whose ranks all call this and share the chunks as
        they become free. What is in run.json, on every rank; None if it was interrupted elsewhere, and can be resumed."""
        scenario, robot, folder, chunk, compiled, threads = self._call
        address, first = 0, True
        if comm is not None:
            from mpi4py import MPI

            address, first = MPI._addressof(comm), comm.Get_rank() == 0
        if self._plan is not None:
            raise ValueError("chunks() has begun this plan; run them and collect(), or make another plan for run()")
        with progress_of(progress and first, scenario.runs, "runs") as tell:
            run = _core.run_over_ranks(scenario, robot, folder, self._resume, merge, chunk, compiled, threads, address, tell)
        return json.loads(run) if run else None

    def __repr__(self) -> str:
        return f"<ulna.EnsemblePlan: {self.scenario.runs} runs, in {self.folder}>"


def ensemble_plan(what: ScenarioLike, *, folder: str | os.PathLike[str], runs: int | None = None,
                  vary: Mapping[str, Law | str] | Sequence[str] | None = None, keep: Sequence[str] | None = None,
                  q0: Any = None, v0: Any = None, drive: DriveLike = None, compiled: bool = False, threads: int = 1,
                  chunk: int = 0, resume: bool = False, **options: Any) -> EnsemblePlan:
    """An ensemble for many processes or machines (doc/cluster.md); nothing is computed yet.

    folder: for the results, where all processes see it. chunk: runs in each chunk, 0 for the usual number. threads: of
    each process, 0 for its share of the machine. resume: go on with what is in the folder. Other arguments as in
    ensemble(). The files are the same bytes however the chunks are run.
    """
    scenario, robot = put_ensemble_together(what, runs, vary, keep, q0, v0, drive, options)
    return EnsemblePlan(scenario, robot, os.path.abspath(os.fspath(folder)), chunk, resume, compiled, threads)
