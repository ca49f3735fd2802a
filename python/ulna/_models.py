"""Robots by name, file, text or table."""

from __future__ import annotations

import os
from typing import Any, Mapping, Sequence, Union

from . import _core
from ._core import Model
from ._text import is_text, name_of, to_toml

RobotLike = Union[str, "os.PathLike[str]", Mapping[str, Any], Model]


def restore(text: str, name: str) -> Model:
    """A model from its pickle."""
    return _core.parse(text, "toml", name)


def load(robot: RobotLike, *, gravity: Sequence[float] | None = None, free_base: bool = False,
         friction_speed: float | None = None, allow_nonphysical: str = "") -> Model:
    """A robot ready to compute with.

    robot: a bundled name (ulna.robots()), a generated one ('chain:12'), the path of a .toml, .urdf, .sdf or .xml (MJCF) file, the text of
    one, or a dictionary with the keys of a robot file (doc/robot_files.md).
    gravity: three numbers in m/s², world axes, instead of the robot's own. free_base: its root floats.
    friction_speed: Coulomb friction fades below it (rad/s or m/s). allow_nonphysical: the reason for which impossible
    mass data are allowed.

    Raises InputError, with file and line where there are any.
    """
    model = _model(robot, allow_nonphysical)
    if gravity is None and not free_base and friction_speed is None:
        return model
    return model.changed(gravity=gravity, free_base=free_base, friction_speed=friction_speed)


def _model(robot: RobotLike, allow_nonphysical: str) -> Model:
    if not isinstance(allow_nonphysical, str):
        raise TypeError("allow_nonphysical must be the reason, a str")
    if isinstance(robot, Model):
        return robot
    written = _text_of(robot)
    return _core.parse(*written, allow_nonphysical) if isinstance(written, tuple) else _core.load(written, allow_nonphysical)


PLURALS = {"links": "link", "bodies": "body", "joints": "joint", "frames": "frame", "loops": "loop"}


def _text_of(robot: str | os.PathLike[str] | Mapping[str, Any]) -> tuple[str, str, str] | str:
    """The text of a robot file, its format and what to call it; or the name of a robot or of its file."""
    if isinstance(robot, Mapping):
        keys = {PLURALS.get(key, key): value for key, value in robot.items()}
        return to_toml(keys), "toml", str(keys.get("name", "robot"))
    name = name_of(robot, "a robot", "a model, a name, a path, text or a dictionary")
    return (name, "auto", "text") if is_text(name) else name


def robot(*, dh: str | None = None, links: Sequence[Mapping[str, Any]] | None = None, name: str = "robot",
          **keys: Any) -> Model:
    """A robot made in code, with the keys of a robot file (doc/robot_files.md).

    dh: 'standard' or 'modified'; links: one dictionary per row of the DH table, with joint, a, b, alpha, theta (m,
    radians or '90 deg'), mass (kg), com or r (m), inertia (kg m², xx, yy, zz, or these and xy, xz, yz), friction, limits.
    Or explicit frames: bodies, joints, frames, loops. Other keys (gravity, tip, title) as in the file.

    >>> ulna.robot(dh="standard", links=[dict(joint="revolute", a=0.4, mass=3, com=[-0.2, 0, 0],
    ...                                       inertia=[0.004, 0.05, 0.05])])
    """
    return load({"name": name, "dh": dh, "links": links, **keys})


def robots() -> dict[str, str]:
    """What is bundled: names and titles; the last ones are families such as 'chain:N'."""
    return dict(_core.bundled_robots())


def check(robot: RobotLike) -> list[dict[str, Any]]:
    """Is it physical? The findings of a robot that load() may refuse, as dictionaries: severity ('error' or 'warning'),
    link, reason, remedy, file, line. An empty list is good."""
    if isinstance(robot, Model):
        return robot.check()
    written = _text_of(robot)
    return _core.check_text(*written) if isinstance(written, tuple) else _core.check(written)


def methods() -> dict[str, dict[str, Any]]:
    """The formulations: by name their title and what they give ('id', 'fd', 'gim', 'c', 'mci', 'gravity')."""
    return _core.methods()
