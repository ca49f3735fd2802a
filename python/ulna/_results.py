"""What all results have in common: files, a report, pickles."""

from __future__ import annotations

import copy
import html
import os
import tempfile
import webbrowser
from typing import Any, TypeVar

from . import _core

Self = TypeVar("Self", bound="Result")


def read_text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


class Result:
    """What a study gave: its files and its report. It can be copied and pickled; files are written in the process that made
    it."""

    _record: Any = None  # of the library, where the result was made in this process
    _folder: str | None = None  # that it was read from

    def _write(self, folder: str, **options: Any) -> None:
        if not folder:
            raise ValueError("the name of a folder is empty")
        if self._record is None:
            where = f"was read from {self._folder}, and its files are there" if self._folder else "came from a pickle; save it first"
            raise ValueError(f"this result {where}")
        self._record.save(folder, **options)

    def report(self) -> str:
        """The report as one HTML text."""
        if self._folder is not None:
            return read_text(self._report_file())
        with tempfile.TemporaryDirectory() as folder:
            self._write(os.path.join(folder, "result"))
            return read_text(os.path.join(folder, "result", "report.html"))

    def _report_file(self) -> str:
        path = os.path.abspath(os.path.join(self._folder or "", "report.html"))
        if not os.path.exists(path):
            raise FileNotFoundError(f"'{self._folder}' holds no report.html: the Ulna that wrote it had no report page")
        return path

    def show(self) -> str:
        """Opens the report in a browser; returns the path of the file."""
        if self._folder is not None:
            path = self._report_file()
        else:
            path = os.path.join(tempfile.mkdtemp(prefix="ulna_"), "report.html")
            text = self.report()
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        webbrowser.open("file://" + path)
        return path

    def _has_report(self) -> bool:
        if self._folder is not None:
            return os.path.exists(os.path.join(self._folder, "report.html"))
        return self._record is not None and _core.has_report_page()

    def _repr_html_(self) -> str:
        """The report inline in a notebook."""
        if not self._has_report():
            return f"<pre>{html.escape(repr(self))}</pre>"
        return f'<iframe srcdoc="{html.escape(self.report())}" style="width:100%;height:640px;border:0"></iframe>'

    def __copy__(self: Self) -> Self:
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def __deepcopy__(self: Self, memo: dict[int, Any]) -> Self:
        """The library's record never changes: both have it."""
        other = copy.copy(self)
        other.__dict__.update(copy.deepcopy(self.__getstate__(), memo))
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_record"}
