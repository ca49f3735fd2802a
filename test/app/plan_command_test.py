"""`ulna plan`: what it prints, writes and refuses."""

import csv
import math
import os
import unittest

from command import CommandTest


class Plan(CommandTest):
    def test_bang_bang(self):
        plan = self.ulna_json("plan", "planar2r", "--through", "0,0", "--through", "1,-1", "--straight", "--acceleration", "2,5")
        self.assertTrue(plan["possible"])
        self.assertAlmostEqual(plan["time"], 2 * math.sqrt(1 / 2), places=3)
        self.assertAlmostEqual(plan["peak_acceleration"][0], 2, places=6)
        one = self.ulna_json("plan", "planar2r", "--through", "0,0", "--through", "1,-1", "--straight", "--acceleration", "2")
        self.assertAlmostEqual(one["time"], plan["time"], places=3)

    def test_peaks_and_ends_do_not_depend_on_the_rows(self):
        way = ["--through", "0,0", "--through", "1,-1", "--straight", "--acceleration", "2,5"]
        plan = self.ulna_json("plan", "planar2r", *way, "--every", "1", "-o", "few.csv")
        self.assertEqual(plan["rows"], 3)
        self.assertAlmostEqual(plan["peak_acceleration"][0], 2, places=6)
        self.assertAlmostEqual(plan["peak_velocity"][0], math.sqrt(2), places=3)  # after half of the way at 2 rad/s²
        with open(self.path("few.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertAlmostEqual(float(rows[0]["a1"]), 2, places=6)
        self.assertAlmostEqual(float(rows[-1]["a1"]), -2, places=6)
        self.assertAlmostEqual(float(rows[-1]["v1"]), 0, places=9)
        arm = ["panda_like", "--start", "0,0,0,-1.5,0,1.5,0", "--to", "1,0.3,0,-1,0.4,1.8,0"]
        rare, often = (self.ulna_json("plan", *arm, "-o", "arm.csv", "--every", every) for every in ("1", "0.0001"))
        self.assertAlmostEqual(rare["peak_torque"][0] / 87, 1, places=3)
        for what in ("velocity", "acceleration", "torque"):  # of a least time one joint or more is at its limit throughout
            for peak, seen in zip(rare[f"peak_{what}"], often[f"peak_{what}"]):
                self.assertEqual(peak, seen)

    def test_rows_that_nobody_asked_for_refuse_nothing(self):
        way = ["planar2r", "--through", "0,0", "--through", "1,1", "--effort", "100", "--tip-speed", "1e-9"]
        self.assertGreater(self.ulna_json("plan", *way, "--report", "slow.html")["time"], 1e9)
        self.assertIn("rows", self.run_ulna("plan", *way, "-o", "slow.csv").stderr)

    def test_a_motion_in_a_file(self):
        way = ["--through", "0,0,0,-1.5,0,1.5,0", "--through", "1,0.3,0,-1,0.4,1.8,0"]
        text = self.ulna("plan", "panda_like", *way, "-o", "motion.csv", "--every", "0.005")
        self.assertIn("time:", text)
        with open(self.path("motion.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows[0]), 29)
        self.assertAlmostEqual(float(rows[-1]["q1"]), 1, places=9)
        self.assertLessEqual(max(abs(float(row["tau1"])) for row in rows), 87 * 1.002)
        self.ulna("id", "panda_like", "--motion", "motion.csv", "-o", "torques.csv")
        with open(self.path("torques.csv"), encoding="utf-8") as file:
            for row, other in zip(rows, csv.DictReader(file), strict=True):
                self.assertAlmostEqual(float(row["tau2"]), float(other["tau2"]), places=8)

    def test_corners(self):
        way = ["--through", "0,0", "--through", "1,0", "--through", "1,1", "--straight", "--acceleration", "2"]
        rests, cut = (self.ulna_json("plan", "planar2r", *way, "--error", error)["time"] for error in ("0", "0.05"))
        self.assertLess(cut, rests)

    def test_straight_in_space(self):
        start = "0.1,0.2,0.1,-1.8,0.1,2,0.3"
        x, y, z = self.ulna_json("fk", "panda_like", "--q", start)["position"]
        self.ulna("plan", "panda_like", "--start", start, "--tip", f"{x},{y + 0.2},{z}", "--tip", f"{x},{y + 0.2},{z + 0.1}", "-o", "tip.csv")
        with open(self.path("tip.csv"), encoding="utf-8") as file:
            last = list(csv.DictReader(file))[-1]
        end = self.ulna_json("fk", "panda_like", "--q", ",".join(last[f"q{k}"] for k in range(1, 8)))["position"]
        for got, want in zip(end, [x, y + 0.2, z + 0.1]):
            self.assertAlmostEqual(got, want, places=5)
        far = self.run_ulna("plan", "panda_like", "--start", start, "--tip", f"{x + 2},{y},{z}")
        self.assertEqual(far.returncode, 1)
        self.assertIn("% of move 1", far.stdout)

    def test_a_force_that_the_gripper_holds(self):
        way = ["--through", "0,0,0,-1.5,0,1.5,0", "--through", "1,0.3,0,-1,0.4,1.8,0", "--payload", "2"]
        free, held, same = (self.ulna_json("plan", "panda_like", *way, *more)["time"] for more in (
            [], ["--tip-force", "25"], ["--tip-force", "25", "--tip-mass", "2"]))
        self.assertGreater(held, 1.05 * free)
        self.assertEqual(held, same)
        far = [*way[:-2], "--payload", "2@0,0,0.2", "--tip-force", "25"]
        self.assertNotEqual(*(self.ulna_json("plan", "panda_like", *far, *more)["time"] for more in ([], ["--tip-mass", "2"])))
        heavy = self.run_ulna("plan", "panda_like", *way, "--tip-force", "19")
        self.assertEqual(heavy.returncode, 1)
        self.assertIn("the force at the tip", heavy.stdout)

    def test_without_a_path(self):
        ends = ["--start", "0,0,0,-1.5,0,1.5,0", "--to", "1,0.3,0,-1,0.4,1.8,0"]
        fast = self.ulna_json("plan", "panda_like", *ends, "-o", "free.csv", "--report", "free.html")
        self.assertLess(fast["time"], fast["straight"])
        straight = self.ulna_json("plan", "panda_like", "--through", ends[1], "--through", ends[3], "--straight")
        self.assertAlmostEqual(fast["straight"], straight["time"], places=9)
        with open(self.path("free.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertAlmostEqual(float(rows[-1]["q4"]), -1, places=9)
        self.assertLessEqual(max(abs(float(row["tau2"])) for row in rows), 87 * 1.001)
        with open(self.path("free.html"), encoding="utf-8") as file:
            self.assertNotIn("nan", file.read().lower().replace("nano", ""))
        time = str(2 * fast["time"])
        torque, energy = (self.ulna_json("plan", "panda_like", *ends, "--least", least, "--time", time) for least in ("torque", "energy"))
        self.assertLess(torque["torque_square"], energy["torque_square"])
        self.assertLess(energy["energy"], torque["energy"])
        self.assertIn("straight in the joints", self.ulna("plan", "panda_like", *ends))
        hurried = self.run_ulna("plan", "panda_like", *ends, "--least", "torque", "--time", "0.01", "-o", "none.csv")
        self.assertEqual(hurried.returncode, 1)
        self.assertIn("impossible: the least time", hurried.stdout)
        self.assertFalse(os.path.exists(self.path("none.csv")))

    def test_jerk_and_torque_rate(self):
        way = ["planar2r", "--through", "0,0", "--through", "1,0", "--straight", "--acceleration", "2"]
        soft = self.ulna_json("plan", *way, "--jerk", "10")
        # d = V (V/a + a/j), T = 2 (V/a + a/j)
        largest = 0.5 * (math.sqrt(0.4**2 + 8) - 0.4)
        self.assertAlmostEqual(soft["time"], 2 * (largest / 2 + 0.2), places=3)
        with open(self.path("soft.toml"), "w", encoding="utf-8") as file:
            file.write("start = [0, 0]\n[limits]\nacceleration = 2\njerk = 10\n[[move]]\njoints = [1, 0]\n")
        self.assertAlmostEqual(self.ulna_json("plan", "planar2r", "--path", "soft.toml")["time"], soft["time"], places=9)
        slow = self.ulna_json("plan", *way, "--torque-rate", "50")
        self.assertGreater(slow["time"], self.ulna_json("plan", *way)["time"])

    def test_impossible(self):
        done = self.run_ulna("plan", "planar2r", "--through", "0,0", "--through", "1,1", "--effort", "0.1", "-o", "motion.csv")
        self.assertEqual(done.returncode, 1)
        self.assertIn("impossible: the torque of joint", done.stdout)
        self.assertIn("at the end of the path, and perhaps before it", done.stdout)  # it cannot hold itself anywhere
        self.assertFalse(os.path.exists(self.path("motion.csv")))

    def test_a_path_file_with_pictures(self):
        with open(self.path("path.toml"), "w", encoding="utf-8") as file:
            file.write("start = [0.1, 0.2, 0.1, -1.8, 0.1, 2.0, 0.3]\n[limits]\npower = 40\n[[move]]\nline = [0.4, 0.2, 0.5]\nblend = 0.02\n"
                       "[[move]]\nline = [0.4, 0.0, 0.5]\n[[move]]\narc = [0.4, -0.2, 0.5]\nvia = [0.4, -0.1, 0.6]\n")
        slow = self.ulna_json("plan", "panda_like", "--path", "path.toml", "--report", "plan.html")
        fast = self.ulna_json("plan", "panda_like", "--path", "path.toml", "--power", "1e6")
        self.assertGreater(slow["time"], fast["time"])
        with open(self.path("plan.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertGreaterEqual(page.count("<svg"), 6)
        self.assertIn("plan_3d.html", page)
        with open(self.path("plan_3d.html"), encoding="utf-8") as file:
            self.assertIn("A planned motion of panda_like", file.read())
        self.assertNotIn("nan", page.lower().replace("nano", ""))
        with open(self.path("path.toml"), "a", encoding="utf-8") as file:
            file.write("[[move]]\nline = [3, 0, 0.5]\n")
        done = self.run_ulna("plan", "panda_like", "--path", "path.toml", "--report", "none.html")
        self.assertEqual(done.returncode, 1)
        self.assertIn("of move 4", done.stdout)
        self.assertFalse(os.path.exists(self.path("none.html")))

    def test_wrong_input(self):
        for arguments, words in (
            (["planar2r"], "--through"),
            (["planar2r", "--through", "0,0", "--effort", "9"], "two waypoints"),
            (["panda_like", "--through", "0,0,0,-1,0,1,0", "--tip", "0,0,1"], "--through, or"),
            (["panda_like", "--tip", "0,0,1", "--tip", "0,0,0.9"], "give that"),
            (["panda_like", "--start", "0,0,0,-1,0,1,0", "--tip", "0,0"], "--tip has 2 numbers"),
            (["panda_like", "--start", "0,0,0,-1,0,1,0", "--tip", "0,0,1,1,1,0,0"], "length 1.414"),
            (["panda_like", "--start", "0,0,0,-1,0,1,0", "--tip", "0,0,1", "--frame", "nose"], "no link or frame"),
            (["planar2r", "--through", "0,0", "--through", "0,0", "--effort", "9"], "are the same"),
            (["planar2r", "--through", "0,0", "--through", "0", "--effort", "9"], "--through has 1 number"),
            (["planar2r", "--through", "0,0", "--through", "1,nan", "--effort", "9"], "not a finite number"),
            (["planar2r", "--through", "0,0", "--through", "1,1"], "nothing limits the motion"),
            (["planar2r", "--through", "0,0", "--through", "1,1", "--effort", "-1"], "positive"),
            (["planar2r", "--through", "0,0", "--through", "1,1", "--effort", "9,9,9"], "--effort has 3 numbers"),
            (["planar2r", "--through", "0,0", "--through", "1,1", "--effort", "90", "-o", "many.csv", "--every", "1e-9"], "rows"),
            (["planar2r", "--to", "1,1", "--effort", "90"], "--to needs --start"),
            (["planar2r", "--start", "0,0", "--to", "1,1"], "nothing limits the motion"),
            (["planar2r", "--start", "0,0", "--to", "0,0", "--effort", "90"], "are the same"),
            (["planar2r", "--start", "0,0", "--to", "1", "--effort", "90"], "--to has 1 number"),
            (["planar2r", "--start", "0,0", "--to", "1,nan", "--effort", "90"], "not a finite number"),
            (["planar2r", "--start", "0,0", "--to", "1,1", "--effort", "90", "--least", "money"], "--least"),
            (["planar2r", "--start", "0,0", "--to", "1,1", "--effort", "90", "--least", "energy"], "need the time"),
            (["planar2r", "--start", "0,0", "--to", "1,1", "--effort", "90", "--time", "2"], "finds its own duration"),
            (["planar2r", "--start", "0,0", "--to", "1,1", "--effort", "90", "--torque-rate", "9"], "torque rate"),
            (["planar2r", "--start", "0,0", "--to", "1,1", "--through", "1,1", "--effort", "90"], "--to"),
            (["panda_like", "--start", "0,0,0,-1,0,1,0", "--to", "0,9,0,-1,0,1,0"], "beyond its upper limit"),
            (["planar2r", "--through", "0,0", "--through", "1,1", "--effort", "90", "--least", "energy"], "--least and --time"),
            (["planar2r", "--through", "0,0", "--through", "1,1", "--effort", "90", "--jerk", "-1"], "--jerk"),
            (["planar2r", "--through", "0,0", "--through", "1,1", "--effort", "90", "--torque-rate", "0"], "--torque-rate"),
            (["planar2r", "--through", "0,0", "--through", "1,0", "--through", "1,1", "--straight", "--error", "0.1", "--effort", "90",
              "--jerk", "9"], "cut corners"),
            (["planar2r", "--through", "0,0", "--through", "1,1", "--effort", "90", "--tip-force", "9"], "--tip-mass"),
            (["planar2r", "--through", "0,0", "--through", "1,1", "--effort", "90", "--tip-force", "9", "--payload", "link1=1"], "--tip-mass"),
            (["planar2r", "--through", "0,0", "--through", "1,1", "--effort", "90", "--tip-mass", "9"], "--tip-force"),
            (["planar2r", "--through", "0,0", "--through", "1,1", "--effort", "90", "--tip-force", "90", "--payload", "1", "--jerk", "9"],
             "not supported together with limits of jerk"),
            (["planar2r", "--start", "0,0", "--to", "1,1", "--effort", "90", "--points", "100000"], "8 to 2000 intervals"),
            (["planar2r", "--start", "0,0", "--to", "1,1", "--effort", "90", "--straight"], "--straight"),
            (["planar2r", "--through", "0,0", "--through", "", "--effort", "90"], "has no numbers"),
            (["planar2r", "--through", "0,0", "--through", "1,1", "--effort", "90", "--frame", ""], "has no name"),
            (["panda_like", "--start", "0,0,0,-1,0,1,0", "--tip", "1e200,0,0"], "more than 1e50 m away"),
            (["four_bar", "--start", "0,0,0", "--to", "1,1,1", "--effort", "9"], "loop"),
            (["four_bar", "--through", "0,0,0", "--through", "1,1,1", "--effort", "9"], "loop"),
            (["satellite_arm", "--through", "0", "--through", "1"], "quaternion"),
        ):
            done = self.run_ulna("plan", *arguments)
            self.assertEqual(done.returncode, 2, (arguments, done.stdout))
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
