"""`ulna workspace`: what it prints, writes and refuses."""

import csv
import json
import math
import os
import re
import struct
import unittest

from command import CommandTest


class Workspace(CommandTest):
    def test_ball_of_the_stanford_arm(self):
        answer = self.ulna_json("workspace", "stanford3", "--range", "joint3=0..1")
        size = answer["size"]
        self.assertLess(abs(size["value"] - 4.0 / 3.0 * math.pi), size["error"])
        self.assertTrue(answer["body_of_revolution"])
        self.assertFalse(answer["dexterous"]["enough_joints"])
        self.assertAlmostEqual(answer["from_axis"]["smallest"], 0.1, places=6)
        slice_ = answer["slices"][0]
        self.assertEqual(len(slice_["reached"]), slice_["columns"] * slice_["rows"])

    def test_files(self):
        self.ulna("workspace", "puma560", "--slices", "1", "-o", "there")
        self.assertEqual(sorted(os.listdir(self.path("there"))),
                         ["boundary.html", "boundary.stl", "points.csv", "report.html", "workspace.json"])
        with open(self.path("there/boundary.html"), encoding="utf-8") as file:
            scene = json.loads(re.search(r'<script id="ulna-data" type="application/json">(.*)</script>', file.read())[1])["scene"]
        surface = [shape for shape in scene["shapes"] if shape["kind"] == "mesh" and shape["body"] == 0]
        self.assertEqual(len(surface), 1)
        self.assertLess(surface[0]["opacity"], 1)
        with open(self.path("there/workspace.json"), encoding="utf-8") as file:
            document = json.load(file)
        self.assertEqual(len(document["slices"]), 2)
        self.assertLess(document["dexterous"]["error"], 0.05 * document["dexterous"]["value"])
        with open(self.path("there/points.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), document["points"])
        q = ",".join(rows[7][f"q{k}"] for k in range(1, 7))
        tip = self.ulna_json("fk", "puma560", "--q=" + q)["frames"][-1]["position"]
        for k, axis in enumerate("xyz"):
            self.assertAlmostEqual(tip[k], float(rows[7][axis]), places=4)
        with open(self.path("there/boundary.stl"), "rb") as file:
            stl = file.read()
        # The surface of the page is in the box of the file's triangles.
        corners = [struct.unpack_from("<9f", stl, 84 + 50 * k + 12) for k in range((len(stl) - 84) // 50)]
        for axis in range(3):
            low, high = (pick(pick(c[axis::3]) for c in corners) for pick in (min, max))
            self.assertAlmostEqual(surface[0]["lower"][axis], low, delta=0.02)
            self.assertAlmostEqual(surface[0]["lower"][axis] + 65535 * surface[0]["step"][axis], high, delta=0.02)
        self.assertEqual(len(stl), 84 + 50 * struct.unpack("<I", stl[80:84])[0])
        with open(self.path("there/report.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertGreaterEqual(page.count("<svg"), 4)
        self.ulna("workspace", "planar2r", "-o", "there")  # in the place of the other
        self.assertEqual([name for name in os.listdir(self.path("there")) if "boundary" in name], [])

    def test_accuracy(self):
        wide = self.run_ulna("workspace", "scara", "--accuracy", "0.05", "--no-dexterity", "--json")
        self.assertEqual((wide.returncode, wide.stderr), (0, ""))
        size = json.loads(wide.stdout)["size"]
        self.assertLessEqual(size["error"], 0.05 * size["value"])
        narrow = self.run_ulna("workspace", "scara", "--accuracy", "1e-4", "--no-dexterity")
        self.assertEqual(narrow.returncode, 0)
        self.assertIn("the error is larger than asked for: the lattice ends at edges of", narrow.stderr)

    def refused(self, *arguments, says):
        result = self.run_ulna(*arguments)
        self.assertEqual(result.returncode, 2)
        self.assertIn(says, result.stderr)

    def test_refusals(self):
        self.refused("workspace", "stanford3", says="--range joint3=0..1")
        self.refused("workspace", "puma560", "--range", "joint9=0..1", says="joint9")
        self.refused("workspace", "puma560", "--range", "joint1", says="JOINT=FROM..TO")
        self.refused("workspace", "puma560", "--range", "joint1=1..0", says="reversed")
        self.refused("workspace", "puma560", "--frame", "", says="has no name")
        self.refused("workspace", "puma560", "--frame", "nowhere", says="nowhere")
        self.refused("workspace", "puma560", "--accuracy", "7", says="accuracy")
        self.assertEqual(os.listdir(self.path(".")), [])


if __name__ == "__main__":
    unittest.main()
