"""The batch scripts of examples/cluster under Slurm: a controller and one node that this test starts, on loopback."""

import glob
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import unittest

from command import COMMAND, CommandTest

EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "cluster")
PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "scontrol", "sinfo"]
CONFIGURATION = """
ClusterName=ulna
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmctldPort={first}
SlurmdPort={second}
SlurmdParameters=config_overrides
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=1
MpiDefault=none
ReturnToService=2
SwitchType=switch/none
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName={host} NodeAddr=127.0.0.1 CPUs=64 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def missing():
    if os.geteuid() != 0:
        return "slurmd must be root"
    if os.environ.get("ULNA_MPIRUN") is None:
        return "this build has no MPI"
    absent = [name for name in PROGRAMS if shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin") is None]
    return f"Slurm is not installed: there is no {', '.join(absent)}" if absent else ""


@unittest.skipIf(missing(), missing())
class Slurm(CommandTest):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.cluster = temporary.name
        cls.addClassCleanup(cls.stop)
        for name in ("state", "spool", "munge"):
            os.makedirs(os.path.join(cls.cluster, name))
        os.chmod(cls.cluster + "/munge", 0o700)
        first, second = free_ports(2)
        with open(cls.cluster + "/munge/key", "wb") as file:
            file.write(os.urandom(1024))
        os.chmod(file.name, 0o400)
        with open(cls.cluster + "/slurm.conf", "w") as file:
            file.write(CONFIGURATION.format(host=socket.gethostname().split(".")[0], folder=cls.cluster, first=first, second=second))
        tools = os.path.dirname(COMMAND)
        cls.environment = {**os.environ, "SLURM_CONF": file.name, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                           "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PATH": f"{tools}:{os.environ['PATH']}:/usr/sbin",
                           "MPIRUN_FLAGS": "--oversubscribe --bind-to none --mca plm isolated --mca ras ^slurm -n 2"}  # fmt: skip
        munge = cls.cluster + "/munge/"
        cls.call("munged", "--force", f"--key-file={munge}key", f"--socket={munge}socket", f"--pid-file={munge}pid",
                 f"--log-file={munge}log", f"--seed-file={munge}seed")  # fmt: skip
        cls.call("slurmctld", "-f", file.name, "-c")
        cls.call("slurmd", "-f", file.name)
        until = time.monotonic() + 20
        while "idle" not in cls.call("sinfo", "-h", "-o", "%T") and time.monotonic() < until:
            time.sleep(0.1)

    @classmethod
    def call(cls, *command, cwd=None, **more):
        done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env={**cls.environment, **more}, timeout=60)
        if done.returncode != 0:
            raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    @classmethod
    def stop(cls):
        """What this test has started, by its own files."""
        for name in ("slurmd.pid", "slurmctld.pid", "munge/pid"):
            try:
                with open(os.path.join(cls.cluster, name)) as file:
                    process = int(file.read())
                os.kill(process, 15)
            except (OSError, ValueError):
                continue
            until = time.monotonic() + 10
            while os.path.exists(f"/proc/{process}") and time.monotonic() < until:
                time.sleep(0.02)

    def begin(self, *options, **more):
        return self.call("sbatch", "--parsable", "-o", "job-%j.log", *options, cwd=self.folder, **more).strip()

    def end_of(self, job):
        """Its state in the end, and what it said; sbatch --wait looks too seldom."""
        until = time.monotonic() + 60
        while True:
            states = set(re.findall(r"JobState=(\w+)", self.call("scontrol", "show", "job", job)))
            if not states & {"PENDING", "RUNNING", "COMPLETING", "CONFIGURING"}:
                break
            self.assertLess(time.monotonic(), until, states)
            time.sleep(0.1)
        said = ""
        for log in glob.glob(self.path("job-*.log")):
            with open(log) as file:
                said += file.read()
            os.remove(log)
        return states, said

    def expect_completed(self, *options, **more):
        states, said = self.end_of(self.begin(*options, **more))
        self.assertEqual(states, {"COMPLETED"}, said)
        return said

    def test_scripts_are_good_and_run(self):
        for script in sorted(glob.glob(EXAMPLES + "/*.sbatch")):
            self.assertIn("to start at", self.call("sbatch", "--test-only", script), script)
        small = {"SCENARIO": "ur5_like_scatter", "RUNS": "300", "OUT": "out"}
        said = self.expect_completed("--ntasks=2", EXAMPLES + "/ensemble.sbatch", **small)
        self.assertRegex(said, r"completed +300 of 300 runs")
        sweep = {"ROBOT": "planar2r", "VARY": "link1.a=0.5..1.5 link2.a=0.5..1.5", "STEPS": "30", "OUT": "designs"}
        self.assertIn("900 arms", self.expect_completed("--ntasks=2", EXAMPLES + "/sweep.sbatch", **sweep))
        with open(self.path("designs/select.json")) as file:
            self.assertEqual(json.load(file)["design"]["arms"], 900)

    def test_warned_before_the_time_limit_and_submitted_again(self):
        """scancel sends what --signal=B:USR1@60 sends."""
        long = {"SCENARIO": "ur5_like_scatter", "RUNS": "2000", "OUT": "long"}
        job = self.begin("--ntasks=2", EXAMPLES + "/ensemble.sbatch", **long)
        until = time.monotonic() + 30
        while len(glob.glob(self.path("long/ensemble.shards/*.h5"))) < 2 and time.monotonic() < until:
            time.sleep(0.02)
        self.call("scancel", "--batch", "--signal=USR1", job)
        states, said = self.end_of(job)
        self.assertEqual(states, {"FAILED"}, said)
        self.assertRegex(said, r"interrupted: \d+ of 2000 runs are finished")
        said = self.expect_completed("--ntasks=2", EXAMPLES + "/ensemble.sbatch", **long)
        self.assertRegex(said, r"completed +2000 of 2000 runs")

    @unittest.skipIf(os.environ.get("ULNA_PACKAGE") is None, "this build has no Python package")
    def test_an_array_of_tasks(self):
        script = os.path.abspath(EXAMPLES + "/ensemble_array.py")
        python = {"RUNS": "300", "OUT": "array", "SCRIPT": script, "PYTHONPATH": os.environ["ULNA_PACKAGE"],
                  "PATH": os.path.dirname(os.environ["ULNA_PYTHON"]) + ":" + self.environment["PATH"]}  # fmt: skip
        self.expect_completed("--ntasks=1", "--wrap", f"python3 {script} begin", **python)
        self.assertIn("chunks computed", self.expect_completed("--array=0-3", EXAMPLES + "/array.sbatch", **python))
        self.expect_completed("--ntasks=1", "--wrap", f"python3 {script} collect", **python)
        with open(self.path("array/run.json")) as file:
            self.assertEqual(json.load(file)["counts"]["completed"], 300)


if __name__ == "__main__":
    unittest.main()
