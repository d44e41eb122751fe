"""The published site: documentation, API reference and atlas as one static folder. `make site` writes it."""
