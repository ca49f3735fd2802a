"""What pip calls (PEP 517): CMake builds and installs the package, and it is packed as a wheel.

Nothing but Python and what Ulna is built with is needed, so that pip's isolation has nothing to fetch. Environment:
CMAKE_ARGS  further options for CMake, as in -DULNA_LEVEL=machine (one build of the library instead of three)
ULNA_BUILD  a build folder with the package in it already, as `make python` leaves it: it is packed as it is
ULNA_ROOT   where an Ulna is installed already: the wheel then holds the module alone, and uses that library
"""

import base64
import glob
import hashlib
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import zipfile

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def project():
    with open(os.path.join(SOURCE, "pyproject.toml"), "rb") as file:
        keys = tomllib.load(file)["project"]
    with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as file:
        keys["version"] = re.search(r"project\(ulna VERSION ([0-9.]+)", file.read()).group(1)
    return keys


def run(*command):
    # pip's isolation hides NumPy, which CMake asks the interpreter for.
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONNOUSERSITE")}
    subprocess.run(command, check=True, env=environment)


def build(folder, prefix):
    """The package in `prefix`, by CMake in `folder`."""
    options = [f"-DPython_EXECUTABLE={sys.executable}", *shlex.split(os.environ.get("CMAKE_ARGS", ""))]
    installed = os.environ.get("ULNA_ROOT")
    if installed:
        run("cmake", "-S", os.path.join(SOURCE, "python"), "-B", folder, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={installed}",
            *options)
    elif "ULNA_BUILD" not in os.environ:
        run("cmake", "-S", SOURCE, "-B", folder, "-G", "Ninja", "-DULNA_PYTHON=ON", "-DULNA_BUILD_TESTS=OFF",
            "-DULNA_BUILD_BENCH=OFF", *options)
    if "ULNA_BUILD" not in os.environ:
        run("cmake", "--build", folder, "--target", "ulna_python")
    run("cmake", "--install", folder, "--component", "wheel", "--prefix", prefix)


def metadata(keys):
    lines = ["Metadata-Version: 2.1", f"Name: {keys['name']}", f"Version: {keys['version']}", f"Summary: {keys['description']}",
             f"License: {keys['license']['text']}", f"Requires-Python: {keys['requires-python']}"]
    return "\n".join(lines + [f"Requires-Dist: {name}" for name in keys["dependencies"]]) + "\n"


def information_of(keys):
    return f"{keys['name']}-{keys['version']}.dist-info"


def tag_of():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def wheel_text():
    return f"Wheel-Version: 1.0\nGenerator: ulna\nRoot-Is-Purelib: false\nTag: {tag_of()}\n"


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """What pip asks before it builds."""
    keys = project()
    folder = os.path.join(metadata_directory, information_of(keys))
    os.makedirs(folder)
    for name, text in (("METADATA", metadata(keys)), ("WHEEL", wheel_text())):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    return information_of(keys)


def pack(prefix, path, keys):
    information = information_of(keys)
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        def add(name, data):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")
            wheel.writestr(name, data)

        for file in sorted(glob.glob(os.path.join(prefix, "**"), recursive=True)):
            if os.path.isfile(file):
                with open(file, "rb") as stream:
                    add(os.path.relpath(file, prefix), stream.read())
        add(f"{information}/METADATA", metadata(keys).encode())
        add(f"{information}/WHEEL", wheel_text().encode())
        record.append(f"{information}/RECORD,,")
        wheel.writestr(f"{information}/RECORD", "\n".join(record) + "\n")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    keys = project()
    name = f"{keys['name']}-{keys['version']}-{tag_of()}.whl"
    with tempfile.TemporaryDirectory() as temporary:
        prefix = os.path.join(temporary, "prefix")
        # The library takes long: its objects are kept for the next time.
        kept = os.environ.get("ULNA_BUILD", os.path.join(SOURCE, "build", "wheel"))
        folder = os.path.join(temporary, "build") if "ULNA_ROOT" in os.environ else kept
        build(folder, prefix)
        pack(prefix, os.path.join(wheel_directory, name), keys)
    return name
