"""Vectors of numbers as one value in compiled code: a row of a head's state is updated by one instruction.

numba leaves vector code to LLVM's loop vectoriser, which for inner loops of 16 numbers asks first whether arrays overlap, and so gains
nothing. Here the vectors are explicit: 64 bytes each, which LLVM splits where registers are narrower. Imported by kernels only.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from llvmlite import ir
from numba import extending, types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import overload, register_model

BYTES = 64
intrinsic: Any = extending.intrinsic  # numba declares that it takes the first argument, `typing`, from the caller too
FUSED = ("contract",)  # a product and its sum may be one instruction


class Lanes(types.Type):
    """As many numbers as fit into BYTES bytes, handled at once."""

    def __init__(self, dtype: Any) -> None:
        self.dtype, self.count = dtype, BYTES * 8 // dtype.bitwidth
        super().__init__(name=f"Lanes({dtype})")


@register_model(Lanes)
class LanesModel(models.PrimitiveModel):
    """How numba stores lanes: as one LLVM vector."""

    def __init__(self, manager: Any, lanes: Lanes) -> None:
        number = ir.FloatType() if lanes.dtype.bitwidth == 32 else ir.DoubleType()
        super().__init__(manager, lanes, ir.VectorType(number, lanes.count))


@intrinsic
def load(typing, array, at):  # noqa: ARG001
    """The numbers from place `at` on of contiguous memory."""
    lanes = Lanes(array.dtype)

    def code(context, builder, signature, arguments):
        return builder.load(_pointer(context, builder, signature, arguments, lanes), align=array.dtype.bitwidth // 8)

    return lanes(array, types.intp), code


@intrinsic
def store(typing, array, at, lanes):  # noqa: ARG001
    """Into the places from `at` on."""

    def code(context, builder, signature, arguments):
        builder.store(arguments[2], _pointer(context, builder, signature, arguments, lanes), align=array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), code


@intrinsic
def fetch(typing, array, at):  # noqa: ARG001
    """Bring what lies from place `at` on into the cache; any place is allowed."""

    def code(context, builder, signature, arguments):
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        pointer = builder.bitcast(_pointer(context, builder, signature, arguments, Lanes(array.dtype)), byte)
        declared = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        called = cgutils.get_or_insert_function(builder.module, declared, "llvm.prefetch.p0")
        builder.call(called, [pointer, number(0), number(3), number(1)])  # to read, to stay, data
        return context.get_dummy_value()

    return types.void(array, types.intp), code


def _pointer(context: Any, builder: Any, signature: Any, arguments: Any, lanes: Lanes) -> Any:
    memory = context.make_array(signature.args[0])(context, builder, arguments[0])
    vector = context.get_value_type(lanes)
    return builder.bitcast(builder.gep(memory.data, [arguments[1]]), vector.as_pointer())


@intrinsic
def spread(typing, number):  # noqa: ARG001
    """One number in every place."""
    lanes = Lanes(number)

    def code(context, builder, signature, arguments):  # noqa: ARG001
        vector = context.get_value_type(lanes)
        first = builder.insert_element(ir.Constant(vector, ir.Undefined), arguments[0], ir.Constant(ir.IntType(32), 0))
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), lanes.count), [0] * lanes.count)
        return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), everywhere)

    return lanes(number), code


@intrinsic
def total(typing, lanes):  # noqa: ARG001
    """The sum of all places, in any order."""

    def code(context, builder, signature, arguments):  # noqa: ARG001
        vector, number = context.get_value_type(lanes), context.get_value_type(lanes.dtype)
        name = f"llvm.vector.reduce.fadd.v{lanes.count}f{lanes.dtype.bitwidth}"
        declared = ir.FunctionType(number, [number, vector])
        added = cgutils.get_or_insert_function(builder.module, declared, name)
        return builder.call(added, [ir.Constant(number, 0.0), arguments[0]], fastmath=("reassoc",))

    return lanes.dtype(lanes), code


@intrinsic
def exponential(typing, lanes):  # noqa: ARG001
    """e^x = 2^i e^y with the Taylor series of e^y, |y| <= ln(2)/2, to the last place of the numbers; x is held within their range.

    ln 2 is taken in two parts, of which i times the first is exact.
    """
    short = lanes.dtype.bitwidth == 32
    mantissa, bias, end, terms = (23, 127, 87.0, 8) if short else (52, 1023, 708.0, 14)
    high, low = (0.693359375, -2.12194440e-4) if short else (0.693147180369123816490, 1.90821492927058770002e-10)  # ln 2

    def code(context, builder, signature, arguments):  # noqa: ARG001
        vector = context.get_value_type(lanes)
        integer = ir.VectorType(ir.IntType(lanes.dtype.bitwidth), lanes.count)

        def every(value: float, kind: Any = vector) -> Any:
            return ir.Constant(kind, [value] * lanes.count)

        def times(a: Any, b: Any) -> Any:
            return builder.fmul(a, b, flags=FUSED)

        (x,) = arguments
        for side, bound in (("<", -end), (">", end)):  # what is not a number passes
            x = builder.select(builder.fcmp_ordered(side, x, every(bound)), every(bound), x)
        name = f"llvm.rint.v{lanes.count}f{lanes.dtype.bitwidth}"
        nearest = cgutils.get_or_insert_function(builder.module, ir.FunctionType(vector, [vector]), name)
        i = builder.call(nearest, [times(x, every(1 / math.log(2)))])
        y = builder.fsub(x, times(i, every(high)), flags=FUSED)
        y = builder.fsub(y, times(i, every(low)), flags=FUSED)
        p = every(1 / math.factorial(terms - 1))
        for k in range(terms - 2, -1, -1):
            p = builder.fadd(times(p, y), every(1 / math.factorial(k)), flags=FUSED)
        whole = builder.fptosi(i, ir.VectorType(ir.IntType(32), lanes.count))
        power = whole if short else builder.sext(whole, integer)
        return times(p, builder.bitcast(builder.shl(builder.add(power, every(bias, integer)), every(mantissa, integer)), vector))

    return lanes(lanes), code


@intrinsic
def _quotient(typing, a, b):  # noqa: ARG001
    return a(a, b), lambda context, builder, signature, arguments: builder.fdiv(*arguments, flags=FUSED)  # noqa: ARG005


@intrinsic
def _sum(typing, a, b):  # noqa: ARG001
    return a(a, b), lambda context, builder, signature, arguments: builder.fadd(*arguments, flags=FUSED)  # noqa: ARG005


@intrinsic
def _difference(typing, a, b):  # noqa: ARG001
    return a(a, b), lambda context, builder, signature, arguments: builder.fsub(*arguments, flags=FUSED)  # noqa: ARG005


@intrinsic
def _product(typing, a, b):  # noqa: ARG001
    return a(a, b), lambda context, builder, signature, arguments: builder.fmul(*arguments, flags=FUSED)  # noqa: ARG005


@overload(operator.add)
def _add(a, b):
    return (lambda a, b: _sum(a, b)) if isinstance(a, Lanes) and isinstance(b, Lanes) else None  # noqa: PLW0108


@overload(operator.sub)
def _subtract(a, b):
    return (lambda a, b: _difference(a, b)) if isinstance(a, Lanes) and isinstance(b, Lanes) else None  # noqa: PLW0108


@overload(operator.mul)
def _multiply(a, b):
    """Two vectors place by place, or a number and a vector."""
    if not isinstance(b, Lanes):
        return None
    return (lambda a, b: _product(a, b)) if isinstance(a, Lanes) else (lambda a, b: _product(spread(a), b))  # noqa: PLW0108


@overload(operator.truediv)
def _divide(a, b):
    return (lambda a, b: _quotient(a, b)) if isinstance(a, Lanes) and isinstance(b, Lanes) else None  # noqa: PLW0108
