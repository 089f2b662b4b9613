"""Prometheus text as values, so that a test can ask for one figure, or check what every metric has to say."""

import re
from dataclasses import dataclass, field

_SAMPLE = re.compile(r"^(?P<name>[a-zA-Z_:][a-zA-Z0-9_:]*)(?P<labels>\{[^}]*\})? (?P<value>\S+)$")
_LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"')


@dataclass
class Metrics:
    samples: dict[str, float] = field(default_factory=dict)  # name{labels sorted} -> value
    help: dict[str, str] = field(default_factory=dict)
    type: dict[str, str] = field(default_factory=dict)

    def value(self, name: str, **labels: str) -> float:
        key = _key(name, labels)
        assert key in self.samples, f"no sample {key}; there are {sorted(self.samples)}"
        return self.samples[key]

    def families(self) -> set[str]:
        return {self._family_of(key.partition("{")[0]) for key in self.samples}

    def _family_of(self, name: str) -> str:
        stem = re.sub(r"_(bucket|sum|count)$", "", name)
        return stem if self.type.get(stem) in ("histogram", "summary") else name


def _key(name: str, labels: dict[str, str]) -> str:
    inside = ",".join(f'{label}="{value}"' for label, value in sorted(labels.items()))
    return f"{name}{{{inside}}}" if inside else name


def parse(text: str) -> Metrics:
    """AssertionError where a line is not Prometheus text format 0.0.4."""
    metrics = Metrics()
    for line in filter(None, text.split("\n")):
        if line.startswith("# "):
            _, kind, name, rest = line.split(" ", 3)
            {"HELP": metrics.help, "TYPE": metrics.type}[kind][name] = rest
            continue
        match = _SAMPLE.match(line)
        assert match, f"not a sample: {line!r}"
        metrics.samples[_key(match["name"], dict(_LABEL.findall(match["labels"] or "")))] = float(match["value"])
    return metrics
