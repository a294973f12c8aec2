"""Other right answers."""
