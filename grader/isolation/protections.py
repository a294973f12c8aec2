"""What graded code is kept from, in words."""

WORDS = {
    "process": "this process", "memory": "memory", "network": "the network",
    "filesystem": "files that this user can read",
}


def unprotected(protections: list[str]) -> str | None:
    """A line that lists the protections that a run did not have; None if it had all."""
    words = [text for name, text in WORDS.items() if name not in protections]
    return f"Not protected from the graded code: {', '.join(words)}." if words else None
