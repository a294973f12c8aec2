"""How wide the terminal is."""
import pytest


def width(config_or_terminal: pytest.Config | pytest.TerminalReporter, least: int = 0, most: int = 1000) -> int:
    """The columns of the terminal, within limits that stay readable."""
    config = getattr(config_or_terminal, "config", config_or_terminal)
    return max(least, min(config.get_terminal_writer().fullwidth, most))
