import shlex
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.redaction import recorded_command, without_secrets
from modelmon.core.watch.output import Output, last_output
from modelmon.core.worker.program_phases import (
    MOST_LINES,
    NAMES,
    PROGRAMS,
    SILENCE,
    Line,
    Printed,
    cure_of,
    variables_of,
)
from modelmon.core.worker.record import RunRecord
from modelmon.core.worker.wait_parts import AFTER, BEFORE, READING, parts_between, wait_parts

S = 10**9
# As the programs print them; times are of the threads that report them, in seconds.
LLAMA = [
    (0.09, "I srv    load_model: loading model '/m/s.gguf'"),
    (0.1, "common_init_: fitting params to device memory ..."),
    (0.6, "common_fit_params: fitting params to free memory took 0.50 seconds"),
    (0.7, "llama_model_loader: loaded meta data with 21 key-value pairs and 111 tensors"),
    (1.0, "load_tensors: loading model tensors, this can take a while... (load_mode = mmap)"),
    (1.5, "load_tensors:   CPU_REPACK model buffer size =   315.00 MiB"),
    (4.0, "llama_context: constructing llama_context"),
    (5.0, "sched_reserve: reserving ..."),
    (5.1, "common_init_: warming up the model with an empty run - please wait ..."),
    (7.0, "srv load_model: initializing slots, n_slots = 4"),
]
VLLM = [
    (9, "INFO 06-18 Automatically detected platform cuda."),
    (12, "(EngineCore_0) INFO Initializing a V1 LLM engine (v0.9.1) with config: model='m'"),
    (14, "INFO vLLM is using nccl==2.26.2"),
    (15, "INFO generating GPU P2P access cache in /home/me/.cache/vllm/gpu_p2p_access_cache.json"),
    (75, "INFO Starting to load model m..."),
    (85, "INFO Loading weights took 9.50 seconds"),
    (86, "INFO Model loading took 14.9889 GiB and 10.75 seconds"),
    (101, "INFO Dynamo bytecode transform time: 14.9 s"),
    (171, "INFO torch.compile takes 84.6 s in total"),
    (231, "INFO Graph capturing finished in 60 secs, took 0.5 GiB"),
    (232, "INFO init engine (profile, create kv cache, warmup model) took 146.0 seconds"),
    (240, "INFO Started server process [1]"),
]


def printed(lines):
    found = Printed()
    for t_s, text in lines:
        found.add(Line(round(t_s * S), text))
    return found


def phases(lines, end_s):
    return [
        (each.phase, each.begin_ns / S, each.end_ns / S)
        for each in printed(lines).stretches(round(end_s * S))
    ]


def test_that_llama_cpps_lines_divide_its_wait():
    assert phases(LLAMA, 7.2) == [
        ("devices", 0, 0.09),
        ("loading", 0.09, 0.1),
        ("fit", 0.1, 0.6),
        ("", 0.6, 0.7),
        ("headers", 0.7, 1.0),
        ("weights", 1.0, 1.5),
        ("repack", 1.5, 4.0),
        ("kv-cache", 4.0, 5.0),
        ("graph", 5.0, 5.1),
        ("warm-up", 5.1, 7.0),
        ("server", 7.0, 7.2),
    ]


def test_that_a_line_that_ends_late_counts_from_its_begin():
    late = [*LLAMA[:4], *LLAMA[5:], LLAMA[4]]
    assert phases(late, 7.2) == phases(LLAMA, 7.2)
    assert printed(late).lines == printed(LLAMA).lines


def test_that_what_a_python_begins_with_is_importing():
    printed = Printed()
    printed.is_python = True
    printed.add(Line(2 * S, "llama_model_loader: loaded meta data with 21 key-value pairs"))
    assert [part.phase for part in printed.stretches(3 * S)] == ["imports", "headers"]


def test_that_of_times_that_contain_each_other_the_inner_one_counts():
    took = {}
    for phase, begin_s, end_s in phases(VLLM, 241):
        took[phase] = took.get(phase, 0) + end_s - begin_s
    assert took["p2p"] == pytest.approx(60, abs=0.3)
    assert took["weights"] == pytest.approx(11, abs=0.3)
    assert took["engine"] == pytest.approx(6.1, abs=0.3)
    assert took["compile"] == pytest.approx(84.6, abs=0.5)
    assert took["graphs"] == pytest.approx(60, abs=0.1)
    assert took["imports"] == 9
    assert sum(took.values()) == pytest.approx(241)


def test_that_each_kernels_bar_of_an_older_vllm_is_tuning():
    bar = "(Worker_TP0 pid=9) DeepGemm(fp8_gemm_nt) warmup (W=torch.Size([4096, 7168])) [relaxed]:"
    bars = [(90, f"{bar}   0%|"), (92, f"{bar}  50%|"), (94, f"{bar} 100%|")]
    bars += [(t_s + 5, text.replace("fp8_gemm_nt", "m_grouped")) for t_s, text in bars]
    told = phases([*VLLM[:7], *bars], 120)
    tuning = [(begin_s, end_s) for phase, begin_s, end_s in told if phase == "kernels"]
    assert tuning == [(90, 94), (95, 99)]


def test_that_an_unknown_programs_silence_is_named_by_the_line_before_it():
    lines = [(0.5, "hello"), (0.6, "tokenizer is there"), (30.6, "done"), (30.7, "ready")]
    found = printed(lines).stretches(31 * S)
    long = [each for each in found if each.end_ns - each.begin_ns > S]
    assert [(each.phase, each.line, each.until) for each in long] == [
        (SILENCE, "tokenizer is there", "done")
    ]
    # What `modelmon launch` prints meanwhile is none of the program's lines.
    assert printed([*lines, (5, "modelmon: m.gguf: Warming 436 MB.")]).stretches(31 * S) == found


def test_that_a_librarys_phase_ends_where_it_says_so_and_lines_of_its_caller_divide_the_rest():
    record = RunRecord()
    # A start on an H200, shortened.
    record.printed = printed(
        [
            (0.1, "begin"),
            (2.4, "torch imported"),
            (11.9, "transformers imported"),
            (12.1, "GPU context made"),
            (12.5, "Loading weights:   0%|          | 0/201 [00:00<?, ?it/s]"),
            (14.9, "Loading weights: 100%|##########| 201/201 [00:02<00:00, 90.1it/s]"),
            (15.0, "weights loaded"),
            (16.5, "first pass done"),
            (22.0, "compiled"),
            (22.5, "graph captured"),
        ]
    )
    titles = [str(part.title) for part in wait_parts_of(record, 12.6, 14.9, 22.8)]
    assert titles == [
        "after “begin”",
        "after “torch imported”",
        "reading",
        "after “weights loaded”",
        "after “first pass done”",
    ]


def test_that_what_silences_leave_is_named_by_its_first_line():
    record = RunRecord()
    many = [(6 + at / 10, f"2026-11-28 09:25:55,12{at % 10} - item {at}") for at in range(30)]
    record.printed = printed([(0, "hello"), *many, (14.5, "engine made"), (18, "graphs made")])
    parts = wait_parts_of(record, 15, 16, 20)
    assert [str(part.title) for part in parts] == [
        "after “hello”",
        "before reading from “item 0”",
        "after “item 29”",
        "reading",
        "after “engine made”",
        "after “graphs made”",
    ]
    untils = [part.until.rpartition(" - ")[2] for part in parts]
    assert untils == ["item 0", "", "engine made", "", "graphs made", ""]


def test_that_reading_as_it_was_seen_stays_and_the_rest_is_divided():
    record = RunRecord()
    record.printed = printed(LLAMA)
    parts = wait_parts_of(record, 1.4, 3.9, 7.2)
    names = [part.name for part in parts]
    assert names == [
        *("devices", "fit", "headers", "weights"),
        READING,
        *("repack", "kv-cache", "graph", "warm-up", "server"),
    ]
    assert sum(part.duration_ns for part in parts) == round(7.2 * S)
    reading = parts[4]
    assert (reading.begin_ns, reading.end_ns) == (round(1.4 * S), round(3.9 * S))
    assert (reading.program, reading.beside) == ("llama.cpp", "repack")
    assert str(reading.title) == "reading, repacking weights"


def wait_parts_of(record, first_s, last_s, end_s):
    class Finished:
        first_byte_ns, last_byte_ns = round(first_s * S), round(last_s * S)
        wall_ns = round(end_s * S)

    record.finished, record.state = Finished(), "finished"
    return wait_parts(record)


def test_that_a_program_that_prints_nothing_has_the_usual_parts():
    assert wait_parts_of(RunRecord(), 1, 2, 3) == parts_between(S, 2 * S, 3 * S)
    assert [part.name for part in parts_between(S, 2 * S, 3 * S)] == [BEFORE, READING, AFTER]


@given(
    st.lists(st.tuples(st.integers(0, 10 * S), st.sampled_from(range(60)))),
    st.integers(1, 12 * S),
)
def test_that_stretches_leave_no_gap(times, end_ns):
    known = [*(text for _, text in (*LLAMA, *VLLM)), *(f"line {at}" for at in range(60))]
    found = Printed()
    for t_ns, at in sorted(times):
        found.add(Line(t_ns, known[at % len(known)]))
    stretches = found.stretches(end_ns)
    edges = [0, *(each.end_ns for each in stretches)]
    assert [each.begin_ns for each in stretches] == edges[:-1]
    assert edges[-1] == end_ns


def test_that_every_phase_has_a_name_and_every_cure_a_phase():
    for program in PROGRAMS:
        named = {mark.phase for mark in program.marks} | {program.first}
        assert named - {""} <= NAMES.keys()
        assert program.cures.keys() <= named
    assert cure_of("llama.cpp", "warm-up")
    assert cure_of("nobody", "warm-up") is None


def test_that_a_flood_of_lines_is_bounded_and_still_tells_phases():
    output = Output()
    at_ns = 0
    for second in range(50):
        at_ns = second * S
        output.feed(b"\x1b[2Ktick\n" * 1000, at_ns)
    output.feed(b"warming up the model with an empty run\n", at_ns + S)
    lines = [line for _, line in output.take()]
    assert len(lines) <= MOST_LINES
    assert lines[0] == "tick"
    assert lines[-1] == "warming up the model with an empty run"
    assert len(output.end) <= 1 << 17


def test_that_a_line_has_the_time_at_which_it_was_begun():
    output = Output()
    output.feed(b"begin\n\rLoading weights:   0%", S)
    output.feed(b"|    | 0/9", 2 * S)
    output.feed(b"\rLoading weights: 100%", 3 * S)
    output.close()
    assert list(output.take()) == [
        (S, "begin"),
        (S, "Loading weights:   0%|    | 0/9"),
        (3 * S, "Loading weights: 100%"),
    ]


def test_that_long_and_hostile_lines_take_no_time():
    began_s = time.monotonic()
    output = Output()
    for word in (b"Compiling a graph for ", b"a" * 50, b"token=", b'Loaded "', b"sk-", b"bearer "):
        text = word * 9999
        output.feed(text + b"\n", 0)
        printed([(0, text[:300].decode())])
    assert time.monotonic() - began_s < 30
    assert all(len(line) <= 300 for _, line in output.take())


@pytest.mark.parametrize(
    "text",
    [
        "using token hf_abcdefghijKLMNOP",
        "HF_TOKEN=abcdef123456",
        'api_key: "abcdef123456"',
        "Authorization: Bearer abcdef123456",
        "--api-key=abcdef123456",
    ],
)
def test_that_no_secret_is_kept(text):
    assert "abcdef" not in without_secrets(text)
    assert "abcdef" not in str(last_output(f"begins\n{text}\nfails".encode()))


@pytest.mark.parametrize("text", ["KV cache size: 12,000 tokens", "max token length = 9"])
def test_that_what_is_no_secret_stays(text):
    assert without_secrets(text) == text


@pytest.mark.parametrize(
    ("command", "kept"),
    [
        ("vllm serve m --api-key abcdef --port 1", "vllm serve m --api-key '[…]' --port 1"),
        ("env HF_TOKEN=abcdef serve", "env 'HF_TOKEN=[…]' serve"),
        ("sh -c 'API_KEY=abcdef12 serve m'", "sh -c '[…] serve m'"),
        ("serve --proxy http://me:abcdef@host/", "serve --proxy 'http://[…]@host/'"),
        ("serve -H 'Authorization: Bearer abcdef'", "serve -H '[…]'"),
        ("serve --tokenizer slow --max-tokens 8", "serve --tokenizer slow --max-tokens 8"),
    ],
)
def test_that_no_secret_of_a_command_is_kept(command, kept):
    assert recorded_command(shlex.split(command)) == kept
    assert recorded_command(shlex.split(kept)) == kept


def test_that_programs_are_asked_to_print_their_phases_in_time():
    assert variables_of("llama-server") == {
        "LLAMA_LOG_VERBOSITY": "4",
        "LLAMA_ARG_LOG_VERBOSITY": "4",
    }
    assert variables_of("python3.11") == {"PYTHONUNBUFFERED": "1", **variables_of("llama-cli")}
    assert variables_of("ollama") == {}
