"""What the commands print: right numbers, readable back, the same from every form of a robot."""

import cmath
import csv
import json
import math
import os
import resource
import signal
import subprocess
import time
import unittest

from command import COMMAND, CommandTest


def largest(values):
    return max((abs(x) for x in values), default=0.0)


class Commands(CommandTest):
    def test_closed_form_of_a_pendulum(self):
        """A rod of 1 m and 1 kg held at an angle: tau = m g l/2 cos q; with a: + m l²/3 a."""
        arm = 'gravity = [0, -9.81, 0]\ndh = "standard"\n[[link]]\njoint = "revolute"\na = 1\nmass = 1\nr = [0.5, 0, 0]\ninertia = [0, 0.08333333333333333, 0.08333333333333333]\n'
        self.write("rod.toml", arm)
        tau = self.ulna_json("id", "rod.toml", "--q", "60deg", "--a", "2")["tau"][0]
        self.assertAlmostEqual(tau, 9.81 * 0.5 * math.cos(math.pi / 3) + 2 / 3, places=14)
        a = self.ulna_json("fd", "rod.toml", "--q", "60deg", "--tau", repr(tau))["a"][0]
        self.assertAlmostEqual(a, 2, places=13)

    def test_matrices_rebuild_the_torque(self):
        q, v, a = [0.3, 0.8, -0.2], [1.0, -1.0, 0.5], [2.0, 0.1, -3.0]
        text = lambda values: ",".join(map(repr, values))
        m = self.ulna_json("matrices", "planar3r", "--q", text(q), "--v", text(v))
        tau = self.ulna_json("id", "planar3r", "--q", text(q), "--v", text(v), "--a", text(a))["tau"]
        for i in range(3):
            built = sum(m["M"][i][j] * a[j] + m["C"][i][j] * v[j] for j in range(3)) + m["g"][i]
            self.assertAlmostEqual(built, tau[i], places=12)

    def test_numbers_of_a_joint_with_several_say_which_they_are(self):
        text = self.ulna("id", "satellite_arm")
        for row in ("free_base[1] wx ", "free_base[6] vz ", "joint1 "):
            self.assertIn(row, text)

    def test_a_mesh_that_cannot_be_read_is_told(self):
        inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
        visual = '<visual><geometry><mesh filename="broken.stl"/></geometry></visual>'
        joint = '<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        self.write("r.urdf", f'<robot name="r"><link name="a"/><link name="b">{inertial}{visual}</link>{joint}</robot>')
        self.write("broken.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex nan 0 0\n")
        for words in (["check", "r.urdf"], ["simulate", "r.urdf", "--for", "0.1"]):
            done = self.run_ulna(*words)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stderr, r"r.urdf: note: a mesh is not drawn: .*broken\.stl")

    def test_forward_kinematics_of_two_rods(self):
        fk = self.ulna_json("fk", "planar2r", "--q", "30deg,60deg", "--v", "1,2")
        for got, want in zip(fk["position"], [math.cos(math.pi / 6), 1.5, 0]):
            self.assertAlmostEqual(got, want, places=15)
        for got, want in zip(fk["velocity"], [0, 0, 3, -3.5, math.cos(math.pi / 6), 0]):
            self.assertAlmostEqual(got, want, places=14)
        self.assertAlmostEqual(fk["jacobian"][3][0], -1.5, places=14)

    def test_forward_dynamics_on_threads(self):
        """Segments or not, the accelerations are the same but for rounding, which the chain's condition magnifies."""
        for robot in ("chain:30", "chain:600"):
            tau = ("--tau", ",".join(["1"] * int(robot.split(":")[1])))
            plain = self.ulna_json("fd", robot, *tau)["a"]
            for options in ([], ["--method", "articulated_body"], ["--method", "constraint_force"]):
                a = self.ulna_json("fd", robot, *tau, "--threads", "2", *options)["a"]
                self.assertLess(largest(x - y for x, y in zip(a, plain)), 1e-9 * largest(plain))
            self.assertEqual(self.ulna("fd", robot, *tau, "--threads", "1"), self.ulna("fd", robot, *tau, "--threads", "2"))

    def test_payload(self):
        """The rod with 2 kg at its end and a box of 0.5 kg that turns with it: tau = (m l/2 + M l) g cos q + J a."""
        arm = 'gravity = [0, -9.81, 0]\ndh = "standard"\n[[link]]\njoint = "revolute"\na = 1\nmass = 1\nr = [0.5, 0, 0]\ninertia = [0, 0.08333333333333333, 0.08333333333333333]\n[[frame]]\nname = "half"\nbody = "link1"\npose = { xyz = [-0.5, 0, 0] }\n'
        self.write("rod.toml", arm)
        options = ["--payload", "2", "--payload", "half=0.5@0,0.1,0:0.2,0.2,0.3"]
        tau = self.ulna_json("id", "rod.toml", "--q", "0", "--a", "2", *options)["tau"][0]
        inertia = 1 / 3 + 2 + 0.3 + 0.5 * (0.5**2 + 0.1**2)
        self.assertAlmostEqual(tau, 9.81 * (0.5 + 2 + 0.5 * 0.5) + 2 * inertia, places=13)
        m = self.ulna_json("matrices", "rod.toml", *options)["M"]
        self.assertAlmostEqual(m[0][0], inertia, places=14)
        for command in (["fk", "rod.toml"], ["fd", "rod.toml"], ["count", "rod.toml"], ["show", "rod.toml"], ["check", "rod.toml"], ["codegen", "rod.toml", "-o", "rod.c"]):
            self.ulna(*command, *options)
        for wrong in ("", "x", "2@1,2", "2@", "tip=", "=2", "2:1,2", "-1", "nowhere=1"):
            done = self.run_ulna("id", "rod.toml", "--payload", wrong)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), f"{wrong}: {done.stderr}")
            self.assertIn("payload", done.stderr)

    def test_names_limits_and_rounding(self):
        done = self.run_ulna("id", "scara", "--q", "3,0,0,0", "--json")
        self.assertEqual(json.loads(done.stdout)["joints"], ["joint1", "joint2", "joint3", "joint4"])
        self.assertIn("note: 'joint1' is at 3, outside its limits -2.44346 … 2.44346", done.stderr)
        self.assertEqual(self.run_ulna("id", "scara").stderr, "")
        self.assertEqual(len(self.ulna_json("fd", "satellite_arm")["joints"]), len(self.ulna_json("fd", "satellite_arm")["a"]))
        self.assertNotRegex(self.ulna("id", "puma560", "--q", "0,-90deg,0,0,0,0"), r"e-1[0-9]")
        self.assertNotRegex(self.ulna("matrices", "puma560", "--q", "0,90deg,0,0,0,0", "--v", "1,1,1,1,1,1"), r"e-1[4-9]")

    def test_check_says_no_with_exit_1(self):
        done = self.run_ulna("check", "puma560_printed", "--json")
        self.assertEqual(done.returncode, 1)
        findings = json.loads(done.stdout)["findings"]
        self.assertTrue(any(f["link"] == "link1" and f["severity"] == "error" and f["line"] > 0 for f in findings))
        self.assertTrue(all(set(f) == {"severity", "link", "reason", "remedy", "file", "line"} for f in findings))
        self.assertEqual(self.run_ulna("check", "stanford").returncode, 0)

    def test_check_finds_a_rounded_right_angle(self):
        self.write("a.toml", 'dh = "standard"\n' + '[[link]]\njoint = "revolute"\nalpha = 1.5708\na = 1\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n' * 2)
        self.assertIn("not quite, a right angle", self.ulna("check", "a.toml"))

    def test_check_completes_masses_from_shapes_and_says_so_ever_after(self):
        shape = '<visual><geometry><box size="0.4 0.1 0.1"/></geometry></visual>'
        self.write("arm.urdf", f'<robot name="arm"><link name="stand"/><link name="bar">{shape}</link><joint name="j" type="continuous">'
                   '<parent link="stand"/><child link="bar"/></joint></robot>')
        self.assertEqual(self.run_ulna("check", "arm.urdf").returncode, 1)
        done = self.ulna_json("check", "arm.urdf", "--complete", "3", "-o", "whole.toml")
        self.assertIn("1 link (bar), filled with 750 kg/m³", done["corrections"][0])
        self.assertTrue(any("guessed" in f["reason"] for f in done["findings"]))
        read = self.run_ulna("id", "whole.toml", "--q", "0", "--a", "1", "--json")
        self.assertAlmostEqual(json.loads(read.stdout)["tau"][0], 3 * (0.1**2 + 0.1**2) / 12, places=14)
        self.assertIn("note: mass data are guessed from shapes (bar)", read.stderr)
        self.ulna("simulate", "whole.toml", "--for", "0.1", "-o", "run")
        self.assertIn("guessed from shapes", open(self.path("run/report.html")).read())

    def test_check_fixes_units_and_writes_nothing_else(self):
        self.ulna("convert", "ur5e", "--form", "explicit", "-o", "right.toml")
        right = open(self.path("right.toml")).read()
        grams = "\n".join(f"mass = {1000 * float(line.split('=')[1])!r}" if line.startswith("mass = ") else line for line in right.split("\n"))
        self.write("grams.toml", grams)
        self.assertIn("are these grams?", self.ulna("check", "grams.toml"))
        self.assertIn("corrected: masses as grams", self.ulna("check", "grams.toml", "--fix", "-o", "fixed.toml"))
        matrix = lambda robot: self.ulna_json("matrices", robot, "--q", "0.1,0.2,0.3,0.4,0.5,0.6")["M"]
        for fixed, wanted in zip(matrix("fixed.toml"), matrix("right.toml")):
            self.assertLess(largest(a - b for a, b in zip(fixed, wanted)), 1e-13)
        for refused in (["--fix"], ["-o", "x.toml"], ["--fix", "-o", "x.toml", "--payload", "1"], ["--fix", "-o", "x.stl"], ["--complete", "3", "-o", "x.toml"]):
            self.assertEqual(self.run_ulna("check", "ur5e", *refused).returncode, 2, refused)
        self.assertFalse(os.path.exists(self.path("x.toml")))

    def test_nonphysical_robots_need_a_reason(self):
        self.write("a.toml", 'dh = "standard"\n[[link]]\njoint = "revolute"\na = 1\nmass = 1\ninertia = [0.01, 0.1, 0.3]\n')
        self.assertEqual(self.run_ulna("id", "a.toml").returncode, 2)
        self.ulna("id", "a.toml", "--allow-nonphysical", "a test")

    def test_every_C_makes_a_skew_matrix(self):
        """The rate of M less 2C, by every method that answers; and what each of README's table promises is there."""
        text = lambda values: ",".join(map(repr, values))
        h = 1e-5
        for robot, n in (("planar2r", 2), ("stanford", 6), ("puma560", 6)):
            q = [0.3 + 0.2 * k for k in range(n)]
            v = [0.5 - 0.3 * k for k in range(n)]
            matrices = lambda at, *more: self.ulna_json("matrices", robot, "--q", text(at), "--v", text(v), *more)
            before, after = (matrices([x + s * h * y for x, y in zip(q, v)])["M"] for s in (-1, 1))
            rate = [[(after[i][j] - before[i][j]) / (2 * h) for j in range(n)] for i in range(n)]
            for method in ("auto", "newton_euler", "composite_body", "denoc", "spatial_operator", "homogeneous", "constraint_force"):
                if (robot, method) == ("planar2r", "constraint_force"):
                    continue  # its links are slender
                with self.subTest(robot=robot, method=method):
                    m = matrices(q, "--method", method)
                    for i in range(n):
                        for j in range(n):
                            self.assertAlmostEqual(rate[i][j], m["C"][i][j] + m["C"][j][i], delta=1e-7)
                    self.assertEqual("MCI" in m, method in ("newton_euler", "denoc"))
                    if "MCI" not in m:
                        continue
                    self.assertEqual(m["methods"]["MCI"], method)
                    for C, MCI in zip(m["C"], m["MCI"]):
                        self.assertAlmostEqual(sum(c * x for c, x in zip(C, v)), sum(c * x for c, x in zip(MCI, v)), delta=1e-12)
            self.assertEqual(matrices(q, "--method", "newton_euler")["methods"]["g"], "newton_euler")
            self.assertEqual(matrices(q, "--method", "denoc")["methods"], {"M": "denoc", "C": "composite_body", "g": "newton_euler", "MCI": "denoc"})
            self.assertIn("MCI, convective inertia", self.ulna("matrices", robot, "--method", "newton_euler"))
        self.assertIn("does not give", self.run_ulna("matrices", "planar2r", "--method", "articulated_body").stderr)

    def test_singular_for_the_task(self):
        straight = self.ulna_json("fk", "planar2r", "--q", "0,0")
        self.assertEqual((straight["task"], straight["rank"], straight["full_rank"]), ("position in a plane", 1, 2))
        self.assertTrue(straight["singular"])
        self.assertAlmostEqual(straight["manipulability"], 0, delta=1e-15)
        self.assertIn("this posture is singular", self.ulna("fk", "planar2r", "--q", "0,0"))
        bent = self.ulna_json("fk", "planar2r", "--q", "0,90deg", "--reference", "world_origin")
        self.assertFalse(bent["singular"])
        self.assertAlmostEqual(bent["manipulability"], 1, delta=1e-15)
        self.assertNotIn("singular", self.ulna("fk", "planar2r", "--q", "0,90deg").replace("smallest singular value", ""))
        elbow = self.ulna_json("fk", "planar3r", "--q", "0,0,1")  # places its tip still, but not at any angle
        self.assertEqual(elbow["task"], "position and orientation in a plane")
        self.assertTrue(elbow["singular"])
        self.assertFalse(elbow["position_part"]["singular"])
        self.assertFalse(elbow["orientation_part"]["singular"])
        four_bar = self.ulna_json("fk", "four_bar")
        self.assertEqual((four_bar["full_rank"], four_bar["rank"]), (1, 1))
        self.assertIn("keeps the loops closed", four_bar["task"])
        self.assertTrue(self.ulna_json("fk", "slider_crank")["singular"])  # the slider's dead point
        self.assertFalse(self.ulna_json("fk", "slider_crank", "--q", "1,0,-1")["singular"])
        five_bar = self.ulna_json("fk", "five_bar")
        self.assertIn("position in a plane", five_bar["task"])
        self.assertFalse(five_bar["singular"])
        # the left leg stretched, the right one as two circles meet: the pin moves across the leg only
        stretched = self.ulna_json("fk", "five_bar", "--q", self.five_bar_with_left_leg_stretched())
        self.assertTrue(stretched["singular"], stretched["manipulability"])

    def five_bar_with_left_leg_stretched(self):
        """Its positions by trigonometry, from where its frames are at zero."""
        at = {frame["name"]: complex(*frame["position"][:2]) for frame in self.ulna_json("fk", "five_bar")["frames"]}
        upper = abs(at["left_fore"] - at["left_upper"])
        fore = abs(at["pin"] - at["left_fore"])
        pin = at["left_upper"] + (upper + fore) * cmath.rect(1, -1.1)
        reach = pin - at["right_upper"]
        inside = math.acos((upper**2 + abs(reach) ** 2 - fore**2) / (2 * upper * abs(reach)))
        elbow = at["right_upper"] + upper * cmath.rect(1, cmath.phase(reach) + inside)
        q = []
        for side, bend in (("left", at["left_upper"] + upper * cmath.rect(1, -1.1)), ("right", elbow)):
            foot, before = at[side + "_upper"], at[side + "_fore"]
            motor = cmath.phase((bend - foot) / (before - foot))
            q += [motor, cmath.phase((pin - bend) / (at["pin"] - before)) - motor]
        return ",".join(map(repr, q))

    def test_every_command_and_help(self):
        self.assertIn("Usage", self.ulna())
        names = ["robots", "show", "check", "convert", "fk", "id", "fd", "matrices", "count"]
        for name in names:
            self.assertIn("--json", self.ulna(name, "--help"))
            if name != "robots":
                json.loads(self.ulna(name, "planar2r", "--json"))
        self.assertEqual(len(json.loads(self.ulna("robots", "--json"))["robots"]), 43)

    def test_pipes_and_links_are_written_through(self):
        os.mkfifo(self.path("pipe.toml"))
        reader = subprocess.Popen(["cat", self.path("pipe.toml")], stdout=subprocess.PIPE, text=True)
        self.ulna("convert", "planar2r", "-o", "pipe.toml")
        self.assertIn("[[link]]", reader.communicate(timeout=20)[0])
        self.write("real.toml", "old")
        os.symlink(self.path("real.toml"), self.path("link.toml"))
        self.ulna("convert", "planar2r", "-o", "link.toml")
        self.assertTrue(os.path.islink(self.path("link.toml")))
        with open(self.path("real.toml")) as file:
            self.assertIn("[[link]]", file.read())

    def test_the_tip_of_a_urdf_moves(self):
        path = self.shared_robot("ur5.urdf")
        self.assertEqual(self.ulna_json("fk", path)["rank"], 5)  # singular at zero, but not the ground

    def test_output_to_a_full_disk(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([COMMAND, "show", "puma560"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("could not be written", done.stderr)


class Motions(CommandTest):
    ROW = "{t},0.1,0.2,1,2,3,4\n"

    def test_rows_are_the_single_states(self):
        self.write("m.csv", "t,q1,q2,v1,v2,a1,a2\n" + self.ROW.format(t=0) + "# a comment\n\n" + '0.5,"90 deg",0,0,0,0,0\n'.replace('"', ""))
        self.ulna("id", "planar2r", "--motion", "m.csv", "-o", "out.csv")
        with open(self.path("out.csv")) as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[0], "t,tau1,tau2")
        single = self.ulna_json("id", "planar2r", "--q", "0.1,0.2", "--v", "1,2", "--a", "3,4")["tau"]
        self.assertEqual([float(x) for x in lines[1].split(",")[1:]], single)
        self.assertEqual(lines[2].split(",")[0], "0.5")

    def test_a_trajectory_is_a_motion(self):
        """The torques that its accelerations need are those that drove it: none, on a robot that floats freely."""
        self.ulna("simulate", "satellite_arm", "--drive", "free", "--v0", "0.1,0.2,0.3,1,2,3,1,-2,3,-1,2,-3,1", "--for", "0.2", "-o", "run")
        self.ulna("id", "satellite_arm", "--motion", "run/trajectory.csv", "-o", "out.csv")
        with open(self.path("out.csv")) as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 21)
        for row in rows:
            for k in range(1, 14):
                self.assertAlmostEqual(float(row[f"tau{k}"]), 0.0, delta=1e-11)  # rounding of sums of some kN

    @unittest.skipIf(os.environ.get("ULNA_SANITIZED"), "sanitizers map more memory than there may be")
    def test_memory_is_constant_and_a_pipe_shows_no_progress(self):
        def limited():
            resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20))

        rows = 400_000
        with open(self.path("m.csv"), "w") as file:
            file.writelines(self.ROW.format(t=k) for k in range(rows))
        done = self.run_ulna("id", "planar2r", "--motion", "m.csv", "-o", "out.csv", "--json", preexec_fn=limited)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        self.assertEqual(json.loads(done.stdout)["rows"], rows)

    def test_interruption_leaves_what_was_finished(self):
        pipe = self.path("endless")
        os.mkfifo(pipe)
        process = subprocess.Popen([COMMAND, "id", "planar2r", "--motion", pipe, "-o", self.path("out.csv")], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        with open(pipe, "w", buffering=1) as motion:
            for k in range(1000):
                motion.write(self.ROW.format(t=k))
            motion.flush()
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            motion.write(self.ROW.format(t=1000))
        _, errors = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130, errors)
        with open(self.path("out.csv")) as file:
            lines = file.read().splitlines()
        self.assertGreaterEqual(len(lines), 1001)
        self.assertTrue(all(line.count(",") == 2 for line in lines))


class Formulations(CommandTest):
    def test_denoc_shows_u_and_d(self):
        m = self.ulna_json("matrices", "planar3r", "--method", "denoc", "--q", "0.3,0.8,-0.2", "--v", "1,-1,0.5")
        n = range(3)
        for i in n:
            for j in n:
                udu = sum(m["U"][i][k] * m["D"][k] * m["U"][j][k] for k in n)
                self.assertAlmostEqual(udu, m["M"][i][j], places=13)
        self.assertIn("U of the GIM", self.ulna("matrices", "planar3r", "--method", "denoc"))

    def test_constraint_force_shows_its_blocks(self):
        a = self.ulna_json("matrices", "kuka_lwr4", "--method", "constraint_force")["A"]
        self.assertEqual((a["size"], a["blocks"]), (35, [5] * 7))
        self.assertGreater(a["condition"], 1)
        self.assertIn("block tridiagonal", self.ulna("matrices", "kuka_lwr4", "--method", "constraint_force"))

    def test_all_methods_give_the_same(self):
        q, v = "0.1,0.2,0.3,0.4,0.5,0.6", "1,-1,0.5,0.2,0.1,-0.3"
        for command, key, methods in (
            ("id", "tau", ["newton_euler", "denoc", "spatial_operator", "homogeneous"]),
            ("fd", "a", ["articulated_body", "composite_body", "denoc", "constraint_force", "spatial_operator", "homogeneous"]),
        ):
            answers = [self.ulna_json(command, "puma560", "--q", q, "--v", v, "--method", m)[key] for m in methods]
            for other in answers[1:]:
                self.assertLess(largest(x - y for x, y in zip(answers[0], other)), 1e-11 * largest(answers[0]))

    def test_a_robot_beyond_a_method_is_refused(self):
        done = self.run_ulna("fd", "satellite_arm", "--method", "denoc")
        self.assertEqual(done.returncode, 2)
        self.assertIn("is for arms on a fixed base, and this one floats", done.stderr)

    def test_actions_carry_the_weight(self):
        """At rest the force in each joint is the weight of what hangs on it, upwards."""
        self.write("m.csv", "0," + ",".join(["0.3"] * 6 + ["0"] * 12) + "\n")
        self.ulna("id", "puma560", "--method", "homogeneous", "--motion", "m.csv", "--actions", "-o", "out.csv")
        with open(self.path("out.csv")) as file:
            header, row = (line.strip().split(",") for line in file)
        masses = [10.521, 15.761, 8.767, 1.052, 1.052, 0.351]
        values = dict(zip(header, map(float, row)))
        for k in range(6):
            self.assertAlmostEqual(values[f"joint{k + 1}.fz"], 9.81 * sum(masses[k:]), places=10)
            self.assertAlmostEqual(values[f"joint{k + 1}.fx"], 0, places=10)


class Conversions(CommandTest):
    """A robot written out and read back has the same dynamics to 1e-12."""

    def states(self, robot, *options):
        shown = self.ulna_json("show", robot, "--allow-nonphysical", "comparing", *options)
        nq, nv = shown["nq"], shown["nv"]
        q = [0.3 * math.sin(1.0 + 2.3 * k) for k in range(nq)]
        joints = shown["joints"]
        if joints[0]["kind"] == "free":
            q[3:7] = [0.5, 0.5, 0.5, 0.5]
        v = [math.cos(0.7 * k) for k in range(nv)]
        text = lambda values: ",".join(map(repr, values))
        arguments = ["--q", text(q), "--v", text(v)]
        return arguments, arguments + ["--a", text(v[::-1])]

    def expect_same(self, robot, other, options=()):
        for_fk, for_id = self.states(robot, *options)
        gravity = ",".join(repr(x) for x in self.ulna_json("show", robot, "--allow-nonphysical", "comparing", *options)["gravity"])
        fixed = ["--gravity", gravity, "--allow-nonphysical", "comparing"] + list(options)
        a = self.ulna_json("id", robot, *for_id, *fixed)["tau"]
        b = self.ulna_json("id", other, *for_id, *fixed)["tau"]
        self.assertLess(largest(x - y for x, y in zip(a, b)), 1e-12 * (1 + largest(a)), robot)
        a = self.ulna_json("fk", robot, *for_fk, *fixed)["position"]
        b = self.ulna_json("fk", other, *for_fk, *fixed)["position"]
        self.assertLess(largest(x - y for x, y in zip(a, b)), 1e-12 * (1 + largest(a)), robot)

    def robots(self):
        bundled = self.ulna_json("robots")["robots"]
        return [r["name"] for r in bundled if ":" not in r["name"] and r["loops"] == 0 and not r["in_use"]] + ["chain:9", "sawyer", "fr3"]

    def test_explicit(self):
        for robot in self.robots():
            with self.subTest(robot):
                self.ulna("convert", robot, "--form", "explicit", "-o", "out.toml")
                self.expect_same(robot, "out.toml")

    def test_dh(self):
        for robot in self.robots():
            if robot == "satellite_arm":
                continue
            with self.subTest(robot):
                self.ulna("convert", robot, "--form", "dh", "-o", "out.toml")
                with open(self.path("out.toml")) as file:
                    self.assertIn("[[link]]", file.read())
                self.expect_same(robot, "out.toml")

    def test_modified_dh_stays_modified(self):
        """Also where the first row has a and alpha and the tip stands off the last frame."""
        rows = [(0.1, "20 deg", 0.3, 0.2), (0.4, "90 deg", 0, 0.1), (0.05, "-90 deg", 0.3, -1.2)]
        text = 'dh = "modified"\ntip = "tool"\n'
        for i, (a, alpha, b, theta) in enumerate(rows):
            text += f'[[link]]\njoint = "{"prismatic" if i == 1 else "revolute"}"\na = {a}\nalpha = "{alpha}"\nb = {b}\ntheta = {theta}\n'
            text += f"mass = {i + 1}\ncom = [0.1, 0.02, {0.1 * i}]\ninertia = [0.1, 0.12, 0.13, 0.01, 0.02, -0.01]\n"
        text += '[[frame]]\nname = "tool"\nbody = "link3"\npose = { xyz = [0.2, 0, 0.1], rpy = [0.3, 0, 0] }\n'
        self.write("craig.toml", text)
        self.ulna("convert", "craig.toml", "--form", "dh", "-o", "out.toml")
        with open(self.path("out.toml")) as file:
            self.assertIn('dh = "modified"', file.read())
        self.expect_same("craig.toml", "out.toml")

    def test_free_base_stays_explicit(self):
        self.ulna("convert", "satellite_arm", "-o", "out.toml")
        with open(self.path("out.toml")) as file:
            self.assertIn("[[body]]", file.read())
        self.expect_same("satellite_arm", "out.toml")

    def test_urdf(self):
        for robot in self.robots():
            if robot == "scara":  # armature
                self.assertIn("drop the armature", self.run_ulna("convert", robot, "-o", "out.urdf").stderr)
                done = self.run_ulna("convert", robot, "-o", "out.urdf", "--drop", "armature")
                self.assertEqual(done.stderr.count("is left out"), 2)
                continue
            with self.subTest(robot):
                options = ["--free-base"] if robot == "satellite_arm" else []
                self.ulna("convert", robot, "-o", "out.urdf")
                self.expect_same(robot, "out.urdf", options)

    def expect_same_torques(self, robot, other, options=()):
        _, for_id = self.states(robot, *options)
        gravity = ",".join(repr(x) for x in self.ulna_json("show", robot, "--allow-nonphysical", "comparing", *options)["gravity"])
        fixed = ["--gravity", gravity, "--allow-nonphysical", "comparing"] + list(options)
        a, b = (self.ulna_json("id", name, *for_id, *fixed)["tau"] for name in (robot, other))
        self.assertLess(largest(x - y for x, y in zip(a, b)), 1e-12 * (1 + largest(a)), robot)

    def test_mjcf_and_sdf(self):
        for robot in self.robots():
            with self.subTest(robot):
                self.ulna("convert", robot, "-o", "out.xml")
                _, for_id = self.states(robot)
                tau = self.ulna_json("id", robot, *for_id, "--allow-nonphysical", "comparing")["tau"]
                again = self.ulna_json("id", "out.xml", *for_id, "--allow-nonphysical", "comparing")["tau"]  # gravity, too
                self.assertLess(largest(x - y for x, y in zip(tau, again)), 1e-12 * (1 + largest(tau)))
                if robot == "scara":
                    self.assertIn("drop the armature", self.run_ulna("convert", robot, "-o", "out.sdf").stderr)
                    continue
                self.ulna("convert", robot, "-o", "out.sdf")
                self.expect_same_torques(robot, "out.sdf", ["--free-base"] if robot == "satellite_arm" else [])

    def test_real_mjcf_files_survive_all_forms(self):
        for name in ("gen3", "iiwa14"):
            path = self.shared_robot(f"mjcf/{name}.xml")
            for out in ("out.toml", "out.urdf", "out.sdf", "out.xml"):
                with self.subTest(name=name, out=out):
                    self.ulna("convert", path, "-o", out)
                    self.expect_same_torques(path, out)

    def test_urdf_of_a_name_with_signs_of_xml(self):
        name = """Bob's & "Ann's" <arm>"""
        self.write("a.toml", f'name = {json.dumps(name)}\ndh = "standard"\n[[link]]\njoint = "revolute"\na = 1\nmass = 1\n')
        self.ulna("convert", "a.toml", "-o", "out.urdf")
        self.assertEqual(self.ulna_json("show", "out.urdf")["name"], name)

    def test_real_urdf_files_survive_both_forms(self):
        for name in ("panda", "ur5", "talos"):
            path = self.shared_robot(name + ".urdf")
            with self.subTest(name):
                options = ["--free-base"] if name == "talos" else []
                for out in ("out.toml", "out.urdf"):
                    self.ulna("convert", path, "--allow-nonphysical", "as published", "-o", out)
                    self.expect_same(path, out, options)


class Mechanisms(CommandTest):
    """The bundled robots with closed loops: degrees of the tree, loop equations, mobility."""

    FACTS = {
        "slider_crank": (3, 5, 1),
        "four_bar": (3, 5, 1),
        "five_bar": (4, 5, 2),
        "palletizer": (10, 15, 4),
        "stewart": (21, 15, 6),
        "dual_arm": (14, 6, 8),
    }

    def facts(self, robot):
        shown = self.ulna_json("show", robot)
        return shown["nv"], sum(loop["equations"] for loop in shown["loops"]), shown["mobility"], shown["redundant"]

    def test_are_all_that_have_loops(self):
        bundled = self.ulna_json("robots")["robots"]
        self.assertEqual({r["name"] for r in bundled if r["loops"] > 0}, set(self.FACTS))
        self.assertIn("; 5 closed loops", self.ulna("robots"))

    def test_mobility_and_check(self):
        for robot, (degrees, equations, mobility) in self.FACTS.items():
            with self.subTest(robot):
                self.assertEqual(self.facts(robot), (degrees, equations, mobility, mobility - degrees + equations))
                self.assertEqual(self.ulna("check", robot), f"{robot}: nothing to complain about\n")

    def test_convert_keeps_the_loops(self):
        for robot in self.FACTS:
            with self.subTest(robot):
                self.ulna("convert", robot, "-o", "out.toml")
                self.assertEqual(self.facts("out.toml"), self.facts(robot))
                done = self.run_ulna("convert", robot, "-o", "out.urdf")
                self.assertEqual(done.returncode, 2)
                self.assertIn("closes a loop, and URDF has none", done.stderr)


if __name__ == "__main__":
    unittest.main()
