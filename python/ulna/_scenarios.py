"""Scenarios: what a run is, from a name, a file, text, a dictionary, or the arguments of a call."""

from __future__ import annotations

import os
import tomllib
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Mapping, Union

import numpy as np

from . import _core
from ._core import Model, Scenario
from ._drives import Drive
from ._text import is_text, name_of, to_toml

ScenarioLike = Union[str, "os.PathLike[str]", Mapping[str, Any], Scenario, Model]
DriveLike = Union[Drive, Mapping[str, Any], Callable[..., Any], None]

# Arguments of simulate() and ensemble(), and where a scenario has them.
RUN_KEYS = {"duration": "for", "every": "every", "integrator": "integrator", "tolerance": "tolerance", "relative": "relative",
            "absolute": "absolute", "step": "step", "largest_step": "largest_step", "limits": "limits",
            "most_steps": "most_steps", "baumgarte": "baumgarte", "friction_speed": "friction_speed"}
LISTS = {"loads": "load", "springs": "spring", "dampers": "damper", "walls": "wall", "disturbances": "disturbance",
         "events": "event", "payloads": "payload"}
TOP_KEYS = ("method", "seed", "gravity", "title", "free_base")


def restore(text: str, name: str, model: Model | None, file: str) -> Scenario:
    """A scenario from its pickle."""
    return _core.parse_scenario(text, name=name, model=model, written=file)


def scenario(what: ScenarioLike) -> Scenario:
    """A scenario from a bundled name (ulna.scenarios()), the path of a file, the text of one, or a dictionary with the same
    keys (doc/scenario_files.md), whose robot may be a model; a model or a robot's name stands for its free fall."""
    if isinstance(what, Scenario):
        return what
    if isinstance(what, Model):
        what = {"name": what.name, "robot": what}
    if isinstance(what, Mapping):
        model = what.get("robot")
        name = str(what.get("name", "scenario"))
        if isinstance(model, Model):
            return _core.parse_scenario(to_toml({**what, "robot": model.name}), name=name, model=model)
        return _core.parse_scenario(to_toml(what), name=name)
    name = name_of(what, "a scenario", "a model, a name, a path, text or a dictionary")
    return _core.parse_scenario(name, "text", "scenario") if is_text(name) else _core.load_scenario(name)


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


@contextmanager
def arguments_named(q0: Any, v0: Any, options: Mapping[str, Any]) -> Iterator[None]:
    """What is wrong is told by the names of the arguments, where the text of a scenario was made of them."""
    words = {"[run]: 'for'": "duration", "[run]: ": ""} if options else {}
    words.update({word: name for word, name, value in (("start.q", "q0", q0), ("start.v", "v0", v0)) if value is not None})
    try:
        yield
    except _core.InputError as error:
        text = str(error)
        for word, name in words.items():
            text = text.replace(word, name)
        error.args = (text,)
        raise


def _with_options(table: dict[str, Any], options: Mapping[str, Any]) -> None:
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


def put_together(what: ScenarioLike, q0: Any, v0: Any, drive: DriveLike, options: Mapping[str, Any]
                 ) -> tuple[Scenario, Model | None, Callable[..., Any] | None, tuple[Any, Any] | None]:
    """The scenario with the arguments of a call, its robot if it was given as a model, a drive that is a function, and the
    points of its spline."""
    read = scenario(what)
    if q0 is None and v0 is None and drive is None and not options:
        return read, read.model, None, None
    table = to_dict(read)
    _with_options(table, options)
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
    with arguments_named(q0, v0, options):
        changed = _core.parse_scenario(to_toml(table), name=read.name, model=read.model, written=read.file)
    return changed, read.model, function, points


def _row(numbers: Any, name: str) -> list[float] | None:
    if numbers is None:
        return None
    row = np.asarray(numbers, dtype=float)
    if row.ndim != 1:
        raise ValueError(f"{name} has shape {row.shape}; one state is wanted: (n,)")
    return [float(x) for x in row]
