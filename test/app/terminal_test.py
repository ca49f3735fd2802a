"""Standard streams: text from files commands no terminal, and a stream that cannot be written ends no program."""

import json
import os
import pty
import subprocess
import unittest

from command import COMMAND, CommandTest

EVIL = "\x1b]0;owned\x07\x1b[31m\x7f\x9b2J\u202ered"
SHOWN = "\\u001b]0;owned\\u0007\\u001b[31m\\u007f\\u009b2J\\u202ered"


def toml_text(text):
    return '"' + "".join(c if c.isprintable() and c not in '"\\' else f"\\u{ord(c):04x}" for c in text) + '"'


ARM = f"""name = {toml_text(EVIL)}
title = {toml_text("title" + EVIL)}
source = {toml_text("source" + EVIL)}
dh = "standard"
[[link]]
name = {toml_text("link" + EVIL)}
joint_name = {toml_text("joint" + EVIL)}
joint = "revolute"
a = 1
mass = 1
inertia = [0.1, 0.1, 0.1]
"""


def run(arguments, folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, before=""):
    """Through a shell, which can close streams."""
    line = f"exec {COMMAND} {' '.join(arguments)} {before}"
    return subprocess.run(["sh", "-c", line], cwd=folder, stdout=stdout, stderr=stderr, timeout=60, check=False)


class Escapes(CommandTest):
    def assert_plain(self, output):
        text = output.decode()  # no bytes that are no UTF-8
        for c in text:
            self.assertTrue(c == "\n" or c.isprintable(), f"{c!r} in {text[:2000]!r}")
        return text

    def test_names_and_titles(self):
        self.write("arm.toml", ARM)
        scenario = f'robot = "arm.toml"\ntitle = {toml_text(EVIL)}\n[run]\nfor = 0.1\n'
        self.write("run.toml", scenario)
        for arguments in (["show", "arm.toml"], ["show", "arm.toml", "--names", "joints"], ["fk", "arm.toml"],
                          ["id", "arm.toml"], ["fd", "arm.toml"], ["matrices", "arm.toml"], ["count", "arm.toml"],
                          ["check", "arm.toml"], ["convert", "arm.toml"], ["simulate", "run.toml"]):
            done = run(arguments, self.folder)
            self.assertEqual(done.returncode, 0, (arguments, done.stderr))
            text = self.assert_plain(done.stdout)
            self.assert_plain(done.stderr)
            if arguments[0] in ("show", "simulate"):
                self.assertIn(SHOWN, text)

    def test_a_name_of_two_lines_is_one(self):
        self.write("arm.toml", ARM.replace(toml_text("joint" + EVIL), '"a\\nerror: b"'))
        self.assertIn("a error: b", self.ulna("id", "arm.toml"))

    def test_json_and_files_keep_the_text(self):
        self.write("arm.toml", ARM)
        done = run(["show", "arm.toml", "--json"], self.folder)
        self.assertEqual(json.loads(done.stdout)["title"], "title" + EVIL)
        self.assert_plain(done.stdout)
        self.ulna("simulate", "arm.toml", "--for", "0.1", "-o", "out")
        with open(self.path("out/run.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["robot"]["name"], EVIL)

    def test_errors(self):
        self.write("arm.toml", ARM.replace("mass = 1", f"{toml_text(EVIL)} = 1"))
        self.write("arm.urdf", f'<robot name="r"><link name="a{EVIL[10:]}"/></robot>')
        self.write(f"file{EVIL[:4]}.toml", "x = [")
        cases = [["show", "arm.toml"], ["show", "arm.urdf"], ["show", f"file{EVIL[:4]}.toml"], ["show", EVIL], [EVIL],
                 ["show", "puma560", "--" + EVIL], ["fk", "puma560", "--q", EVIL], ["show", b"a\xff\x9b.toml"]]
        for arguments in cases:
            done = subprocess.run([COMMAND, *arguments], cwd=self.folder, capture_output=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertEqual(len(self.assert_plain(done.stderr).splitlines()), 1, done.stderr)

    def test_a_name_that_xml_cannot_hold(self):
        self.write("arm.toml", ARM)
        done = self.run_ulna("convert", "arm.toml", "-o", "arm.urdf")
        self.assertEqual(done.returncode, 2)
        self.assertIn("holds a control character, for which XML has no place", done.stderr)

    def test_controls_in_xml_have_a_line(self):
        done = self.run_ulna("show", self.write("arm.urdf", '<robot name="r">\n<link name="a\x1b"/></robot>'))
        self.assertIn("arm.urdf:2: error: not well-formed XML: it holds the control character 0x1b", done.stderr)

    def test_progress_still_moves_the_cursor(self):
        master, slave = pty.openpty()
        process = subprocess.Popen([COMMAND, "simulate", "ur5_like", "--for", "3000", "--every", "1", "-o", "out"],
                                   cwd=self.folder, stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        self.assertIn(b"\x1b[K", os.read(master, 100))
        process.terminate()
        process.wait(timeout=60)
        os.close(master)

    def test_long_input_is_shortened(self):
        long = "k" * 10_000_000
        for name, content in (("key.toml", f"{long} = 1\n"), ("word.toml", f'dh = "{long}"\n'),
                              ("name.urdf", f'<robot name="r"><joint name="{long}" type="x"/></robot>')):
            done = self.run_ulna("show", self.write(name, content))
            self.assertEqual(done.returncode, 2)
            for line in done.stderr.splitlines():
                self.assertLess(len(line), 2000)
                self.assertIn("error: ", line)
        done = self.run_ulna("fk", "puma560", "--q", "x" * 100_000)
        self.assertLess(len(done.stderr), 2000)
        self.assertIn("write 1.5, or 90 deg for an angle", done.stderr)  # its end says what to do


class UnwritableStreams(CommandTest):
    NOTE = ["show", "note.urdf"]  # an importer's note goes to stderr, the robot to stdout

    def setUp(self):
        super().setUp()
        link = '<link name="{}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        joint = ('<joint name="{0}" type="continuous"><parent link="{1}"/><child link="{2}"/><axis xyz="0 0 1"/>{3}</joint>')
        self.write("note.urdf", '<robot name="r">' + "".join(map(link.format, "abc")) + joint.format("j", "a", "b", "")
                   + joint.format("k", "b", "c", '<calibration rising="0"/>') + "</robot>")

    def test_errors_that_nobody_can_read(self):
        for before in ("2>&-", "2>/dev/full"):
            for arguments in (["show", "nope"], ["nope"], ["show", "puma560", "--nope"], ["fk", "puma560", "--q", "x"]):
                done = run(arguments, self.folder, before=before)
                self.assertEqual((done.returncode, done.stdout), (2, b""), (arguments, before))

    def test_a_note_costs_no_result(self):
        whole = run(self.NOTE, self.folder)
        self.assertIn(b"note: calibrations", whole.stderr)
        for before in ("2>&-", "2>/dev/full"):
            done = run(self.NOTE, self.folder, before=before)
            self.assertEqual((done.returncode, done.stdout), (0, whole.stdout))
            self.assertEqual(run(["simulate", "planar2r", "--for", "0.1", "-o", "out"], self.folder, before=before).returncode, 0)

    def test_results_that_cannot_be_written(self):
        for before in (">&-", ">/dev/full"):
            for arguments in (["--help"], ["--version"], [], ["show", "puma560"], ["id", "puma560", "--json"], ["man"],
                              ["show", "general:2000"], ["convert", "puma560"], ["simulate", "planar2r", "--for", "0.1"]):
                done = run(arguments, self.folder, before=before)
                self.assertEqual(done.returncode, 2, (arguments, before))
                self.assertIn(b"error: the output could not be written: ", done.stderr, (arguments, before))

    def test_a_closed_stream_is_no_file_of_results(self):
        """The first file that is opened must not become standard output."""
        for number, before in enumerate(("<&- >&- 2>&-", ">&- 2>&-", "<&- >&-", ">&-")):
            done = run(["simulate", "planar2r", "--for", "0.1", "-o", f"out{number}"], self.folder, before=before)
            self.assertEqual(done.returncode, 2)
        self.ulna("simulate", "planar2r", "--for", "0.1", "-o", "good")
        for number in range(4):
            with open(self.path(f"out{number}/trajectory.csv"), "rb") as one, open(self.path("good/trajectory.csv"), "rb") as other:
                self.assertEqual(one.read(), other.read())

    def test_neither(self):
        for before in (">&- 2>&-", ">/dev/full 2>/dev/full"):
            self.assertEqual(run(["show", "puma560"], self.folder, before=before).returncode, 2)


if __name__ == "__main__":
    unittest.main()
