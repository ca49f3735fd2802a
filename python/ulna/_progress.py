"""Progress of long work: by tqdm where it is installed, else a line on stderr where that is a terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import Any, Callable, Iterator


@contextmanager
def progress_of(wanted: bool, total: float, unit: str) -> Iterator[Callable[[float], None] | None]:
    """A function to be called with how far the work is, or None."""
    if not wanted:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        with _line(total, unit) as tell:
            yield tell
        return
    with tqdm(total=total, unit=unit, bar_format="{l_bar}{bar}| {n:.4g}/{total:.4g} {unit} [{elapsed}<{remaining}]") as bar:
        def tell(at: float) -> None:
            bar.update(at - bar.n)

        yield tell
        bar.update(total - bar.n)


@contextmanager
def _line(total: float, unit: str) -> Iterator[Callable[[float], None] | None]:
    stream: Any = sys.stderr
    if not stream.isatty():
        yield None
        return

    def tell(at: float) -> None:
        stream.write(f"\r{at:.4g} of {total:.4g} {unit}\x1b[K")
        stream.flush()

    try:
        yield tell
    finally:
        stream.write("\r\x1b[K")
        stream.flush()
