"""Counts, generated code, sweeps of closed loops, arms side by side, the papers again."""

from __future__ import annotations

import json
import math
import os
import warnings
from typing import Any, Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._ensembles import Ensemble, read_ensemble
from ._models import RobotLike, load
from ._progress import progress_of
from ._results import Result, read_text
from ._runs import Array, Column, Run, Table, read_run, read_table
from ._text import is_text, name_of, names_of, range_of, to_toml


def count(robots: RobotLike | Sequence[RobotLike], *, of: str | Sequence[str] = ("gim", "c", "mci", "id", "fd"),
          method: str = "auto",
          regroup: bool = False) -> list[dict[str, Any]]:
    """Operations of each formulation for these robots, as `ulna count`.

    of: what to count: gim (inertia matrix), minv (its inverse), c, mci, id, fd, phi, gravity, fk, jacobian, did, dfd. method: one of methods(), or
    'auto' for all. regroup: inertial parameters are moved along the chain first.
    Returns dictionaries: robot, of, method, regrouped, mul, add, div, sincos, cheapest, bytes (of the graph of operations),
    and printed where a paper prints it.
    """
    rows: list[dict[str, Any]] = []
    for robot in robots if isinstance(robots, (list, tuple)) else [robots]:
        found, notes = _core.count(load(robot), names_of(of), method, regroup)
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
    """C source as a string. header: the text of its header; name: of the header's file."""

    header: str
    name: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the source to PATH and the header beside it."""
        stem, _ = os.path.splitext(os.fspath(path))
        for name, text in ((os.fspath(path), str(self)), (os.path.join(os.path.dirname(stem), self.name), self.header)):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)


def codegen(robot: RobotLike, *, of: str | Sequence[str] = ("id", "fd"), scalar: str = "double", lanes: int = 0,
            method: str = "auto", name: str | None = None, payload_input: str = "", wrench_input: str = "", frame: str = "",
            prefix: str = "", plain: bool = False) -> Code:
    """That robot's own C: straight-line functions in a file that stands alone (doc/trace.md).

    of: quantities as in count(). scalar: 'double', 'float', 'pack' or 'float_pack' with `lanes` states at once. name: of the
    file, without its ending; the robot's without it. payload_input: a link or frame; what it carries is the last input of the
    functions, ten numbers: mass, first moment, inertia about the frame's origin (kg, kg m, kg m²).
    wrench_input: a link; id and fd take a wrench on it, moment and force in world axes at the mass centre of its moving body
    (N m, N). frame: what fk and jacobian are of; the tip without it. prefix: of the functions' names; the robot's name without
    it. plain: C99 without GNU vectors. Returns the source, a str; its `header` and save() beside.
    """
    model = load(robot)
    header = f"{name or model.name}.h"
    source, declarations = _core.codegen(model, names_of(of), scalar, lanes, method, header, payload_input,
                                         wrench_input, frame, prefix, plain)
    code = Code(source)
    code.header, code.name = declarations, header
    return code


class Sweep(Table):
    """A mechanism led through a range: its samples, and what happened on the way.

    complete: whether it went all the way. reason: why not, or ''. events: times (s) and texts. largest_residual: of the
    loops, m and sines of angles.
    """

    def __init__(self, rows: Array, columns: list[Column], result: dict[str, Any], record: Any = None,
                 folder: str | None = None) -> None:
        super().__init__(rows, columns)
        self.complete: bool = result["complete"]
        self.reason: str = result["reason"]
        self.events: list[tuple[float, str]] = list(result["events"])
        self.largest_residual: float = result["largest_residual"]
        self._record = record
        self._folder = folder

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes table.csv, loop.json and report.html, the files of `ulna loop`."""
        self._write(os.fspath(folder))

    def __repr__(self) -> str:
        return f"<ulna.Sweep: {len(self)} rows, {'complete' if self.complete else self.reason}>"


def read_sweep(folder: str) -> Sweep:
    info = json.loads(read_text(os.path.join(folder, "loop.json")))
    rows, columns = read_table(os.path.join(folder, "table.csv"), info)
    info["events"] = [(event["t"], event["text"]) for event in info["events"]]
    return Sweep(rows, columns, info, folder=folder)


def sweep(robot: RobotLike, drives: Mapping[str, tuple[float, float]], *, q: ArrayLike | None = None, steps: int = 360,
          time: float = 1.0, mode: int = 1, progress: bool = False) -> Sweep:
    """Leads a mechanism with closed loops through a range, as `ulna loop`.

    drives: by joint (from, to), rad or m; as many as the mechanism has degrees of freedom. q: near the closed position to
    begin with, (nq,). steps: rows, less one. time: for the whole range at constant speed, s. mode: which of the ways to
    assemble the mechanism to begin in, from 1; the first is next to q (Model.assembly_modes).
    """
    ranges = [(joint, *range_of(ends, f"the range of '{joint}'")) for joint, ends in drives.items()]
    with progress_of(progress, 1.0, "of the range") as tell:
        record = _core.sweep(load(robot), ranges, q, steps, time, mode, tell)
    return Sweep(record.rows, [Column(*c) for c in record.columns], record.result, record)


class Comparison(Result):
    """Arms side by side.

    names: of the arms. criteria: by key a dictionary: label, unit, more_is_better, weight, and values, errors, shares and
    best with one for each arm. scores: of the arms (arms,); order: indices of those that can do the task, the best first;
    apart: of those that cannot. front: of variants, the indices on the Pareto front of the two criteria, else None.
    arms: a dictionary for each: map, t (s), q, v, a, tau of the task, broken (limits) and notes; of a folder that was read
    what select.json says about it.
    """

    def __init__(self, result: dict[str, Any], record: Any = None, folder: str | None = None) -> None:
        self.names: list[str] = [arm["name"] for arm in result["arms"]]
        self.arms: list[dict[str, Any]] = result["arms"]
        self.criteria: dict[str, dict[str, Any]] = {row["key"]: row for row in result["criteria"]}
        self.scores: Array = result["scores"]
        self.order: list[int] = result["order"]
        self.apart: list[int] = result["apart"]
        self.front: list[int] | None = result.get("front")
        self._record = record
        self._folder = folder

    @property
    def best(self) -> str | None:
        """The name of the best arm, if any can do the task."""
        return self.names[self.order[0]] if self.order else None

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes select.json and report.html, the files of `ulna select`."""
        self._write(os.fspath(folder))

    def table(self) -> Any:
        """A pandas DataFrame: a row per criterion, a column per arm."""
        import pandas

        frame = pandas.DataFrame({row["label"]: row["values"] for row in self.criteria.values()}, index=self.names).T
        frame.insert(0, "unit", [row["unit"] for row in self.criteria.values()])
        return frame

    def __repr__(self) -> str:
        ranking = ", ".join(f"{self.names[k]} {self.scores[k]:.3f}" for k in self.order)
        return f"<ulna.Comparison: {ranking}>"


class DesignSweep:
    """Very many variants of robot files, in the folder of its files (doc/select.md).

    arms: how many there are; ranked, apart (they cannot do the task) and refused (they cannot be compared): how many of
    them. criteria: by key a dictionary: label, unit, more_is_better, weight and best (arm, name, value, error).
    front: dictionaries of the arms on the Pareto front, at most a thousand of `front_size`; ranking: of the first hundred;
    left: of the first hundred that are not ranked, with the reason. info: all of select.json.
    """

    def __init__(self, info: dict[str, Any], folder: str) -> None:
        design = info["design"]
        self.info = info
        self.folder = folder
        self.arms: int = design["arms"]
        self.ranked: int = design["ranked"]
        self.apart: int = design["apart"]
        self.refused: int = design["refused"]
        self.criteria: dict[str, dict[str, Any]] = {
            row["key"]: {**row, "more_is_better": row["better"] == "more"} for row in info["criteria"]}
        self.front: list[dict[str, Any]] = info["pareto"]["front"]
        self.front_size: int = info["pareto"]["count"]
        self.ranking: list[dict[str, Any]] = info["ranking"]
        self.left: list[dict[str, Any]] = info["left"]

    @property
    def best(self) -> str | None:
        """The name of the best arm, if any can do the task."""
        return self.ranking[0]["name"] if self.ranking else None

    def table(self) -> Any:
        """A pandas DataFrame of all arms: robot, numbers that vary, criteria and errors, score, front, outcome and reason."""
        import pandas

        return pandas.read_csv(os.path.join(self.folder, self.info["design"]["table"]), index_col="arm")

    def __repr__(self) -> str:
        return f"<ulna.DesignSweep: {self.arms} arms, {self.front_size} on the front, in {self.folder}>"


def read_comparison(folder: str) -> Comparison | DesignSweep:
    info = json.loads(read_text(os.path.join(folder, "select.json")))
    if "design" in info:
        return DesignSweep(info, folder)
    names = [arm["robot"] for arm in info["robots"]]
    scores = np.full(len(names), np.nan)
    for row in info["ranking"]:
        scores[names.index(row["robot"])] = row["score"]
    criteria = [{**row, "more_is_better": row["better"] == "more", "best": [name in row["best"] for name in names],
                 **{key: np.array(row[key], dtype=float) for key in ("values", "errors", "shares")}} for row in info["criteria"]]
    result = {"arms": [{"name": name, **arm} for name, arm in zip(names, info["robots"])], "criteria": criteria, "scores": scores,
              "order": [names.index(row["robot"]) for row in info["ranking"]],
              "apart": [names.index(row["robot"]) for row in info["apart"]]}
    if "sweep" in info:
        result["front"] = [names.index(name) for name in info["sweep"]["pareto"]["front"]]
    return Comparison(result, folder=folder)


def _payload(given: Mapping[str, Any]) -> tuple[str, float, list[float], list[float]]:
    unknown = [key for key in given if key not in ("frame", "mass", "com", "inertia")]
    if unknown or "mass" not in given:
        raise ValueError(f"a payload is {dict(given)!r}; mass (kg) is wanted, and frame, com (m), inertia (kg m²) may be there")
    inertia = [float(x) for x in given.get("inertia", (0, 0, 0))]
    return str(given.get("frame", "")), float(given["mass"]), [float(x) for x in given.get("com", (0, 0, 0))], inertia + [0.0] * (6 - len(inertia))


def select(robots: RobotLike | Sequence[RobotLike], *, task: str | os.PathLike[str] | Mapping[str, Any] | None = None,
           weights: Mapping[str, float] | None = None, ranges: Mapping[str, tuple[float, float]] | None = None,
           payloads: Sequence[Mapping[str, Any]] = (), vary: Mapping[str, tuple[float, float]] | None = None, steps: int = 5,
           pareto: tuple[str, str] = ("workspace", "energy"), criteria: Sequence[str] = (),
           require: Mapping[str, tuple[float | None, float | None]] | None = None, rules: Mapping[str, str] | None = None,
           stiffness: float | Mapping[str, float] | None = None, cpu: bool = True, threads: int = 0,
           progress: bool = False) -> Comparison:
    """Serial arms side by side, as `ulna select`: operations, workspace, dexterity, and what a task asks of the drives.

    task: a path, the text of a task file or a dictionary with its keys (doc/select.md); a cycloid without one. weights: by
    key of criterion. ranges: by joint, or by 'robot.joint', (low, high), rad or m, instead of the limits. payloads: what all
    arms carry, dictionaries as in a scenario: mass (kg), com (m), inertia (kg m²), frame. cpu: measure the time of inverse
    dynamics. threads: at most so many, 0 for all cores.
    vary: numbers of the robot files by their place ('link2.a', as `ulna select --vary`) from and to, each in `steps` values:
    variants instead of robots, which are names or paths then; `front` has those of the Pareto front of the criteria `pareto`.
    rules: numbers that follow them, {'link2.mass': '14*link2.a'}. criteria: more of them, on request (doc/select.md): 'reach',
    'cycle_time', 'stiffness', 'frequency', 'peak.2', 'rms.2', … require: (low, high) by key, None for no bound; arms outside
    stand apart. stiffness: of the joints between motor and link, one for all or by joint (N·m/rad, N/m).
    """
    given = robots if isinstance(robots, (list, tuple)) else [robots]
    entrants: list[_core.Model | str] = [
        os.fspath(robot) if vary and isinstance(robot, (str, os.PathLike)) else load(robot) for robot in given]
    selection = _selection(entrants, task, ranges, weights, payloads, vary or {}, steps, pareto, criteria, require, rules, stiffness)
    with progress_of(progress, len(entrants) * steps ** len(vary or {}), "arms") as tell:
        record = _core.select(selection, cpu, threads, tell)
    return Comparison(record.result, record)


def _selection(entrants: Sequence[_core.Model | str], task: str | os.PathLike[str] | Mapping[str, Any] | None,
               ranges: Mapping[str, tuple[float, float]] | None, weights: Mapping[str, float] | None,
               payloads: Sequence[Mapping[str, Any]], vary: Mapping[str, tuple[float, float]], steps: int,
               pareto: tuple[str, str], criteria: Sequence[str],
               require: Mapping[str, tuple[float | None, float | None]] | None, rules: Mapping[str, str] | None,
               stiffness: float | Mapping[str, float] | None) -> _core.Selection:
    given, given_is_text = ("", False) if task is None else _written(task, "task")
    path, text = ("", given) if given_is_text else (given, "")
    limits = {joint: range_of(ends, f"the range of '{joint}'") for joint, ends in (ranges or {}).items()}
    swept = ["{}={!r}..{!r}".format(place, *range_of(ends, f"the range of '{place}'")) for place, ends in vary.items()]
    bounds = [(key, above, float(bound)) for key, (low, high) in (require or {}).items() for above, bound in ((True, low), (False, high))
              if bound is not None]
    springs = {"": float(stiffness)} if isinstance(stiffness, (int, float)) else {name: float(x) for name, x in (stiffness or {}).items()}
    return _core.Selection(entrants, path, text, limits, dict(weights or {}), [_payload(one) for one in payloads], swept, steps,
                           pareto, names_of(criteria), [f"{place}={rule}" for place, rule in (rules or {}).items()], bounds, springs)


def design_sweep(robots: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], *, vary: Mapping[str, tuple[float, float]],
                 folder: str | os.PathLike[str], steps: int = 5, pareto: tuple[str, str] = ("workspace", "energy"),
                 criteria: Sequence[str] = (), task: str | os.PathLike[str] | Mapping[str, Any] | None = None,
                 weights: Mapping[str, float] | None = None, ranges: Mapping[str, tuple[float, float]] | None = None,
                 payloads: Sequence[Mapping[str, Any]] = (), require: Mapping[str, tuple[float | None, float | None]] | None = None,
                 rules: Mapping[str, str] | None = None, stiffness: float | Mapping[str, float] | None = None,
                 effort: float = 0.0, chunk: int = 0, resume: bool = False,
                 threads: int = 0, comm: Any = None, progress: bool = False) -> DesignSweep | None:
    """Any number of variants of robot files, as `ulna select --vary` makes them in chunks (doc/cluster.md).

    Of each arm the criteria of `pareto`, of `weights` and of `criteria` are computed ('all': every one), with a part `effort`
    of the samples that select() takes (0: all of them up to 500 arms, 0.02 beyond). folder: for sweep.csv, select.json and report.html, and for what is finished until
    then; resume: go on with that. chunk: arms in a file, 0 for the usual number. threads: 0 for all cores, or this rank's
    share of them. comm: a communicator of mpi4py, whose ranks all call this and share the arms. Other arguments as in
    select(). The files are the same bytes for any number of ranks and threads, and after any interruption.
    Returns the result on every rank; None if it was interrupted on another one, and can be resumed.
    """
    given = robots if isinstance(robots, (list, tuple)) else [robots]
    names = [name_of(robot, "robot", "a name or a path") for robot in given]
    selection = _selection(names, task, ranges, weights, payloads, vary, steps, pareto, criteria, require, rules, stiffness)
    where = os.path.abspath(os.fspath(folder))
    address, first = 0, True
    if comm is not None:
        from mpi4py import MPI

        address, first = MPI._addressof(comm), comm.Get_rank() == 0
    with progress_of(progress and first, len(names) * steps ** len(vary), "arms") as tell:
        whole = _core.design_sweep(selection, effort, where, resume, chunk, threads, address, tell)
    if not whole:
        return None
    return DesignSweep(json.loads(read_text(os.path.join(where, "select.json"))), where)


def size(robot: RobotLike, task: str | os.PathLike[str] | Mapping[str, Any], *,
         motors: str | os.PathLike[str] | Mapping[str, Any] | None = None, margin: float = 1.0) -> dict[str, Any]:
    """What a cycle of work asks of each joint, and the smallest motors and gears that do it, as `ulna size`.

    task: a path, the text of a task, or a dictionary with the keys of one (doc/size.md). motors: the same of a catalogue.
    margin: how much more than what is asked for a motor must give, 1 or more.
    Returns the keys of `ulna size --json` (title, time in s, rows, joints: dictionaries of joint, peak, rms, speed, power,
    energy, net_energy, and motor where there is a catalogue, with `fits` for all) and notes, t (N,), q, v, a and tau (N, nv).
    """
    model = load(robot)
    done = _core.size(model, *_written(task, "task"), *(("", False) if motors is None else _written(motors, "motors")), margin)
    done["joints"] = [{"joint": name, **row} for name, row in zip(model.v_names, done["joints"])]
    return done


def _written(given: str | os.PathLike[str] | Mapping[str, Any], what: str) -> tuple[str, bool]:
    """A path, or a text and that it is one."""
    if isinstance(given, Mapping):
        return to_toml(given), True
    name = name_of(given, what, "a path, text or a dictionary")
    return name, is_text(name)


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

    paper: a key of papers(), a number from '000' to '004' in their order, or 'all'. fast: leave out what takes longer than a
    second.
    """
    from . import _papers

    if not isinstance(paper, str):
        raise TypeError(f"paper is {paper!r}; a key of papers(), '000' to '004' or 'all' is wanted")
    parts = sum(sections for key, _, number, sections in _papers.papers() if paper in ("all", key, number))
    with progress_of(progress, parts, "parts") as tell:
        document, page = _papers.reproduce(paper, fast, tell)
    return _book(document, page)


def _book(document: str, page: str) -> Book:
    book = Book(json.loads(document))
    book.page = page
    return book


def papers() -> dict[str, str]:
    """The five papers: keys and titles (doc/papers.md)."""
    from . import _papers

    return {key: title for key, title, _, _ in _papers.papers()}


READERS: dict[str, Callable[[str], Any]] = {
    "ensemble.h5": read_ensemble, "run.json": read_run, "loop.json": read_sweep, "select.json": read_comparison,
    "reproduce.json": lambda folder: _book(read_text(os.path.join(folder, "reproduce.json")),
                                           read_text(os.path.join(folder, "book.html"))),
}


def read(folder: str | os.PathLike[str]) -> Run | Ensemble | Sweep | Comparison | DesignSweep | Book:
    """What `ulna simulate`, `ulna loop`, `ulna select` or `ulna reproduce`, or the save() of a result, wrote into a folder."""
    name = name_of(folder, "folder", "a path")
    for file, reader in READERS.items():
        if os.path.exists(os.path.join(name, file)):
            return reader(name)  # type: ignore[no-any-return]
    raise _core.InputError(f"'{name}' holds no result of Ulna: there is none of {', '.join(READERS)}")


def deg(angle: ArrayLike) -> Any:
    """Degrees as radians."""
    return np.asarray(angle, dtype=float) * (math.pi / 180.0)
