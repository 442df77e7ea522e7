"""Records in files: reading them, checking them, showing them."""
