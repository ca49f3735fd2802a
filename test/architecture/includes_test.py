"""The dependency direction of design and doc/adr/0001: a folder includes only folders below it,
and every header compiles on its own."""

import os
import re
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor

BUILD = sys.argv.pop()
SOURCE = sys.argv.pop()

# folder: the folders of include/ulna it may include beside itself
ALLOWED = {
    "real": [],
    "spatial": ["real"],
    "loop": ["real", "spatial", "model", "kinematics", "dynamics"],
    "integrate": ["real"],
    "model": ["real", "spatial"],
    "kinematics": ["real", "spatial", "model"],
    "dynamics": ["real", "spatial", "model", "kinematics"],
    "import": ["model", "spatial"],
    "trace": ["real", "spatial", "model", "kinematics", "dynamics", "export"],
    "simulate": ["real", "spatial", "model", "kinematics", "dynamics", "loop", "integrate"],
    "batch": ["real", "spatial", "model", "kinematics", "dynamics", "loop", "integrate", "simulate", "trace",
              "instantiate"],
    "scenario": ["spatial", "model", "dynamics", "loop", "simulate", "batch", "integrate", "import"],
    "select": ["real", "spatial", "model", "kinematics", "dynamics", "trace", "simulate", "import", "scenario"],
    "report": ["spatial", "model", "kinematics", "loop", "integrate", "simulate", "batch", "scenario", "trace", "select",
               "export"],
    "bench": ["real", "model", "dynamics", "trace", "batch"],
    "reproduce": ["bench", "real", "spatial", "model", "kinematics", "dynamics", "loop", "integrate", "simulate", "batch",
                  "scenario", "trace", "select", "export", "import", "report"],
    "export": ["model", "spatial", "import", "kinematics"],
    "instantiate": ["real", "kinematics", "dynamics"],
}


def sources():
    for root in ("include/ulna", "src"):
        for folder, _, files in os.walk(os.path.join(SOURCE, root)):
            for name in files:
                path = os.path.join(folder, name)
                parts = os.path.relpath(path, os.path.join(SOURCE, root)).split(os.sep)
                if len(parts) > 1 and name.endswith((".hpp", ".cpp")):
                    yield parts[0], path


class Includes(unittest.TestCase):
    def test_every_folder_is_listed(self):
        self.assertEqual(sorted({folder for folder, _ in sources()} - set(ALLOWED)), [])

    def test_the_picture_in_the_readme(self):
        with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
            picture = re.search(r"## How it is built\n.*?```text\n(.*?)```", file.read(), re.DOTALL).group(1)
        drawn = re.findall(r"(?:^  |[├└]── |  )([a-z]+)   ?", picture, re.MULTILINE)
        self.assertEqual(sorted(set(drawn)), sorted([*ALLOWED, "app"]))

    def test_direction(self):
        wrong = []
        for folder, path in sources():
            with open(path, encoding="utf-8") as file:
                for included in re.findall(r'#include "(?:ulna/)?(\w+)/', file.read()):
                    if included in ALLOWED and included != folder and included not in ALLOWED[folder]:
                        wrong.append(f"{os.path.relpath(path, SOURCE)} includes {included}")
        self.assertEqual(wrong, [])

    def test_headers_stand_alone(self):
        headers = [p for _, p in sources() if p.endswith(".hpp") and "/include/" in p]
        with ThreadPoolExecutor(2) as pool:
            for header, error in zip(headers, pool.map(self.error_of, headers)):
                self.assertEqual(error, "", header)

    @staticmethod
    def error_of(header):
        """What the compiler says of a file that holds nothing but this header."""
        done = subprocess.run(
            ["g++", "-std=c++20", "-fsyntax-only", "-Wno-psabi", "-I" + os.path.join(SOURCE, "include"),
             "-I" + os.path.join(BUILD, "include"), "-x", "c++", "-"],
            input=f'#include "{header}"\n', capture_output=True, text=True)
        return "" if done.returncode == 0 else done.stderr[:2000]


if __name__ == "__main__":
    unittest.main()
