"""The ledger: every fact once, with its evidence. `bounds`, `plan`, `language`, the map and the pages of the atlas read it."""
