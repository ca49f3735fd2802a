"""Scenarios: what a run is, from a name, a file, text, a dictionary, or the arguments of a call."""

from __future__ import annotations

import os
import tomllib
from typing import Any, Callable, Mapping, Union

import numpy as np

from . import _core
from ._core import Model, Scenario
from ._drives import Drive
from ._text import is_text, to_toml

ScenarioLike = Union[str, "os.PathLike[str]", Mapping[str, Any], Scenario, Model]
DriveLike = Union[Drive, Mapping[str, Any], Callable[..., Any], None]

# Arguments of simulate() and ensemble(), and where a scenario has them.
RUN_KEYS = {"duration": "for", "every": "every", "integrator": "integrator", "tolerance": "tolerance", "relative": "relative",
            "absolute": "absolute", "step": "step", "largest_step": "largest_step", "limits": "limits",
            "most_steps": "most_steps", "baumgarte": "baumgarte", "friction_speed": "friction_speed"}
LISTS = {"loads": "load", "springs": "spring", "dampers": "damper", "walls": "wall", "disturbances": "disturbance",
         "events": "event", "payloads": "payload"}
TOP_KEYS = ("method", "seed", "gravity", "title", "free_base")


def restore(text: str, name: str) -> Scenario:
    """A scenario from its pickle."""
    return _core.parse_scenario(text, name)


def scenario(what: ScenarioLike) -> Scenario:
    """A scenario from a bundled name (ulna.scenarios()), the path of a file, the text of one, or a dictionary with the same
    keys (doc/scenario_files.md); a robot's name stands for its free fall."""
    if isinstance(what, Scenario):
        return what
    if isinstance(what, Mapping):
        return _core.parse_scenario(to_toml(what), str(what.get("name", "scenario")))
    name = os.fspath(what)  # type: ignore[arg-type]
    return _core.parse_scenario(name, "scenario") if is_text(name) else _core.load_scenario(name)


def repeated_scenario(folder: str | os.PathLike[str]) -> Scenario:
    """The scenario of the run or ensemble that left this folder, all its options applied, as `ulna simulate --again` takes it.

    Raises InputError if its robot or a table that it read has changed since.
    """
    return _core.repeated_scenario(os.fspath(folder))


def scenarios() -> dict[str, str]:
    """The bundled scenarios: names and titles."""
    return dict(_core.bundled_scenarios())


def to_dict(what: Scenario) -> dict[str, Any]:
    """A scenario as a dictionary with the keys of a scenario file."""
    return tomllib.loads(what.to_text())


def put_together(what: ScenarioLike, q0: Any, v0: Any, drive: DriveLike, options: Mapping[str, Any]
                 ) -> tuple[Scenario, Model | None, Callable[..., Any] | None, tuple[Any, Any] | None]:
    """The scenario with the arguments of a call, the robot if it was given as one, a drive that is a function, and the
    points of its spline."""
    robot: Model | None = None
    table: dict[str, Any]
    if isinstance(what, Mapping) and isinstance(what.get("robot"), Model):
        robot, what = what["robot"], {**what, "robot": what["robot"].name}
    if isinstance(what, Model):
        robot, table, name = what, {"robot": what.name}, what.name
    else:
        read = scenario(what)
        table, name = to_dict(read), read.name
    unknown = [key for key in options if key not in RUN_KEYS and key not in LISTS and key not in TOP_KEYS]
    if unknown:
        known = ", ".join(sorted([*RUN_KEYS, *LISTS, *TOP_KEYS]))
        raise TypeError(f"no argument '{unknown[0]}'; there are q0, v0, drive, {known}")
    given = {key: value for key, value in options.items() if value is not None}
    table["run"] = dict(table.get("run", {}))
    if "tolerance" in given:
        table["run"].pop("relative", None), table["run"].pop("absolute", None)
    if "relative" in given or "absolute" in given:
        table["run"].pop("tolerance", None)
    table["run"].update({RUN_KEYS[key]: value for key, value in given.items() if key in RUN_KEYS})
    table.update({LISTS.get(key, key): value for key, value in given.items() if key not in RUN_KEYS})
    start = {"q": _row(q0, "q0"), "v": _row(v0, "v0")}
    table["start"] = {**table.get("start", {}), **{key: value for key, value in start.items() if value is not None}}
    function: Callable[..., Any] | None = None
    points = None
    if isinstance(drive, Drive):
        table["drive"], points = drive.keys, drive.points
    elif isinstance(drive, Mapping):
        table["drive"] = drive
    elif drive is not None:
        if not callable(drive):
            raise TypeError("drive must be made by ulna.pd() and its like, a dictionary, or a function (t, q, v) -> tau")
        table["drive"], function = {"kind": "free"}, drive
    return _core.parse_scenario(to_toml(table), name), robot, function, points


def _row(numbers: Any, name: str) -> list[float] | None:
    if numbers is None:
        return None
    row = np.asarray(numbers, dtype=float)
    if row.ndim != 1:
        raise ValueError(f"{name} has shape {row.shape}; one state is wanted: (n,)")
    return [float(x) for x in row]
