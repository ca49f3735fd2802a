"""ulna bench: every way is there, with times that are numbers; what could not take part is said."""

import signal
import subprocess
import time
import unittest

from command import COMMAND, CommandTest


class Bench(CommandTest):
    def ways(self, *arguments):
        return self.ulna_json("bench", *arguments, "--seconds", "0.05")

    def test_an_arm(self):
        answer = self.ways("stanford")
        self.assertGreaterEqual(answer["rounds"], 3)
        names = {(way["of"], way["way"]) for way in answer["ways"]}
        for of, way in (("id", "newton_euler"), ("id", "denoc"), ("fd", "articulated_body"), ("fd", "homogeneous"),
                        ("gim", "composite_body"), ("id", "batch, generic")):
            self.assertIn((of, way), names)
        for way in answer["ways"]:
            low, high = way["quartiles"]
            self.assertTrue(0 < low <= way["ns"] <= high, way)
        # Each peer takes part in all, or a note says why not.
        for peer in ("KDL", "MuJoCo"):
            there = [of for of, name in names if name == peer]
            noted = any(note.startswith(peer + ": ") for note in answer["notes"])
            self.assertEqual(len(there), 0 if noted else 3, peer)

    def test_the_best_peer_is_once_itself(self):
        answer = self.ways("puma560")
        for of in ("id", "fd", "gim"):
            peers = [way["times_best_peer"] for way in answer["ways"] if way["of"] == of and way["peer"]]
            if peers:
                self.assertEqual(max(peers), 1.0)

    def test_what_peers_cannot_have_is_noted(self):
        answer = self.ways("satellite_arm")  # KDL has no floating base
        self.assertFalse([way for way in answer["ways"] if way["way"] == "KDL"])
        self.assertTrue([note for note in answer["notes"] if note.startswith("KDL: ")])

    def test_refusals(self):
        for robot, words in (("slider_crank", "closes a loop"), ("chain:2000", "bench takes up to 1000")):
            done = self.run_ulna("bench", robot)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)

    def test_interrupted(self):
        process = subprocess.Popen([COMMAND, "bench", "planar2r", "--seconds", "1000"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertTrue("newton_euler" in out or "nothing was measured" in err, out + err)


if __name__ == "__main__":
    unittest.main()
