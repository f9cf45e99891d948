"""Real programs' lines, played with times that are known: each phase is as long as it was."""

import pytest
from tests.system.test_whole_wait import model, result_of  # noqa: F401  a fixture

from modelmon.core.worker.wait_parts import AFTER, BEFORE, READING

pytestmark = [pytest.mark.system, pytest.mark.soak]
CLOSE_NS = 100_000_000
UNEXPLAINED_SHARE = 0.05
# `in PHASE` notes what it is in from then on, as modelmon calls it.
STARTS = {
    "llama.cpp": """\
in devices
sleep 0.3
say load_model: loading model 'model.gguf'
in fit
say common_init_: fitting params to device memory ...
sleep 0.4
say common_fit_params: fitting params to free memory took 0.40 seconds
in headers
say llama_model_loader: loaded meta data with 21 key-value pairs and 111 tensors
sleep 0.4
say load_tensors: loading model tensors, this can take a while... (load_mode = mmap)
in reading
read
in kv-cache
say llama_context: constructing llama_context
sleep 0.5
in graph
say sched_reserve: reserving ...
sleep 0.3
in warm-up
say common_init_: warming up the model with an empty run - please wait ...
compute 1.5
in server
say srv load_model: initializing slots, n_slots = 4
sleep 0.3
""",
    "vLLM": """\
in imports
sleep 0.6
in engine
say INFO 06-18 [__init__.py:244] Automatically detected platform cuda.
sleep 0.3
say (EngineCore_0) INFO Initializing a V1 LLM engine (v0.9.1) with config: model='m'
sleep 0.3
in distributed
say INFO vLLM is using nccl==2.26.2
sleep 0.3
in p2p
say INFO generating GPU P2P access cache in /tmp/gpu_p2p_access_cache.json
sleep 1.2
in weights
say INFO Starting to load model m...
sleep 0.1
in reading
read
in weights
say INFO Loading weights took 0.20 seconds
sleep 0.4
say INFO Model loading took 1.5 GiB and 0.60 seconds
in compile
sleep 0.4
say INFO Dynamo bytecode transform time: 0.40 s
compute 1.2
say INFO torch.compile takes 1.60 s in total
in graphs
sleep 1.0
say INFO Graph capturing finished in 1.0 secs, took 0.5 GiB
in server
say INFO Started server process [1]
sleep 0.4
""",
    "SGLang": """\
in imports
sleep 0.6
in engine
say [2025-09-01 10:00:00] server_args=ServerArgs(model_path='m')
sleep 0.4
in distributed
say [2025-09-01 10:00:01] Init torch distributed begin.
sleep 0.5
say [2025-09-01 10:00:01] Init torch distributed ends. mem usage=0.10 GB
in weights
say [2025-09-01 10:00:01] Load weight begin. avail mem=78.0 GB
sleep 0.1
in reading
read
in weights
sleep 0.3
say [2025-09-01 10:00:02] Load weight end. type=LlamaForCausalLM
in graphs
say [2025-09-01 10:00:02] Capture cuda graph begin. This can take up to several minutes.
compute 1.5
say [2025-09-01 10:00:04] Capture cuda graph end. Time elapsed: 1.50 s.
in warm-up
say INFO:     Started server process [1]
sleep 0.8
say The server is fired up and ready to roll!
""",
    "ComfyUI": """\
in imports
sleep 0.7
in nodes
say Total VRAM 24564 MB, total RAM 64213 MB
sleep 1.5
in server
say Import times for custom nodes:
sleep 0.3
in weights
say got prompt
sleep 0.3
say Requested to load Flux
in reading
read
in weights
sleep 0.3
in answer
say loaded completely 22000.0 11350.0 True
compute 1.0
""",
    "Ollama": """\
in server
say time=2025-09-01 msg="starting runner" cmd="ollama runner"
sleep 0.3
in weights
say time=2025-09-01 msg="waiting for llama runner to start responding"
sleep 0.3
in reading
read
in weights
sleep 1.0
say time=2025-09-01 msg="llama runner started in 1.00 seconds"
""",
}


@pytest.mark.parametrize("program", STARTS)
def test_that_each_phase_is_as_long_as_it_was(program, model, tmp_path):  # noqa: F811
    result, times = result_of(model, tmp_path, STARTS[program])
    steps = (tmp_path / "times").read_text().splitlines()
    known_ns, phase = {}, ""
    for line, took_ns in zip(steps, [*times, 0], strict=True):
        step = line.partition(" ")[2]
        if step.startswith("in "):
            phase = step.removeprefix("in ")
        known_ns[phase] = known_ns.get(phase, 0) + took_ns
    seen_ns = {}
    for part in result.parts:
        assert part.is_named_by_program or part.name == READING, part
        seen_ns[part.name] = seen_ns.get(part.name, 0) + part.duration_ns
    # The program starts before its first step, and ends after its last.
    first, *others = known_ns
    assert seen_ns.pop(first) >= known_ns.pop(first) - CLOSE_NS
    for phase in others[:-1]:
        assert seen_ns.get(phase, 0) == pytest.approx(known_ns[phase], abs=CLOSE_NS), phase
    assert sum(part.duration_ns for part in result.parts) == result.wall_ns
    unexplained = sum(part.duration_ns for part in result.parts if part.name in (BEFORE, AFTER))
    assert unexplained <= UNEXPLAINED_SHARE * result.wall_ns
