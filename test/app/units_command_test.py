"""Every place where a number for a joint can be given takes a plain one, and refuses degrees of a joint that slides and
units that it does not know in the same words."""

import os
import unittest

from command import CommandTest

LINK = "mass = 1\ncom = [-0.1, 0, 0]\ninertia = [0.1, 0.1, 0.1]\n"
ARM = f'dh = "standard"\n[[link]]\njoint = "prismatic"\nlimits = {{ lower = 0, upper = 1 }}\n{LINK}[[link]]\njoint = "revolute"\na = 0.5\n{LINK}'
SCARA = ARM + f'[[link]]\njoint = "revolute"\na = 0.5\n{LINK}'
BODY = f'[[body]]\nname = "sledge"\n{LINK}[[joint]]\nname = "joint1"\nkind = "prismatic"\nparent = "base"\nchild = "sledge"\n'
RUN = 'robot = "arm.toml"\n[run]\nfor = 0.02\n'
PLAYBACK = RUN + '[drive]\nkind = "playback"\n[drive.motion]\n'
CYCLOID = PLAYBACK + 'kind = "cycloid"\ntime = 1\n'
COSINE = PLAYBACK + 'kind = "cosine"\nperiod = 1\n'
ENSEMBLE = CYCLOID + 'to = [1, 1]\n[ensemble]\nruns = 2\nvary = "{}"\n'
SPLINE = {"s.toml": PLAYBACK + 'kind = "spline"\nfile = "way.csv"\n'}
SHORT = ["--for", "0.02"]
MOTION = ["id", "arm.toml", "--motion", "m.csv", "-o", "tau.csv"]


def robot(text):
    return {"a.toml": text}, ["show", "a.toml"]


def scenario(text):
    return {"s.toml": text}, ["simulate", "s.toml"]


def command(*arguments):
    return {}, list(arguments)


def task(text):
    return {"task.toml": "time = 1\nevery = 0.1\n" + text}, ["select", "scara.toml", "--task", "task.toml"]


# The place: its files and the call, with {} where the number is. TOML files have it in quotes if it has a unit.
PLACES = {
    "lower limit": robot(BODY + "limits = {{ lower = {}, upper = 99 }}\n"),
    "upper limit": robot(BODY + "limits = {{ lower = 0, upper = {} }}\n"),
    "velocity limit": robot(BODY + "limits = {{ lower = 0, upper = 1, velocity = {} }}\n"),
    "offset": robot(BODY + "offset = {}\n"),
    "rest of a spring": robot(BODY + "spring = {{ stiffness = 1, rest = {} }}\n"),
    "start of q": scenario(RUN + "[start]\nq = [{}, 0]\n"),
    "start of v": scenario(RUN + "[start]\nv = [{}, 0]\n"),
    "start of all": scenario(RUN + "[start]\nq = {}\n"),
    "motion from": scenario(CYCLOID + "from = [{}, 0]\nto = 1\n"),
    "motion to": scenario(CYCLOID + "to = [{}, 0]\n"),
    "amplitude": scenario(COSINE + "amplitude = {}\n"),
    "offset of a cosine": scenario(COSINE + "amplitude = 1\noffset = [{}, 0]\n"),
    "position of an event": scenario(RUN + '[[event]]\njoint = "joint1"\nposition = {}\n'),
    "velocity of an event": scenario(RUN + '[[event]]\njoint = "joint1"\nvelocity = {}\n'),
    "spread of q": scenario(ENSEMBLE.format("q=normal:{}")),
    "spread of v": scenario(ENSEMBLE.format("joint1.v=uniform:-1..{}")),
    "spread of to": scenario(ENSEMBLE.format("to1=uniform:{}")),
    "row of a spline": (SPLINE | {"way.csv": "t,q1,q2\n0,0,0\n1,{},0\n"}, ["simulate", "s.toml"]),
    "q of a motion": ({"m.csv": "0,{},0,0,0,0,0\n"}, MOTION),
    "v of a motion": ({"m.csv": "0,0,0,{},0,0,0\n"}, MOTION),
    "a of a motion": ({"m.csv": "0,0,0,0,0,{},0\n"}, MOTION),
    "from of a task": task("from = [{}, 0, 0]\nto = 0.5\n"),
    "to of a task": task("to = [{}, 0, 0]\n"),
    "--q": command("fk", "arm.toml", "--q", "{},0"),
    "--v": command("fk", "arm.toml", "--v", "{},0"),
    "--a": command("id", "arm.toml", "--a", "{},0"),
    "--q0": command("simulate", "arm.toml", "--q0", "{},0", *SHORT),
    "--v0": command("simulate", "arm.toml", "--v0", "{}", *SHORT),
    "--vary of simulate": command("simulate", "arm.toml", "--runs", "2", "--vary", "q=normal:{}", *SHORT),
    "--drive of loop": command("loop", "slider_crank", "--drive", "guide=-0.3..-{}", "--steps", "2"),
    "--range of select": command("select", "scara.toml", "--range", "joint1=0..{}"),
    "--vary of select": command("select", "scara.toml", "--vary", "link1.limits.upper=0.01..{}", "--steps", "2"),
}


class Units(CommandTest):
    def call(self, place, number):
        """Runs the command with the number in that place, in a folder with nothing else but the robots."""
        for name in os.listdir(self.folder):
            if os.path.isfile(self.path(name)):
                os.remove(self.path(name))
        self.write("arm.toml", ARM)
        self.write("scara.toml", SCARA)
        files, arguments = PLACES[place]
        for name, text in files.items():
            in_quotes = " " in number and not name.endswith(".csv") and "vary = " not in text
            quoted = f'"{number}"' if in_quotes else number
            self.write(name, text.format(quoted) if "{}" in text else text)
        return self.run_ulna(*(word.format(number) for word in arguments))

    def expect_refusal(self, place, number, words):
        with self.subTest(place):
            done = self.call(place, number)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertRegex(done.stderr, words)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_plain_numbers(self):
        for place in PLACES:
            with self.subTest(place):
                done = self.call(place, "0.02")
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_degrees_of_a_slide(self):
        for place in PLACES:
            said = r"[\d.]+ rad" if place == "--vary of select" else "-?10 deg"  # which is between its ends
            self.expect_refusal(place, "10 deg", f"error: .*: '(joint1|guide)' slides, and {said} is an angle; give metres$")

    def test_unknown_units(self):
        for place in PLACES:
            self.expect_refusal(place, "10 furlong", "error: .*: '-?10 furlong' is not a finite number; write 1.5, or 90 deg for an angle$")


if __name__ == "__main__":
    unittest.main()
