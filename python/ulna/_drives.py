"""Drives, the motions that they follow, and laws of ensembles: descriptions, which scenarios are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from ._text import range_of

Numbers = Union[float, Sequence[float], "np.ndarray[Any, Any]"]


class Described:
    """Descriptions are the same when they say the same, number for number."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and repr(_plain(vars(self))) == repr(_plain(vars(other)))

    def __hash__(self) -> int:
        return hash(repr(_plain(vars(self))))


def _plain(value: Any) -> Any:
    """Arrays, tuples and lists of the same numbers as the same."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in sorted(value.items())}
    if isinstance(value, np.ndarray):
        return value.tolist()
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


@dataclass(frozen=True, eq=False)
class Motion(Described):
    """A reference motion.

    keys: those of `[drive.motion]` (doc/scenario_files.md). points: of a spline, times (s) and positions (N, nv), or None.
    """

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
    at, through = np.array(times, dtype=float), np.array(positions, dtype=float)
    if at.ndim != 1 or through.ndim != 2 or len(at) != len(through) or len(at) < 2:
        raise ValueError(f"times have shape {at.shape} and positions {through.shape}; (N,) and (N, nv) are wanted, N from 2")
    # A scenario holds no points: what stands there is replaced before the run.
    return Motion(hold(through[0]).keys, (at.tolist(), through))


def _reference(reference: Motion | Numbers) -> Motion:
    return reference if isinstance(reference, Motion) else hold(reference)


@dataclass(frozen=True, eq=False)
class Drive(Described):
    """A drive.

    keys: those of `[drive]` (doc/scenario_files.md). points: of the spline that it follows, times (s) and positions (N, nv),
    or None.
    """

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
    """How a number differs from run to run (doc/ensembles.md); text: as a scenario file writes it."""

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
    plain = None if low is None and high is None else (low, high)
    given = [(x, unit) for x, unit in ((plain, ""), (deg, "deg"), (percent, "%")) if x is not None]
    if len(given) != 1:
        raise ValueError("give one of: low and high in SI units, deg=(low, high), percent=(low, high)")
    least, most = range_of(given[0][0], {"": "the range", "deg": "deg", "%": "percent"}[given[0][1]])
    return Law(f"uniform:{least!r}..{most!r}{given[0][1]}")
