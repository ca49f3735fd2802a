"""Dictionaries as TOML text: robots and scenarios made in Python go the way that files go."""

from __future__ import annotations

import json
import math
import os
from typing import Any, Iterable, Mapping


def is_text(robot: str) -> bool:
    """Whether a string is the text of a file, and not its name."""
    return "\n" in robot or robot.lstrip().startswith("<")


def name_of(value: Any, what: str, wanted: str) -> str:
    """A str or a path as a str."""
    if isinstance(value, (str, os.PathLike)):
        name = os.fspath(value)
        if isinstance(name, str):
            return name
    raise TypeError(f"{what} is {value!r}; {wanted} is wanted")


def names_of(words: str | Iterable[str]) -> list[str]:
    """One word stands for a list of one."""
    return [words] if isinstance(words, str) else list(words)


def range_of(value: Any, what: str) -> tuple[float, float]:
    """(from, to)."""
    try:
        low, high = value
        return float(low), float(high)
    except (TypeError, ValueError):
        raise ValueError(f"{what} is {value!r}; two numbers are wanted: (from, to)") from None


def number(value: float) -> str:
    if math.isnan(value):
        return "nan"
    return ("-" if value < 0 else "") + "inf" if math.isinf(value) else repr(float(value))


def toml_value(value: Any) -> str:
    if hasattr(value, "tolist"):  # NumPy's
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(str(k))} = {toml_value(v)}" for k, v in value.items() if v is not None) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    raise TypeError(f"a {type(value).__name__} has no place in a robot or a scenario: {value!r}")


def to_toml(table: Mapping[str, Any]) -> str:
    """One line per key, tables under their headings; keys whose value is None are left out."""
    lines, parts = [], []
    for key, value in table.items():
        if value is None:
            continue
        tables = [value] if isinstance(value, Mapping) else value
        if isinstance(tables, (list, tuple)) and tables and all(isinstance(item, Mapping) for item in tables):
            heading = f"[{key}]" if isinstance(value, Mapping) else f"[[{key}]]"
            for item in tables:
                parts += [heading] + [f"{k} = {toml_value(v)}" for k, v in item.items() if v is not None]
        elif isinstance(value, Mapping):
            parts.append(f"[{key}]")
        else:
            lines.append(f"{key} = {toml_value(value)}")
    return "\n".join(lines + parts) + "\n"
