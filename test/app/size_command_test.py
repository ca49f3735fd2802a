"""`ulna size`: what it prints, writes and refuses."""

import csv
import os
import unittest

from command import CommandTest

CYCLE = """title = "swing"
[[segment]]
to = ["30 deg", "45 deg"]
time = 1
payload = 0.5
[[segment]]
dwell = 0.5
[[segment]]
to = [0, 0]
time = 1
"""
MOTORS = """[[motor]]
name = "small"
torque = 0.05
speed = 400
[[motor]]
name = "large"
torque = 2
peak_torque = 5
speed = 400
inertia = 1e-5
[[gear]]
ratio = 50
efficiency = 0.9
"""


class Size(CommandTest):
    def setUp(self):
        super().setUp()
        for name, text in (("cycle.toml", CYCLE), ("motors.toml", MOTORS)):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text)

    def test_a_cycle(self):
        text = self.ulna("size", "planar2r", "--task", "cycle.toml")
        self.assertIn("swing: 2.5 s", text)
        self.ulna("size", "planar2r", "--task", "cycle.toml", "-o", "cycle.csv")
        with open(self.path("cycle.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        answer = self.ulna_json("size", "planar2r", "--task", "cycle.toml")
        self.assertEqual(answer["rows"], len(rows))
        self.assertAlmostEqual(answer["joints"][0]["peak"], max(abs(float(row["tau1"])) for row in rows), places=9)
        self.assertAlmostEqual(float(rows[-1]["q1"]), 0, places=12)
        # The last segment carries nothing: its torques are those of the arm alone.
        self.ulna("id", "planar2r", "--motion", "cycle.csv", "-o", "torques.csv")
        with open(self.path("torques.csv"), encoding="utf-8") as file:
            alone = list(csv.DictReader(file))
        self.assertAlmostEqual(float(rows[-20]["tau2"]), float(alone[-20]["tau2"]), places=9)
        self.assertGreater(float(rows[20]["tau2"]), float(alone[20]["tau2"]) + 1)

    def test_motors(self):
        answer = self.ulna_json("size", "planar2r", "--task", "cycle.toml", "--motors", "motors.toml")
        self.assertTrue(answer["fits"])
        self.assertEqual(answer["joints"][0]["motor"]["motor"], "large")
        self.assertLessEqual(answer["joints"][0]["motor"]["thermal_share"], 1)
        done = self.run_ulna("size", "planar2r", "--task", "cycle.toml", "--motors", "motors.toml", "--margin", "50")
        self.assertEqual(done.returncode, 1)
        self.assertIn("too weak", done.stdout)

    def test_a_page(self):
        def page(*arguments, code=0):
            done = self.run_ulna("size", "planar2r", "--task", "cycle.toml", *arguments, "--report", "size.html")
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn("pictures in size.html", done.stdout)
            with open(self.path("size.html"), encoding="utf-8") as file:
                text = file.read()
            self.assertNotIn("nan", text.lower())
            for outside in ("<script", "src=", "url(", "href=\"http"):
                self.assertNotIn(outside, text)
            return text

        self.assertEqual(page().count("<svg"), 3)
        chosen = page("--motors", "motors.toml")
        self.assertEqual(chosen.count("<svg"), 3 + 1 + 2)
        for joint in self.ulna_json("size", "planar2r", "--task", "cycle.toml", "--motors", "motors.toml")["joints"]:
            motor = joint["motor"]
            self.assertIn(f"{joint['joint']}: {motor['motor']}, gear 50", chosen)
            self.assertIn(f">{100 * motor['torque_share']:.0f} %<", chosen)
            self.assertIn(f">{joint['peak']:.4g}<", chosen)
        self.assertNotIn('class="n bad"', chosen)
        self.assertIn('class="n bad"', page("--motors", "motors.toml", "--margin", "50", code=1))

    def test_wrong_input(self):
        with open(self.path("bad.toml"), "w", encoding="utf-8") as file:
            file.write("[[segment]]\ndwell = 1\nlength = 2\n")
        for arguments, words in (
            (["planar2r"], "--task"),
            (["planar2r", "--task", "nowhere.toml"], "nowhere.toml"),
            (["planar2r", "--task", "bad.toml", "-o", "x.csv"], "bad.toml:3: error"),
            (["planar2r", "--task", "cycle.toml", "--motors", "cycle.toml"], "cycle.toml"),
            (["planar2r", "--task", "cycle.toml", "--margin", "0.5"], "--margin"),
            (["planar2r", "--task", "cycle.toml", "-o", "cycle.toml"], "cycle.toml"),
            (["planar2r", "--task", "cycle.toml", "--report", "cycle.toml"], "cycle.toml"),
            (["four_bar", "--task", "cycle.toml"], "closed loops"),
            (["satellite_arm", "--task", "cycle.toml"], "fixed base"),
        ):
            with self.subTest(arguments=arguments):
                done = self.run_ulna("size", *arguments)
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(words, done.stderr)
        self.assertFalse(os.path.exists(self.path("x.csv")))


if __name__ == "__main__":
    unittest.main()
