"""An ensemble by the tasks of an array job: begin once, run in every task, collect once."""

import os
import sys

import ulna

plan = ulna.ensemble_plan("ur5_like", runs=int(os.environ.get("RUNS", "100000")), vary={"q": ulna.normal(deg=5)}, duration=2,
                          every=0.1, integrator="dp5", tolerance=1e-6, folder=os.environ.get("OUT", "array_out"),
                          resume=sys.argv[1] == "collect")
if sys.argv[1] == "begin":
    print(f"{len(plan.chunks())} chunks")
elif sys.argv[1] == "run":
    task, tasks = int(os.environ["SLURM_ARRAY_TASK_ID"]), int(os.environ["SLURM_ARRAY_TASK_COUNT"])
    computed = sum(chunk.run() for chunk in plan.share(task, tasks))
    print(f"task {task}: {computed} chunks computed")
else:
    plan.chunks()
    print(plan.collect()["counts"])
