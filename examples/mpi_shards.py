"""Sum gradients over the processes of MPI with allreduce, each with data of its own: mpirun -n 4 python mpi_shards.py."""

import numpy as np
from scipy.optimize import minimize

import s2sad

STEPS = 20


@s2sad.differentiate
def misfit(rates, doses, seen):
    """How far patients are from a model of a drug that goes from the gut into the blood, and out of it."""
    total = 0.0
    for i in range(len(doses)):
        gut, blood = doses[i], 0.0
        for k in range(STEPS):
            taken, gone = rates[0] * gut, rates[1] * blood
            gut -= 0.25 * taken
            blood += 0.25 * (taken - gone)
            total += (blood - seen[i, k]) ** 2
    return total


def patients(numbers):
    """Doses and measurements of some of the patients; each process asks for its own."""
    doses, seen = np.empty(len(numbers)), np.empty((len(numbers), STEPS))
    for i, number in enumerate(numbers):
        rng = np.random.default_rng(number)
        doses[i] = gut = rng.uniform(1.0, 3.0)
        blood = 0.0
        for k in range(STEPS):
            taken, gone = 0.9 * gut, 0.4 * blood
            gut -= 0.25 * taken
            blood += 0.25 * (taken - gone)
            seen[i, k] = blood + 0.01 * rng.standard_normal()
    return doses, seen


def main(count: int = 400) -> float:
    """The fit runs in every process alike; returns how far its last gradient is from the serial one, relatively."""
    from mpi4py import MPI

    world = MPI.COMM_WORLD
    mine = patients(range(world.rank, count, world.size))

    def summed(rates):
        value, gradient = misfit.value_and_grad(rates, *mine)
        own = np.array([value, *gradient])
        everyone = np.empty_like(own)
        world.Allreduce(own, everyone)
        return everyone[0], everyone[1:]

    rates = minimize(summed, np.array([0.5, 0.5]), jac=True, method="L-BFGS-B").x
    value, gradient = summed(np.array([0.5, 0.5]))
    alone = misfit.value_and_grad(np.array([0.5, 0.5]), *patients(range(count)))
    off = max(
        abs(value - alone[0]) / alone[0], np.max(np.abs(gradient - alone[1])) / np.max(np.abs(alone[1]))
    )
    if world.rank == 0:
        print(f"rates {np.round(rates, 3)} (true: 0.9, 0.4) by {world.size} processes")
        print(f"their sum and the serial gradient differ by {off:.1e}")
    return float(off)


if __name__ == "__main__":
    main()
