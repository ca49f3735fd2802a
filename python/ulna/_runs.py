"""Runs: simulated here, or read from a folder that `ulna simulate` wrote."""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import Scenario
from ._progress import progress_of
from ._results import Result, read_text
from ._scenarios import DriveLike, ScenarioLike, arguments_named, put_together

Array = NDArray[np.float64]


class Column(NamedTuple):
    """A column of a table of samples."""

    name: str
    label: str
    unit: str
    group: str


Column.name.__doc__ = "Its name: q1, v1, tip_x."
Column.label.__doc__ = "What people call it: the joint's name."
Column.unit.__doc__ = "Its unit: rad, m/s."
Column.group.__doc__ = "What it belongs to: position, velocity, acceleration, torque, tip, energy ..."


class Table(Result):
    """Samples by columns: what runs and sweeps have in common.

    rows: all samples, (samples, columns). columns: what stands in each, with name, label, unit and group.
    """

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
        for name in groups:
            self.group(name)
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

    t, q, v, a, tau and the columns by name are arrays over the run's own memory: read-only, and not copied. result: how it
    ended, as a dictionary: status, reason, time (s), method, statistics, wall (s), events, largest_imbalance (J) and more.
    """

    def __init__(self, rows: Array, columns: list[Column], result: dict[str, Any], scenario: Scenario | None = None,
                 record: Any = None, folder: str | None = None) -> None:
        super().__init__(rows, columns)
        self.result = result
        self._scenario = scenario
        self._record = record
        self._folder = folder

    @property
    def scenario(self) -> Scenario:
        """What was simulated, all arguments applied: it can be simulated again. Of a run that was read: as
        repeated_scenario() gives it, which raises InputError if its robot is another one by now, or was never in a file."""
        if self._scenario is None:
            self._scenario = _core.repeated_scenario(str(self._folder))
        return self._scenario

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

    def save(self, folder: str | os.PathLike[str], **formats: bool) -> None:
        """Writes the files that `ulna simulate` writes: trajectory.csv, run.json, report.html; with hdf5=True trajectory.h5."""
        self._write(os.fspath(folder), also=[name for name, wanted in formats.items() if wanted])

    def __repr__(self) -> str:
        name = self._scenario.name if self._scenario is not None else self._folder
        return f"<ulna.Run '{name}': {self.status}, {len(self)} samples to {self.t[-1] if len(self) else 0:g} s>"


def simulate(what: ScenarioLike, *, q0: ArrayLike | None = None, v0: ArrayLike | None = None, drive: DriveLike = None,
             compiled: bool = False, progress: bool = False, **options: Any) -> Run:
    """Simulates a robot or a scenario.

    what: a model, or a scenario as scenario() takes it. q0, v0: the start, (nq,) and (nv,), rad or m and their rates; the
    neutral position at rest without them. drive: pd(), computed_torque(), playback(), constant(), free(), a dictionary,
    or any function (t, q, v) -> tau with s, (nq,), (nv,) and (nv,) N m or N; free fall without one.
    compiled: by the robot's own compiled code. progress: tqdm's bar, or a line on a terminal.

    Further arguments are keys of a scenario file (doc/scenario_files.md), in SI units: duration (10 s without it), every
    (0.01 s between samples), integrator ('dop853'), tolerance (1e-9) or relative and absolute, step, largest_step,
    most_steps (1e8), limits ('record'), method ('auto'), seed (1), gravity, loads, springs, dampers, walls, disturbances,
    events, payloads: the last seven are lists of dictionaries.

    What goes wrong on the way is in the result's status and reason; Ctrl-C raises KeyboardInterrupt.
    """
    scenario, _, function, points = put_together(what, q0, v0, drive, options)
    with progress_of(progress, scenario.duration, "s") as tell, arguments_named(q0, v0, options):
        record = _core.run(scenario, function, points, compiled, tell)
    return Run(record.rows, [Column(*c) for c in record.columns], record.result, record.scenario, record)


def read_table(path: str, info: dict[str, Any]) -> tuple[Array, list[Column]]:
    """A CSV and the columns that the JSON beside it describes."""
    if "columns" not in info:
        raise _core.InputError(f"'{path}' was written by an Ulna that did not say what its columns are; make it again")
    rows = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
    rows.flags.writeable = False
    return rows, [Column(**column) for column in info["columns"]]


def read_run(folder: str) -> Run:
    info = json.loads(read_text(os.path.join(folder, "run.json")))
    rows, columns = read_table(os.path.join(folder, info["files"]["trajectory"]), info)
    info["events"] = [(event["t"], event["text"]) for event in info["events"]]
    return Run(rows, columns, info, folder=folder)
