"""Forgeries: functions that build a false document, and its neighbours, from parameters. None may be accepted."""
