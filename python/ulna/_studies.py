"""Counts, generated code, sweeps of closed loops, arms side by side, the papers again."""

from __future__ import annotations

import json
import math
import os
import warnings
from typing import Any, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._ensembles import Ensemble, read_ensemble
from ._models import RobotLike, load
from ._progress import progress_of
from ._runs import Array, Column, Run, Table, read_run
from ._text import is_text, to_toml


def count(robots: RobotLike | Sequence[RobotLike], *, of: Sequence[str] = ("gim", "c", "mci", "id", "fd"), method: str = "auto",
          regroup: bool = False) -> list[dict[str, Any]]:
    """Operations of each formulation for these robots, as `ulna count`.

    of: what to count: gim (inertia matrix), c, mci, id, fd, phi, gravity, fk, jacobian, did, dfd. method: one of methods(), or
    'auto' for all. regroup: inertial parameters are moved along the chain first.
    Returns dictionaries: robot, of, method, regrouped, mul, add, div, sincos, cheapest, and printed where a paper prints it.
    """
    rows: list[dict[str, Any]] = []
    for robot in robots if isinstance(robots, (list, tuple)) else [robots]:
        found, notes = _core.count(load(robot), list(of), method, regroup)
        rows += found
        for note in notes:
            warnings.warn(note, stacklevel=2)
    return rows


def inverse_dynamics_of_motion(robot: RobotLike, input: str | os.PathLike[str], output: str | os.PathLike[str], *,
                               method: str = "auto", actions: bool = False, wrench: Mapping[str, ArrayLike] | None = None,
                               progress: bool = False) -> dict[str, Any]:
    """Inverse dynamics of a motion file, row by row in constant memory, as `ulna id --motion`.

    input: CSV of t, q…, v…, a… in s, rad or m; the trajectory.csv of a run is one. output: CSV of t and torques (N m or N), or
    with `actions` of the moment and force that each joint transmits, in world axes. wrench: {link: moment and force} at mass
    centres, world axes, N m and N. Returns rows, and outside_limits: joints with the line where the motion first leaves them.
    """
    with progress_of(progress, 1.0, "of the file") as tell:
        return _core.motion(load(robot), os.fspath(input), os.fspath(output), method, actions, wrench, tell)


class Code(str):
    """C source as a string, with its header."""

    header: str
    name: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the source to PATH and the header beside it."""
        stem, _ = os.path.splitext(os.fspath(path))
        for name, text in ((os.fspath(path), str(self)), (os.path.join(os.path.dirname(stem), self.name), self.header)):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)


def codegen(robot: RobotLike, *, of: Sequence[str] = ("id", "fd"), scalar: str = "double", lanes: int = 0, method: str = "auto",
            name: str | None = None) -> Code:
    """That robot's own C: straight-line functions in a file that stands alone (doc/trace.md).

    of: quantities as in count(). scalar: 'double', 'float', 'pack' or 'float_pack' with `lanes` states at once. name: of the
    file, without its ending; the robot's without it. Returns the source, a str; its `header` and save() beside.
    """
    model = load(robot)
    header = f"{name or model.name}.h"
    source, declarations = _core.codegen(model, list(of), scalar, lanes, method, header)
    code = Code(source)
    code.header, code.name = declarations, header
    return code


class Sweep(Table):
    """A mechanism led through a range: its samples, and what happened on the way."""

    def __init__(self, record: _core.LoopRecord) -> None:
        super().__init__(record.rows, [Column(*c) for c in record.columns])
        self._record = record
        result = record.result
        self.complete: bool = result["complete"]
        self.reason: str = result["reason"]
        self.events: list[tuple[float, str]] = list(result["events"])
        self.largest_residual: float = result["largest_residual"]

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes table.csv, loop.json and report.html, the files of `ulna loop`."""
        self._record.save(os.fspath(folder))

    def __repr__(self) -> str:
        return f"<ulna.Sweep: {len(self)} rows, {'complete' if self.complete else self.reason}>"


def sweep(robot: RobotLike, drives: Mapping[str, tuple[float, float]], *, q: ArrayLike | None = None, steps: int = 360,
          time: float = 1.0, mode: int = 1, progress: bool = False) -> Sweep:
    """Leads a mechanism with closed loops through a range, as `ulna loop`.

    drives: by joint (from, to), rad or m; as many as the mechanism has degrees of freedom. q: near the closed position to
    begin with, (nq,). steps: rows, less one. time: for the whole range at constant speed, s. mode: which of the ways to
    assemble the mechanism to begin in, from 1; the first is next to q (Model.assembly_modes).
    """
    ranges = [(joint, float(begin), float(end)) for joint, (begin, end) in drives.items()]
    with progress_of(progress, 1.0, "of the range") as tell:
        return Sweep(_core.sweep(load(robot), ranges, q, steps, time, mode, tell))


class Comparison:
    """Arms side by side: `criteria` has a row for each, `scores` and `order` rank the arms, the best first."""

    def __init__(self, record: _core.SelectRecord) -> None:
        self._record = record
        result = record.result
        self.names: list[str] = [arm["name"] for arm in result["arms"]]
        self.arms: list[dict[str, Any]] = result["arms"]  # with map, t, q, v, a, tau of the task
        self.criteria: dict[str, dict[str, Any]] = {row["key"]: row for row in result["criteria"]}
        self.scores: Array = result["scores"]
        self.order: list[int] = result["order"]
        self.apart: list[int] = result["apart"]  # arms that cannot do the task
        self.front: list[int] | None = result.get("front")  # of variants: the Pareto front of the two criteria

    @property
    def best(self) -> str | None:
        """The name of the best arm, if any can do the task."""
        return self.names[self.order[0]] if self.order else None

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes select.json and report.html, the files of `ulna select`."""
        self._record.save(os.fspath(folder))

    def table(self) -> Any:
        """A pandas DataFrame: a row per criterion, a column per arm."""
        import pandas

        frame = pandas.DataFrame({row["label"]: row["values"] for row in self.criteria.values()}, index=self.names).T
        frame.insert(0, "unit", [row["unit"] for row in self.criteria.values()])
        return frame

    def __repr__(self) -> str:
        ranking = ", ".join(f"{self.names[k]} {self.scores[k]:.3f}" for k in self.order)
        return f"<ulna.Comparison: {ranking}>"


def select(robots: Sequence[RobotLike], *, task: str | os.PathLike[str] | Mapping[str, Any] | None = None,
           weights: Mapping[str, float] | None = None, ranges: Mapping[str, tuple[float, float]] | None = None,
           vary: Mapping[str, tuple[float, float]] | None = None, steps: int = 5,
           pareto: tuple[str, str] = ("workspace", "energy"), cpu: bool = True, threads: int = 0,
           progress: bool = False) -> Comparison:
    """Serial arms side by side, as `ulna select`: operations, workspace, dexterity, and what a task asks of the drives.

    task: a path, the text of a task file or a dictionary with its keys (doc/select.md); a cycloid without one. weights: by
    key of criterion. ranges: by joint (low, high), rad or m, instead of the limits. cpu: measure the time of inverse dynamics.
    vary: numbers of the robot files by their place ('link2.a', as `ulna select --vary`) from and to, each in `steps` values:
    variants instead of robots, which are names or paths then; `front` has those of the Pareto front of the criteria `pareto`.
    """
    entrants: list[_core.Model | str] = [
        os.fspath(robot) if vary and isinstance(robot, (str, os.PathLike)) else load(robot) for robot in robots]
    path, text = "", ""
    if isinstance(task, Mapping):
        text = to_toml(task)
    elif task is not None:
        path = os.fspath(task)
        if is_text(path):
            path, text = "", path
    swept = [f"{place}={float(low)!r}..{float(high)!r}" for place, (low, high) in (vary or {}).items()]
    with progress_of(progress, len(entrants) * steps ** len(swept), "arms") as tell:
        record = _core.select(entrants, path, text, dict(ranges or {}), dict(weights or {}), swept, steps, pareto, cpu, threads,
                              tell)
    return Comparison(record)


class Book(dict[str, Any]):
    """The papers' claims beside what comes out, as `reproduce.json` has them; `page` is the book as HTML."""

    page: str

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes book.html and reproduce.json."""
        os.makedirs(folder, exist_ok=True)
        for name, text in (("book.html", self.page), ("reproduce.json", json.dumps(self, indent=2, ensure_ascii=False))):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)


def reproduce(paper: str = "all", *, fast: bool = False, progress: bool = False) -> Book:
    """The tables, figures and claims of the five papers, computed beside the print, as `ulna reproduce`.

    paper: a key or number of papers(), or 'all'. fast: leave out what takes longer than a second.
    """
    from . import _papers

    parts = sum(sections for key, _, sections in _papers.papers() if paper in ("all", key))
    with progress_of(progress, parts, "parts") as tell:
        document, page = _papers.reproduce(paper, fast, tell)
    book = Book(json.loads(document))
    book.page = page
    return book


def papers() -> dict[str, str]:
    """The five papers: keys and titles (doc/papers.md)."""
    from . import _papers

    return {key: title for key, title, _ in _papers.papers()}


def read(folder: str | os.PathLike[str]) -> Run | Ensemble:
    """What `ulna simulate`, Run.save() or Ensemble.save() wrote into a folder."""
    name = os.fspath(folder)
    if os.path.exists(os.path.join(name, "ensemble.h5")):
        return read_ensemble(name)
    if not os.path.exists(os.path.join(name, "run.json")):
        raise _core.InputError(f"'{name}' holds no result of ulna simulate: there is no run.json")
    return read_run(name)


def deg(angle: ArrayLike) -> Any:
    """Degrees as radians."""
    return np.asarray(angle, dtype=float) * (math.pi / 180.0)
