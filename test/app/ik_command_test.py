"""`ulna ik`: what it prints and what it refuses; poses are checked by `ulna fk`."""

import json
import math
import unittest

from command import CommandTest


TWO_LINKS = """title = "two links"
dh = "standard"
[[link]]
joint = "revolute"
a = 0.5
mass = 1
r = [0.25, 0, 0]
inertia = [0, 0.02, 0.02]
[[link]]
joint = "revolute"
a = 0.5
mass = 1
r = [0.25, 0, 0]
inertia = [0, 0.02, 0.02]
limits = { lower = "-100 deg", upper = "100 deg" }
"""
SECOND_LINK = TWO_LINKS[TWO_LINKS.rindex("[[link]]"):]


class Ik(CommandTest):
    def position(self, robot, q, *options):
        return self.ulna_json("fk", robot, "--q", ",".join(map(repr, q)), *options)["position"]

    def assert_close(self, a, b, places=5):
        for x, y in zip(a, b, strict=True):
            self.assertAlmostEqual(x, y, places=places)

    def test_a_pose(self):
        found = self.ulna_json("ik", "panda_like", "--position", "0.4,0.1,0.5", "--rpy", "180deg,0,45deg")
        self.assertTrue(found["solved"])
        at = self.ulna_json("fk", "panda_like", "--q", ",".join(map(repr, found["q"])))
        self.assert_close(at["position"], [0.4, 0.1, 0.5])
        half = math.sqrt(0.5)
        for got, want in zip(at["rotation"], [[half, half, 0], [half, -half, 0], [0, 0, -1]]):
            self.assert_close(got, want)
        same = self.ulna_json("ik", "panda_like", "--position", "0.4,0.1,0.5", "--quaternion", "0.9238795325,0.3826834324,0,0")
        self.assertTrue(same["solved"])

    def test_parts(self):
        q = self.ulna_json("ik", "ur5_like", "--position", "0.3,0.2,0.4")["q"]
        self.assert_close(self.position("ur5_like", q), [0.3, 0.2, 0.4])
        q = self.ulna_json("ik", "ur5_like", "--position", "0.3,0.2,0.4", "--along", "0,0,-1")["q"]
        at = self.ulna_json("fk", "ur5_like", "--q", ",".join(map(repr, q)))
        self.assert_close([row[2] for row in at["rotation"]], [0, 0, -1])
        q = self.ulna_json("ik", "ur5_like", "--position", "0,0,0.4", "--rpy", "0,0,0", "--weights", "0,0,1,0,0,0")["q"]
        self.assertAlmostEqual(self.position("ur5_like", q)[2], 0.4, places=5)
        q = self.ulna_json("ik", "panda_like", "--position", "0.3,0.2,0.6", "--also", "link4=0.0,0.08,0.64", "--position-tolerance", "0.1")
        self.assertIn("q", q)

    def test_preferences(self):
        pose = ["--position", "0.4,0.1,0.5", "--rpy", "180deg,0,0", "--start", "0,0,0,-90deg,0,90deg,0"]
        found = {p: self.ulna_json("ik", "panda_like", *pose, "--prefer", p)["q"] for p in ("near", "middle", "manipulability", "gravity")}
        start = [0, 0, 0, -math.pi / 2, 0, math.pi / 2, 0]
        way = {p: sum((a - b) ** 2 for a, b in zip(q, start)) for p, q in found.items()}
        self.assertEqual(min(way, key=way.get), "near")

    def test_all_postures(self):
        found = self.ulna_json("ik", "puma560", "--position", "0.4,0.2,0.3", "--rpy", "0,90deg,0", "--all")
        self.assertEqual(len(found["postures"]), 8)
        self.assertTrue(found["closed_form"])
        for q in found["postures"]:
            self.assert_close(self.position("puma560", q), [0.4, 0.2, 0.3])
        self.assertIn("8 postures, in closed form", self.ulna("ik", "puma560", "--position", "0.4,0.2,0.3", "--rpy", "0,90deg,0", "--all"))
        elbow = self.ulna_json("ik", "planar2r", "--position", "1,0.5,0", "--weights", "1,1,0,0,0,0", "--all")["postures"]
        self.assertEqual(len(elbow), 2)
        family = self.ulna("ik", "panda_like", "--position", "0.4,0.1,0.5", "--rpy", "180deg,0,0", "--all", "--samples", "4")
        self.assertIn("family", family)

    def test_out_of_reach(self):
        done = self.run_ulna("ik", "panda_like", "--position", "0,0,5")
        self.assertEqual(done.returncode, 1)
        self.assertIn("reason: the lengths of the links", done.stdout)
        pose = ["puma560", "--position", "0,0,5", "--rpy", "0,0,0"]
        all_of_none = self.run_ulna("ik", *pose, "--all")
        self.assertEqual(all_of_none.returncode, 1)
        self.assertEqual(all_of_none.stdout, self.run_ulna("ik", *pose).stdout)
        answers = [json.loads(self.run_ulna("ik", *pose, *more, "--json").stdout) for more in ([], ["--all"])]
        self.assertEqual(answers[1], {**answers[0], "postures": []})
        self.assertIn("so far away", self.run_ulna("ik", "panda_like", "--position", "1e200,0,0").stderr)

    def test_a_family_where_the_targets_parts_say_the_same(self):
        """A planar arm cannot change its height: of three numbers two count, and three joints have one to spare."""
        whole = ["planar3r", "--position", "1,0.5,0", "--all", "--samples", "6"]
        found = self.ulna_json("ik", *whole)
        self.assertEqual((found["spare"], found["cut"]), (1, False))
        self.assertLess(found["family"][-1] + 1, len(found["postures"]))
        self.assertEqual(found["family"], self.ulna_json("ik", *whole, "--weights", "1,1,0,0,0,0")["family"])
        for q in found["postures"]:
            self.assert_close(self.position("planar3r", q), [1, 0.5, 0])
        many = self.ulna("ik", "panda_like", "--position", "0.4,0.1,0.5", "--all", "--samples", "6")
        self.assertIn("6 postures out of infinitely many, with 4 motions to spare, by search", many)

    def test_families_end_at_limits(self):
        """Three links of a planar arm move with the tip in place until a joint stands at its limit, or all the way round."""
        with open(self.path("three.toml"), "w", encoding="utf-8") as file:
            file.write(TWO_LINKS + SECOND_LINK)
        found = self.ulna_json("ik", "three.toml", "--position", "1.1,0.2,0", "--all", "--samples", "50")
        for family in set(found["family"]):
            curve = [q for q, k in zip(found["postures"], found["family"]) if k == family]
            if all(abs(a - b) < 0.1 for a, b in zip(curve[0], curve[-1])):
                continue  # all the way round
            for q in (curve[0], curve[-1]):
                self.assertLess(min(math.radians(100) - abs(x) for x in q[1:]), 0.002, q)

    def test_closed_loops(self):
        found = self.ulna_json("ik", "five_bar", "--position", "0.05,-0.6,0")
        self.assertTrue(found["solved"])
        q = ",".join(repr(x) for x in found["q"])
        for got, want in zip(self.ulna_json("fk", "five_bar", "--q", q)["position"], [0.05, -0.6, 0]):  # fk refuses open loops
            self.assertAlmostEqual(got, want, places=6)
        far = self.run_ulna("ik", "five_bar", "--position", "3,0,0")
        self.assertEqual(far.returncode, 1)
        self.assertIn("the lengths of the links", far.stdout)

    def page(self, *arguments, code=0):
        done = self.run_ulna("ik", *arguments, "--report", "ik.html")
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn("pictures in ik.html", done.stdout)
        with open(self.path("ik.html"), encoding="utf-8") as file:
            text = file.read()
        self.assertNotIn("nan", text.lower())
        for outside in ("<script", "src=", "url(", "href=\"http"):
            self.assertNotIn(outside, text)
        return text

    def test_pages(self):
        pose = ["puma560", "--position", "0.4,0.2,0.3", "--rpy", "0,90deg,0"]
        page = self.page(*pose, "--all")
        self.assertEqual(page.count("<svg"), 8)
        for q in self.ulna_json("ik", *pose, "--all")["postures"]:
            for x in q:
                self.assertIn(f">{x:.5f}<" if abs(x) > 5e-6 else ">", page)
        page = self.page("panda_like", "--position", "0.4,0.1,0.5", "--rpy", "180deg,0,0", "--all", "--samples", "12")
        self.assertIn("<h2 id=\"part1\">Family 1</h2>", page)
        self.assertIn("joints along the family", page)
        one = self.page(*pose)
        self.assertEqual(one.count("<svg"), 3)
        self.assertIn("Reached", one)
        far = self.page("panda_like", "--position", "0,0,5", code=1)
        self.assertIn("Not reached: the lengths of the links", far)
        self.assertIn("Not reached", self.page("puma560", "--position", "0,0,5", "--rpy", "0,0,0", "--all", code=1))
        self.assertEqual(self.page("five_bar", "--position", "0.05,-0.6,0").count("<svg"), 3)

    def test_a_page_says_what_its_numbers_are(self):
        """Manipulability of two links is l1 l2 |sin q2|; ways to limits are parts of the joint's range."""
        with open(self.path("arm.toml"), "w", encoding="utf-8") as file:
            file.write(TWO_LINKS)
        page = self.page("arm.toml", "--position", "0.5,0.5,0", "--weights", "1,1,0,0,0,0", "--all")
        self.assertEqual(page.count("<svg"), 2)
        # Links of 0.5 m: the tip is at a right angle, q2 = ±90°, of a range of ±100°.
        self.assertIn(">0.25<", page)
        self.assertIn("5.0 % to joint2 upper", page)
        self.assertIn("5.0 % to joint2 lower", page)

    def test_wrong_input(self):
        for arguments, words in (
            (["panda_like"], "nothing to reach"),
            (["panda_like", "--position", "0.4,0.1,0.5", "--all", "--prefer", "near"], "--prefer"),
            (["panda_like", "--position", "0.4,0.1,0.5", "--all", "--start", "0,0,0,-1,0,1,0"], "--start"),
            (["panda_like", "--position", "0.4,0.1,0.5", "--samples", "4"], "--all"),
            (["panda_like", "--position", "1,2"], "--position has 2 numbers"),
            (["panda_like", "--position", "1,2,nan"], "not a finite number"),
            (["panda_like", "--position", "1,2,90deg"], "--position"),
            (["panda_like", "--quaternion", "1,1,0,0"], "length 1.414"),
            (["panda_like", "--along", "0,0,0"], "no direction"),
            (["panda_like", "--position", "0,0,1", "--frame", "nose"], "no link or frame 'nose'"),
            (["panda_like", "--position", "0,0,1", "--also", "link4"], "FRAME=x,y,z"),
            (["panda_like", "--position", "0,0,1", "--also", "link4=1,2"], "2 numbers"),
            (["panda_like", "--position", "0,0,1", "--start", "1,2"], "--start has 2 numbers"),
            (["panda_like", "--position", "0,0,1", "--prefer", "best"], "best"),
            (["panda_like", "--position", "0,0,1", "--weights", "0,0,0,0,0,0"], "all weights"),
            (["panda_like", "--position", "0,0,1", "--weights", "-1,0,0,0,0,0"], "weight"),
            (["four_bar", "--position", "0,0,1", "--all"], "closed loops"),
            (["four_bar", "--position", "0,0,1", "--prefer", "gravity"], "closed loops"),
        ):
            done = self.run_ulna("ik", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
