"""Drives, the motions that they follow, and laws of ensembles: descriptions, which scenarios are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

Numbers = Union[float, Sequence[float], "np.ndarray[Any, Any]"]


@dataclass(frozen=True)
class Motion:
    """A reference motion: the keys of `[drive.motion]` (doc/scenario_files.md), or points of a spline."""

    keys: dict[str, Any] = field(default_factory=dict)
    points: tuple[Any, Any] | None = None


def _move(kind: str, to: Numbers, time: float, begin: Numbers | None, start: float, **more: Any) -> Motion:
    return Motion({"kind": kind, "to": to, "time": float(time), "from": begin, "start": float(start), **more})


def cycloid(to: Numbers, time: float, *, begin: Numbers | None = None, start: float = 0.0) -> Motion:
    """From one position to another on a cycloid, and rest there. to, begin: rad or m per joint, or one for all; begin is
    the run's start without it. time: how long it takes, s; start: when it begins, s."""
    return _move("cycloid", to, time, begin, start)


def quintic(to: Numbers, time: float, *, begin: Numbers | None = None, start: float = 0.0) -> Motion:
    """The same on a polynomial of degree five; arguments as in cycloid()."""
    return _move("quintic", to, time, begin, start)


def trapezoid(to: Numbers, time: float, *, begin: Numbers | None = None, start: float = 0.0, blend: float = 0.25) -> Motion:
    """The same with a speed that rises, stays and falls; blend: the share of the time in which it rises."""
    return _move("trapezoid", to, time, begin, start, blend=float(blend))


def cosine(amplitude: Numbers, period: float, *, offset: Numbers | None = None, phase: float = 0.0) -> Motion:
    """offset + amplitude cos(2 pi t / period + phase). amplitude, offset: rad or m; period: s; phase: rad."""
    return Motion({"kind": "cosine", "amplitude": amplitude, "offset": offset, "period": float(period), "phase": float(phase)})


def hold(position: Numbers) -> Motion:
    """Stay at a position (nv,), rad or m."""
    return cosine(np.zeros_like(np.asarray(position, dtype=float)), 1.0, offset=position)


def spline(times: ArrayLike, positions: ArrayLike) -> Motion:
    """A cubic spline through positions (N, nv), rad or m, at times (N,), s; at rest at both ends."""
    at = np.ascontiguousarray(times, dtype=float)
    through = np.ascontiguousarray(positions, dtype=float)
    # A scenario holds no points: what stands there is replaced before the run.
    return Motion(hold(through[0] if through.ndim == 2 else 0.0).keys, (at.tolist(), through))


def _reference(reference: Motion | Numbers) -> Motion:
    return reference if isinstance(reference, Motion) else hold(reference)


@dataclass(frozen=True)
class Drive:
    """A drive: the keys of `[drive]` (doc/scenario_files.md), and the points of its spline if it follows one."""

    keys: dict[str, Any]
    points: tuple[Any, Any] | None = None


def free() -> Drive:
    """No torques."""
    return Drive({"kind": "free"})


def constant(torque: Numbers) -> Drive:
    """Constant torques (nv,), N m or N."""
    return Drive({"kind": "constant", "torque": torque})


def _following(kind: str, reference: Motion | Numbers, **keys: Any) -> Drive:
    motion = _reference(reference)
    return Drive({"kind": kind, **keys, "motion": motion.keys}, motion.points)


def playback(reference: Motion | Numbers) -> Drive:
    """The torques of inverse dynamics along a reference, without feedback."""
    return _following("playback", reference)


def pd(kp: Numbers, kd: Numbers, reference: Motion | Numbers, *, gravity: bool = False, sample: float | None = None,
       saturate: bool = False) -> Drive:
    """tau = kp (q_d - q) + kd (v_d - v), with gravity the weight as well.

    kp: N m/rad or N/m, kd: N m s/rad or N s/m; per joint, or one number for all. reference: a motion (cycloid(), quintic(),
    trapezoid(), cosine(), spline()) or a position (nv,) to hold. sample: period of a digital controller, s.
    saturate: no more than the joints' effort limits.
    """
    return _following("pd", reference, kp=kp, kd=kd, gravity=gravity, sample=sample, saturate=saturate)


def computed_torque(kp: Numbers, kd: Numbers, reference: Motion | Numbers, *, sample: float | None = None,
                    saturate: bool = False) -> Drive:
    """tau = M (a_d + kd (v_d - v) + kp (q_d - q)) + C v + g. kp: 1/s², kd: 1/s; the rest as in pd()."""
    return _following("computed_torque", reference, kp=kp, kd=kd, sample=sample, saturate=saturate)


@dataclass(frozen=True)
class Law:
    """How a number differs from run to run (doc/ensembles.md)."""

    text: str


def _spread(value: float | None, deg: float | None, percent: float | None) -> tuple[float, str]:
    given = [(x, unit) for x, unit in ((value, ""), (deg, "deg"), (percent, "%")) if x is not None]
    if len(given) != 1:
        raise ValueError("give one of: a number in SI units, deg=, percent=")
    return given[0]


def normal(deviation: float | None = None, *, deg: float | None = None, percent: float | None = None) -> Law:
    """Normal about the nominal value: standard deviation in SI units, in degrees, or in percent of the nominal value."""
    value, unit = _spread(deviation, deg, percent)
    return Law(f"normal:{float(value)!r}{unit}")


def uniform(low: float | None = None, high: float | None = None, *, deg: tuple[float, float] | None = None,
            percent: tuple[float, float] | None = None) -> Law:
    """Even from low to high, added to the nominal value: in SI units, in degrees, or in percent of it."""
    given = [(x, unit) for x, unit in (((low, high), ""), (deg, "deg"), (percent, "%")) if x is not None and x[0] is not None]
    if len(given) != 1 or None in given[0][0]:
        raise ValueError("give one of: low and high in SI units, deg=(low, high), percent=(low, high)")
    (least, most), unit = given[0]
    return Law(f"uniform:{float(least)!r}..{float(most)!r}{unit}")  # type: ignore[arg-type]
