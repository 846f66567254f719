"""Rows: special functions of `scipy.special`, and the ones of `math` whose slopes need them.

Compiled code calls SciPy's own compiled functions (`s2sad_runtime.special`), so that values are SciPy's to the last
bit. Slopes: NIST Digital Library of Mathematical Functions, chapters 5 (gamma), 6 (exponential integrals), 7 (error
functions), 8 (incomplete gamma and beta) and 10 (Bessel). A slope "unknown" is one that nobody has a formula for: who
wants to differentiate for that operand is refused.
"""

from __future__ import annotations

from s2sad.ops.row import ABOVE_MINUS_ONE, POSITIVE, REAL, UNIT, WHOLE, Domain, Op

PROBABILITY = Domain("between 0 and 1", 0.05, 0.95)
BETWEEN = Domain("between 0 and 2", 0.1, 1.9)


def _op(
    name: str, params: str, *d: str, domain: Domain | tuple[Domain, ...] = REAL, guarded: bool = False, also: str = "",
    names: tuple[str, ...] = (), why: str = "",
) -> Op:  # fmt: skip
    call = ", ".join(f"{{{p}}}" for p in params.split())
    names = (*(f"scipy.special.{n}" for n in (name, *also.split())), *names)
    y = f"special.{name}({call})"
    return Op(
        f"special.{name}", params, y=y, scalar=y, d=d, domain=domain, names=names, cost="dear",
        guarded=guarded, why=why, result="double",
    )  # fmt: skip


GAUSS = (
    _op("erf", "x", "1.1283791670955126 * exp(-(x * x))", why="2 / sqrt(pi)"),
    _op("erfc", "x", "-1.1283791670955126 * exp(-(x * x))", why="-2 / sqrt(pi)"),
    _op("erfcx", "x", "2.0 * x * y - 1.1283791670955126"),
    _op("erfi", "x", "1.1283791670955126 * exp(x * x)"),
    _op("dawsn", "x", "1.0 - 2.0 * x * y"),
    _op("erfinv", "x", "0.886226925452758 * exp(y * y)", domain=UNIT, guarded=True, why="sqrt(pi) / 2"),
    _op("erfcinv", "x", "-0.886226925452758 * exp(y * y)", domain=BETWEEN, guarded=True),
    _op("ndtr", "x", "0.3989422804014327 * exp(-0.5 * x * x)", why="1 / sqrt(2 pi)"),
    _op("log_ndtr", "x", "0.3989422804014327 * exp(-0.5 * x * x - y)"),
    _op("ndtri", "p", "2.5066282746310002 * exp(0.5 * y * y)", domain=PROBABILITY, guarded=True,
        why="sqrt(2 pi)"),
)  # fmt: skip

GAMMA = (
    _op("gamma", "x", "y * special.psi(x)", domain=POSITIVE),
    _op("gammaln", "x", "special.psi(x)", domain=POSITIVE),
    _op("loggamma", "x", "special.psi(x)", domain=POSITIVE),
    _op("rgamma", "x", "-y * special.psi(x)", domain=POSITIVE),
    _op("gammasgn", "x", domain=POSITIVE),
    _op("psi", "x", "special.polygamma(1, x)", domain=POSITIVE, also="digamma"),
    _op("polygamma", "n x", "unknown", "special.polygamma(n + 1, x)", domain=(WHOLE, POSITIVE)),
    _op("beta", "a b", "y * (special.psi(a) - special.psi(a + b))", "y * (special.psi(b) - special.psi(a + b))",
        domain=POSITIVE),
    _op("betaln", "a b", "special.psi(a) - special.psi(a + b)", "special.psi(b) - special.psi(a + b)",
        domain=POSITIVE),
    _op("binom", "n k", "y * (special.psi(n + 1.0) - special.psi(n - k + 1.0))",
        "y * (special.psi(n - k + 1.0) - special.psi(k + 1.0))", domain=(Domain("> k", 4.0, 8.0), POSITIVE)),
    _op("poch", "z m", "y * (special.psi(z + m) - special.psi(z))", "y * special.psi(z + m)", domain=POSITIVE),
    _op("gammainc", "a x", "unknown", "exp((a - 1.0) * log(x) - x - special.gammaln(a))", domain=POSITIVE,
        guarded=True),
    _op("gammaincc", "a x", "unknown", "-exp((a - 1.0) * log(x) - x - special.gammaln(a))", domain=POSITIVE,
        guarded=True),
    _op("betainc", "a b x", "unknown", "unknown",
        "exp((a - 1.0) * log(x) + (b - 1.0) * log1p(-x) - special.betaln(a, b))",
        domain=(POSITIVE, POSITIVE, PROBABILITY), guarded=True),
    _op("stdtr", "df x", "unknown",
        "exp(special.gammaln(0.5 * (df + 1.0)) - special.gammaln(0.5 * df) - 0.5 * (df + 1.0) * log1p(x * x / df))"
        " / sqrt(3.141592653589793 * df)", domain=(POSITIVE, REAL)),
    Op("gamma", "x", y="math.gamma({x})", d=("y * special.psi(x)",), domain=POSITIVE, cost="dear",
       names=("math.gamma",)),
    Op("lgamma", "x", y="math.lgamma({x})", d=("special.psi(x)",), domain=POSITIVE, cost="dear",
       names=("math.lgamma",)),
)  # fmt: skip

LOGISTIC = (
    _op("expit", "x", "y * special.expit(-x)", why="1 - y, where that is small too"),
    _op("log_expit", "x", "special.expit(-x)"),
    _op("logit", "p", "1.0 / (p * (1.0 - p))", domain=PROBABILITY, guarded=True),
    _op("xlogy", "x v", "log(v)", "x / v", domain=(REAL, POSITIVE), guarded=True),
    _op("xlog1py", "x v", "log1p(v)", "x / (1.0 + v)", domain=(REAL, ABOVE_MINUS_ONE), guarded=True),
    _op("entr", "x", "-log(x) - 1.0", domain=POSITIVE, guarded=True),
    _op("rel_entr", "x v", "log(x / v) + 1.0", "-x / v", domain=POSITIVE, guarded=True),
    _op("kl_div", "x v", "log(x / v)", "1.0 - x / v", domain=POSITIVE, guarded=True),
    _op("huber", "delta r", "where(abs(r) <= delta, 0.0, abs(r) - delta)",
        "where(abs(r) <= delta, r, delta * sign(r))", domain=(POSITIVE, REAL)),
    _op("exp10", "x", "2.302585092994046 * y", why="log(10)"),
    _op("exp2", "x", "0.6931471805599453 * y", why="log(2)"),
    _op("expm1", "x", "exp(x)"),
    _op("log1p", "x", "1.0 / (1.0 + x)", domain=ABOVE_MINUS_ONE, guarded=True),
    _op("cbrt", "x", "1.0 / (3.0 * y * y)", domain=POSITIVE, guarded=True),
    _op("exp1", "x", "-exp(-x) / x", domain=POSITIVE, guarded=True),
    _op("expi", "x", "exp(x) / x", domain=POSITIVE, guarded=True),
    _op("spence", "x", "where(x == 1.0, -1.0, log(x) / (1.0 - x))", domain=POSITIVE, guarded=True),
)  # fmt: skip

BESSEL = (
    _op("j0", "x", "-special.j1(x)"),
    _op("j1", "x", "0.5 * (special.j0(x) - special.jv(2, x))"),
    _op("jv", "v x", "unknown", "0.5 * (special.jv(v - 1, x) - special.jv(v + 1, x))", domain=(WHOLE, POSITIVE),
        also="jn"),
    _op("y0", "x", "-special.y1(x)", domain=POSITIVE, guarded=True),
    _op("y1", "x", "0.5 * (special.y0(x) - special.yn(2, x))", domain=POSITIVE, guarded=True),
    _op("yn", "n x", "unknown", "0.5 * (special.yn(n - 1, x) - special.yn(n + 1, x))", domain=(WHOLE, POSITIVE),
        guarded=True),
    _op("yv", "v x", "unknown", "0.5 * (special.yv(v - 1, x) - special.yv(v + 1, x))", domain=(WHOLE, POSITIVE),
        guarded=True),
    _op("i0", "x", "special.i1(x)", names=("np.i0",)),
    _op("i1", "x", "0.5 * (special.i0(x) + special.iv(2, x))"),
    _op("iv", "v x", "unknown", "0.5 * (special.iv(v - 1, x) + special.iv(v + 1, x))", domain=(WHOLE, POSITIVE)),
    _op("i0e", "x", "special.i1e(x) - sign(x) * y"),
    _op("i1e", "x", "0.5 * (special.i0e(x) + special.ive(2, x)) - sign(x) * y"),
    _op("ive", "v x", "unknown", "0.5 * (special.ive(v - 1, x) + special.ive(v + 1, x)) - sign(x) * y",
        domain=(WHOLE, POSITIVE)),
    _op("k0", "x", "-special.k1(x)", domain=POSITIVE, guarded=True),
    _op("k1", "x", "-0.5 * (special.k0(x) + special.kv(2, x))", domain=POSITIVE, guarded=True),
    _op("kv", "v x", "unknown", "-0.5 * (special.kv(v - 1, x) + special.kv(v + 1, x))", domain=(WHOLE, POSITIVE),
        guarded=True),
    _op("kve", "v x", "unknown", "y - 0.5 * (special.kve(v - 1, x) + special.kve(v + 1, x))",
        domain=(WHOLE, POSITIVE), guarded=True),
)  # fmt: skip

ROWS = GAUSS + GAMMA + LOGISTIC + BESSEL
