#!/usr/bin/env python3
"""Prints the polynomial coefficients of this package, lowest power first, and the error that each leaves.

A polynomial interpolates at Chebyshev nodes, which is within a small factor of the best one. The error printed is that of the
rounded coefficients in exact arithmetic, relative to the whole function that the polynomial is a part of. Needs mpmath 1.4.
"""
import struct

from mpmath import asin, atan, cbrt, cos, cosh, diff, erf, erfc, euler, exp, log, loggamma, lu_solve, matrix, mp, mpf, pi, sin, sinh, sqrt, tan, tanh

mp.prec = 700


def interpolate(f, lo, hi, n):
    nodes = [(lo + hi) / 2 + (hi - lo) / 2 * cos((2 * i + 1) * pi / (2 * n)) for i in range(n)]
    powers = matrix(n, n)
    for i, x in enumerate(nodes):
        for j in range(n):
            powers[i, j] = x**j
    return lu_solve(powers, matrix([f(x) for x in nodes]))


def horner(coefficients, x):
    p = mpf(0)
    for c in reversed(coefficients):
        p = p * x + mpf(c)
    return p


def show(name, n, lo, hi, f, share, single=False):
    """f(x) is approximated for lo <= x <= hi; share(x) is the part that f has in the whole function, relative to it."""
    c = [float(v) for v in interpolate(f, mpf(lo), mpf(hi), n)]
    if single:
        c = [struct.unpack("f", struct.pack("f", v))[0] for v in c]
    points = [lo + (mpf(hi) - lo) * (i + mpf("0.37")) / 200 for i in range(200)]
    worst = max(abs((horner(c, x) - f(x)) * share(x)) for x in points)
    print(f"{name}: error 2^{float(log(worst, 2)):.1f}\n  {', '.join(map(repr, c))}")


def show_weighted(name, n, lo, hi, f, share, center):
    """A polynomial in x - center by least squares, weighted anew where the error is large: for a share that changes much."""
    lo, hi, count = mpf(lo), mpf(hi), 6 * n
    points = [(lo + hi) / 2 + (hi - lo) / 2 * cos((2 * i + 1) * pi / (2 * count)) for i in range(count)]
    powers = [[(x - center) ** j for j in range(n)] for x in points]
    values, shares, weights = [f(x) for x in points], [share(x) for x in points], [mpf(1)] * count
    for _ in range(6):
        w = [weights[i] * shares[i] ** 2 for i in range(count)]
        normal = matrix(n, n)
        right = matrix(n, 1)
        for j in range(n):
            right[j] = sum(w[i] * powers[i][j] * values[i] for i in range(count))
            for k in range(n):
                normal[j, k] = sum(w[i] * powers[i][j] * powers[i][k] for i in range(count))
        c = lu_solve(normal, right)
        errors = [abs(shares[i] * (sum(c[j] * powers[i][j] for j in range(n)) - values[i])) for i in range(count)]
        weights = [weights[i] * (errors[i] / max(errors) + mpf("1e-6")) for i in range(count)]
        weights = [v / sum(weights) * count for v in weights]
    c = [float(v) for v in c]
    points = [lo + (hi - lo) * (i + mpf("0.37")) / 200 for i in range(200)]
    worst = max(abs((horner(c, x - center) - f(x)) * share(x)) for x in points)
    print(f"{name}: error 2^{float(log(worst, 2)):.1f}\n  {', '.join(map(repr, c))}")


def show_refitted(name, n, lo, hi, f, share, single=False):
    """As show_weighted, but each coefficient is rounded before those after it are fitted, which make up for its rounding."""
    lo, hi, count = mpf(lo), mpf(hi), 8 * n
    points = [(lo + hi) / 2 + (hi - lo) / 2 * cos((2 * i + 1) * pi / (2 * count)) for i in range(count)]
    values, shares = [f(x) for x in points], [share(x) for x in points]
    c = []
    for done in range(n):
        rest = [v - horner(c, x) for v, x in zip(values, points)]
        powers = [[x ** (done + j) for j in range(n - done)] for x in points]
        weights = [mpf(1)] * count
        for _ in range(25 if done == 0 else 6):
            w = [weights[i] * shares[i] ** 2 for i in range(count)]
            normal, right = matrix(n - done, n - done), matrix(n - done, 1)
            for j in range(n - done):
                right[j] = sum(w[i] * powers[i][j] * rest[i] for i in range(count))
                for k in range(n - done):
                    normal[j, k] = sum(w[i] * powers[i][j] * powers[i][k] for i in range(count))
            fitted = lu_solve(normal, right)
            errors = [abs(shares[i] * (sum(fitted[j] * powers[i][j] for j in range(n - done)) - rest[i])) for i in range(count)]
            weights = [weights[i] * (errors[i] / max(errors) + mpf("1e-4")) for i in range(count)]
            weights = [v / sum(weights) * count for v in weights]
        first = float(fitted[0])
        c.append(struct.unpack("f", struct.pack("f", first))[0] if single else first)
    points = [lo + (hi - lo) * (i + mpf("0.37")) / 300 for i in range(300)]
    worst = max(abs((horner(c, x) - f(x)) * share(x)) for x in points)
    print(f"{name}: error 2^{float(log(worst, 2)):.1f}\n  {', '.join(map(repr, c))}")


def show_rational(name, n, d, lo, hi, f):
    """f(x) to its relative error by n coefficients over 1 and d coefficients, by least squares weighted as in show_refitted."""
    count = 8 * (n + d)
    points = [(lo + hi) / 2 + (hi - lo) / 2 * cos((2 * i + 1) * pi / (2 * count)) for i in range(count)]
    values, weights, below = [f(x) for x in points], [mpf(1)] * count, [mpf(1)] * count
    for _ in range(40):
        rows = [[x**j / (v * b) for j in range(n)] + [-(x ** (j + 1)) / b for j in range(d)] for x, v, b in zip(points, values, below)]
        normal, right = matrix(n + d, n + d), matrix(n + d, 1)
        for j in range(n + d):
            right[j] = sum(w * row[j] / b for w, row, b in zip(weights, rows, below))
            for k in range(n + d):
                normal[j, k] = sum(w * row[j] * row[k] for w, row in zip(weights, rows))
        fitted = list(lu_solve(normal, right))
        quotient = lambda c, x: horner(c[:n], x) / horner([1] + c[n:], x)
        below = [horner([1] + fitted[n:], x) for x in points]
        errors = [abs(quotient(fitted, x) / v - 1) for x, v in zip(points, values)]
        weights = [w * (e / max(errors) + mpf("1e-4")) for w, e in zip(weights, errors)]
        weights = [w / sum(weights) * count for w in weights]
    c = [float(v) for v in fitted]
    worst = max(abs(quotient(c, x) / f(x) - 1) for x in [lo + (hi - lo) * (i + mpf("0.37")) / 300 for i in range(300)])
    print(f"{name}: error 2^{float(log(worst, 2)):.1f}\n  {', '.join(map(repr, c))}")


def odd(f, terms):
    """A function of z = x^2: what is left of f(x) after the given terms of its series, over the next power."""

    def rest(z):
        x = sqrt(z)
        return (f(x) - sum(c * x**p for p, c in terms)) / x ** (terms[-1][0] + 2)

    return rest


def filled(f):
    """f with its gap at 0 filled from beside it: the middle one of an odd number of nodes is there."""
    return lambda z: f(z if abs(z) > tiny else tiny)


half_ln2 = log(mpf(2)) / 2 * mpf("1.0001")
atanh_end = mpf("0.1716") ** 2
quarter = (pi / 4 * mpf("1.0001")) ** 2
tiny = mpf(10) ** -40  # the series are taken from here on: at 0 they would be 0/0


def atanh2(s):
    return log((1 + s) / (1 - s))


def erfc_scaled(t):
    x = mpf("3.5") * (1 + t) / (1 - t)
    return (1 + 2 * x) * exp(x * x) * erfc(x)


def erfc_root(x):
    return (erfc(x) ** (mpf(1) / 4) - 1 + x / (2 * sqrt(pi))) / x**2


def erfc_variable(x):
    return (mpf(x) - mpf("3.5")) / (mpf(x) + mpf("3.5"))


def stirling(w):
    x = 1 / sqrt(w)
    return (loggamma(x) - (x - mpf(1) / 2) * log(x) + x - log(2 * pi) / 2) * x


third, half = mpf(1) / 3, mpf(1) / 2
show_refitted("expRest", 10, -half_ln2, half_ln2, filled(lambda r: (exp(r) - 1 - r) / r**2), lambda r: r**2 / exp(r))
show_refitted("exp2Rest", 10, -half, half, lambda f: (2**f - 1 - f * mpf(float(log(mpf(2))))) / f**2, lambda f: f**2 / 2**f)
show("expCubic", 11, -half_ln2, half_ln2, filled(lambda r: (exp(r) - 1 - r - r**2 / 2) / r**3), lambda r: r**3 / exp(r))
show_refitted("logRest", 7, tiny, atanh_end, odd(atanh2, [(1, 2)]), lambda z: z / 2)
show_refitted("powTail", 7, mpf("1e-6"), atanh_end, odd(lambda s: atanh2(s) / 2, [(1, 1), (3, mpf(float(third)))]), lambda z: z**2)
show("atanhTail", 9, tiny, atanh_end, odd(atanh2, [(1, 2), (3, 2 * third)]), lambda z: z**2 / 2)
show("sinRest", 7, tiny, quarter, odd(sin, [(1, 1)]), lambda z: z)
show("cosRest", 7, tiny, quarter, odd(cos, [(0, 1), (2, -mpf(1) / 2)]), lambda z: z**2 / cos(sqrt(z)))
show("sinhOdd", 6, tiny, half_ln2**2, odd(sinh, [(1, 1)]), lambda z: z)
show("coshEven", 5, tiny, half_ln2**2, odd(cosh, [(0, 1), (2, mpf(1) / 2)]), lambda z: z**2)
show("asinOdd", 13, tiny, mpf(1) / 4, odd(asin, [(1, 1)]), lambda z: z)
show("tanhOdd", 12, tiny, mpf("0.625") ** 2, odd(tanh, [(1, 1)]), lambda z: z)
show("atanOdd", 13, tiny, mpf(1) / 4, odd(atan, [(1, 1)]), lambda z: z)
show_weighted("erfRoot", 25, 0, 6, erfc_root, lambda x: 4 * erfc(x) ** (mpf(3) / 4) * x**2 / erf(x), 0)
show("erfcTail", 23, -1, erfc_variable(28), lambda t: (erfc_scaled(t) - erfc_scaled(mpf(0))) / t, lambda t: t / erfc_scaled(t))
show("erfcSlope", 5, -1, erfc_variable(28), lambda t: diff(erfc_scaled, t) * (1 - t) / 7, lambda t: 1)
show_refitted("stirlingTail", 6, mpf(10) ** -14, 1 / mpf(81), lambda w: stirling(w) / log(mpf(2)), sqrt)
show_refitted("stirlingShort", 3, mpf(10) ** -14, 1 / mpf(81), lambda w: stirling(w) / log(mpf(2)), sqrt)
show_refitted("lgammaAt1Short", 7, -mpf(1) / 8, mpf(1) / 8, filled(lambda z: loggamma(1 + z) / z), lambda z: z / loggamma(1 + z))
show_refitted("lgammaAt2Short", 6, -mpf(1) / 8, mpf(1) / 8, filled(lambda z: loggamma(2 + z) / z), lambda z: z / loggamma(2 + z))
show("lgammaAt1", 15, -mpf(1) / 8, mpf(1) / 8, filled(lambda z: loggamma(1 + z) / z), lambda z: z / loggamma(1 + z))
show("lgammaAt2", 13, -mpf(1) / 8, mpf(1) / 8, filled(lambda z: loggamma(2 + z) / z), lambda z: z / loggamma(2 + z))
show("cbrtStart", 5, mpf(1) / 2, 1, cbrt, lambda m: 1 / cbrt(m))
show("sinShort", 4, tiny, quarter, odd(sin, [(1, 1)]), lambda z: z)
show("cosShort", 4, tiny, quarter, odd(cos, [(0, 1), (2, -mpf(1) / 2)]), lambda z: z**2)
show_rational("Tanf", 2, 2, tiny, quarter, lambda z: tan(sqrt(z)) / sqrt(z))
show("expm1Short", 7, -half_ln2, half_ln2, filled(lambda r: (exp(r) - 1) / r), lambda r: r / exp(r))
show_refitted("log1pShort", 3, tiny, atanh_end, odd(atanh2, [(1, 2)]), lambda z: z / 2)
show_refitted("log2Short", 5, tiny, atanh_end, lambda z: atanh2(sqrt(z)) / sqrt(z) / log(mpf(2)), lambda z: third)
show("asinShort", 7, tiny, mpf(1) / 4, odd(asin, [(1, 1)]), lambda z: z)
show("arctanShort", 12, tiny, 1, odd(atan, [(1, 1)]), lambda z: z)
show("hyperbolicShort, odd", 3, tiny, half_ln2**2, odd(sinh, [(1, 1)]), lambda z: z)
show("hyperbolicShort, even", 3, tiny, half_ln2**2, odd(cosh, [(0, 1), (2, mpf(1) / 2)]), lambda z: z**2)
show_weighted("erfRootShort", 13, 0, 4, erfc_root, lambda x: 4 * erfc(x) ** (mpf(3) / 4) * x**2 / erf(x), 0)
show("erfcShort", 14, erfc_variable(0), erfc_variable("10.5"), erfc_scaled, lambda t: 1 / erfc_scaled(t))
show_refitted("exp2Short", 6, -half, half, filled(lambda f: (2**f - 1) / f), lambda f: f / 2**f)
show_refitted("Expf", 5, -half_ln2, half_ln2, filled(lambda r: (exp(r) - 1 - r) / r**2), lambda r: r**2 / exp(r), single=True)
show_refitted("Exp2f", 6, -half, half, filled(lambda f: (2**f - 1) / f), lambda f: f / 2**f, single=True)
show_refitted("Cbrtf", 5, mpf("-.1103"), mpf(".0885"), filled(lambda d: (cbrt(1 + d) - 1) / d), lambda d: d, single=True)
show_refitted("Atanhf", 3, tiny, mpf("0.2004") ** 2, odd(lambda s: atanh2(s) / 2, [(1, 1)]), lambda z: z)
show_refitted("logRestf", 3, tiny, atanh_end, odd(atanh2, [(1, 2)]), lambda z: z / 2, single=True)


def pair(name, value):
    hi = mpf(float(value))
    mid = mpf(float(value - hi))
    print(f"{name}: {float(hi).hex()} {float(mid).hex()} {float(value - hi - mid).hex()}")


for name, value in {"log(2)": log(mpf(2)), "1/log(2)": 1 / log(mpf(2)), "1/log(10)": 1 / log(mpf(10)), "pi": +pi, "log(pi)": log(pi), "erfcStart": erfc_scaled(mpf(0)), "log2(2pi)/2-1/log(4)": (log(2 * pi) - 1) / log(mpf(4)), "gamma": +euler}.items():
    pair(name, value)
head = mpf(int(log(mpf(2)) * 2**32)) / 2**32
print("log(2) from 32 bits:", float(head).hex(), end=", then ")
pair("", log(mpf(2)) - head)
mp.prec = 1400
bits = int(2 / pi * mpf(2) ** 1280)
print("2/pi:", ", ".join(f"0x{bits >> (1280 - 64 * (i + 1)) & (2**64 - 1):016x}" for i in range(19)))
