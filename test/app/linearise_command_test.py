"""`ulna linearise`: what it prints, writes and refuses."""

import csv
import math
import os
import unittest

from command import CommandTest

PENDULUM = """gravity = [0, -9.81, 0]
[[body]]
name = "rod"
mass = 1.0
com = [0.5, 0, 0]
inertia = [0.001, 0.0833333333333333333, 0.0833333333333333333]
[[joint]]
name = "hinge"
kind = "revolute"
parent = "base"
child = "rod"
"""


class Linearise(CommandTest):
    def setUp(self):
        super().setUp()
        with open(self.path("rod.toml"), "w", encoding="utf-8") as file:
            file.write(PENDULUM)

    def test_pendulum(self):
        answer = self.ulna_json("linearise", "rod.toml", "--q", "-90deg")
        omega = math.sqrt(1.5 * 9.81)
        self.assertEqual(answer["states"], ["hinge"])
        self.assertAlmostEqual(answer["A"][1][0], -omega**2, places=9)
        self.assertAlmostEqual(answer["B"][1][0], 3, places=9)
        self.assertEqual(len(answer["modes"]), 1)
        self.assertAlmostEqual(answer["modes"][0]["frequency"], omega, places=9)
        self.assertTrue(answer["controllable"])
        text = self.ulna("linearise", "rod.toml", "--q", "-90deg")
        self.assertIn(f"{omega / 2 / math.pi:.4f}"[:5], text)
        self.assertIn("controllable: yes", text)

    def test_the_torques_that_hold(self):
        held = self.ulna_json("linearise", "rod.toml", "--q", "0")
        self.assertAlmostEqual(held["tau"][0], 9.81 / 2, places=9)
        self.assertAlmostEqual(held["a"][0], 0, places=9)
        falling = self.ulna_json("linearise", "rod.toml", "--q", "0", "--tau", "0")
        self.assertAlmostEqual(falling["a"][0], -1.5 * 9.81, places=9)
        self.assertIn("do not hold", self.ulna("linearise", "rod.toml", "--q", "0", "--tau", "0"))

    def test_gains(self):
        text = self.ulna("linearise", "rod.toml", "--q", "90deg", "--lqr")
        self.assertIn("K of tau - K x", text)
        gains = self.ulna_json("linearise", "rod.toml", "--q", "90deg", "--lqr", "--position-weight", "4", "--velocity-weight", "1", "--torque-weight", "2")["lqr"]
        # ÿ = g y + b u: the closed form of one joint.
        g, b, q, d, r = 1.5 * 9.81, 3.0, 4.0, 1.0, 2.0
        k = (g + math.sqrt(g * g + b * b * q / r)) / b
        self.assertAlmostEqual(gains["K"][0][0], k, places=8)
        self.assertAlmostEqual(gains["K"][0][1], math.sqrt(2 * k / b + d / r), places=8)
        held = self.ulna_json("linearise", "rod.toml", "--q", "90deg", "--lqr", "--period", "0.05")["lqr"]
        for re, im in held["poles"]:
            self.assertLess(math.hypot(re, im), 1)

    def test_no_gains(self):
        done = self.run_ulna("linearise", "satellite_arm", "--lqr")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no gains", done.stdout)

    def test_closed_loops(self):
        bars = self.ulna_json("linearise", "four_bar", "--actuated", "crank_pivot", "--lqr")
        self.assertEqual(bars["states"], ["crank_pivot"])
        self.assertEqual(len(bars["A"]), 2)
        self.assertTrue(bars["lqr"]["found"])

    def test_along_a_motion(self):
        self.ulna("plan", "planar2r", "--through", "0,0", "--through", "1,1", "--velocity", "2", "--acceleration", "9", "-o", "motion.csv")
        self.ulna("linearise", "planar2r", "--motion", "motion.csv", "-o", "linear.csv")
        with open(self.path("linear.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        with open(self.path("motion.csv"), encoding="utf-8") as file:
            motion = list(csv.DictReader(file))
        self.assertEqual(len(rows), len(motion))
        k = len(rows) // 3
        state = [f"--{name}={','.join(motion[k][f'{name}{i}'] for i in (1, 2))}" for name in ("q", "v", "tau")]
        one = self.ulna_json("linearise", "planar2r", *state)
        for i in range(4):
            for j in range(4):
                self.assertAlmostEqual(one["A"][i][j], float(rows[k][f"A{i + 1}_{j + 1}"]), delta=1e-6)
            for j in range(2):
                self.assertAlmostEqual(one["B"][i][j], float(rows[k][f"B{i + 1}_{j + 1}"]), delta=1e-9)

    def test_wrong_input(self):
        for arguments, words in (
            (["planar2r", "--actuated", "nobody"], "nobody"),
            (["planar2r", "--independent", "joint1"], "closed loops"),
            (["planar2r", "--lqr", "--torque-weight", "0"], "positive"),
            (["planar2r", "--lqr", "--position-weight", "1,2,3"], "--position-weight"),
            (["planar2r", "--position-weight", "1"], "--lqr"),
            (["planar2r", "--q", "nan,0"], "--q"),
            (["planar2r", "--motion", "nowhere.csv", "-o", "x.csv"], "nowhere.csv"),
            (["planar2r", "--motion", "nowhere.csv"], "-o"),
            (["chain:300"], "too many"),
        ):
            with self.subTest(arguments=arguments):
                done = self.run_ulna("linearise", *arguments)
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(words, done.stderr)
        self.assertFalse(os.path.exists(self.path("x.csv")))


if __name__ == "__main__":
    unittest.main()
