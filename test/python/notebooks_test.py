"""The notebooks of examples/notebooks, as their reader would run them."""

import glob
import os

import nbformat
import pytest
from conftest import SOURCE
from nbconvert.preprocessors import ExecutePreprocessor

NOTEBOOKS = sorted(glob.glob(os.path.join(SOURCE, "examples", "notebooks", "*.ipynb")))


def test_there_are_four():
    assert len(NOTEBOOKS) == 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=os.path.basename)
def test_notebook(path, tmp_path, monkeypatch):
    monkeypatch.delenv("MPLBACKEND")  # pictures go into the notebook
    book = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") for cell in book.cells)  # what a machine printed is no source
    ExecutePreprocessor(timeout=100, kernel_name="python3").preprocess(book, {"metadata": {"path": str(tmp_path)}})
    pictures = [output for cell in book.cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
    assert pictures or "side_by_side" in path
