"""Reads the content of the atlas from files: certificates with the checker's verdict, and stored records."""
