"""A graph under construction: values are names, and each method adds one operator of ONNX.

A graph inside another, the step of a recurrence, may use the values of the one around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import GraphProto, NodeProto, TensorProto, helper, numpy_helper
from torch import Tensor

Value = str
OPSET = 18
INTEGER = TensorProto.INT64


class Graph:
    """Operators and constants in order; `number` is the floating-point type of the model."""

    def __init__(self, number: int, outer: Graph | None = None) -> None:
        self.number = number
        self.dtype = np.float64 if number == TensorProto.DOUBLE else np.float32
        self.nodes: list[NodeProto] = []
        self.root: Graph = self if outer is None else outer.root
        self.constants: list[TensorProto] = []  # of the root alone
        self.count = 0

    def name(self, what: str) -> Value:
        """A name that no other value has."""
        self.root.count += 1
        return f"{what}_{self.root.count}"

    def add(self, operator: str, *inputs: Value, **attributes: Any) -> Value:
        """An operator with one output."""
        return self.several(operator, inputs, 1, **attributes)[0]

    def several(self, operator: str, inputs: Sequence[Value], outputs: int, **attributes: Any) -> list[Value]:
        """An operator with several outputs."""
        names = [self.name(operator.lower()) for _ in range(outputs)]
        self.nodes.append(helper.make_node(operator, list(inputs), names, **attributes))
        return names

    def constant(self, array: NDArray[Any] | Sequence[Any], what: str = "constant") -> Value:
        """An array that is stored in the graph."""
        name = self.name(what)
        self.root.constants.append(numpy_helper.from_array(np.array(array, order="C"), name))
        return name

    def integers(self, *values: int) -> Value:
        """A constant of the graph: a vector of integers."""
        return self.constant(np.array(values, dtype=np.int64))

    def integer(self, value: int) -> Value:
        """A constant of the graph: one integer."""
        return self.constant(np.array(value, dtype=np.int64))

    def scalar(self, value: float) -> Value:
        """A constant of the graph: one number in the model's float type."""
        return self.constant(np.array(value, dtype=self.dtype))

    def weight(self, tensor: Tensor, what: str) -> Value:
        """A weight of the model, as stored."""
        array = tensor.detach().numpy()
        return self.constant(array.astype(self.dtype) if array.dtype.kind == "f" else array, what)

    def linear(self, x: Value, weight: Tensor, bias: Tensor | None = None) -> Value:
        """x [.., d] times weight [out, d], plus bias [out]."""
        y = self.add("MatMul", x, self.weight(weight.T, "weight"))
        return y if bias is None else self.add("Add", y, self.weight(bias, "bias"))

    def size(self, x: Value, axis: int) -> Value:
        """How long an axis is, as a vector of one integer."""
        return self.add("Shape", x, start=axis, end=axis + 1)

    def first(self, x: Value, count: Value, axis: int) -> Value:
        """The first `count` entries along an axis."""
        return self.add("Slice", x, self.integers(0), count, self.integers(axis))

    def columns(self, x: Value, start: int, stop: int) -> Value:
        """Columns start .. stop - 1 of the last axis."""
        return self.add("Slice", x, self.integers(start), self.integers(stop), self.integers(-1))

    def last(self, x: Value) -> Value:
        """x [b, n, d] at the last token, [b, 1, d]."""
        return self.add("Slice", x, self.integers(-1), self.integers(1 << 62), self.integers(1))

    def positions(self, n: Value) -> Value:
        """0, 1, .., n - 1, where n is a vector of one integer."""
        return self.add("Range", self.integer(0), self.add("Squeeze", n), self.integer(1))

    def to_number(self, x: Value) -> Value:
        """Integers or truth values as numbers of the model."""
        return self.add("Cast", x, to=self.number)

    def inner(self) -> Graph:
        """A graph that may use the values of this one."""
        return Graph(self.number, self)

    def body(self, what: str, inputs: Sequence[Value], outputs: Sequence[Value]) -> GraphProto:
        """This graph as the body of a loop; the types and shapes of its inputs and outputs are inferred."""
        into, out = ([helper.make_empty_tensor_value_info(name) for name in names] for names in (inputs, outputs))
        return helper.make_graph(self.nodes, what, into, out)
