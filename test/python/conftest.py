"""The package of the build folder: ctest sets PYTHONPATH, ULNA_SOURCE, ULNA_BUILD."""

import os

import numpy as np
import pytest

import ulna

SOURCE = os.environ["ULNA_SOURCE"]
BUILD = os.environ["ULNA_BUILD"]


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Compiled code and results of a test are its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ULNA_CACHE", os.path.join(BUILD, "python_cache"))
    monkeypatch.setenv("MPLBACKEND", "Agg")


@pytest.fixture(scope="session")
def arm():
    return ulna.load("panda_like")


def states(model, count, seed=1):
    """Positions within the limits, velocities and a third of their size: (count, nq), (count, nv), (count, nv)."""
    rng = np.random.default_rng(seed)
    q = np.array([model.random_state(seed=seed * 100000 + k)[0] for k in range(count)]).reshape(count, model.nq)
    return q, rng.uniform(-1, 1, (count, model.nv)), rng.uniform(-1, 1, (count, model.nv))


def tree_robots():
    """Bundled robots without closed loops that have physical masses."""
    return [name for name in ulna.robots() if ":" not in name and name != "puma560_printed" and not ulna.load(name).loop_names]
