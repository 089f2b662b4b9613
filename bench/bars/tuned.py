"""sluice as a user starts it: tuned when it first loads the model."""

from pathlib import Path

from support.server import Server


def tuned(model: Path, lanes: int, window: int, *options: str, key: str | None = None) -> Server:
    """`window`: tokens of one lane."""
    sizes = ("--lanes", str(lanes), "--context", str(window))
    return Server.start(*sizes, "--tune", "auto", *options, model=model, runtime="llamacpp", key=key)
