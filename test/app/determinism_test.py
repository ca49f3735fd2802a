"""Same input, same bits (doc/determinism.md): whole outputs, byte by byte, across calls and numbers of threads."""

import json
import os
import re
import unittest

from command import CommandTest

# every integrator, drives of every kind, noise, closed loops, a free base
SCENARIOS = ["kuka_pd", "puma_free_fall", "puma_forced", "satellite_free", "stewart_heave", "four_bar_motor"]
INTEGRATORS = ["rkf45", "dp5", "dop853", "adams", "bdf"]

NOISY = """robot = "scara"
seed = 5
[run]
for = 0.3
integrator = "dp5"
[[disturbance]]
joint = "joint1"
noise = 2.0
every = 0.01
"""


def without_wall(value):
    """What is measured with a clock, and how many threads there were."""
    if isinstance(value, dict):
        return {k: without_wall(v) for k, v in value.items() if k not in ("wall", "threads")}
    if isinstance(value, list):
        return [without_wall(v) for v in value if not (isinstance(v, list) and v and v[0] == "wall clock")]
    return value


class Determinism(CommandTest):
    def content(self, path):
        with open(self.path(path), "rb") as file:
            return file.read()

    def report_of(self, text):
        """The page and, apart from it, its data."""
        found = re.search(r"<script[^>]*type=\"application/json\"[^>]*>(.*?)</script>", text, re.S)
        return text.replace(found.group(1), ""), without_wall(json.loads(found.group(1)))

    def assert_same_folders(self, one, two):
        self.assertEqual(sorted(os.listdir(self.path(one))), sorted(os.listdir(self.path(two))))
        for name in os.listdir(self.path(one)):
            a, b = self.content(f"{one}/{name}"), self.content(f"{two}/{name}")
            if name == "run.json":
                self.assertEqual(without_wall(json.loads(a)), without_wall(json.loads(b)))
            elif name == "report.html":
                self.assertEqual(self.report_of(a.decode()), self.report_of(b.decode()))
            else:
                self.assertEqual(a, b, f"{one}/{name} and {two}/{name}")

    def twice(self, *arguments, threads=(None, None)):
        for folder, count in zip(("one", "two"), threads):
            self.ulna("simulate", *arguments, "-o", folder, *([] if count is None else ["--threads", count]))
        self.assert_same_folders("one", "two")

    def test_runs(self):
        for scenario in SCENARIOS:
            self.twice(scenario, "--for", "0.3", "--hdf5")
        self.twice(self.write("noisy.toml", NOISY), "--hdf5")
        self.twice("puma560", "--for", "0.3", "--compiled")

    def test_integrators(self):
        for integrator in INTEGRATORS:
            self.twice("ur5_like", "--for", "0.3", "--integrator", integrator)
        for integrator in ("rk4", "symplectic"):
            self.twice("ur5_like", "--for", "0.3", "--integrator", integrator, "--step", "0.001")

    def test_ensembles_on_any_number_of_threads(self):
        for more in (["--vary", "q=normal:5deg"], ["--vary", "mass=normal:5%"], ["--vary", "q=normal:5deg", "--compiled"],
                     ["--vary", "q=normal:5deg", "--integrator", "bdf"]):
            integrator = [] if "--integrator" in more else ["--integrator", "dp5"]
            for threads in (("1", "2"), ("2", "7"), (None, "3")):
                self.twice("ur5_like", "--runs", "37", "--for", "0.3", "--every", "0.05", "--keep", "q,v,tau,tip,energy",
                           *integrator, *more, threads=threads)

    def test_answers(self):
        for arguments in (["matrices", "puma560", "--q", "1,2,3,4,5,6", "--v", "1,1,1,1,1,1"],
                          ["fk", "kuka_lwr4", "--q", "1,2,3,1,2,3,1"], ["count", "puma560", "general:5", "--regroup"],
                          ["loop", "slider_crank", "--drive", "crank_pin=0..90deg", "--for", "1", "-o", "loop"]):
            self.assertEqual(without_wall(self.ulna_json(*arguments)), without_wall(self.ulna_json(*arguments)), arguments)
        chains = {self.ulna("fd", "chain:5000", "--json", "--threads", count) for count in ("1", "2", "5")}
        self.assertEqual(len(chains), 1)
        code = []
        for name in ("one", "two"):
            os.mkdir(self.path(name))
            self.ulna("codegen", "puma560", "--of", "id,fd", "-o", f"{name}/arm.c")
            code.append(self.content(f"{name}/arm.c"))
        self.assertEqual(*code)


if __name__ == "__main__":
    unittest.main()
