"""Vectors of numbers as one value in compiled code: a row of a head's state is updated by one instruction.

numba leaves vector code to LLVM's loop vectoriser, which for inner loops of 16 numbers asks first whether arrays overlap, and so gains
nothing. Here the vectors are explicit: 64 bytes each, which LLVM splits where registers are narrower. Imported by kernels only.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import extending, njit, types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import overload, register_model

BYTES = 64
intrinsic: Any = extending.intrinsic  # numba declares that it takes the first argument, `typing`, from the caller too
FUSED = ("contract",)  # a product and its sum may be one instruction


class Lanes(types.Type):
    """As many numbers as BYTES hold."""

    def __init__(self, dtype: Any) -> None:
        self.dtype, self.count = dtype, BYTES * 8 // dtype.bitwidth
        super().__init__(name=f"Lanes({dtype})")


@register_model(Lanes)
class LanesModel(models.PrimitiveModel):
    """One value of LLVM."""

    def __init__(self, manager: Any, lanes: Lanes) -> None:
        number = ir.FloatType() if lanes.dtype.bitwidth == 32 else ir.DoubleType()
        super().__init__(manager, lanes, ir.VectorType(number, lanes.count))  # type: ignore[no-untyped-call]


@intrinsic
def load(typing, array, at):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """The numbers from place `at` on of contiguous memory."""
    lanes = Lanes(array.dtype)

    def code(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.load(_pointer(context, builder, signature, arguments, lanes), align=array.dtype.bitwidth // 8)

    return lanes(array, types.intp), code


@intrinsic
def store(typing, array, at, lanes):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Into the places from `at` on."""

    def code(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        builder.store(arguments[2], _pointer(context, builder, signature, arguments, lanes), align=array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), code


def _pointer(context: Any, builder: Any, signature: Any, arguments: Any, lanes: Lanes) -> Any:
    memory = context.make_array(signature.args[0])(context, builder, arguments[0])
    vector = context.get_value_type(lanes)
    return builder.bitcast(builder.gep(memory.data, [arguments[1]]), vector.as_pointer())


@intrinsic
def spread(typing, number):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """One number in every place."""
    lanes = Lanes(number)

    def code(context, builder, signature, arguments):  # type: ignore[no-untyped-def]  # noqa: ARG001
        vector = context.get_value_type(lanes)
        first = builder.insert_element(ir.Constant(vector, ir.Undefined), arguments[0], ir.Constant(ir.IntType(32), 0))
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), lanes.count), [0] * lanes.count)
        return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), everywhere)

    return lanes(number), code


@intrinsic
def total(typing, lanes):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """The sum of all places, in any order."""

    def code(context, builder, signature, arguments):  # type: ignore[no-untyped-def]  # noqa: ARG001
        vector, number = context.get_value_type(lanes), context.get_value_type(lanes.dtype)
        name = f"llvm.vector.reduce.fadd.v{lanes.count}f{lanes.dtype.bitwidth}"
        declared = ir.FunctionType(number, [number, vector])
        added = cgutils.get_or_insert_function(builder.module, declared, name)  # type: ignore[no-untyped-call]
        return builder.call(added, [ir.Constant(number, 0.0), arguments[0]], fastmath=("reassoc",))

    return lanes.dtype(lanes), code


@intrinsic
def _sum(typing, a, b):  # type: ignore[no-untyped-def]  # noqa: ARG001
    return a(a, b), lambda context, builder, signature, arguments: builder.fadd(*arguments, flags=FUSED)  # noqa: ARG005


@intrinsic
def _difference(typing, a, b):  # type: ignore[no-untyped-def]  # noqa: ARG001
    return a(a, b), lambda context, builder, signature, arguments: builder.fsub(*arguments, flags=FUSED)  # noqa: ARG005


@intrinsic
def _product(typing, a, b):  # type: ignore[no-untyped-def]  # noqa: ARG001
    return a(a, b), lambda context, builder, signature, arguments: builder.fmul(*arguments, flags=FUSED)  # noqa: ARG005


@overload(operator.add)
def _add(a, b):  # type: ignore[no-untyped-def]
    return (lambda a, b: _sum(a, b)) if isinstance(a, Lanes) and isinstance(b, Lanes) else None  # noqa: PLW0108


@overload(operator.sub)
def _subtract(a, b):  # type: ignore[no-untyped-def]
    return (lambda a, b: _difference(a, b)) if isinstance(a, Lanes) and isinstance(b, Lanes) else None  # noqa: PLW0108


@overload(operator.mul)
def _multiply(a, b):  # type: ignore[no-untyped-def]
    """Two vectors place by place, or a number and a vector."""
    if not isinstance(b, Lanes):
        return None
    return (lambda a, b: _product(a, b)) if isinstance(a, Lanes) else (lambda a, b: _product(spread(a), b))  # noqa: PLW0108


@njit(cache=True, nogil=True, forceinline=True)
def load_some(array, at, count, spare):  # type: ignore[no-untyped-def]
    """The first `count` places from `at` on, and 0 in the others; `spare` is zeros for one vector."""
    if count == spare.shape[0]:
        return load(array, at)
    for j in range(count):
        spare[j] = array[at + j]
    return load(spare, 0)


@njit(cache=True, nogil=True, forceinline=True)
def store_some(array, at, count, spare, lanes):  # type: ignore[no-untyped-def]
    """The first `count` places alone."""
    if count == spare.shape[0]:
        store(array, at, lanes)
    else:
        store(spare, 0, lanes)
        for j in range(count):
            array[at + j] = spare[j]
        for j in range(count, spare.shape[0]):
            spare[j] = 0
