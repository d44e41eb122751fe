"""What the atlas shows, read from files: certificates with the checker's verdict, and stored records."""
