"""`ulna reproduce`: verdicts, files, refusals."""

import json
import os
import signal
import subprocess
import time
import unittest

from command import COMMAND, CommandTest

PAPERS = ["000", "001", "002", "003", "004"]


class Reproduce(CommandTest):
    def test_fast_book_of_all(self):
        document = self.ulna_json("reproduce", "all", "--fast")
        self.assertEqual([paper["paper"] for paper in document["papers"]], PAPERS)
        claims = [(paper["paper"], claim) for paper in document["papers"] for section in paper["sections"]
                  for claim in section["claims"]]
        for paper, claim in claims:
            with self.subTest(paper=paper, where=claim["where"], what=claim["what"]):
                self.assertIn(claim["verdict"], ["agrees", "misprint", "not determinable"], claim)
                self.assertTrue(claim["printed"] and claim["where"] and claim["what"])
                if claim["verdict"] != "agrees":
                    self.assertTrue(claim["why"])
                if claim["verdict"] == "misprint":
                    self.assertRegex(claim["why"], r"Erratum \d\.\d+")
        for paper in PAPERS:
            self.assertGreater(sum(one == paper for one, _ in claims), 8)
        self.assertEqual(sorted(os.listdir(self.path("reproduce"))), ["book.html", "reproduce.json"])
        with open(self.path("reproduce/reproduce.json")) as file:
            self.assertEqual(json.load(file), document)
        with open(self.path("reproduce/book.html")) as file:
            page = file.read()
        self.assertGreater(page.count("<svg"), 40)
        for paper, claim in claims:
            self.assertIn(claim["verdict"], page)

    def test_errata_are_those_of_the_list(self):
        """Every erratum that a claim cites is in doc/errata.md."""
        source = os.path.join(os.path.dirname(__file__), "..", "..", "doc", "errata.md")
        with open(source) as file:
            known = {line.split("|")[1].strip().rstrip("*") for line in file if line.startswith("|")}
        document = self.ulna_json("reproduce", "all", "--fast")
        for paper in document["papers"]:
            for section in paper["sections"]:
                for claim in section["claims"]:
                    if claim["verdict"] == "misprint":
                        self.assertIn(claim["why"].split(":")[0].split()[1], known, claim)

    def test_one_paper_and_its_words(self):
        said = self.ulna("reproduce", "saha2001", "--fast", "-o", "book")
        self.assertEqual(self.ulna_json("reproduce", "000", "--fast", "-o", "other")["papers"][0]["key"], "saha2001")
        self.assertRegex(said, r"misprint +Table I, n = 6 +A of Walker and Orin +480 +475")
        self.assertRegex(said, r"\d+ agree, \d+ misprints, \d+ not determinable, 0 differ")
        self.assertIn("book in book/book.html", said)

    def test_refusals(self):
        done = self.run_ulna("reproduce", "005")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("004", done.stderr)
        self.assertFalse(os.path.exists(self.path("reproduce")))

    def test_interrupted(self):
        process = subprocess.Popen([COMMAND, "reproduce", "all"], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        while not os.path.exists(self.path("reproduce")) and process.poll() is None:
            time.sleep(0.01)  # the folder is made when it begins
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, error)
        self.assertIn("interrupted", error)
        with open(self.path("reproduce/reproduce.json")) as file:
            papers = json.load(file)["papers"]
        # one is cut short, or those behind the last are missing
        self.assertFalse(len(papers) == 5 and all(paper["complete"] for paper in papers), papers)


if __name__ == "__main__":
    unittest.main()
