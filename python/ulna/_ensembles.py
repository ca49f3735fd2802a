"""Ensembles: many runs that differ in what is not known exactly."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._drives import Law
from ._progress import progress_of
from ._results import Result, read_text
from ._runs import Column
from ._scenarios import DriveLike, ScenarioLike, put_together, to_dict
from ._text import names_of, to_toml

Array = NDArray[np.float64]


class Ensemble(Result):
    """Many runs: what was kept of each, how each ended, and what was drawn for it.

    t: times, s, (times,). samples: (runs, times, columns), NaN where a run did not come. columns: what stands in each. status:
    of each run. parameters: by name what was drawn, (runs,). ends: q (runs, nq), v (runs, nv), energy (J) and time (s), (runs,),
    at the end of each, and reason.
    """

    def __init__(self, t: Array, samples: Array, columns: list[Column], status: list[str], parameters: dict[str, Array],
                 ends: dict[str, Any], record: Any = None, folder: str | None = None) -> None:
        self.t = t
        self.samples = samples
        self.columns = columns
        self.status = status
        self.parameters = parameters
        self.ends = ends
        self._record = record
        self._folder = folder

    def __len__(self) -> int:
        return len(self.samples)

    @property
    def names(self) -> list[str]:
        """The names of the columns that were kept."""
        return [column.name for column in self.columns]

    def __getitem__(self, name: str) -> Array:
        """One column of all runs, shape (runs, times)."""
        if name not in self.names:
            raise KeyError(f"no column '{name}'; there are {', '.join(self.names)}")
        return self.samples[:, :, self.names.index(name)]

    def percentiles(self, name: str, percents: Sequence[float] = (5, 25, 50, 75, 95)) -> Array:
        """Of a column over the runs, at each time; shape (percents, times)."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # times that no run came to are NaN, and may be
            return np.asarray(np.nanpercentile(self[name], percents, axis=0))

    def table(self) -> Any:
        """A pandas DataFrame: one row per run, with its status, what was drawn, and q and v at its end."""
        import pandas

        columns: dict[str, Any] = {"status": self.status, **self.parameters}
        for key in ("q", "v"):
            if self.ends.get(key) is not None:
                columns.update({f"end_{key}{k + 1}": row for k, row in enumerate(self.ends[key].T)})
        return pandas.DataFrame(columns)

    def plot(self, *names: str) -> Any:
        """A matplotlib figure: bands of percentiles over time, a picture for each column (the first four without names)."""
        from matplotlib import pyplot

        drawn = names or tuple(self.names[:4])
        figure, axes = pyplot.subplots(len(drawn), 1, sharex=True, squeeze=False, figsize=(8, 2.2 * len(drawn)))
        for axis, name in zip(axes[:, 0], drawn):
            low, lower, middle, upper, high = self.percentiles(name)
            axis.fill_between(self.t, low, high, alpha=0.2, label="5 to 95 %")
            axis.fill_between(self.t, lower, upper, alpha=0.4, label="25 to 75 %")
            axis.plot(self.t, middle, label="median")
            column = self.columns[self.names.index(name)]
            axis.set_ylabel(f"{column.label} {column.unit}")
        axes[0, 0].legend(fontsize="small", loc="upper right")
        axes[-1, 0].set_xlabel("time s")
        figure.tight_layout()
        return figure

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes the files that `ulna simulate` writes: ensemble.h5, run.json, report.html."""
        self._write(os.fspath(folder))

    def __repr__(self) -> str:
        return f"<ulna.Ensemble: {len(self)} runs, {self.status.count('completed')} completed, {len(self.t)} times>"


def _laws(vary: Mapping[str, Law | str] | str | Sequence[str]) -> list[str]:
    if isinstance(vary, Mapping):
        return [f"{what}={law.text if isinstance(law, Law) else law}" for what, law in vary.items()]
    return names_of(vary)


def put_ensemble_together(what: ScenarioLike, runs: int | None, vary: Mapping[str, Law | str] | str | Sequence[str] | None,
                          keep: str | Sequence[str] | None, q0: Any, v0: Any, drive: DriveLike, options: Mapping[str, Any]
                          ) -> tuple[_core.Scenario, _core.Model | None]:
    scenario, robot, function, points = put_together(what, q0, v0, drive, options)
    if function is not None or points is not None:
        raise ValueError("an ensemble's drive is made by ulna.pd() and its like, without spline(): runs go in packs")
    table = to_dict(scenario)
    changes = {"runs": runs, "vary": None if vary is None else _laws(vary), "keep": None if keep is None else names_of(keep)}
    table["ensemble"] = {**table.get("ensemble", {}), **{key: value for key, value in changes.items() if value is not None}}
    return _core.parse_scenario(to_toml(table), name=scenario.name, written=scenario.file), robot


def ensemble(what: ScenarioLike, *, runs: int | None = None, vary: Mapping[str, Law | str] | str | Sequence[str] | None = None,
             keep: str | Sequence[str] | None = None, q0: ArrayLike | None = None, v0: ArrayLike | None = None,
             drive: DriveLike = None, compiled: bool = False, threads: int = 0, progress: bool = False,
             folder: str | os.PathLike[str] | None = None, resume: bool = False, **options: Any) -> Ensemble:
    """Many runs, in packs over threads.

    what: a model or a scenario, as for simulate(). runs: how many. vary: what differs, {'q': ulna.normal(deg=5)} or
    ['q=normal:5deg'] (doc/ensembles.md). keep: columns or groups to keep of every sample, ['q'] without it. compiled: by
    the robot's own code even where that does not pay. threads: at most so many, 0 for all cores. Other arguments as in
    simulate(), but a drive cannot be a function: runs go in packs. folder: the files of `ulna simulate` are left there,
    and every run is kept there as it ends; resume: go on with an ensemble that was cut off in this folder.

    Run k is the same to the bit whatever the number of runs and threads.
    """
    scenario, robot = put_ensemble_together(what, runs, vary, keep, q0, v0, drive, options)
    if resume and folder is None:
        raise ValueError("resume goes on with what is in a folder; give the folder too")
    with progress_of(progress, scenario.runs, "runs") as tell:
        record = _core.run_ensemble(scenario, robot, compiled, threads, tell, os.fspath(folder or ""), resume)
    ends = record.ends
    return Ensemble(record.times, record.samples, [Column(*c) for c in record.columns], ends.pop("status"),
                    record.parameters, ends, record)


def read_ensemble(folder: str) -> Ensemble:
    import h5py

    with h5py.File(os.path.join(folder, "ensemble.h5"), "r") as file:
        return _from_hdf5(file, folder)


def _from_hdf5(file: Any, folder: str) -> Ensemble:
    def text(dataset: Any, attribute: str) -> list[str]:
        return [part for part in dataset.attrs[attribute].decode().split(",") if part]

    info = json.loads(read_text(os.path.join(folder, "run.json")))
    if "columns" not in info:
        raise _core.InputError(f"'{folder}' was written by an Ulna that did not say what its columns are; make it again")
    columns = [Column(**column) for column in info["columns"]]
    groups = [file[name] for name in file if name.startswith("samples_")]
    by_name = {name: part for group in groups for name, part in zip(text(group, "columns"), np.moveaxis(group[:], 2, 0))}
    samples = np.stack([by_name[column.name] for column in columns], axis=2)
    words = text(file["status"], "units")
    drawn = dict(zip(text(file["parameters"], "columns"), file["parameters"][:].T))
    ends = {key: file[f"final_{key}"][:] for key in ("q", "v", "energy")}
    ends.update(time=file["time"][:], reason=[reason.decode() for reason in file["reason"][:]])
    return Ensemble(file["t"][:], samples, columns, [words[k] for k in file["status"][:]], drawn, ends, folder=folder)
