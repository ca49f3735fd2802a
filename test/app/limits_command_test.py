"""Sizes and numbers far from the usual: right, or a clear word."""

import json
import os
import resource
import unittest

from command import CommandTest

PD = """robot = "{robot}"
[run]
for = 0.2
integrator = "{integrator}"
tolerance = 1e-6
[drive]
kind = "pd"
kp = {kp}
kd = {kd}
[drive.motion]
kind = "quintic"
to = 0.1
time = 0.2
"""


class Limits(CommandTest):
    def refused(self, *arguments, **options):
        done = self.run_ulna(*arguments, **options)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        return done.stderr

    def test_deep_and_wide_trees_from_files(self):
        n = 20_000
        link = ('<link name="l{0}"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
                '</inertial></link><joint name="j{0}" type="continuous"><parent link="l{1}"/><child link="l{0}"/>'
                '<origin xyz="0.1 0 0.1" rpy="0.3 0 0"/><axis xyz="0 0 1"/></joint>')
        deep = "".join(link.format(i, i - 1) for i in range(1, n + 1))
        wide = "".join(link.format(i, 0) for i in range(1, n + 1))
        for shape, text in (("deep", deep), ("wide", wide)):
            path = self.write(f"{shape}.urdf", f'<robot name="r"><link name="l0"/>{text}</robot>')
            self.assertEqual(len(self.ulna_json("fd", path)["a"]), n)
        frames = "".join(f'[[frame]]\nname = "f{i}"\nbody = "b"\n' for i in range(n))
        joint = '[[joint]]\nname = "j"\nkind = "revolute"\nparent = "base"\nchild = "b"\n'
        path = self.write("frames.toml", f'[[body]]\nname = "b"\nmass = 1\ninertia = [1, 1, 1]\n{joint}{frames}')
        self.assertEqual(len(self.ulna_json("fd", path)["a"]), 1)

    def test_long_chains(self):
        for robot in ("chain:200000", "general:100000"):
            n = int(robot.split(":")[1])
            self.assertEqual(len(self.ulna_json("fd", robot)["a"]), n)

    def test_a_matrix_too_large_is_told(self):
        self.assertIn("degrees of freedom", self.refused("matrices", "chain:100000"))

    def test_files_without_end(self):
        for ending in ("toml", "urdf"):
            os.symlink("/dev/zero", self.path(f"endless.{ending}"))
            self.assertIn("is a pipe or a device", self.refused("show", f"endless.{ending}"))
        def memory():
            if not os.environ.get("ULNA_SANITIZED"):  # sanitizers map more than there may be
                resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

        self.refused("id", "puma560", "--motion", "/dev/zero", "-o", "out.csv", preexec_fn=memory)
        self.assertFalse(os.path.exists(self.path("out.csv")))

    def test_keys_of_very_many_parts(self):
        self.assertIn("parts", self.refused("show", self.write("deep.toml", ".".join(["a"] * 200_000) + " = 1\n")))
        self.assertIn("parts", self.refused("show", self.write("deep.toml", f"[{'.'.join(['a'] * 200_000)}]\n")))

    def test_stiff_drives(self):
        for robot, gain in (("planar2r", 1e9), ("kuka_lwr4", 1e7)):
            gains = {"robot": robot, "kp": gain, "kd": gain / 100}
            done = self.run_ulna("simulate", self.write("stiff.toml", PD.format(integrator="bdf", **gains)), "-o", "out")
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            with open(self.path("out/run.json"), encoding="utf-8") as file:
                run = json.load(file)
            for position in run["final"]["q"]:  # the drive is stiff enough to hold the motion's end
                self.assertAlmostEqual(position, 0.1, delta=1e-3)

    def test_numbers_out_of_all_proportion(self):
        puma = "0," * 5 + "0"
        self.assertIn("overflow", self.refused("id", "puma560", "--q", puma, "--v", "1e200" + ",1e200" * 5))
        self.assertEqual(len(self.ulna_json("id", "puma560", "--q", ",".join(["1e6"] * 6))["tau"]), 6)
        done = self.run_ulna("simulate", "puma560", "--v0", "1e150" + ",0" * 5, "--for", "1", "-o", "out")
        self.assertEqual(done.returncode, 1, done.stderr)
        with open(self.path("out/run.json"), encoding="utf-8") as file:
            self.assertIn("not finite", json.load(file)["reason"])


if __name__ == "__main__":
    unittest.main()
