"""Cylindrical, universal and planar joints through the command: shown, computed, simulated, drawn, converted."""

import csv
import json
import os
import re
import unittest

from command import CommandTest

ROBOT = os.path.join(os.path.dirname(__file__), "..", "oracle", "compound.toml")
LABELS = ["floor x", "floor y", "floor angle", "column angle", "column slide", "cross x", "cross y", "knuckle",
          "hanger x", "hanger y", "hanger angle"]
UNITS = ["m", "m", "rad", "rad", "m", "rad", "rad", "rad", "m", "m", "rad"]

PLANAR_URDF = """<robot name="sledge"><link name="floor"/>
<link name="sledge"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="glide" type="planar"><parent link="floor"/><child link="sledge"/><axis xyz="0 1 0"/></joint></robot>"""


class CompoundJointsTest(CommandTest):
    def test_show_names_them(self):
        shown = self.ulna_json("show", ROBOT)
        self.assertEqual([joint["kind"] for joint in shown["joints"]],
                         ["planar", "cylindrical", "universal", "revolute", "planar"])
        self.assertEqual((shown["nq"], shown["nv"]), (11, 11))
        self.assertIsNone(shown["joints"][2]["axis"])
        self.assertIn("universal", self.ulna("show", ROBOT))

    def test_formulations_agree_and_refuse_by_name(self):
        state = ["--q", ",".join(["0.3"] * 11), "--v", ",".join(["-0.4"] * 11)]
        torque = self.ulna_json("id", ROBOT, *state, "--a", ",".join(["0.7"] * 11))["tau"]
        back = self.ulna_json("fd", ROBOT, *state, "--tau", ",".join(map(repr, torque)))["a"]
        for x in back:
            self.assertAlmostEqual(x, 0.7, delta=1e-11)
        done = self.run_ulna("id", ROBOT, "--method", "homogeneous")
        self.assertEqual(done.returncode, 2)
        self.assertIn("branches", done.stderr)

    def test_slides_take_metres(self):
        done = self.run_ulna("fk", ROBOT, "--q", "90deg," + ",".join(["0"] * 10))
        self.assertEqual(done.returncode, 2)
        self.assertIn("'floor x' slides, and 90 deg is an angle; give metres", done.stderr)
        self.ulna("fk", ROBOT, "--q", "0,0,90deg," + ",".join(["0"] * 8))

    def test_runs_and_reports(self):
        self.ulna("simulate", ROBOT, "--for", "0.2", "--every", "0.05", "-o", "out")
        with open(self.path("out/report.html"), encoding="utf-8") as file:
            data = json.loads(re.search(r'id="ulna-data" type="application/json">(.*?)</script>', file.read()).group(1))
        columns = [c for c in data["columns"] if c["group"] == "position"]
        self.assertEqual([c["label"] for c in columns], LABELS)
        self.assertEqual([c["unit"] for c in columns], UNITS)
        self.assertEqual([joint["look"] for joint in data["scene"]["joints"]],
                         ["plate", "cylinder", "ball", "cylinder", "plate"])
        with open(self.path("out/trajectory.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        energy = [float(row["balance"]) for row in rows]
        self.assertLess(max(energy) - min(energy), 1e-3)

    def test_urdf_knows_the_planar_joint(self):
        self.write("sledge.urdf", PLANAR_URDF)
        (joint,) = self.ulna_json("show", "sledge.urdf")["joints"]
        self.assertEqual((joint["kind"], joint["axis"]), ("planar", [0, 1, 0]))
        self.ulna("convert", "sledge.urdf", "-o", "again.toml")
        self.ulna("convert", "again.toml", "-o", "again.urdf")
        (joint,) = self.ulna_json("show", "again.urdf")["joints"]
        self.assertEqual((joint["kind"], joint["axis"]), ("planar", [0, 1, 0]))
        done = self.run_ulna("convert", ROBOT, "-o", "no.urdf")
        self.assertEqual(done.returncode, 2)
        self.assertIn("URDF has no cylindrical joints", done.stderr)


if __name__ == "__main__":
    unittest.main()
