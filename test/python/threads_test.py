"""Threads, processes and memory."""

import multiprocessing
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from conftest import states

import ulna


def test_one_model_in_many_threads(arm):
    q, v, x = states(arm, 200)
    want = [arm.inverse_dynamics(q[k], v[k], x[k]) for k in range(200)]
    batch = arm.forward_dynamics(q, v, x)

    def work(k):
        np.testing.assert_array_equal(arm.inverse_dynamics(q[k % 200], v[k % 200], x[k % 200]), want[k % 200])
        if k % 50 == 0:
            np.testing.assert_array_equal(arm.forward_dynamics(q, v, x), batch)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(4000)))


def test_the_gil_is_free_meanwhile(arm):
    """Another thread counts while a long batch computes; on a busy machine it may have to wait in some tries."""
    q, v, x = (np.resize(part, (400_000, 7)) for part in states(arm, 50))
    arm.forward_dynamics(q[:10], v[:10], x[:10], threads=1)

    def counted_meanwhile():
        counted, stop = [0], threading.Event()

        def count():
            while not stop.is_set():
                counted[0] += 1
                time.sleep(0)

        thread = threading.Thread(target=count)
        thread.start()
        began = counted[0]
        arm.forward_dynamics(q, v, x, threads=1)
        during = counted[0] - began
        stop.set()
        thread.join()
        return during

    assert any(counted_meanwhile() > 100 for _ in range(8))


def gravity_of(task):
    model, q = task
    return model.gravity(q)


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_models_go_to_processes(arm, start):
    q, v, x = (np.resize(part, (3000, 7)) for part in states(arm, 20))
    want = arm.gravity(q)  # before the fork threads have begun
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(start)) as pool:
        for got in pool.map(gravity_of, [(arm, q), (arm, q)], timeout=120):
            np.testing.assert_array_equal(got, want)


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def test_memory_is_flat(arm):
    q, v, x = (part[0] for part in states(arm, 1))
    rows = np.tile(q, (5, 1))

    def calls(count):
        for _ in range(count):
            arm.inverse_dynamics(q, v, x)
            arm.coriolis_matrix(rows, v)
            arm.pose(q, "link3")
            arm.jacobian(rows, reference="own_axes")
            arm.forward_dynamics_derivatives(q, v, x)
            arm.bias(q, v)
            arm.inverse_dynamics(q.tolist(), v, x, wrench={"link3": v[:6]})
            try:
                arm.gravity(q[:3])
            except ValueError:
                pass

    calls(1000)
    before = resident()
    calls(100_000)
    assert resident() - before < 4e6  # a lost array of seven numbers per call would be 15 MB


def test_runs_leave_nothing_behind():
    arm = ulna.load("planar2r")
    for _ in range(20):
        ulna.simulate(arm, duration=1.0, every=1e-3, drive=lambda t, q, v: -v, integrator="rk4", step=1e-2)
    before = resident()
    for _ in range(60):
        ulna.simulate(arm, duration=1.0, every=1e-3, drive=lambda t, q, v: -v, integrator="rk4", step=1e-2)
    assert resident() - before < 8e6  # one run's samples are 0.3 MB


ENDING = """
import threading, time, numpy as np, ulna
arm = ulna.load("panda_like")
rows = np.zeros((5000, 7))
def repeat(call):
    while True:
        call()
work = {work}
threading.Thread(target=work, daemon=True).start()
time.sleep(0.15)
"""


@pytest.mark.parametrize("work", ["lambda: ulna.simulate(arm, duration=1e5)",
                                  "lambda: ulna.simulate(arm, duration=1e5, drive=lambda t, q, v: -v)",
                                  "lambda: ulna.ensemble(arm, runs=1000, vary='q=normal:1deg', duration=1000, every=1000)",
                                  "lambda: repeat(lambda: arm.inverse_dynamics(rows, rows, rows))"])
def test_the_process_ends_while_a_thread_computes(work):
    done = subprocess.run([sys.executable, "-c", ENDING.format(work=work)], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("call", ["lambda: ulna.load('chain:80').constraint_force_matrices(np.zeros(80))",
                                  "lambda: ulna.load('chain:20000').check()",
                                  "lambda: ulna.load('chain:120').spatial_operator_matrices(np.zeros(120), np.zeros(120))"])
def test_the_gil_is_free_in_long_calls(call):
    """The longest time for which another thread does not come on is a part of the call: in one of some tries, because on a busy
    machine any thread may have to wait. With the GIL held it would be the whole call in each of them."""
    work = eval(call)

    def longest_stop():
        stops, stop = [0.0], threading.Event()

        def beat():
            last = time.monotonic()
            while not stop.is_set():
                time.sleep(0.001)
                stops.append(time.monotonic() - last)
                last = time.monotonic()

        thread = threading.Thread(target=beat)
        thread.start()
        began = time.monotonic()
        work()
        took = time.monotonic() - began
        stop.set()
        thread.join()
        return max(stops) / took

    assert any(longest_stop() < 0.5 for _ in range(8))
