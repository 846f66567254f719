"""Fit a model to data in shards on the workers of a Dask cluster: their gradients add up to that of all the data."""

import numpy as np
from scipy.optimize import minimize

import s2sad

FEATURES = 5


def misfit(w, xs, ys):
    """Minus the log-likelihood of yes (1.0) or no (0.0) in a logistic model."""
    total = 0.0
    for i in range(len(ys)):
        score = w[FEATURES]
        for j in range(FEATURES):
            score += w[j] * xs[i, j]
        total += np.logaddexp(0.0, score) - ys[i] * score
    return total


def shard(seed, count):
    """One part of the data. It is made, or read, where it is needed."""
    rng = np.random.default_rng(seed)
    xs = rng.standard_normal((count, FEATURES))
    truth = np.linspace(-1.0, 1.0, FEATURES)
    return xs, (rng.random(count) < 1.0 / (1.0 + np.exp(-(xs @ truth)))).astype(float)


def main(shards: int = 8, count: int = 5000) -> float:
    """Fit in two worker processes; returns how far their first gradient is from the serial one, relatively."""
    from dask.distributed import Client, LocalCluster

    gradient = s2sad.value_and_grad(misfit)  # a pickle of it takes the function along
    parts = [shard(seed, count) for seed in range(shards)]
    xs, ys = (np.concatenate(column) for column in zip(*parts, strict=True))
    start = np.zeros(FEATURES + 1)
    alone = gradient(start, xs, ys)  # compiles it; the workers find the code on disk

    def of_shard(w, data):
        return gradient(w, *data)

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        data = client.map(shard, range(shards), count=count)  # stays where it is

        def summed(w):
            found = client.gather(client.map(of_shard, [w] * shards, data, pure=False))
            values, gradients = zip(*found, strict=True)
            return sum(values), np.sum(gradients, axis=0)

        value, together = summed(start)
        w = minimize(summed, start, jac=True, method="L-BFGS-B", options={"maxiter": 8}).x
    off = max(
        abs(value - alone[0]) / alone[0], np.max(np.abs(together - alone[1])) / np.max(np.abs(alone[1]))
    )
    print(f"weights {np.round(w, 2)} from {len(ys)} answers")
    print(f"the sum over {shards} shards and the serial gradient differ by {off:.1e}")
    return float(off)


if __name__ == "__main__":
    main()
