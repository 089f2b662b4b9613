"""What a bar says when it has been measured."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Bar:
    name: str
    figure: str
    wanted: str
    holds: bool
    closing: bool = True  # a closing bar that does not hold fails `make bars`; another one is reported

    def row(self) -> tuple[str, ...]:
        return (
            self.name,
            self.figure,
            self.wanted,
            "yes" if self.holds else "NO",
            "closing" if self.closing else "reported",
        )
