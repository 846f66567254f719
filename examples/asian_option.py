"""All the Greeks of an Asian option in one reverse sweep over its simulated paths, beside a closed form."""

import math

import numpy as np

from s2sad import differentiate

SPOT, VOLATILITY, RATE, STRIKE, YEARS = 100.0, 0.25, 0.03, 95.0, 1.0


@differentiate(argnums=(0, 1, 2))
def price(spot, volatility, rate, strike, years, normals, geometric):
    """The mean discounted payoff over paths (rows of `normals`): how far their average ends above the strike."""
    paths, dates = normals.shape
    dt = years / dates
    drift = (rate - 0.5 * volatility * volatility) * dt
    total = 0.0
    for k in range(paths):
        log_price = np.log(spot)
        average = 0.0
        for j in range(dates):
            log_price += drift + volatility * np.sqrt(dt) * normals[k, j]
            average += log_price if geometric else np.exp(log_price)
        average /= dates
        total += max((np.exp(average) if geometric else average) - strike, 0.0)
    return np.exp(-rate * years) * total / paths


@differentiate(argnums=(0, 1, 2), jit=False)
def closed_form(spot, volatility, rate, strike, years, dates):
    """The price on the geometric average, which is lognormal: Kemna and Vorst, J. of Banking and Finance 14 (1990)."""
    mean_time = 0.5 * years * (1.0 + 1.0 / dates)
    log_mean = math.log(spot) + (rate - 0.5 * volatility**2) * mean_time
    spread = volatility * math.sqrt(years * (dates + 1.0) * (2.0 * dates + 1.0) / (6.0 * dates**2))
    d = (log_mean - math.log(strike)) / spread
    above = 0.5 * math.erfc(-(d + spread) / math.sqrt(2.0)) * math.exp(log_mean + 0.5 * spread**2)
    return math.exp(-rate * years) * (above - strike * 0.5 * math.erfc(-d / math.sqrt(2.0)))


def main(paths: int = 20_000) -> float:
    """Print price, delta, vega and rho; returns the largest relative error of the geometric ones."""
    normals = np.random.default_rng(0).standard_normal((paths, 12))
    normals = np.concatenate((normals, -normals))
    market = (SPOT, VOLATILITY, RATE, STRIKE, YEARS)
    rows = {
        "arithmetic average": price.value_and_grad(*market, normals, False),
        "geometric average": price.value_and_grad(*market, normals, True),
        "  in closed form": closed_form.value_and_grad(*market, 12),
    }
    print(f"{'':<20}{'price':>9}{'delta':>9}{'vega':>9}{'rho':>9}")
    for name, (value, greeks) in rows.items():
        print(f"{name:<20}{value:9.4f}" + "".join(f"{g:9.4f}" for g in greeks))
    estimate, exact = (np.array((v, *g)) for v, g in (rows["geometric average"], rows["  in closed form"]))
    return float(np.max(np.abs(estimate / exact - 1.0)))


if __name__ == "__main__":
    main()
