"""Dynamic programs as data: what a user's own program imports."""

from separatrix.tasks.programs.dynamic_program import DynamicProgram
from separatrix.tasks.programs.expression import Expression, maximum, minimum, table, where
from separatrix.tasks.programs.places import cell, entry

__all__ = ["DynamicProgram", "Expression", "cell", "entry", "maximum", "minimum", "table", "where"]
