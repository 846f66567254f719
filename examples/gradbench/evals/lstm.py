"""A recurrent network, LSTM with diagonal weights, that predicts a text bit by bit: its loss and the gradient."""

import numpy as np

from evals.task import Task, array
from s2sad import differentiate


def sigmoid(x):
    """A smooth step from 0 to 1."""
    return 1.0 / (1.0 + np.exp(-x))


@differentiate(argnums=(0, 1))
def loss(main, extra, start, text):
    """The mean loss over a text.

    main   weights and biases, two rows per layer: of the gates forget, in, out, and of the change, one after another
    extra  three rows: weights of the input, weights and biases of the output
    start  hidden and cell state, two rows per layer
    text   one character per row, its bits as numbers
    """
    characters, bits = text.shape
    layers = len(main) // 2
    state = start.copy()
    value = np.empty(bits)
    total = 0.0
    for t in range(characters - 1):
        for i in range(bits):
            value[i] = text[t, i] * extra[0, i]
        for layer in range(layers):
            w, b = main[2 * layer], main[2 * layer + 1]
            hidden, cell = state[2 * layer], state[2 * layer + 1]
            for i in range(bits):
                forget = sigmoid(value[i] * w[i] + b[i])
                ingate = sigmoid(hidden[i] * w[bits + i] + b[bits + i])
                outgate = sigmoid(value[i] * w[2 * bits + i] + b[2 * bits + i])
                change = np.tanh(hidden[i] * w[3 * bits + i] + b[3 * bits + i])
                cell[i] = cell[i] * forget + ingate * change
                hidden[i] = outgate * np.tanh(cell[i])
                value[i] = hidden[i]
        norm = 2.0
        for i in range(bits):
            value[i] = value[i] * extra[1, i] + extra[2, i]
            norm += np.exp(value[i])
        log_norm = np.log(norm)
        for i in range(bits):
            total += text[t + 1, i] * (value[i] - log_norm)
    return -total / (bits * (characters - 1))


def read(given):
    """Parameters, state, text."""
    return tuple(array(given[name]) for name in ("main_params", "extra_params", "state", "sequence"))


TASKS = {
    "objective": Task(loss, read),
    "jacobian": Task(loss.grad, read, lambda pair: np.concatenate([part.ravel() for part in pair])),
}
