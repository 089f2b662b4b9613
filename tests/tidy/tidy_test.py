"""tidy finds what it is for: each rule is shown a line that breaks it and one that keeps it."""
import tidy


def found(check, path, text):
    return [what for _, what in check(path, text.splitlines())]


def test_a_folder_on_the_left_must_not_include_one_on_the_right():
    assert found(tidy.include_findings, "src/engine/x.cc", '#include "worker/link.h"')
    assert not found(tidy.include_findings, "src/worker/x.cc", '#include "engine/engine.h"')
    assert not found(tidy.include_findings, "src/engine/x.cc", '#include "engine/plan.h"')


def test_folders_of_one_rank_do_not_know_each_other():
    assert found(tidy.include_findings, "src/engine/x.cc", '#include "supervisor/backoff.h"')


def test_sleeping_is_banned_in_tests_too():
    assert found(tidy.banned_findings, "src/http/x_test.cc", "std::this_thread::sleep_for(1s);")


def test_a_pure_folder_has_no_clock():
    assert found(tidy.banned_findings, "src/engine/x.cc", "auto now = Clock::now();")
    assert not found(tidy.banned_findings, "src/worker/x.cc", "auto now = Clock::now();")


def test_a_long_function_is_found_and_a_short_one_is_not():
    long_body = "void f() {\n" + "  g();\n" * 80 + "}\n"
    short_body = "void f() {\n" + "  g();\n" * 20 + "}\n"
    assert found(tidy.size_findings, "src/base/x.cc", long_body)
    assert not found(tidy.size_findings, "src/base/x.cc", short_body)


def test_a_header_says_what_it_is():
    assert found(tidy.header_findings, "src/base/x.h", "#pragma once\n")
    assert not found(tidy.header_findings, "src/base/x.h", "// What it is.\n#pragma once\n")
