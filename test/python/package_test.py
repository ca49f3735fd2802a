"""The package as users install it: a wheel of what is built, and a build for the interpreter of a virtual environment."""

import os
import subprocess
import sys

import pytest
from conftest import BUILD, SOURCE

FIRST = "import numpy, ulna; print(ulna.__file__, ulna.load('puma560').gravity(numpy.zeros(6))[1]); print(open('/proc/self/maps').read())"


@pytest.fixture()
def venv(tmp_path):
    folder = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", folder], check=True)
    return folder


def install(venv, **environment):
    """Without a network, and with pip's isolation."""
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "ULNA_BUILD", "ULNA_SOURCE")}
    done = subprocess.run([venv / "bin" / "pip", "install", "--no-index", SOURCE], capture_output=True, text=True,
                          env={**clean, **environment}, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    said = subprocess.run([venv / "bin" / "python", "-c", FIRST], capture_output=True, text=True, env=clean, cwd="/", check=True)
    return said.stdout


def test_wheel_of_this_build(venv, tmp_path):
    said = install(venv, ULNA_BUILD=BUILD)
    assert said.startswith(str(venv / "lib"))
    # its own library, in the build for this processor where there are several
    assert f"{venv}/lib/" in said and "/ulna/lib/" in said and os.path.join(BUILD, "lib", "libulna") not in said
    # all levels that the build has
    levels = sorted(os.listdir(os.path.join(BUILD, "lib", "glibc-hwcaps"))) if os.path.isdir(os.path.join(BUILD, "lib", "glibc-hwcaps")) else []
    package = next(venv.rglob("site-packages/ulna"))
    assert sorted(path.parent.name for path in (package / "lib" / "glibc-hwcaps").rglob("libulna.so.0")) == levels
    assert (package / "lib" / "libulna.so.0").exists() and (package / "py.typed").exists()
    report = "import ulna; r = ulna.simulate('planar2r', duration=0.1); print(len(r.report()))"
    size = subprocess.run([venv / "bin" / "python", "-c", report], capture_output=True, text=True, cwd="/", check=True,
                          env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"}).stdout
    assert int(size) > 100_000


def test_build_for_a_virtual_environment(venv, tmp_path):
    prefix = tmp_path / "prefix"
    subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True, capture_output=True)
    system = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=True, cwd="/",
                            env={**os.environ, "PYTHONPATH": next(str(p.parent.parent) for p in prefix.rglob("ulna/__init__.py"))})
    assert system.stdout.startswith(str(prefix)) and f"{prefix}/lib" in system.stdout
    said = install(venv, ULNA_ROOT=str(prefix), CMAKE_ARGS="-DCMAKE_BUILD_TYPE=Debug")
    assert said.startswith(str(venv / "lib")) and f"{prefix}/lib" in said


def test_the_stub_is_checked_by_mypy(tmp_path):
    done = subprocess.run(["mypy", "--strict", "--ignore-missing-imports", "--cache-dir", tmp_path / "cache",
                           os.path.join(SOURCE, "python", "ulna")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    user = tmp_path / "user.py"
    user.write_text("import ulna\nreveal_type(ulna.load('puma560').gravity([0.0] * 6))\nulna.load(3.5)\n")
    done = subprocess.run(["mypy", "--strict", "--ignore-missing-imports", "--cache-dir", tmp_path / "cache", user],
                          capture_output=True, text=True, env={**os.environ, "MYPYPATH": os.path.join(SOURCE, "python")}, check=False)
    assert "ndarray" in done.stdout and 'user.py:3: error: Argument 1 to "load"' in done.stdout, done.stdout
