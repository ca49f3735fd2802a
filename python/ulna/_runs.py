"""Runs: simulated here, or read from a folder that `ulna simulate` wrote."""

from __future__ import annotations

import html
import json
import os
import re
import tempfile
import webbrowser
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import Scenario
from ._progress import progress_of
from ._scenarios import DriveLike, ScenarioLike, put_together

Array = NDArray[np.float64]


class Column(NamedTuple):
    """A column of a table of samples."""

    name: str  # q1, v1, tip_x
    label: str  # the joint's name
    unit: str
    group: str  # position, velocity, acceleration, torque, tip, energy ...


class Table:
    """Samples by columns: what runs and sweeps have in common."""

    def __init__(self, rows: Array, columns: list[Column]) -> None:
        self.rows = rows
        self.columns = columns
        self._index = {column.name: k for k, column in enumerate(columns)}

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.columns]

    def __getitem__(self, name: str) -> Array:
        """One column by its name: 'q1', 'tip_x', 'energy'; shape (samples,)."""
        if name not in self._index:
            raise KeyError(f"no column '{name}'; there are {', '.join(self.names)}")
        return self.rows[:, self._index[name]]

    def __len__(self) -> int:
        return len(self.rows)

    def group(self, name: str) -> Array:
        """The columns of a group ('position', 'tip', 'reference' ...) that stand side by side; shape (samples, columns)."""
        places = [k for k, column in enumerate(self.columns) if column.group == name]
        if not places:
            raise KeyError(f"no group '{name}'; there are {', '.join(dict.fromkeys(c.group for c in self.columns))}")
        return self.rows[:, places[0]:places[-1] + 1]

    @property
    def t(self) -> Array:
        """Times, s, shape (samples,)."""
        return self["t"]

    @property
    def q(self) -> Array:
        """Positions, rad or m, shape (samples, nq)."""
        return self.group("position")

    @property
    def v(self) -> Array:
        """Velocities, rad/s or m/s, shape (samples, nv)."""
        return self.group("velocity")

    @property
    def a(self) -> Array:
        """Accelerations, rad/s² or m/s², shape (samples, nv)."""
        return self.group("acceleration")

    @property
    def tau(self) -> Array:
        """Torques of the drives, N m or N, shape (samples, nv)."""
        return self.group("torque")

    def table(self) -> Any:
        """A pandas DataFrame of all columns."""
        import pandas

        return pandas.DataFrame(self.rows, columns=self.names)

    def plot(self, *groups: str) -> Any:
        """A matplotlib figure over time, a picture for each group of columns: positions, velocities, torques and energy
        without any."""
        from matplotlib import pyplot

        present = {column.group for column in self.columns}
        drawn = groups or tuple(g for g in ("position", "velocity", "torque", "energy") if g in present)
        figure, axes = pyplot.subplots(len(drawn), 1, sharex=True, squeeze=False, figsize=(8, 2.2 * len(drawn)))
        for axis, name in zip(axes[:, 0], drawn):
            units = []
            for k, column in enumerate(self.columns):
                if column.group == name:
                    axis.plot(self.t, self.rows[:, k], label=column.label or column.name)
                    units.append(column.unit)
            axis.set_ylabel(f"{name.replace('_', ' ')} {', '.join(dict.fromkeys(units))}")
            if len(units) <= 8:
                axis.legend(fontsize="small", loc="upper right")
        axes[-1, 0].set_xlabel("time s")
        figure.tight_layout()
        return figure


class Run(Table):
    """A simulated run: its samples, how it ended, and its report.

    t, q, v, a, tau and the columns by name are arrays over the run's own memory: read-only, and not copied.
    """

    def __init__(self, rows: Array, columns: list[Column], result: dict[str, Any], scenario: Scenario | None,
                 record: Any = None, folder: str | None = None) -> None:
        super().__init__(rows, columns)
        self.result = result
        self.scenario = scenario
        self._record = record
        self._folder = folder

    @property
    def energy(self) -> Array:
        """Kinetic and potential energy together, J, shape (samples,)."""
        return self["energy"]

    @property
    def status(self) -> str:
        """'completed', 'stopped_by_event', or why it ended early."""
        return str(self.result["status"])

    @property
    def ok(self) -> bool:
        """Whether the run went to its end."""
        return self.status == "completed"

    @property
    def reason(self) -> str:
        """One sentence about the end."""
        return str(self.result["reason"])

    @property
    def events(self) -> list[tuple[float, str]]:
        """Times (s) and texts of what happened on the way."""
        return list(self.result["events"])

    def save(self, folder: str | os.PathLike[str], *, hdf5: bool = False) -> None:
        """Writes the files that `ulna simulate` writes: trajectory.csv, run.json, report.html; with hdf5 trajectory.h5."""
        if self._record is None:
            raise ValueError(f"this run was read from {self._folder}, and its files are there")
        self._record.save(os.fspath(folder), hdf5)

    def report(self) -> str:
        """The report as one HTML text."""
        if self._folder is not None:
            return _read_text(os.path.join(self._folder, "report.html"))
        with tempfile.TemporaryDirectory() as folder:
            self.save(os.path.join(folder, "run"))
            return _read_text(os.path.join(folder, "run", "report.html"))

    def show(self) -> str:
        """Opens the report in a browser; returns the path of the file."""
        if self._folder is not None:
            path = os.path.abspath(os.path.join(self._folder, "report.html"))
        else:
            path = os.path.join(tempfile.mkdtemp(prefix="ulna_"), "report.html")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.report())
        webbrowser.open("file://" + path)
        return path

    def _repr_html_(self) -> str:
        """The report inline in a notebook."""
        if not _core.has_report_page():
            return f"<pre>{html.escape(repr(self))}</pre>"
        return f'<iframe srcdoc="{html.escape(self.report())}" style="width:100%;height:640px;border:0"></iframe>'

    def __repr__(self) -> str:
        name = self.scenario.name if self.scenario is not None else self._folder
        return f"<ulna.Run '{name}': {self.status}, {len(self)} samples to {self.t[-1] if len(self) else 0:g} s>"


def simulate(what: ScenarioLike, *, q0: ArrayLike | None = None, v0: ArrayLike | None = None, drive: DriveLike = None,
             compiled: bool = False, progress: bool = False, **options: Any) -> Run:
    """Simulates a robot or a scenario.

    what: a model, or a scenario as scenario() takes it. q0, v0: the start, (nq,) and (nv,), rad or m and their rates; the
    neutral position at rest without them. drive: pd(), computed_torque(), playback(), constant(), free(), a dictionary,
    or any function (t, q, v) -> tau with s, (nq,), (nv,) and (nv,) N m or N; free fall without one.
    compiled: by the robot's own compiled code. progress: tqdm's bar, or a line on a terminal.

    Further arguments are keys of a scenario file (doc/scenario_files.md), in SI units: duration (s), every (s between
    samples), integrator, tolerance or relative and absolute, step, largest_step, limits, method, seed, gravity, loads,
    springs, dampers, walls, disturbances, events, payloads: the last seven are lists of dictionaries.

    What goes wrong on the way is in the result's status and reason; Ctrl-C raises KeyboardInterrupt.
    """
    scenario, robot, function, points = put_together(what, q0, v0, drive, options)
    with progress_of(progress, scenario.duration, "s") as tell:
        record = _core.run(scenario, robot, function, points, compiled, tell)
    return Run(record.rows, [Column(*c) for c in record.columns], record.result, record.scenario, record)


# What the columns of a file belong to; the file itself has their names alone.
GROUPS = (("t$", "time", "s"), ("qd[0-9]", "reference", "rad"), ("q[0-9]", "position", "rad"), ("v[0-9]", "velocity", "rad/s"),
          ("a[0-9]", "acceleration", "rad/s²"), ("tau[0-9]", "torque", "N m"), ("tip_[xyz]$", "tip", "m"),
          ("tip_q", "tip_orientation", "1"), ("tip_w", "tip_turning", "rad/s"), ("tip_v", "tip_velocity", "m/s"),
          ("kinetic$|potential$|energy$", "energy", "J"), ("work_", "work", "J"), ("balance$", "balance", "J"))


def read_table(path: str) -> tuple[Array, list[Column]]:
    with open(path, encoding="utf-8") as file:
        names = file.readline().strip().split(",")
    rows = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
    rows.flags.writeable = False
    columns = []
    for name in names:
        group, unit = next(((g, u) for pattern, g, u in GROUPS if re.match(pattern, name)), ("other", ""))
        columns.append(Column(name, name, unit, group))
    return rows, columns


def read_run(folder: str) -> Run:
    info = json.loads(_read_text(os.path.join(folder, "run.json")))
    rows, columns = read_table(os.path.join(folder, info["files"]["trajectory"]))
    info["events"] = [(event["t"], event["text"]) for event in info["events"]]
    try:
        scenario = _core.parse_scenario(info["scenario"], os.path.basename(os.path.abspath(folder)))
    except _core.InputError:  # a drive of Python's is in no file
        scenario = None
    return Run(rows, columns, info, scenario, folder=folder)


def _read_text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
