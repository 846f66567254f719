"""What s2sad writes: the adjoint of a small loop, as text."""

from s2sad import differentiate


@differentiate
def pendulum(angle, speed, h, steps):
    """The energy of a pendulum after some steps of the Euler-Cromer method."""
    for _ in range(steps):
        speed -= h * angle
        angle += h * speed
    return 0.5 * speed * speed + 0.5 * angle * angle


def main() -> str:
    """Print the adjoint, and return it."""
    text = pendulum.emit("adjoint")
    print(text)
    return text


if __name__ == "__main__":
    main()
