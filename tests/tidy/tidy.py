#!/usr/bin/env python3
"""Taste that a machine can check. Prints each finding as `file:line: what` and exits 1 if there is any.

Direction of includes, format, sizes of functions and files, banned calls, files in no target, folder READMEs.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# A folder may include folders of a lower rank, itself, and what ALLOWED names.
RANKS = [
    ["base"],
    ["core"],
    ["gguf", "proto", "runtime", "codec", "config", "telemetry"],
    ["engine", "admission", "supervisor", "tuning"],
    ["worker", "generation", "http"],
    ["api"],
    ["daemon", "cli", "adapters", "bench", "sim"],
]
RANK_OF = {folder: rank for rank, folders in enumerate(RANKS) for folder in folders}
ALLOWED = {
    ("config", "runtime"),  # LoadOptions: plain values
    ("cli", "daemon"),      # main() starts the daemon
    ("cli", "bench"),       # and the measuring
    ("bench", "adapters"),  # the bare loop that servers are measured against
}

FUNCTION_LINES_MAX = 70
SOURCE_LINES_MAX = 400
HEADER_LINES_MAX = 200
README_LINES_MAX = 40

BANNED = [
    (re.compile(r"\bsleep_for\b|\bsleep_until\b|\busleep\s*\(|\bnanosleep\s*\("), "wait for an event with a deadline"),
    (re.compile(r"\bassert\s*\("), "CHECK(), which stays on in release"),
    (re.compile(r"\.detach\(\)"), "a thread is joined by its owner"),
    (re.compile(r"\bstd::mt19937|\brand\s*\(\)"), "the counter-based draw, or std::random_device for a seed"),
    (re.compile(r"\bstrtok\s*\(|\bsprintf\s*\(|\bstrcpy\s*\("), "fmt and std::string"),
    (re.compile(r"\b(TODO|FIXME|XXX)\b"), "an issue, or do it"),
    (re.compile(r"\bDISABLED_|GTEST_SKIP\(\)\s*;"), "a test runs, or says why it is skipped, or goes"),
    (re.compile(r"using namespace (?!std::chrono_literals|std::literals)"), "qualified names"),
]
# Pure folders decide: no clock, no sockets, no logging.
PURE = ["engine", "admission", "generation", "core", "gguf"]
IMPURE = re.compile(r"Clock::now|steady_clock::now|system_clock::now|<boost/asio|<spdlog|<sys/socket|<iostream>|std::random_device")
PURE_EXCEPTIONS = {"src/gguf/header.cc"}  # reads one file



def tracked(*patterns):
    out = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard", *patterns],
                         check=True, capture_output=True, text=True).stdout
    return [line for line in out.splitlines() if (ROOT / line).is_file()]


def folder_of(path):
    parts = path.split("/")
    return parts[1] if parts[0] == "src" else parts[0]


def include_findings(path, lines):
    mine = folder_of(path)
    for number, line in enumerate(lines, 1):
        match = re.match(r'\s*#include "([a-z_]+)/', line)
        if not match:
            continue
        other = match.group(1)
        if other == mine or other not in RANK_OF or (mine, other) in ALLOWED:
            continue
        if mine not in RANK_OF:
            yield number, f"folder {mine} has no rank in tests/tidy"
        elif RANK_OF[other] >= RANK_OF[mine]:
            yield number, f"{mine} must not include {other}"


def banned_findings(path, lines):
    is_test = path.endswith("_test.cc") or "/test_" in path
    for number, line in enumerate(lines, 1):
        for pattern, instead in BANNED:
            if pattern.search(line) and not (is_test and "mt19937" in line):
                yield number, f"banned: use {instead}"
        if folder_of(path) in PURE and not is_test and path not in PURE_EXCEPTIONS and IMPURE.search(line):
            yield number, "a pure folder has no clock, socket or log"


def size_findings(path, lines):
    most = HEADER_LINES_MAX if path.endswith(".h") else SOURCE_LINES_MAX
    if len(lines) > most:
        yield most, f"{len(lines)} lines, at most {most}: split by noun"
    start = None
    for number, line in enumerate(lines, 1):
        # Google style: a function's body closes with a brace in column 0, or one level inside a class or namespace.
        if re.match(r"^\S.*[)\w&>] ?(const |noexcept |override )*\{$", line) and not line.startswith(("namespace", "struct", "class", "enum", "union")):
            start = number
        elif line == "}" and start is not None:
            if number - start > FUNCTION_LINES_MAX:
                yield start, f"a function of {number - start} lines, at most {FUNCTION_LINES_MAX}"
            start = None


def target_findings():
    listed = "\n".join((ROOT / path).read_text() for path in tracked("*CMakeLists.txt"))
    for path in tracked("src/*.cc", "adapters/*.cc", "sim/*.cc"):
        if not re.search(rf"(?<![\w]){re.escape(Path(path).name)}\b", listed):
            yield path, 1, "in no CMake target"


def readme_findings():
    folders = {folder_of(path) for path in tracked("src/*.cc", "src/*.h")}
    for folder in sorted(folders):
        readme = ROOT / "src" / folder / "README.md"
        if not readme.is_file():
            yield f"src/{folder}", 1, "has no README.md"
    for path in tracked("src/*README.md", "adapters/*README.md", "sim/README.md"):
        length = len((ROOT / path).read_text().splitlines())
        if length > README_LINES_MAX:
            yield path, README_LINES_MAX, f"{length} lines, at most {README_LINES_MAX}"
    for path in tracked("*.md"):
        titles = [line for line in (ROOT / path).read_text().splitlines() if line.startswith("# ")]
        if len(titles) != 1 and "```" not in (ROOT / path).read_text():
            yield path, 1, "a page has one title"
        for number, line in enumerate((ROOT / path).read_text().splitlines(), 1):
            if re.fullmatch(r"[A-Z]{6,}", line):
                yield path, number, "a placeholder"


def header_findings(path, lines):
    if path.endswith(".h") and not (lines and lines[0].startswith("//")):
        yield 1, "a header opens with what it is and what it refuses to know"
    if path.endswith(".h") and "#pragma once" not in lines:
        yield 1, "no #pragma once"


def format_findings(paths):
    done = subprocess.run(["clang-format-19", "--dry-run", "-Werror", *paths], cwd=ROOT, capture_output=True, text=True)
    for line in done.stderr.splitlines():
        match = re.match(r"(.+?):(\d+):\d+: error: code should be clang-formatted", line)
        if match:
            yield match.group(1), int(match.group(2)), "not formatted: make format"


def all_findings():
    sources = tracked("src/*.h", "src/*.cc", "adapters/*.h", "adapters/*.cc", "sim/*.h", "sim/*.cc")
    for path in sources:
        lines = (ROOT / path).read_text().splitlines()
        for check in (include_findings, banned_findings, size_findings, header_findings):
            for number, what in check(path, lines):
                yield path, number, what
    yield from target_findings()
    yield from readme_findings()
    yield from format_findings(sources)


def main():
    findings = list(all_findings())
    for path, number, what in findings:
        print(f"{path}:{number}: {what}")
    print(f"tidy: {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
