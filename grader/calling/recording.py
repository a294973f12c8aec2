"""The recording of one call: what it computes, step by step."""
from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

from grader.calling.loading import load_module, own_lines
from grader.calling.recorder import Event, Recorder, TooMuch, is_number


@dataclass
class Recording:
    """The events of one call, and which of them are its results; or what stood on the line that raised."""

    events: list[Event]
    results: list[int]                    # -1 for a result that is no event
    raised: bool = False

    def plain(self) -> list:
        """The recording in lists, to be sent to another process."""
        events = [[*event.place, event.value, list(event.inputs), event.kind, event.calls] for event in self.events]
        return [events, self.results, self.raised]

    @classmethod
    def of(cls, value: Any) -> Recording | None:
        """The recording that such lists describe; None if they cannot, because they come from code of others."""
        try:
            events, results, raised = value
            made = [Event((line, column, last, end), number, inputs, kind, calls)
                    for line, column, last, end, number, inputs, kind, calls in events]
            sound = all(all(type(n) is int for n in (*event.place, *event.inputs))
                        and type(event.kind) is type(event.calls) is str and all(0 <= n < i for n in event.inputs)
                        and (event.value is None or is_number(event.value)) for i, event in enumerate(made))
            sound &= all(type(n) is int and -1 <= n < len(made) for n in results)
        except (TypeError, ValueError):
            return None
        return cls(made, list(results), raised is True) if sound else None


@dataclass
class Recorded:
    """A file that is loaded once more, so that calls of its functions can be recorded."""

    path: Path
    module: Any
    recorder: Recorder

    @classmethod
    def loaded(cls, path: Path, source: bytes, whole: tuple[str, ...]) -> Recorded:
        """Calls of the functions in `whole` are one step each: what happens inside them is not recorded."""
        recorder = Recorder(whole)
        return cls(path, load_module(path, source, recorder), recorder)

    def call(self, function: str, args: tuple, kwargs: dict[str, Any]) -> Recording | None:
        """The Recording of a call; None if there is too much to record. A class's function has a dotted name."""
        self.recorder.start()
        target = reduce(getattr, function.split("."), self.module)
        try:
            value = target(*args, **kwargs)
        except TooMuch:
            return None
        except Exception as error:
            pending = self.recorder.pending(own_lines(error, self.path)[-1] or 0)
            return Recording(self.recorder.events, pending, raised=True)
        return Recording(self.recorder.events, self.recorder.events_of(value))
