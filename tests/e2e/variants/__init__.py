"""Every variant of the rule book played through the real service, and the records checked."""
