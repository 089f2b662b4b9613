"""`sluice bench`: rows, rounds, options and results."""

import json
import sys
from pathlib import Path

from support import scripted_api
from support.bench import bench, call, samples
from support.fake import fake_model
from support.scripted_api import Script, ScriptedApi

QUICK = {
    "--warm-ups": "1", "--pairs": "2", "--tokens": "4", "--levels": "1", "--sampling": "greedy", "--others-max": "64",
}  # fmt: skip


def quick(*words: str) -> tuple[str, ...]:
    """A short run, with these options in place of its own."""
    own = [word for name, value in QUICK.items() if name not in words for word in (name, value)]
    return (*own, *words)



def scripted_row(name: str, *words: str) -> str:
    """A row that starts the scripted server as a process of its own."""
    arguments = [scripted_api.__file__, "{port}", *words]
    return ",".join([f"{name}=command", f"program={sys.executable}", *(f"arg={word}" for word in arguments)])


def test_rows_are_measured_in_turn_with_the_same_prompts(tmp_path):
    with ScriptedApi(name="a") as a, ScriptedApi(name="b") as b:
        result = bench("decode", "--url", f"a={a.url}", "--url", f"b={b.url}", *quick(), out=tmp_path / "r.json")
    times = sorted([(s.received, "a") for s in a.served] + [(s.received, "b") for s in b.served])
    assert [name for _, name in times] == ["a", "b"] * 4  # the first of each is not measured
    assert [s.body["prompt"] for s in a.served] == [s.body["prompt"] for s in b.served]
    assert len({s.body["prompt"] for s in a.served}) == len(a.served), "no prompt is asked twice"
    assert [row["name"] for row in result["rows"]] == ["a", "b"]
    assert [s["state"] for s in result["cells"][0]["samples"]] == ["warm-up"] * 2 + ["ok"] * 4
    assert "ratio" in result["cells"][0]["summaries"][-1]


def test_one_server_is_busy_at_a_time(tmp_path):
    with ScriptedApi(Script(first_ms=1), "a") as a, ScriptedApi(Script(first_ms=1), "b") as b:
        bench("decode", "--url", a.url, "--url", b.url, *quick("--levels", "4"), out=tmp_path / "r.json")
    spans = sorted((s.received, s.ended, name) for api, name in ((a, "a"), (b, "b")) for s in api.served)
    for before, after in zip(spans, spans[1:]):
        assert before[2] == after[2] or before[1] <= after[0]


def test_what_is_asked_follows_the_options(tmp_path):
    words = ("--mode", "chat", "--thinking", "off", "--sampling", "sampled", "--levels", "2", "--seed", "7")
    with ScriptedApi() as api:
        bench("decode", "--url", api.url, *quick(*words, "--api-key", "secret"), out=tmp_path / "r.json")
    bodies = [served.body for served in api.served if served.body["max_tokens"] == 4]  # not the first, which warms
    assert len(bodies) == 6
    assert all(body["messages"][-1]["role"] == "user" for body in bodies)
    assert all(body["chat_template_kwargs"] == {"enable_thinking": False} for body in bodies)
    assert all((body["temperature"], body["top_p"], body["top_k"]) == (0.7, 0.8, 20) for body in bodies)
    assert len({body["seed"] for body in bodies}) == 6
    assert api.served[0].headers["authorization"] == "Bearer secret"
    assert "secret" not in (tmp_path / "r.json").read_text()


def test_the_same_seed_asks_the_same(tmp_path):
    asked = []
    for _ in range(2):
        with ScriptedApi() as api:
            bench("decode", "--url", api.url, *quick("--seed", "5"), out=tmp_path / "r.json")
        asked.append([served.body for served in api.served])
    assert asked[0] == asked[1]


def test_a_server_that_does_not_start_stays_a_row(tmp_path):
    row = "bad=command,program=/bin/sh,arg=-c,arg=echo it is broken >&2; exit 9"
    result = bench("decode", "--start", scripted_row("good"), "--start", row, *quick(), out=tmp_path / "r.json", code=1)
    good, bad = result["rows"]
    assert good["state"] == "served"
    assert (bad["state"], bad["exit_code"]) == ("did not start", 9)
    assert "it is broken" in bad["stderr"]
    assert len(samples(result, row=0)) == 2
    assert [s["samples"] for s in result["cells"][0]["summaries"] if s["row"] == 1] == [0]


def test_a_server_that_dies_stays_a_row(tmp_path):
    """It ends itself when it has answered a request; the other row goes on."""
    dies = "import http.server as h,sys,os\n"
    script = Path(tmp_path / "dies.py")
    script.write_text(
        dies + "class H(h.BaseHTTPRequestHandler):\n"
        "    def do_GET(self):\n"
        "        self.send_response(200); self.end_headers(); self.wfile.write(b'{\"data\":[{\"id\":\"x\"}]}')\n"
        "    def do_POST(self):\n"
        "        print('out of luck', file=sys.stderr, flush=True); os._exit(3)\n"
        "h.HTTPServer(('127.0.0.1', int(sys.argv[1])), H).serve_forever()\n"
    )
    row = f"dies=command,program={sys.executable},arg={script},arg={{port}}"
    result = bench("decode", "--start", scripted_row("good"), "--start", row, *quick(), out=tmp_path / "r.json", code=1)
    assert (result["rows"][1]["state"], result["rows"][1]["exit_code"]) == ("died", 3)
    assert "out of luck" in result["rows"][1]["stderr"]
    assert len(samples(result, row=0)) == 2


def test_a_sweep_makes_a_row_of_each_value(tmp_path):
    result = bench(
        "decode", "--start", scripted_row("s"), "--sweep", "lanes=1,2", *quick(), out=tmp_path / "r.json"
    )
    assert [(row["name"], row["lanes"]) for row in result["rows"]] == [("s lanes=1", 1), ("s lanes=2", 2)]


def test_sluice_itself_is_started_and_measured(tmp_path):
    model = fake_model(tmp_path)
    row = "sluice,arg=--runtime,arg=fake,lanes=2,context=512"
    result = bench("decode", "start", "--start", row, "--model", str(model), *quick(), out=tmp_path / "r.json")
    row = result["rows"][0]
    assert row["state"] == "served" and row["ready_ms"] > 0
    assert row["argv"][1] == "serve" and "sluice" in row["version"]
    assert row["context"] == 512
    for cell in result["cells"]:
        kernel_may_refuse = cell["label"] == "model not in the page cache"
        for sample in cell["samples"]:
            kept = kernel_may_refuse and sample.get("reasons") == ["the model stayed in the page cache"]
            assert sample["state"] in ("ok", "warm-up") or kept, (cell["label"], sample)
    assert samples(result)[0]["server_cpu"] >= 0


def test_every_other_cell_gives_its_figure(tmp_path):
    cells = {
        "prefill": ("prefill_tokens_per_s", ()),
        "two": ("tokens_per_s", ()),
        "depth": ("tokens_per_s_stream", ("--prompt-tokens", "0,100")),
        "ttft": ("ttft_ms_p90", ()),
        "concurrent": ("memory_bytes_peak", ()),
        "shared": ("prefills", ("--gaps", "0,1")),
        "turns": ("later_over_cold", ("--levels", "2")),
        "arrivals": ("goodput", ("--rates", "20", "--seconds", "1")),
        "sustained": ("last_over_first", ("--seconds", "1")),
        "busy": ("kept_share", ()),
    }
    for cell, (figure, words) in cells.items():
        with ScriptedApi(Script(first_ms=1, gap_ms=1)) as api:
            result = bench(cell, "--url", api.url, *quick(*words), out=tmp_path / f"{cell}.json")
        for variant in result["cells"]:
            figures = {s["figure"] for s in variant["summaries"]}
            assert figure in figures, (cell, figures)
            assert variant["primary"] in figures


def test_a_class_goes_with_the_short_chat_where_a_server_has_classes(tmp_path):
    agents_last = Script(first_ms=1, gap_ms=400)  # the agents are busy when the chat comes
    with ScriptedApi(agents_last, "a") as a, ScriptedApi(agents_last, "b") as b:
        urls = ("--url", f"a={a.url},kind=superfluid", "--url", f"b={b.url}")
        words = quick("--class", "interactive", "--pairs", "1", "--warm-ups", "0")
        result = bench("behind", *urls, *words, out=tmp_path / "r.json", code=None)
    without, with_class = result["cells"]
    assert [s["state"] for s in without["samples"]] == ["ok", "ok"]
    assert [s["state"] for s in with_class["samples"]] == ["ok", "void"]
    assert with_class["samples"][1]["reasons"][0] == "this server has no classes"
    classes = [served.headers.get("x-superfluid-qos") for served in a.served]
    assert classes.count("interactive") == 1, "of the short chat that has agents before it"
    assert not any("x-superfluid-qos" in served.headers for served in b.served)


def test_agents_that_were_done_are_no_load(tmp_path):
    with ScriptedApi(Script(first_ms=1, gap_ms=1)) as api:
        result = bench("behind", "--url", api.url, *quick(), out=tmp_path / "r.json", code=1)
    assert samples(result)[0]["reasons"][0] == "8 of 8 agents were done when the chat came"


def test_answers_may_end_where_that_is_said(tmp_path):
    with ScriptedApi(Script(tokens=3)) as api:
        result = bench("decode", "--url", f"{api.url},model=mine", *quick("--may-end"), out=tmp_path / "r.json")
    assert all("ignore_eos" not in served.body for served in api.served)
    assert {served.body["model"] for served in api.served} == {"mine"}
    assert samples(result)[0]["requests"][0]["completion_tokens"] == 3


def test_prefills_and_sharing_are_what_the_server_did(tmp_path):
    """It says of every prompt that half of it was cached; of a burst of 16, that is 8 prompts' worth."""
    with ScriptedApi(Script(prompt_tokens=20, cached=10)) as api:
        result = bench("shared", "--url", api.url, *quick("--gaps", "0"), out=tmp_path / "r.json", code=1)
    assert {s["state"] for s in samples(result)} == {"void"}, "the distinct prompts must not be cached"
    with ScriptedApi(Script(prompt_tokens=20, cached=0)) as api:
        result = bench("shared", "--url", api.url, *quick("--gaps", "0"), out=tmp_path / "r.json")
    assert samples(result)[0]["figures"]["prefills"] == 16


def test_goodput_counts_what_came_in_time(tmp_path):
    words = ("--rates", "40", "--seconds", "1", "--pairs", "1", "--warm-ups", "0")
    with ScriptedApi(Script(first_ms=0, gap_ms=0)) as api:
        good = bench("arrivals", "--url", api.url, *quick(*words, "--first-token-ms", "60000"), out=tmp_path / "a.json")
    with ScriptedApi(Script(first_ms=20, gap_ms=20)) as api:
        late = bench("arrivals", "--url", api.url, *quick(*words, "--first-token-ms", "10"), out=tmp_path / "b.json")
        slow = bench("arrivals", "--url", api.url, *quick(*words, "--first-token-ms", "60000", "--pace", "1000"),
                     out=tmp_path / "c.json")  # fmt: skip
    with ScriptedApi(Script(status=503)) as api:
        refused = bench("arrivals", "--url", api.url, *quick(*words), out=tmp_path / "d.json")
    goodput = [samples(result)[0]["figures"]["goodput"] for result in (good, late, slow, refused)]
    assert goodput == [1, 0, 0, 0]
    assert samples(refused)[0]["figures"]["served"] == 0
    assert "refused" in samples(refused)[0]["reasons"][0]


def test_two_models_in_turn_need_two_models(tmp_path):
    with ScriptedApi() as api:
        result = bench("switch", "--url", api.url, *quick(), out=tmp_path / "r.json", code=1)
    assert samples(result)[0]["reasons"][0] == "it serves one model"
    row = scripted_row("s")
    result = bench("switch", "--start", row, *quick(), out=tmp_path / "r.json", code=1)
    figures = samples(result, cell=1)[0]["figures"]
    assert figures["both_over_one"] > 0


def test_agreement_compares_rows_and_levels(tmp_path):
    with ScriptedApi(Script(text="same ")) as a, ScriptedApi(Script(text="same ")) as b, ScriptedApi(
        Script(text="sane ")
    ) as c:
        urls = [word for api in (a, b, c) for word in ("--url", api.url)]
        result = bench("decode", *urls, *quick("--agreement"), out=tmp_path / "r.json")
    found = {(a["row"], a["other"]): (a["equal"], a.get("first_difference")) for a in result["agreement"]}
    assert found[(1, 0)] == (8, None)
    assert found[(2, 0)] == (0, 0)
    assert found[(1, 1)] == (8, None)


def test_a_report_shows_every_row(tmp_path):
    out = tmp_path / "r.json"
    row = "broken=command,program=/bin/false"
    with ScriptedApi() as api:
        bench("decode", "--start", row, "--url", f"here={api.url}", *quick(), out=out, code=1)
    ended = call("bench", "report", str(out), "--html", str(tmp_path / "r.html"))
    assert ended.returncode == 0, ended
    page = (tmp_path / "r.html").read_text()
    assert "here" in page and "did not start" in page and "<svg" in page
    ended = call("bench", "report", str(out))
    assert ended.returncode == 0 and "| " in ended.stdout


def test_a_file_that_is_no_result_is_refused(tmp_path):
    (tmp_path / "x.json").write_text(json.dumps({"format": "other"}))
    ended = call("bench", "report", str(tmp_path / "x.json"))
    assert ended.returncode == 1
    assert "x.json" in ended.stderr


def test_impossible_options_are_refused_in_one_line():
    for words, told in [
        (["decode"], "no server"),
        (["--url", "http://127.0.0.1:1"], "no cell"),
        (["decoed", "--url", "http://127.0.0.1:1"], "did you mean decode?"),
        (["decode", "--start", "x=vllm"], "no kind of server"),
        (["decode", "--url", "ftp://x"], "--url"),
        (["decode", "--start", "sluice,colour=red"], "no option of a server"),
        (["decode", "--start", "sluice", "--pairs", "0"], "--pairs"),
        (["decode", "--start", "sluice", "--sweep", "lanes"], "--sweep"),
        (["decode", "--url", "http://127.0.0.1:1", "--sweep", "lanes=1,2"], "--sweep"),
        (["decode", "--url", "http://127.0.0.1:1", "--thinking", "on", "--mode", "raw"], "--thinking"),
        (["decode", "--url", "http://127.0.0.1:1,kind=vllm"], "no kind of server"),
        (["decode", "--url", "http://127.0.0.1:1", "--out", "/nonexistent/r.json"], "--out"),
        (["turns", "--url", "http://127.0.0.1:1", "--levels", "0"], "--levels"),
        (["prefill", "--url", "http://127.0.0.1:1", "--context", "300"], "--context"),
    ]:
        ended = call("bench", *words)
        assert ended.returncode == 2, (words, ended)
        assert told in ended.stderr and ended.stderr.count("\n") == 1, (words, ended.stderr)
