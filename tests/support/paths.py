"""Where the programs and models under test lie."""

import os
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
DEFAULT_MODEL = REPOSITORY / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf"


def program(name: str) -> Path:
    """One of the programs that the build made: in $SLUICE_BIN, or in build/bin."""
    path = Path(os.environ.get("SLUICE_BIN", REPOSITORY / "build" / "bin")) / name
    assert path.is_file(), f"{path} has not been built"
    return path
