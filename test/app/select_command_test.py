"""`ulna select`: what it prints, writes and refuses."""

import csv
import json
import math
import os
import re
import unittest

from command import CommandTest

SLIDER = """
dh = "standard"
[[link]]
joint = "revolute"
mass = 1
inertia = [0.1, 0.1, 0.1]
theta = "90 deg"
alpha = "90 deg"
[[link]]
joint = "prismatic"
mass = 1
inertia = [0.1, 0.1, 0.1]
limits = {{ lower = {}, upper = {} }}
"""


class Select(CommandTest):
    def rows(self, document):
        return {row["key"]: row for row in document["criteria"]}

    def refused(self, *arguments):
        done = self.run_ulna("select", *arguments)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual([name for name in os.listdir(self.folder) if "select" in name], [])
        return done.stderr

    def test_table_and_files(self):
        said = self.ulna("select", "rtx", "stanford3")
        self.assertRegex(said, r"operations of the inertia matrix +gim +less +1 +2M 2A \* +7M 3A")
        verdict = re.search(r"Ranking by 18 criteria: (\w+) \(score (0\.\d{3}), alone the best in \d+\), (\w+) \(score (0\.\d{3}), .*", said)
        self.assertEqual(sorted(verdict.group(1, 3)), ["rtx", "stanford3"])
        self.assertGreaterEqual(float(verdict[2]), float(verdict[4]))
        with open(self.path("select/report.html")) as file:
            page = file.read()
        self.assertIn(verdict[0], page)
        self.assertGreaterEqual(page.count("<svg"), 12)
        self.assertNotIn("nan", re.sub(r"<[^>]*>", "", page).lower())
        with open(self.path("select/select.json")) as file:
            document = json.load(file)
        self.assertEqual(sorted(os.listdir(self.path("select"))), ["report.html", "select.json"])
        self.assertEqual([robot["robot"] for robot in document["robots"]], ["rtx", "stanford3"])

    def test_figures_of_the_paper(self):
        document = self.ulna_json("select", "rtx", "stanford3", "--range", "rtx.joint1=0..1", "--range", "stanford3.joint3=0..1")
        rows = self.rows(document)
        volumes = [4 * math.pi * 0.432 * 0.2, 4 * math.pi / 3]
        for value, error, volume in zip(rows["workspace"]["values"], rows["workspace"]["errors"], volumes):
            self.assertLess(abs(value - volume), error)
        self.assertEqual(rows["gim"]["values"], [4, 10])
        self.assertEqual(rows["gim"]["best"], ["rtx"])
        self.assertAlmostEqual(rows["manipulability"]["values"][0], 0.432 * 0.2, places=12)
        self.assertAlmostEqual(rows["manipulability"]["values"][1], 1, places=12)

    def test_score_is_what_it_says(self):
        document = self.ulna_json("select", "planar2r", "planar3r", "--weights", "energy=3,cpu=0,gim=0.5")
        rows = self.rows(document)
        self.assertEqual((rows["energy"]["weight"], rows["cpu"]["weight"], rows["gim"]["weight"]), (3, 0, 0.5))
        weights = [row["weight"] for row in document["criteria"]]
        for i, name in enumerate(["planar2r", "planar3r"]):
            score = sum(w * row["shares"][i] for w, row in zip(weights, document["criteria"])) / sum(weights)
            listed = [entry["score"] for entry in document["ranking"] if entry["robot"] == name]
            self.assertAlmostEqual(listed[0], score, places=12)

    def test_same_figures_every_time(self):
        first, second = (self.ulna_json("select", "rp", "pr", "--weights", "cpu=0") for _ in range(2))
        for document in (first, second):
            document["criteria"] = [row for row in document["criteria"] if row["key"] != "cpu"]
            for robot in document["robots"]:
                del robot["cpu"]
        self.assertEqual(first, second)

    def test_task_with_payload(self):
        task = self.write("lift.toml", 'title = "lift"\nto = [0.5, 0, 0]\ntime = 2\npayload = 5\n')
        document = self.ulna_json("select", "rtx", "stanford3", "--task", task)
        self.assertEqual(document["task"]["payload"], 5)
        lift = document["robots"][0]["joints"][0]
        self.assertAlmostEqual(lift["energy"], 24 * 9.81 * 0.5, delta=1e-9 * 118)
        self.assertEqual((lift["low"], lift["high"], lift["range_from"]), (0, 0.5, "what the task passes"))

    def test_sweep(self):
        document = self.ulna_json("select", "planar2r", "--vary", "link2.a=0.5..1.5", "--steps", 3, "--pareto", "workspace,energy")
        rows = self.rows(document)
        self.assertNotIn("cpu", rows)
        self.assertEqual([variant["values"] for variant in document["sweep"]["variants"]], [[0.5], [1], [1.5]])
        for value, error, a in zip(rows["workspace"]["values"], rows["workspace"]["errors"], (0.5, 1, 1.5)):
            self.assertLess(abs(value - 4 * math.pi * a), error)
        self.assertEqual(rows["manipulability"]["best"], ["planar2r link2.a=1.5"])
        self.assertIn("planar2r link2.a=1.5", document["sweep"]["pareto"]["front"])
        with open(self.path("select/report.html")) as file:
            self.assertIn("Pareto front", file.read())

    def test_one_arm_alone(self):
        said = self.ulna("select", "rtx")
        self.assertIn("One arm: rtx.", said)
        self.assertRegex(said, r"rtx +joint1 +[0-9.]+ +[0-9.]+ +N ")  # the motor table
        self.assertNotIn(" * ", said)

    def test_named_links_have_numbers_too(self):
        robot = SLIDER.format(0, 1).replace("[[link]]", '[[link]]\nname = "shoulder"', 1)
        self.write("named.toml", robot)
        for path in ("shoulder.mass", "link1.mass", "link2.mass"):
            document = self.ulna_json("select", "named.toml", "--vary", f"{path}=1..2", "--steps", 2)
            self.assertEqual(len(document["robots"]), 2)

    def test_any_number_of_threads_gives_the_same(self):
        sweep = ("select", "rp", "--vary", "link1.mass=1..2", "--steps", 4)
        self.assertEqual(self.ulna_json(*sweep, "--threads", 1), self.ulna_json(*sweep, "--threads", 3))

    def test_an_arm_that_breaks_its_limits_stands_apart(self):
        weak = SLIDER.format(0, 1).replace("lower", "effort = 2, lower")
        self.write("weak.toml", weak), self.write("strong.toml", SLIDER.format(0, 1))
        self.write("task.toml", "to = [0, 1]\ntime = 0.5\n")
        document = self.ulna_json("select", "weak.toml", "strong.toml", "--task", "task.toml")
        self.assertEqual([row["robot"] for row in document["ranking"]], ["strong"])
        self.assertEqual([row["robot"] for row in document["apart"]], ["weak"])
        self.assertRegex(document["apart"][0]["reasons"][0], r"joint2 needs [0-9.]+ N, more than its effort limit 2")
        self.assertIn("weak cannot be chosen: joint2", self.ulna("select", "weak.toml", "strong.toml", "--task", "task.toml"))

    def test_requirements(self):
        text = self.ulna("select", "planar2r", "rp", "--weights", "cpu=0", "--require", "workspace > 20", "-o", "both")
        self.assertRegex(text, r"planar2r cannot be chosen: workspace is 12\.57 ± 0\.\d+ m² and must be above 20 m²")
        self.assertNotIn("rp cannot be chosen", text)
        self.ulna("select", "rtx", "--vary", "link2.a=0.3..0.6", "--steps", "3", "--criteria", "workspace", "--require",
                  "energy<1e-9", "-o", "designs")
        with open(self.path("designs/sweep.csv"), encoding="utf-8") as file:
            self.assertIn("energy is", file.read())
        for wrong, says in (("energy", "KEY<NUMBER"), ("enrgy<1", "did you mean 'energy'"), ("energy<x", "KEY<NUMBER")):
            done = self.run_ulna("select", "planar2r", "--require", wrong)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--require", done.stderr)
            self.assertIn(says, done.stderr)

    def test_rules_and_criteria_on_request(self):
        sweep = ("select", "planar2r", "--vary", "link1.a=0.5..1.5", "--steps", 3, "--rule", "link1.mass=2*link1.a",
                 "--criteria", "reach", "--pareto", "reach,peak.1", "-o", "lengths")
        document = self.ulna_json(*sweep)
        self.assertEqual({row["key"] for row in document["criteria"]}, {"reach", "peak.1"})
        with open(self.path("lengths/sweep.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        self.assertEqual([round(float(row["reach"]), 9) for row in rows], [1.5, 2, 2.5])
        both = self.ulna_json("select", "panda_like", "ur5_like", "--weights", "cpu=0", "--criteria", "cycle_time,stiffness,frequency",
                              "--stiffness", "2e4", "--stiffness", "ur5_like.joint2=1e4", "-o", "both")
        values = {row["key"]: row["values"] for row in both["criteria"]}
        for key in ("cycle_time", "stiffness", "frequency"):
            self.assertEqual(len([value for value in values[key] if value and value > 0]), 2, key)
        for wrong, says in ((("--rule", "link1.mass=1"), "--rule: rules follow numbers that vary"),
                            (("--vary", "link1.a=1..2", "--rule", "link1.a=1"), "--rule: 'link1.a' varies already"),
                            (("--vary", "link1.a=1..2", "--rule", "link1.mass=2*"), "a number or a place such as link2.a is wanted"),
                            (("--stiffness", "soft"), "--stiffness 'soft' must be NUMBER"),
                            (("--stiffness", "-1"), "must be positive"),
                            (("--stiffness", "elbow=1e4"), "--stiffness 'elbow': none of the robots has this joint"),
                            (("--criteria", "peek.1"), "peak.JOINT")):
            self.assertIn(says, self.refused("planar2r", *wrong))

    def test_weight_0_counts_for_nothing(self):
        keys = [row["key"] for row in self.ulna_json("select", "rp", "pr")["criteria"] if row["key"] != "energy"]
        said = self.ulna("select", "rp", "pr", "--weights", ",".join(f"{key}=0" for key in keys))
        self.assertRegex(said, r"Ranking by 1 criteria: .*alone the best in 1\).*alone the best in 0\)")

    def test_clear_words(self):
        self.assertIn("an area and a volume cannot be compared", self.refused("rtx", "rp"))
        self.assertIn("the workspace is empty", self.refused("scara", "rtx", "--range", "scara.joint1=4..5"))
        self.assertIn("none of the robots has this joint", self.refused("rtx", "stanford3", "--range", "elbow=0..1"))
        self.assertIn("did you mean 'energy'?", self.refused("rtx", "stanford3", "--weights", "enery=1"))
        self.assertIn("floats", self.refused("satellite_arm", "rtx"))
        self.assertIn("moves its tip along a curve only", self.refused("chain:1", "rtx"))
        self.assertIn("unknown robot", self.refused("rtx", "rtz"))
        self.assertIn("'rtx' has no 'link7'", self.refused("rtx", "--vary", "link7.a=1..2"))
        self.assertIn("'link2.com[0.5]' has a wrong index", self.refused("rtx", "--vary", "link2.com[0.5]=1..2"))
        self.assertIn("is no criterion", self.refused("rtx", "--vary", "link2.a=1..2", "--pareto", "workspace,cost"))

    def test_task_that_leaves_the_workspace(self):
        far = self.write("far.toml", "points = [[1, 0, 0], [3, 0, 0]]\n")
        self.assertIn("the task leaves the workspace of 'planar2r'", self.refused("planar2r", "planar3r", "--task", far))
        turn = self.write("turn.toml", "to = [3, 0, 0, 0]\n")
        self.assertIn("the task leaves the workspace of 'scara'", self.refused("scara", "scara", "--task", turn))
        wrong = self.write("wrong.toml", "to = 1\npayloda = 3\n")
        self.assertIn("wrong.toml:2: error: ", self.refused("rtx", "stanford3", "--task", wrong))
        quoted = self.write("quoted.toml", 'to = [0.5, 0, 0]\ntime = "10 deg"\n')
        self.assertIn("quoted.toml:2: error: task: 'time' is a text", self.refused("rtx", "stanford3", "--task", quoted))

    def test_limits_of_the_file_are_honoured(self):
        short, long = self.write("short.toml", SLIDER.format(0, 1)), self.write("long.toml", SLIDER.format(1, 2))
        rows = self.rows(self.ulna_json("select", short, long))
        for value, error, area in zip(rows["workspace"]["values"], rows["workspace"]["errors"], (math.pi, 3 * math.pi)):
            self.assertLess(abs(value - area), error)


if __name__ == "__main__":
    unittest.main()
