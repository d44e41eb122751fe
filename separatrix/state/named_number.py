"""A whole number together with its formula in words, so that formula and value always agree.

named("num_key_value_heads", 8) * named("head_dim", 128)    value 1024
                                                            text  num_key_value_heads * head_dim
                                                            figures  8 * 128
"""

from __future__ import annotations

from dataclasses import dataclass, replace

SUM, PRODUCT, ATOM = range(3)  # operators in order of increasing precedence


@dataclass(frozen=True)
class NamedNumber:
    """A number, its formula in the config's field names, and the formula in figures."""

    value: int
    text: str
    figures: str
    binding: int = ATOM
    notes: tuple[str, ...] = ()  # remarks on the fields, such as a default of the class

    @property
    def formula(self) -> str:
        """The formula in words and in figures."""
        return self.text if self.text == self.figures else f"{self.text} = {self.figures}"

    def noting(self, *notes: str) -> NamedNumber:
        """A copy of the number with further notes."""
        return replace(self, notes=_merged(self.notes, notes))

    def __mul__(self, other: NamedNumber) -> NamedNumber:
        return _joined(self, "*", other, self.value * other.value, PRODUCT)

    def __add__(self, other: NamedNumber) -> NamedNumber:
        return _joined(self, "+", other, self.value + other.value, SUM)

    def __sub__(self, other: NamedNumber) -> NamedNumber:
        return _joined(self, "-", other, self.value - other.value, SUM, tight=True)

    def __floordiv__(self, other: NamedNumber) -> NamedNumber:
        return _joined(self, "//", other, self.value // other.value, PRODUCT, tight=True)

    def __mod__(self, other: NamedNumber) -> NamedNumber:
        return _joined(self, "%", other, self.value % other.value, PRODUCT, tight=True)


def named(name: str, value: int) -> NamedNumber:
    """A number with the name under which formulas show it."""
    return NamedNumber(value, name, str(value))


def literal(value: int) -> NamedNumber:
    """A number that is written as itself."""
    return named(str(value), value)


def least(first: NamedNumber, second: NamedNumber) -> NamedNumber:
    """The smaller of two numbers."""
    return NamedNumber(
        min(first.value, second.value),
        f"min({first.text}, {second.text})",
        f"min({first.figures}, {second.figures})",
        notes=_merged(first.notes, second.notes),
    )


def product(*factors: NamedNumber) -> NamedNumber:
    """The product of all factors, written in this order."""
    result = factors[0]
    for factor in factors[1:]:
        result = result * factor
    return result


def total(*terms: NamedNumber) -> NamedNumber:
    """The sum of all terms; equal terms are written once, with their count."""
    counts: dict[tuple[str, str], tuple[NamedNumber, int]] = {}
    for term in terms:
        known, count = counts.get((term.text, term.figures), (term, 0))
        counts[term.text, term.figures] = (known, count + 1)
    parts = [term if count == 1 else literal(count) * term for term, count in counts.values()]
    result = parts[0] if parts else literal(0)
    for part in parts[1:]:
        result = result + part
    return result


def _joined(left: NamedNumber, sign: str, right: NamedNumber, value: int, binding: int, tight: bool = False) -> NamedNumber:
    """Two numbers with a sign between them. `tight` brackets a right side of the same binding: a - (b - c)."""
    floor_left = binding + 1 if sign in ("//", "%") else binding  # a * b // c reads better with brackets
    floor_right = binding + 1 if tight else binding
    return NamedNumber(
        value,
        f"{_bracketed(left.text, left.binding < floor_left)} {sign} {_bracketed(right.text, right.binding < floor_right)}",
        f"{_bracketed(left.figures, left.binding < floor_left)} {sign} {_bracketed(right.figures, right.binding < floor_right)}",
        binding if sign not in ("//", "%") else SUM,  # and so does (a // b) * c
        _merged(left.notes, right.notes),
    )


def _bracketed(text: str, inside: bool) -> str:
    return f"({text})" if inside else text


def _merged(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))
