"""Model files of the fake runtime: a few lines that say how it behaves. adapters/fake/README.md lists the keys."""

from collections.abc import Sequence
from pathlib import Path


def fake_model(folder: Path, *, faults: Sequence[tuple[str, int]] = (), **settings: object) -> Path:
    """`faults`: what happens instead of a call of the runtime, and after how many calls. Written anew at each call."""
    lines = [f"{key} = {value}" for key, value in settings.items()]
    lines += [f"fault = {kind} after {calls} calls" for kind, calls in faults]
    path = folder / "fake.gguf"
    path.write_text("\n".join(lines) + "\n")
    return path
