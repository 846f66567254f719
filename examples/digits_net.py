"""A small neural network that reads digits: plain loops over layers, matrix products, a gradient for all weights.

With scikit-learn installed these are its 8 x 8 digits; without it, noisy digits of a seven-segment display.
"""

import importlib.util
from itertools import pairwise

import numpy as np

from s2sad import value_and_grad

SEGMENTS = (
    "1110111",
    "0010010",
    "1011101",
    "1011011",
    "0111010",
    "1101011",
    "1101111",
    "1010010",
    "1111111",
    "1111011",
)


def loss(layers, x, labels):
    """The mean cross entropy, and how many rows of x are read correctly; layers are pairs of weights and biases."""
    h = x
    for weights, biases in layers[:-1]:
        h = np.tanh(h @ weights + biases)
    weights, biases = layers[-1]
    scores = h @ weights + biases
    total = 0.0
    right = 0
    for k in range(len(labels)):
        row = scores[k]
        top = np.max(row)
        total += top + np.log(np.sum(np.exp(row - top))) - row[labels[k]]
        right += np.argmax(row) == labels[k]
    return total / len(labels), right


loss_and_gradient = value_and_grad(loss, has_aux=True)


def digits() -> tuple[np.ndarray, np.ndarray]:
    """Pictures, one per row, and what they show."""
    if importlib.util.find_spec("sklearn"):
        from sklearn.datasets import load_digits

        found = load_digits()
        return found.data / 16.0, found.target
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 10, 1200)
    pictures = np.array([[float(c) for c in s] for s in SEGMENTS])[labels]
    return pictures + 0.25 * rng.standard_normal(pictures.shape), labels


def main(hidden: int = 24, epochs: int = 30) -> float:
    """Train on three quarters; returns the share of the rest that is read correctly."""
    rng = np.random.default_rng(1)
    x, labels = digits()
    cut = 3 * len(x) // 4
    sizes = (x.shape[1], hidden, 10)
    layers = tuple((rng.standard_normal((m, n)) / np.sqrt(m), np.zeros(n)) for m, n in pairwise(sizes))
    speed = tuple((np.zeros_like(w), np.zeros_like(b)) for w, b in layers)
    for epoch in range(epochs):
        for batch in np.array_split(rng.permutation(cut), cut // 50):
            (_, _), gradient = loss_and_gradient(layers, x[batch], labels[batch])
            for layer, velocity, slopes in zip(layers, speed, gradient, strict=True):
                for p, v, g in zip(layer, velocity, slopes, strict=True):
                    v *= 0.9
                    v -= 0.05 * g
                    p += v
        (value, right), _ = loss_and_gradient(layers, x[cut:], labels[cut:])
        if epoch % 5 == 4:
            print(
                f"epoch {epoch + 1}: {100 * right / len(x[cut:]):.1f} % of new digits right, loss {value:.3f}"
            )
    return right / len(x[cut:])


if __name__ == "__main__":
    main()
