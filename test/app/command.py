"""What the tests of the `ulna` command share. The command's path comes in ULNA_COMMAND."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

COMMAND = os.environ["ULNA_COMMAND"]
SHARED = os.environ.get("ULNA_SHARED", "")


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return self.path(name)

    def shared_robot(self, name):
        """A published robot file, which is no part of this repository; the test is skipped, with a line, without it."""
        path = os.path.join(SHARED, "robots", name)
        if not os.path.exists(path):
            print(f"skipped: {self.id()} needs {path}, which is not there", file=sys.stderr)
            self.skipTest(f"{path} is not there")
        return path

    def run_ulna(self, *arguments, timeout=60, **options):
        return subprocess.run(
            [COMMAND, *map(str, arguments)], capture_output=True, text=True, errors="replace", cwd=self.folder, timeout=timeout, **options
        )

    def ulna(self, *arguments):
        """Runs, expects success, returns stdout."""
        done = self.run_ulna(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def ulna_json(self, *arguments):
        return json.loads(self.ulna(*arguments, "--json"))
