"""Bad input of every kind: one clear line on stderr, exit 2, nothing written."""

import os
import random
import unittest

from command import CommandTest

LINK = '[[link]]\njoint = "revolute"\na = 1\nmass = 1\ncom = [-0.5, 0, 0]\ninertia = [0.01, 0.1, 0.1]\n'
ARM = 'dh = "standard"\n' + LINK
INERTIA = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def joint(name, parent, child, kind="continuous"):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/><axis xyz="0 0 1"/></joint>'


def urdf(*parts):
    return '<robot name="r">' + "\n".join(parts) + "</robot>"


def link(name, inside=INERTIA):
    return f'<link name="{name}">{inside}</link>'


# name of the case: (file name, content, what stderr must say)
FILES = {
    "toml syntax": ("a.toml", "dh = \n[[link", "a.toml:1: error: not valid TOML"),
    "unknown key": ("a.toml", ARM.replace("mass", "mas"), "a.toml:5: error: link1: unknown key 'mas'; did you mean 'mass'?"),
    "d for b": ("a.toml", ARM + "d = 1\n", "did you mean 'b'?"),
    "text for a number": ("a.toml", ARM.replace("mass = 1", 'mass = "heavy"'), "a.toml:5: error: link1: 'mass' is a text, and only angles may be one; write numbers without quotes"),
    "angle for a mass": ("a.toml", ARM.replace("mass = 1", 'mass = "10 deg"'), "'mass' is a text, and only angles may be one"),
    "not a number": ("a.toml", ARM.replace("mass = 1", "mass = nan"), "'mass' must be a finite number"),
    "infinite": ("a.toml", ARM.replace("a = 1", "a = inf"), "'a' must be a finite number"),
    "number for a text": ("a.toml", ARM.replace('"revolute"', "3"), "'joint' must be a text"),
    "wrong list length": ("a.toml", ARM.replace("[-0.5, 0, 0]", "[1, 2]"), "'com' must be a list of 3 numbers"),
    "unknown joint": ("a.toml", ARM.replace("revolute", "ball"), "use one of: revolute, continuous, prismatic, screw"),
    "dh not said": ("a.toml", LINK, "'dh' is missing"),
    "r and com": ("a.toml", ARM + "r = [0, 0, 0]\n", "both 'r' and 'com'"),
    "screw without pitch": ("a.toml", ARM.replace("revolute", "screw"), "'pitch' is missing"),
    "empty": ("a.toml", "", "no links"),
    "massless": ("a.toml", 'dh = "standard"\n[[link]]\njoint = "revolute"\n', "a.toml:2: error: 'link1': moves but neither it"),
    "negative mass": ("a.toml", ARM.replace("mass = 1", "mass = -1"), "mass -1 kg is negative; give a positive mass"),
    "negative inertia": ("a.toml", ARM.replace("0.01, 0.1", "-0.01, 0.1"), "not positive definite"),
    "triangle": ("a.toml", ARM.replace("[0.01, 0.1, 0.1]", "[0.01, 0.1, 0.3]"), "triangle inequality"),
    "permission without reason": ("a.toml", "allow_nonphysical = true\n" + ARM, "without a reason"),
    "limits reversed": ("a.toml", ARM + "limits = { lower = 1, upper = -1 }\n", "above its upper limit"),
    "missing body": ("a.toml", '[[joint]]\nname = "j"\nkind = "revolute"\nparent = "base"\nchild = "x"\n', "child link 'x' does not exist"),
    "no axis": ("a.toml", '[[body]]\nname = "a"\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\nname = "j"\nkind = "revolute"\nparent = "base"\nchild = "a"\naxis = [0, 0, 0]\n', "axis has no direction"),
    "not a rotation": ("a.toml", '[[body]]\nname = "a"\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\nname = "j"\nkind = "revolute"\nparent = "base"\nchild = "a"\npose = { rotation = [[1, 1, 0], [0, 1, 0], [0, 0, 1]] }\n', "not a rotation"),
    "urdf without inertia": ("a.urdf", urdf(link("base"), link("arm", ""), joint("j", "base", "arm")), "'arm': moves but neither it"),
    "urdf cyclic": ("a.urdf", urdf(link("base"), link("a"), link("b"), joint("ab", "a", "b"), joint("ba", "b", "a")), "a.urdf:4: error: joint 'ab' does not hang on the root 'base'"),
    "urdf without a root": ("a.urdf", urdf(link("a"), link("b"), joint("ab", "a", "b"), joint("ba", "b", "a")), "a.urdf:3: error: no link is the root"),
    "urdf unknown joint": ("a.urdf", urdf(link("base"), link("a"), "\n" + joint("j", "base", "a", "helical")), "a.urdf:4: error: 'j': joint type 'helical' is not supported"),
    "urdf without joints": ("a.urdf", urdf(link("base")), "no joint that moves"),
    "urdf bad number": ("a.urdf", urdf(link("base"), link("a", INERTIA.replace('value="1"', 'value="heavy"')), joint("j", "base", "a")), "a.urdf:2: error: 'value' of <mass>: 'heavy' is not a finite number"),
    "urdf is not xml": ("a.urdf", "robot: a\n", "a.urdf: error: not a URDF file"),
    "urdf truncated": ("a.urdf", '<robot name="r">\n<link name="base">\n<inertial/>\n', "a.urdf:2: error: not well-formed XML: <link> is not closed"),
    "urdf truncated in a tag": ("a.urdf", '<robot name="r">\n<link name="base"', "a.urdf:2: error: not well-formed XML: '>' is missing at the end of <link"),
    "urdf truncated in a value": ("a.urdf", '<robot name="r">\n<link name="ba', "a.urdf:2: error: not well-formed XML: '\"' is missing behind the value of 'name' of <link"),
    "urdf closed wrongly": ("a.urdf", '<robot name="r">\n<link name="base">\n</robot>', "a.urdf:3: error: not well-formed XML: </robot> where </link> must come, for the tag of line 2"),
    "urdf closed twice": ("a.urdf", '<robot name="r">\n</robot></robot>', "a.urdf:2: error: not well-formed XML: </robot> closes nothing"),
    "urdf without quotes": ("a.urdf", '<robot name="r">\n\n<link name=base/></robot>', "a.urdf:3: error: not well-formed XML: '\"' is missing behind 'name' of <link"),
    "urdf value twice": ("a.urdf", '<robot name="r">\n<link name="a" name="b"/></robot>', "a.urdf:2: error: not well-formed XML: 'name' is given twice in <link"),
    "urdf with CDATA": ("a.urdf", '<robot name="r">\n<![CDATA[</robot>]]></robot>', "a.urdf:1: error: <robot> has no <link>"),
    "urdf with a document type": ("a.urdf", '<!DOCTYPE r [<!ENTITY a "aaaaaaaa">]>\n<robot name="r"/>', "a.urdf:1: error: not well-formed XML: it has a document type"),
    "urdf with an entity": ("a.urdf", '<robot name="r">\n<link name="&lol;"/></robot>', "a.urdf:2: error: not well-formed XML: &lol; is no letter of XML"),
    "urdf with a sign": ("a.urdf", '<robot name="r">\n<link name="a & b"/></robot>', "a.urdf:2: error: not well-formed XML: '&' stands alone; write &amp;"),
    "urdf with half a letter": ("a.urdf", '<robot name="r">\n<link name="&#xD800;"/></robot>', "a.urdf:2: error: not well-formed XML: &#xD800; is no letter of XML"),
    "urdf with a control by number": ("a.urdf", '<robot name="r">\n<link name="&#27;"/></robot>', "a.urdf:2: error: not well-formed XML: &#27; is no letter of XML"),
    "urdf with an open comment": ("a.urdf", '<robot name="r">\n<!-- <link name="a"/></robot>', "a.urdf:2: error: not well-formed XML: a comment does not end with '-->'"),
    "urdf of two robots": ("a.urdf", '<robot name="r"/>\n<robot name="s"/>', "a.urdf:2: error: not well-formed XML: <robot> stands behind the root element <robot>"),
    "urdf behind words": ("a.urdf", 'hello\n<robot name="r"/>', "a.urdf:1: error: not well-formed XML: words stand outside the root element"),
    "urdf in another element": ("a.urdf", '<?xml version="1.0"?>\n<world><robot name="r"/></world>', "a.urdf:2: error: not a URDF file: it begins with <world>"),
    "urdf with thousands of attributes": ("a.urdf", '<robot name="r">\n<a ' + " ".join(f'a{i}=""' for i in range(2000)) + "/></robot>", "a.urdf:2: error: not well-formed XML: <a> has more than 1000 attributes"),
    "urdf of two roots": ("a.urdf", urdf(link("a"), link("b"), link("c"), joint("j", "a", "b")), "a.urdf:3: error: links 'a' (line 1) and 'c' are both the child of no joint"),
    "urdf link twice": ("a.urdf", urdf(link("a"), link("b"), link("a")), "a.urdf:3: error: there are two links 'a', the other one on line 1"),
    "urdf joint twice": ("a.urdf", urdf(link("a"), link("b"), link("c"), joint("j", "a", "b"), joint("j", "b", "c")), "a.urdf:5: error: there are two joints 'j', the other one on line 4"),
    "urdf child of two": ("a.urdf", urdf(link("a"), link("b"), joint("j", "a", "b"), joint("k", "a", "b")), "a.urdf:4: error: link 'b' is the child of joint 'k' and of 'j' on line 3"),
    "urdf link not there": ("a.urdf", urdf(link("a"), joint("j", "a", "b")), "a.urdf:2: error: joint 'j' is on link 'b', which is not there"),
    "urdf joint without a child": ("a.urdf", urdf(link("a"), '<joint name="j" type="fixed"><parent link="a"/></joint>'), "a.urdf:2: error: <joint> 'j' has no <child>"),
    "urdf without limits": ("a.urdf", urdf(link("a"), link("b"), joint("j", "a", "b", "revolute")), "a.urdf:3: error: revolute joint 'j' has no <limit>"),
    "urdf with two numbers": ("a.urdf", urdf(link("a"), link("b"), joint("j", "a", "b").replace("0 0 1", "0 1")), "a.urdf:3: error: 'xyz' of <axis>: 2 numbers; give 3"),
    "urdf from xacro": ("a.urdf", '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n<xacro:arm/></robot>', "a.urdf:2: error: <xacro:arm> belongs to xacro, and a file with it is a template for robots; run `xacro a.urdf -o robot.urdf`"),
    "urdf with a format": ("a.urdf", urdf(link("base"), link("a", INERTIA.replace('value="1"', 'value="%n%s%999999999$d"')), joint("j", "base", "a")), "a.urdf:2: error: 'value' of <mass>: '%n%s%999999999$d' is not a finite number"),
    "urdf with a format in numbers": ("a.urdf", urdf(link("base"), link("a", INERTIA.replace('value="1"', 'value="&#37;n"')), joint("j", "base", "a")), "a.urdf:2: error: 'value' of <mass>: '%n' is not a finite number"),
    "urdf in Latin-1": ("a.urdf", '<robot name="r">\n<link name="Kröpfung"/></robot>'.encode("latin-1"), "a.urdf:2: error: not well-formed XML: byte 0xf6 is not UTF-8; save the file as UTF-8"),
    "urdf nested": ("a.urdf", '<robot name="r">' + "<a>" * 200000, "nested deeper than 500"),
    "urdf nested behind values": ("a.urdf", '<robot name="r">' + '<a b="/>">' * 200000, "nested deeper than 500"),
    "urdf nested behind ends": ("a.urdf", '<robot name="r"/>' + "</a>" * 200000 + "<a>" * 200000, "</a> closes nothing"),
    "urdf nested by underscores": ("a.urdf", '<robot name="r">' + "<_>" * 200000, "nested deeper than 500"),
    "ten megabytes of noise as urdf": ("a.urdf", random.Random(1).randbytes(10_000_000), "a.urdf: error: not a URDF file"),
    "ten megabytes of noise in a robot": ("a.urdf", b"<robot>" + random.Random(2).randbytes(10_000_000).replace(b"\0", b"x"), "a.urdf:1: error: not well-formed XML: byte 0x"),
    "degrees on a slide": ("a.toml", ARM.replace('"revolute"', '"prismatic"') + 'limits = { lower = 0, upper = "90 deg" }\n', "a.toml:8: error: joint1.limits: upper: 'joint1' slides, and 90 deg is an angle; give metres"),
    "pitch of a hinge": ("a.toml", '[[body]]\nname = "a"\n[[body]]\nname = "b"\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\nname = "j"\nkind = "revolute"\nparent = "a"\nchild = "b"\npitch = 0.1\n', "a.toml:12: error: joint: only a screw joint has a pitch; leave it out"),
    "ten megabytes of noise as toml": ("a.toml", random.Random(3).randbytes(10_000_000), "a.toml:1: error: not valid TOML"),
}

ARGUMENTS = {
    "missing file": (["show", "nowhere.toml"], "nowhere.toml: error: no such file"),
    "unknown robot": (["show", "puma56"], "unknown robot 'puma56'; did you mean 'puma560'?"),
    "folder": (["show", "/tmp.toml/../tmp"], "unknown robot"),
    "bad chain": (["show", "chain:0"], "chain:N and general:N with N from 1"),
    "chain of text": (["show", "chain:x"], "chain:N and general:N with N from 1"),
    "too few positions": (["id", "puma560", "--q", "1,2"], "--q has 2 numbers; give 6"),
    "degrees of a slide": (["fk", "rtx", "--q", "10deg,0,0"], "slides, and 10 deg is an angle; give metres"),
    "degrees of a torque": (["fd", "planar2r", "--tau", "1,5deg"], "--tau: 5 deg is an angle; give a number without a unit"),
    "radians of gravity": (["fd", "planar2r", "--gravity", "0,0,-9.8rad"], "--gravity: -9.8 rad is an angle; give a number without a unit"),
    "degrees of a wrench": (["id", "planar2r", "--wrench", "link2=0,0,9deg,0,0,0"], "--wrench: 9 deg is an angle; give a number without a unit"),
    "NaN": (["fd", "planar2r", "--q", "nan,0"], "'nan' is not a finite number"),
    "text": (["fk", "planar2r", "--q", "1,two"], "--q: 'two' is not a finite number"),
    "empty item": (["fk", "planar2r", "--q", "1,"], "--q: '' is not a finite number"),
    "overflow": (["fk", "planar2r", "--q", "1e999,0"], "not a finite number"),
    "unknown method": (["id", "planar2r", "--method", "lagrange"], "unknown method 'lagrange'; known: auto, newton_euler"),
    "method that cannot": (["id", "planar2r", "--method", "articulated_body"], "does not give inverse dynamics; use one of: newton_euler"),
    "method without threads": (["fd", "planar2r", "--method", "denoc", "--threads", "2"], "denoc has no path on threads; articulated_body and constraint_force have"),
    "threads on a tree": (["fd", "BRANCHED", "--method", "articulated_body", "--threads", "2"], "is for serial arms, and this robot branches"),
    "no threads": (["fd", "planar2r", "--threads", "0"], "--threads"),
    "threads and loops": (["fd", "slider_crank", "--threads", "2"], "--threads is for robots without closed loops"),
    "unknown frame": (["fk", "planar2r", "--frame", "hand"], "no link or frame 'hand'"),
    "wrench without link": (["id", "planar2r", "--wrench", "1,2,3"], "must be LINK=nx"),
    "wrench on the ground": (["id", "planar2r", "--wrench", "base=0,0,0,0,0,0"], "'base' is not a moving link"),
    "quaternion": (["id", "satellite_arm", "--q", ",".join(["0"] * 14)], "quaternion x, y, z, w of joint 'free_base' has length 0"),
    "unknown command": (["shwo"], "unknown command 'shwo'; did you mean 'show'?"),
    "empty numbers": (["fk", "planar2r", "--q", ""], "has no numbers"),
    "form against ending": (["convert", "planar2r", "--form", "urdf", "-o", "x.toml"], "ends in .urdf"),
    "unknown option": (["show", "puma560", "--jsn"], "unknown option '--jsn'; did you mean '--json'? try `ulna show --help`"),
    "option unlike any": (["show", "puma560", "--fast=3"], "unknown option '--fast'; try `ulna show --help`"),
    "two robots": (["show", "puma560", "rtx"], "'rtx' is one argument too many; try `ulna show --help`"),
    "no value": (["id", "puma560", "--q"], "--q wants one value; try `ulna id --help`"),
    "unknown word": (["completion", "tcsh"], "'tcsh' is none of: bash, zsh, fish; try `ulna completion --help`"),
    "far from any command": (["xyz"], "unknown command 'xyz'; try `ulna --help`"),
    "no robot": (["show"], "robot is missing; try `ulna show --help`"),
    "missing motion": (["id", "planar2r", "--motion", "none.csv", "-o", "out"], "none.csv: error: no such file"),
    "motion without output": (["id", "planar2r", "--motion", "/dev/null"], "--motion needs -o FILE"),
    "singular": (["fd", "rp"], "the acceleration came out as"),
    "screw as urdf": (["convert", "SCREW", "-o", "out.urdf"], "URDF has no screw joints"),
    "branched as dh": (["convert", "BRANCHED", "--form", "dh", "-o", "out.toml"], "cannot be written as a DH table: it branches"),
    "unwritable output": (["convert", "puma560", "-o", "no/such/folder/out.toml"], "cannot be written"),
}

MOTIONS = {
    "degrees of time": ("0,0,0,0,0,0,0\n1deg,0,0,0,0,0,0\n", "m.csv:2: error: column 1: 1 deg is an angle; give a number without a unit"),
    "text in a row": ("0,0,0,0,0,0,0\n0.1,0,zero,0,0,0,0\n", "m.csv:2: error: column 3: 'zero' is not a finite number"),
    "short row": ("t,q1,q2,v1,v2,a1,a2\n0,0,0,0,0,0\n", "m.csv:2: error: 6 columns, this robot wants 7"),
    "NaN row": ("0,nan,0,0,0,0,0\n", "m.csv:1: error: column 2"),
    "empty motion": ("t,q1,q2,v1,v2,a1,a2\n", "holds no row of numbers"),
    "short header": ("t,q1\n", "m.csv:1: error: 2 columns, this robot wants 7"),
    "motion of a longer arm": ("t,q1,q2,v1,v2,a1,a2,a3\n", "m.csv:1: error: column 8 is called 'a3', one too many"),
    "row shorter than a long header": ("t,q1,q2,v1,v2,a1,a2,tau1\n0,0,0,0,0,0,0\n", "m.csv:2: error: 7 columns, the header has 8"),
    "overflowing row": ("0,0,0,1e200,0,0,0\n", "m.csv:1: error: the result of this row is not finite"),
    "columns in another order": ("t,a1,a2,v1,v2,q1,q2\n0,0,0,0,0,0,0\n", "m.csv:1: error: column 2 is called 'a1'; the order is t, then 2 of q"),
    "columns turned round": ("t,q2,q1,v1,v2,a1,a2\n0,0,0,0,0,0,0\n", "m.csv:1: error: column 2 is called 'q2'; the order is t, then 2 of q"),
    "NaN in the first cell": ("nan,0,0,0,0,0,0\n", "m.csv:1: error: column 1"),
    "no line ends": (b"1" * 200_000, "m.csv:1: error: a line is far too long"),
    "binary motion": (b"\x00\xff" * 5000, "m.csv:1: error: "),
}


class BadInput(CommandTest):
    def expect_refusal(self, arguments, words):
        before = sorted(os.listdir(self.folder))
        done = self.run_ulna(*arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        errors = [line for line in done.stderr.splitlines() if " note: " not in line]
        self.assertIn(words, done.stderr)
        self.assertEqual(len(errors), 1, done.stderr)
        self.assertLess(len(errors[0]), 500)
        self.assertEqual(sorted(os.listdir(self.folder)), before, "something was written")

    def test_files(self):
        for case, (name, content, words) in FILES.items():
            with self.subTest(case):
                self.write(name, content)
                self.expect_refusal(["id", name], words)

    def test_arguments(self):
        self.write("screw.toml", ARM.replace('"revolute"', '"screw"\npitch = 0.1'))
        self.write("branched.urdf", urdf(*(link(n) for n in ("base", "a", "b")), joint("ja", "base", "a"), joint("jb", "base", "b")))
        for case, (arguments, words) in ARGUMENTS.items():
            with self.subTest(case):
                arguments = [{"SCREW": "screw.toml", "BRANCHED": "branched.urdf"}.get(a, a) for a in arguments]
                if case == "screw as urdf":
                    arguments += ["--form", "urdf"]
                self.expect_refusal(arguments, words)

    def test_motions(self):
        for case, (content, words) in MOTIONS.items():
            with self.subTest(case):
                self.write("m.csv", content)
                self.expect_refusal(["id", "planar2r", "--motion", "m.csv", "-o", "out.csv"], words)

    def test_a_motion_has_no_angles_of_slides(self):
        for column in (2, 5, 8):  # q1, v1, a1 of rtx, whose first joint slides
            row = ["0"] * 10
            row[column - 1] = "5 deg"
            row[column] = "5 deg"
            self.write("m.csv", ",".join(row) + "\n")
            self.expect_refusal(["id", "rtx", "--motion", "m.csv", "-o", "out.csv"],
                                f"m.csv:1: error: column {column}: 'joint1' slides, and 5 deg is an angle; give metres")

    def test_all_problems_at_once(self):
        self.write("a.toml", ARM.replace("mass = 1", 'mas = 1\ninertai = [1, 1, 1]\nalpha = "x"'))
        done = self.run_ulna("show", "a.toml")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(done.stderr.splitlines()), 3, done.stderr)

    def test_an_old_file_survives_a_failed_run(self):
        self.write("out.csv", "precious")
        self.write("m.csv", "0,0,0,0,0,0,0\n0,x,0,0,0,0,0\n")
        self.assertEqual(self.run_ulna("id", "planar2r", "--motion", "m.csv", "-o", "out.csv").returncode, 2)
        with open(self.path("out.csv")) as file:
            self.assertEqual(file.read(), "precious")


if __name__ == "__main__":
    unittest.main()
