"""The builds of the library for the levels of x86-64 agree: the loader is told which to take, and the
numbers of packs and of the scalar path are compared."""

import glob
import os
import subprocess
import sys
import unittest

LIBRARIES, PROGRAM = sys.argv.pop(), sys.argv.pop()
LOADER = "/lib64/ld-linux-x86-64.so.2"
STATES, JOINTS = 13, 7


def supported():
    """What glibc says this processor can run, best first."""
    said = subprocess.run([LOADER, "--help"], capture_output=True, text=True).stdout
    return [line.split()[0] for line in said.splitlines() if "x86-64-v" in line and "supported, searched" in line]


def numbers(level):
    """Which build ran, and its numbers: inverse dynamics by packs and by scalars, forward dynamics the same way."""
    run = subprocess.run([LOADER, "--glibc-hwcaps-mask", level, PROGRAM], capture_output=True, text=True, check=True)
    first, *rest = run.stdout.split()
    values = [float.fromhex(x) for x in rest]
    size = STATES * JOINTS
    return first, [values[k:k + size] for k in range(0, 4 * size, size)]


class Levels(unittest.TestCase):
    def built(self):
        return {os.path.basename(folder) for folder in glob.glob(os.path.join(LIBRARIES, "glibc-hwcaps", "*"))}

    def test_builds_agree(self):
        levels = [level for level in supported() if level in self.built()]
        if not levels:
            self.skipTest("this processor, or this build, has the first level only")
        name, reference = numbers("none")
        self.assertEqual(name, "x86-64")
        packs, scalars = reference[0::2], reference[1::2]
        self.compare("x86-64, packs and scalars", packs, scalars)
        for level in levels:
            name, blocks = numbers(level)
            self.assertEqual(name, level)
            self.compare(level, blocks, reference)

    def compare(self, what, got, want):
        for one, other in zip(got, want):
            largest = max(abs(x) for x in other)
            # 4·ε·joints per recursion, as test/support/tolerance.hpp has it, and the condition of M in these states,
            # below 1e4, for the accelerations
            for x, y in zip(one, other):
                self.assertLessEqual(abs(x - y), 4 * 2.2e-16 * JOINTS * 1e4 * largest, what)

    def test_the_loader_takes_the_best(self):
        levels = [level for level in supported() if level in self.built()]
        run = subprocess.run([PROGRAM], capture_output=True, text=True, check=True)
        self.assertEqual(run.stdout.split()[0], levels[0] if levels else "x86-64")


if __name__ == "__main__":
    unittest.main()
