"""How many instructions a call of each algorithm takes, counted by callgrind: within 5 % of instructions.csv, whatever else
the machine does. For one level (x86-64-v3: valgrind knows no AVX-512) and one compiler, that of Debian 12.

    instructions_test.py PROGRAM LIBRARIES COMPILER             the test
    instructions_test.py PROGRAM LIBRARIES COMPILER --record    writes instructions.csv anew, after a change that is meant
"""

import csv
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, LIBRARIES, COMPILER = sys.argv[1:4]
RECORDED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "instructions.csv")
LEVEL, KNOWN_COMPILER = "x86-64-v3", "GNU 12.2.0"
CALLS, ALLOWED = 16, 0.05


def why_not():
    if COMPILER != KNOWN_COMPILER:
        return f"the counts are of {KNOWN_COMPILER}, this is {COMPILER}"
    if shutil.which("valgrind") is None:
        return "valgrind is not installed"
    if not os.path.isdir(os.path.join(LIBRARIES, "glibc-hwcaps", LEVEL)):
        return f"this build has no library for {LEVEL} (-DULNA_LEVEL=all has)"
    return ""


def counts():
    """Instructions of a call, by robot, formulation and quantity."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", PROGRAM], capture_output=True, text=True,
            env={**os.environ, "LD_LIBRARY_PATH": os.path.join(LIBRARIES, "glibc-hwcaps", LEVEL)})
        if said.returncode != 0 or said.stdout.split() != [LEVEL]:
            raise AssertionError(f"callgrind: {said.stdout}{said.stderr}")
        for name in glob.glob(f"{folder}/out.*"):
            with open(name, encoding="utf-8") as file:
                text = file.read()
            what = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.MULTILINE)
            if what:
                found[tuple(what[1].split())] = int(re.search(r"^summary: (\d+)", text, re.MULTILINE)[1]) / CALLS
    return found


def recorded():
    with open(RECORDED, encoding="utf-8", newline="") as file:
        return {(row["robot"], row["method"], row["of"]): float(row["instructions"]) for row in csv.DictReader(file)}


def record():
    with open(RECORDED, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["robot", "method", "of", "instructions"])
        for key, count in sorted(counts().items()):
            rows.writerow([*key, round(count)])


class Instructions(unittest.TestCase):
    def test_calls_take_as_many_as_recorded(self):
        if why_not():
            self.skipTest(why_not())
        got, want = counts(), recorded()
        self.assertEqual(sorted(got), sorted(want), "other algorithms than recorded: --record")
        off = [f"{' '.join(key)}: {got[key]:.0f} instead of {want[key]:.0f}" for key in want
               if abs(got[key] / want[key] - 1) > ALLOWED]
        self.assertFalse(off, "\n".join(["if it is meant: --record", *off]))


if __name__ == "__main__":
    if sys.argv[4:] == ["--record"]:
        record()
    else:
        unittest.main(argv=sys.argv[:1])
