"""Words and numbers in bytes, for the kernels of the text readers.

Every line ends with a newline, so that the loops need no bounds checks: a newline stops each of them.

A decimal `m * 10**e` of at most 18 digits is exact where both parts are exact doubles; otherwise the
product is taken in double-double arithmetic (106 bits) and believed only where the error bound leaves
no other double possible.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from nearly.base.jit import kernel, light_kernel

U0, U1 = np.uint64(0), np.uint64(1)
SPACE, TAB, RETURN, NEWLINE, COMMA, MINUS, PLUS, DOT, SMALL_E, LARGE_E = 32, 9, 13, 10, 44, 45, 43, 46, 101, 69
DIGITS = np.uint64(18)  # ten to this fits a signed 64-bit number
LARGEST_POWER = 270  # beyond it, double-double products come near overflow or the subnormal numbers

# what the third column was seen to hold, as bits
FRACTION, BEYOND_UINT32, BEYOND_FLOAT32 = 1, 2, 4


def _powers_of_ten() -> tuple[np.ndarray, np.ndarray]:
    """10**e for |e| <= LARGEST_POWER as sums of two doubles."""
    exact = [Fraction(10) ** e for e in range(-LARGEST_POWER, LARGEST_POWER + 1)]
    high = [float(x) for x in exact]
    return np.array(high), np.array([float(x - Fraction(h)) for x, h in zip(exact, high)])


_HIGH, _LOW = _powers_of_ten()
_EXACT_POWER = 22  # 10**22 is the largest power of ten that is a double
_EXACT_WHOLE = 2**53
_SPLIT = 134217729.0  # 2**27 + 1, halves a double's digits
_BOUND = 2.0**-95  # relative error of the product below, generously


@light_kernel
def blank(c):
    return c in (SPACE, TAB, RETURN)


@light_kernel
def ends_word(c):
    return c in (SPACE, TAB, RETURN, NEWLINE, COMMA)


@light_kernel
def skip_blanks(data, p):
    while blank(data[p]):
        p += U1
    return p


@light_kernel
def skip_separator(data, p):
    """Past blanks with at most one comma among them."""
    p = skip_blanks(data, p)
    if data[p] == COMMA:
        p = skip_blanks(data, p + U1)
    return p


@light_kernel
def skip_word(data, p):
    while not ends_word(data[p]):
        p += U1
    return p


@light_kernel
def next_line(data, p):
    while data[p] != NEWLINE:
        p += U1
    return p + U1


@light_kernel
def whole_number(data, p):
    """A whole number at `p`: its value, where it ends, and whether it is one of at most 18 digits."""
    start = p
    value = np.int64(0)
    c = np.int64(data[p]) - 48
    while c >= 0 and c <= 9 and p - start < DIGITS:
        value = value * 10 + c
        p += U1
        c = np.int64(data[p]) - 48
    return value, p, p > start and (c < 0 or c > 9)


@light_kernel
def decimal_number(data, p, signed):
    """A decimal number at `p`: its nearest double, where it ends, whether that is certain, what kind it is."""
    negative = data[p] == MINUS
    if negative:
        if not signed:
            return 0.0, p, False, 0
        p += U1
    mantissa, digits, dropped, power = np.int64(0), U0, 0, 0
    seen_digit, seen_dot, kind = False, False, 0
    while True:
        c = np.int64(data[p])
        if c >= 48 and c <= 57:
            seen_digit = True
            if digits < DIGITS:
                mantissa = mantissa * 10 + (c - 48)
                digits += np.uint64(mantissa > 0)
                power -= seen_dot
            else:
                dropped |= c != 48
                power += not seen_dot
        elif c == DOT and not seen_dot:
            seen_dot = True
            kind = FRACTION
        else:
            break
        p += U1
    if seen_digit and c in (SMALL_E, LARGE_E):
        exponent, p, seen_digit = _exponent(data, p + U1)
        power += exponent
        kind = FRACTION
    value, sure = _scaled(mantissa, power, dropped)
    if kind == 0 and (negative or value > 4294967295.0):
        kind = BEYOND_UINT32
    if value > 16777216.0:
        kind |= BEYOND_FLOAT32
    return -value if negative and value > 0 else value, p, seen_digit and sure and ends_word(data[p]), kind


@kernel
def _exponent(data, p):
    sign = 1
    if data[p] == MINUS or data[p] == PLUS:
        sign = -1 if data[p] == MINUS else 1
        p += U1
    value, p, fine = whole_number(data, p)
    return sign * min(value, 10000), p, fine


@kernel
def _scaled(mantissa, power, dropped):
    """`mantissa * 10**power` as a double, and whether no other double can be nearer.

    `dropped` says that more digits followed, so that the mantissa may be up to one more.
    """
    if mantissa == 0 and not dropped:
        return 0.0, True
    if not dropped and mantissa <= _EXACT_WHOLE and power >= -_EXACT_POWER and power <= _EXACT_POWER:
        if power < 0:
            return float(mantissa) / _HIGH[LARGEST_POWER - power], True
        return float(mantissa) * _HIGH[LARGEST_POWER + power], True
    if power < -LARGEST_POWER or power > LARGEST_POWER:
        return 0.0, False
    value, tail = _product(mantissa, _HIGH[LARGEST_POWER + power], _LOW[LARGEST_POWER + power])
    error = value * _BOUND
    upper = tail + error
    if dropped:
        upper += _HIGH[LARGEST_POWER + power] * (1.0 + _BOUND)
    return value, value + upper == value and value + (tail - error) == value


@kernel
def _product(whole, high, low):
    """`whole * (high + low)` as a double and what is left over (Dekker's product, no fused operations needed)."""
    a = float(whole)
    rest = float(whole - np.int64(a))
    p = a * high
    t = _SPLIT * a
    a_high = t - (t - a)
    a_low = a - a_high
    t = _SPLIT * high
    b_high = t - (t - high)
    b_low = high - b_high
    slip = ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low
    tail = slip + (a * low + rest * high)
    value = p + tail
    return value, tail - (value - p)
