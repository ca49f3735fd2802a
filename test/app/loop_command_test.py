"""The commands on robots with closed loops."""

import csv
import json
import math
import os
import unittest

from command import CommandTest

FOUR_BAR_OF_JOINTS = """
title = "a ring of joints"
gravity = [0, -9.81, 0]
{bodies}
[[joint]]
name = "a"
kind = "revolute"
parent = "base"
child = "crank"
[[joint]]
name = "b"
kind = "revolute"
parent = "crank"
child = "coupler"
pose = {{ xyz = [0.3, 0, 0], rpy = [0, 0, 0.3] }}
[[joint]]
name = "d"
kind = "revolute"
parent = "base"
child = "rocker"
pose = {{ xyz = [0.8, 0, 0], rpy = [0, 0, 1.5] }}
[[joint]]
name = "c"
kind = "{kind}"
parent = "coupler"
child = "rocker"
pose = {{ xyz = [0.7, 0, 0] }}
child_pose = {{ xyz = [0.5, 0, 0] }}
"""
BODY = """
[[body]]
name = "{}"
mass = 1
com = [0.2, 0, 0]
inertia = [0.001, 0.02, 0.02]
"""


def ring(kind="revolute"):
    return FOUR_BAR_OF_JOINTS.format(bodies="".join(BODY.format(n) for n in ("crank", "coupler", "rocker")), kind=kind)


class Loop(CommandTest):
    def table(self, folder):
        with open(self.path(folder + "/table.csv")) as file:
            return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]

    def test_slider_crank_over_a_turn(self):
        said = self.ulna("loop", "slider_crank", "--drive", "crank_pin=0..360deg", "--for", 2, "-o", "turn")
        self.assertIn("361 rows in turn/table.csv", said)
        rows = self.table("turn")
        self.assertEqual(len(rows), 361)
        for row in rows:
            rod = math.asin(0.3 * math.sin(row["q1"]) / 0.8)
            self.assertAlmostEqual(row["q3"], 0.3 * math.cos(row["q1"]) + 0.8 * math.cos(rod) - 1.1, places=11)
            self.assertAlmostEqual(row["v1"], math.pi, places=11)
            self.assertLess(row["residual"], 1e-10)
        with open(self.path("turn/report.html")) as file:
            self.assertIn('"singularity"', file.read())

    def test_torque_is_that_of_id(self):
        self.ulna("loop", "slider_crank", "--drive", "crank_pin=0..90deg", "--steps", 9, "-o", "quarter")
        row = self.table("quarter")[4]
        q = f"{row['q1']!r},{row['q2']!r},{row['q3']!r}"
        answer = self.ulna_json("id", "slider_crank", "--q", q, "--v", f"{row['v1']!r},0,0", "--actuated", "crank_pin")
        self.assertAlmostEqual(answer["tau"][0], row["tau1"], places=9)
        self.assertAlmostEqual(answer["v"][2], row["v3"], places=9)
        self.assertAlmostEqual(answer["a"][2], row["a3"], places=8)
        self.assertAlmostEqual(answer["reactions"][0]["force"][0], row["force1_x"], places=8)
        forward = self.ulna_json("fd", "slider_crank", "--q", q, "--v", ",".join(map(repr, answer["v"])), "--tau", f"{row['tau1']!r},0,0")
        for got, wanted in zip(forward["a"], answer["a"]):
            self.assertAlmostEqual(got, wanted, places=8)

    def test_modes_and_mode(self):
        modes = self.ulna_json("loop", "four_bar", "--drive", "crank_pivot=30..60deg", "--modes")["modes"]
        self.assertEqual(len(modes), 2)
        self.assertFalse(os.path.exists(self.path("four_bar_loop")))
        self.ulna("loop", "four_bar", "--drive", "crank_pivot=30..60deg", "--mode", 2, "-o", "other")
        self.assertAlmostEqual(self.table("other")[0]["q3"], modes[1][2], places=9)

    def test_a_dead_centre_ends_it(self):
        done = self.run_ulna("loop", "slider_crank", "--drive", "guide=-0.1..-0.7", "-o", "dead", "--json")
        self.assertEqual(done.returncode, 1)
        answer = json.loads(done.stdout)
        self.assertFalse(answer["complete"])
        self.assertIn("cannot go on beyond guide = -0.6", answer["reason"])
        self.assertEqual(len(self.table("dead")), answer["rows"])

    def test_a_ring_of_joints_is_cut(self):
        self.write("ring.toml", ring())
        shown = self.ulna_json("show", "ring.toml")
        self.assertEqual((shown["nv"], shown["mobility"], [x["name"] for x in shown["loops"]]), (3, 1, ["c"]))
        self.assertIn("nothing to complain", self.ulna("check", "ring.toml"))
        self.ulna("simulate", "ring.toml", "--for", 0.2, "-o", "run")
        with open(self.path("run/run.json")) as file:
            self.assertLess(json.load(file)["loops"]["largest_residual"], 1e-10)

    def test_run_repeats(self):
        self.ulna("simulate", "five_bar_reach", "--for", 0.3, "-o", "one")
        self.ulna("simulate", "--again", "one", "-o", "two")
        with open(self.path("one/trajectory.csv")) as one, open(self.path("two/trajectory.csv")) as two:
            self.assertEqual(one.read(), two.read())

    def test_bad_calls(self):
        self.write("rigid.toml", ring("fixed").replace("xyz = [0.8, 0, 0]", "xyz = [0.4, 0, 0]"))
        self.write("missing.toml", ring() + '[[loop]]\nname = "x"\nkind = "revolute"\nparent = "nobody"\nchild = "rocker"\n')
        self.write("self.toml", ring() + '[[loop]]\nname = "x"\nkind = "revolute"\nparent = "rocker"\nchild = "rocker"\n')
        self.write("alone.toml", ring() + BODY.format("alone") + '[[loop]]\nname = "x"\nkind = "revolute"\nparent = "alone"\nchild = "rocker"\n')
        loop = '[[loop]]\nname = "{}"\nkind = "{}"\nparent = "base"\nchild = "rocker"\n{}\n'
        self.write("screw.toml", ring() + loop.format("x", "screw", "pitch = 0"))
        self.write("same.toml", ring() + loop.format("a", "planar", ""))
        self.write("skew.toml", ring() + loop.format("x", "planar", "pose = { rotation = [[1, 1, 0], [0, 1, 0], [0, 0, 1]] }"))
        far = ring().replace("xyz = [0.8, 0, 0]", "xyz = [9, 0, 0]")
        self.write("far.toml", far)
        for words, expected in (
            (["loop", "puma560", "--drive", "joint1=0..1"], "has no closed loops"),
            (["loop", "slider_crank"], "--drive"),
            (["loop", "slider_crank", "--drive", "crank_pin"], "must be JOINT=FROM..TO"),
            (["loop", "slider_crank", "--drive", "crank=0..1"], "is not a joint with one degree of freedom"),
            (["loop", "slider_crank", "--drive", "crank_pin=0..x"], "'x' is not a finite number"),
            (["loop", "slider_crank", "--drive", "crank_pin=0..nan"], "'nan' is not a finite number"),
            (["loop", "slider_crank", "--drive", "crank_pin=0..1", "--drive", "crank_pin=0..1"], "driven twice"),
            (["loop", "five_bar", "--drive", "left_motor=0..1"], "has 2 degrees of freedom and 1 joint is driven"),
            (["loop", "four_bar", "--drive", "crank_pivot=0..1", "--mode", "9"], "2 assembly modes were found"),
            (["loop", "slider_crank", "--drive", "crank_pin=0..1", "--for", "0"], "--for"),
            (["simulate", "rigid.toml"], "leave no degree of freedom"),
            (["fk", "far.toml"], "is off by"),
            (["simulate", "far.toml"], "is off by"),
            (["show", "missing.toml"], "'nobody', which does not exist"),
            (["show", "self.toml"], "one rigid body"),
            (["show", "alone.toml"], "two roots"),
            (["simulate", "four_bar", "--method", "denoc"], "not for robots with closed loops"),
            (["id", "puma560", "--actuated", "joint1"], "--actuated is for robots with closed loops"),
            (["id", "four_bar", "--motion", "x.csv", "-o", "y.csv"], "--motion is for robots without closed loops"),
            (["show", "screw.toml"], "needs a pitch"),
            (["show", "same.toml"], "two joints have this name"),
            (["show", "skew.toml"], "not a rotation"),
            (["id", "slider_crank", "--q", "0,0,-0.6", "--actuated", "guide"], "a singular position"),
            (["id", "five_bar", "--actuated", "left_motor,left_motor"], "is there twice"),
            (["loop", "slider_crank", "--drive", "guide=-0.6..0"], "is a singular position"),
            (["loop", "slider_crank", "--drive", "guide=-0.3..10deg"], "'guide' slides, and 10 deg is an angle; give metres"),
            (["loop", "four_bar", "--drive", "crank_pivot=0..1", "--for", "inf"], "is not a positive number"),
            (["simulate", "planar2r", "--baumgarte", "20"], "this robot has none"),
            (["simulate", "four_bar", "--compiled", "--baumgarte", "20"], "--compiled does not go with Baumgarte's rate"),
            (["fd", "four_bar", "--compiled"], "of closed loops, --compiled is for runs"),
            (["codegen", "four_bar", "--of", "fd", "-o", "x.c"], "is for robots without closed loops"),
            (["fd", "four_bar", "--method", "denoc"], "known: auto, schur, independent"),
        ):
            with self.subTest(" ".join(words)):
                done = self.run_ulna(*words)
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(expected, done.stderr)
                lines = [line for line in done.stderr.strip().splitlines() if not line.startswith("note: ")]
                self.assertEqual(len(lines), 1, done.stderr)
                self.assertEqual([n for n in os.listdir(self.folder) if not n.endswith(".toml")], [])

    def test_check_names_a_structure(self):
        self.write("rigid.toml", ring("fixed").replace("xyz = [0.8, 0, 0]", "xyz = [0.4, 0, 0]"))
        done = self.run_ulna("check", "rigid.toml")
        self.assertEqual(done.returncode, 1)
        self.assertIn("leaves no degree of freedom", done.stdout)


if __name__ == "__main__":
    unittest.main()
