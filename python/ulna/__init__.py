"""Dynamics of robot arms.

>>> import numpy as np, ulna
>>> arm = ulna.load("panda_like")
>>> q, v, a = np.zeros(7), np.zeros(7), np.zeros(7)
>>> tau = arm.inverse_dynamics(q, v, a)      # (7,), or (N, 7) for arrays of (N, 7)

ulna.robots() and ulna.scenarios() list what is bundled. SI units, radians, angular parts first; doc/python.md has the
names of C++, of the command and of this package side by side.
"""

from ._core import InputError, Model, OptimalControl, Scenario, Stepper, __version__, instruction_set, lqr
from ._drives import (Drive, Law, Motion, computed_torque, constant, cosine, cycloid, free, hold, normal, pd, playback, quintic,
                      spline, trapezoid, uniform)
from ._ensembles import Ensemble, ensemble
from ._models import check, load, methods, robot, robots
from ._plans import Chunk, EnsemblePlan, ensemble_plan
from ._runs import Column, Run, Table, simulate
from ._scenarios import repeated_scenario, scenario, scenarios, to_dict
from ._studies import (Book, Code, Comparison, DesignSweep, Sweep, codegen, count, deg, design_sweep, inverse_dynamics_of_motion,
                       papers, read, reproduce, select, size, sweep)

__all__ = [
    "Book", "Chunk", "Code", "Column", "Comparison", "DesignSweep", "Drive", "Ensemble", "EnsemblePlan", "InputError", "Law", "Model",
    "Motion", "OptimalControl", "Run", "Scenario", "Stepper", "Sweep", "Table", "__version__", "check", "codegen", "computed_torque", "constant",
    "cosine", "count", "cycloid", "deg", "design_sweep", "ensemble", "ensemble_plan", "free", "hold", "instruction_set",
    "inverse_dynamics_of_motion", "load", "lqr", "methods", "normal", "papers", "pd", "playback", "quintic", "read",
    "repeated_scenario", "reproduce", "robot", "robots", "scenario", "scenarios", "select", "simulate", "size", "spline", "sweep",
    "to_dict", "trapezoid", "uniform",
]
