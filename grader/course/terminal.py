"""How wide the terminal is."""
from typing import Any


def terminal_width(config_or_terminal: Any, least: int = 0, most: int = 1000) -> int:
    """The columns of the terminal, within limits that stay readable; pytest's config and its reporter both know it."""
    config = getattr(config_or_terminal, "config", config_or_terminal)
    return max(least, min(config.get_terminal_writer().fullwidth, most))
