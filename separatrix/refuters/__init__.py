"""Refuters: models with weights against the bounds: their messages beside what a task needs, inputs that they must confuse."""
