"""Whatever lies beside a model, an export loads what was opened, or says that it can't."""

import ast
import json
import shlex
from dataclasses import replace

import pytest
from msgspec import structs
from tests.core.export.outcomes import comparison_of, situation
from tests.core.model.model_files import INDEX, save, save_gguf, write_index

from modelmon.core.model.tensors import Shard, Tensor
from modelmon.core.programs.registry import advice
from modelmon.core.units import GIB

UNET = "diffusion_pytorch_model"
UNET_INDEX = f"{UNET}.safetensors.index.json"
HF = {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}
OWN = {tensor: name.replace("model", "consolidated") for tensor, name in HF.items()}
SIDECAR = {**HF, "mtp": "mtp.safetensors"}
BELOW = {"a": "model.layers.0/layer.safetensors", "b": "model.layers.1/layer.safetensors"}
PLAIN = {"a": f"{UNET}-00001-of-00002.safetensors", "b": f"{UNET}-00002-of-00002.safetensors"}
FP16 = {tensor: name.replace(UNET, f"{UNET}.fp16") for tensor, name in PLAIN.items()}
MISTRAL = "--load-format mistral"
SHARDS = "--load-format safetensors"

LLM, COMPONENT = {"model_type": "mistral"}, {"_class_name": "FluxTransformer2DModel"}


def folder(path, config, files):
    """A folder of weights: by the name of an index what it names, or a file's name and {}."""
    for index, weight_map in files.items():
        for tensor, name in weight_map.items():
            save(path / name, tensor)
        if weight_map:
            write_index(path / index, weight_map)
        else:
            save(path / index, index)
    (path / "config.json").write_text(json.dumps(config))


def told(path, consumer, strategy="sequential"):
    (said,) = advice(situation(comparison_of(strategy, str(path))), [consumer])
    return said


def text_of(path, consumer, strategy="sequential"):
    """The export on one line, None where it says that it can't choose."""
    said = told(path, consumer, strategy)
    if said.standing == "cannot":
        assert said.summary.endswith(".")
        return None
    return " ".join(said.forms[0].text.replace("\\\n", "").split())


def loaded_by_safetensors(path):
    """The files that the code for plain Python opens, by its literals."""
    tree = ast.parse(told(path, "safetensors").forms[0].text)
    lists = [each for each in ast.walk(tree) if isinstance(each, ast.List)]
    return {each.value for each in lists[0].elts if isinstance(each, ast.Constant)}  # type: ignore[misc]


CASES = {
    # name: (config, files, what is opened, its names, vLLM, SGLang, transformers, diffusers),
    # each a part of the text, "" for no more than the folder, None where it can't be chosen
    "mistral's shards": (
        LLM, {INDEX: HF, "consolidated.safetensors": {}}, INDEX, HF.values(),
        SHARDS, SHARDS, "", None,
    ),
    "mistral's own": (
        LLM, {INDEX: HF, "consolidated.safetensors": {}}, "consolidated.safetensors",
        ["consolidated.safetensors"], MISTRAL, MISTRAL, None, None,
    ),
    "mistral's own shards alone": (
        LLM, {"consolidated.safetensors.index.json": OWN}, "consolidated.safetensors.index.json",
        OWN.values(), MISTRAL, MISTRAL, None, None,
    ),
    "a sidecar in the index": (LLM, {INDEX: SIDECAR}, INDEX, SIDECAR.values(), "", "", "", None),
    "a sidecar in no index": (
        LLM, {"model.safetensors": {}, "mtp.safetensors": {}}, "model.safetensors",
        ["model.safetensors"], None, None, "", None,
    ),
    "shards and an adapter": (
        LLM, {INDEX: HF, "adapter_model.safetensors": {}}, INDEX, HF.values(), "", "", "", None,
    ),
    "shards and a merged file": (
        LLM, {INDEX: HF, "model.safetensors": {}}, INDEX, HF.values(), "", "", None, None,
    ),
    "a merged file and shards": (
        LLM, {INDEX: HF, "model.safetensors": {}}, "model.safetensors", ["model.safetensors"],
        None, None, "", None,
    ),
    "a variant beside the plain file": (
        LLM, {"model.safetensors": {}, "model.fp16.safetensors": {}}, "model.fp16.safetensors",
        ["model.fp16.safetensors"], None, None, "variant='fp16'", None,
    ),
    "a variant alone": (
        LLM, {"model.fp16.safetensors": {}}, "model.fp16.safetensors",
        ["model.fp16.safetensors"], "", "", "variant='fp16'", None,
    ),
    "one of several": (
        LLM, {"a.safetensors": {}, "b.safetensors": {}}, "a.safetensors", ["a.safetensors"],
        None, None, None, None,
    ),
    "one without a config": (
        {}, {"a.safetensors": {}, "b.safetensors": {}}, "a.safetensors", ["a.safetensors"],
        None, None, None, "from_single_file(",
    ),
    "a component's variant": (
        COMPONENT, {UNET_INDEX: PLAIN, f"{UNET}.safetensors.index.fp16.json": FP16},
        f"{UNET}.safetensors.index.fp16.json", FP16.values(), None, None, None, "variant='fp16'",
    ),
    "a component beside its variant": (
        COMPONENT, {UNET_INDEX: PLAIN, f"{UNET}.safetensors.index.fp16.json": FP16},
        UNET_INDEX, PLAIN.values(), None, None, None, "",
    ),
    "a component's single variant": (
        COMPONENT, {f"{UNET}.safetensors": {}, f"{UNET}.fp16.safetensors": {}},
        f"{UNET}.fp16.safetensors", [f"{UNET}.fp16.safetensors"], None, None, None,
        "variant='fp16'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_that_the_files_that_were_opened_are_named_whatever_lies_beside_them(tmp_path, name):
    config, files, opened, names, *wanted = CASES[name]
    folder(tmp_path, config, files)
    path = tmp_path / opened
    assert loaded_by_safetensors(path) == {str(tmp_path / each) for each in names}
    for consumer, part in zip(("vllm", "sglang", "transformers", "diffusers"), wanted, strict=True):
        text = text_of(path, consumer)
        assert (text is None) == (part is None), (consumer, text)
        if text is not None and part is not None:
            assert str(tmp_path) in text
            assert part in text
            chooses = part not in {"", "from_single_file("}
            assert not (chooses and told(path, consumer, "mmap").is_default)
            assert ("variant" in text, "--load-format" in text) == (
                "variant" in part,
                "--load-format" in part,
            )
    alone = len(set(names)) == 1
    assert (text_of(path, "comfyui", "mmap") is not None) == alone
    if alone:
        assert next(iter(names)) in told(path, "comfyui", "mmap").keep_in_mind
        assert "--disable-mmap only copies" in told(path, "comfyui").summary


@pytest.mark.parametrize(
    ("files", "strategy", "option"),
    [
        ({INDEX: HF}, "parallel", "runai_streamer"),
        # It streams the folder, and Mistral's own file with it.
        ({INDEX: HF, "consolidated.safetensors": {}}, "parallel", "eager"),
        ({INDEX: HF, "consolidated.safetensors": {}}, "processes", '"num_threads": 2'),
        ({INDEX: HF, "consolidated.safetensors": {}}, "direct", "instanttensor"),
        ({INDEX: HF}, "processes", '"concurrency": 4'),
    ],
)
def test_that_vllm_streams_only_a_folder_that_has_nothing_else(tmp_path, files, strategy, option):
    folder(tmp_path, LLM, files)
    assert option in (text_of(tmp_path / INDEX, "vllm", strategy) or "")


def test_that_shards_in_folders_below_are_given_by_the_folder_of_their_index(tmp_path):
    folder(tmp_path, LLM, {INDEX: BELOW})
    found = situation(comparison_of("mmap", str(tmp_path / BELOW["a"])))
    assert found.model is not None
    assert found.folder == str(tmp_path / "model.layers.0")
    shards = tuple(Shard(str(tmp_path / name), 1, 1) for name in BELOW.values())
    opened = structs.replace(found.model, path=str(tmp_path), is_folder=True, shards=shards)
    found = replace(found, opened=opened)
    assert found.folder == str(tmp_path)
    texts = {said.consumer: said for said in advice(found, ["vllm", "sglang", "transformers"])}
    for consumer in ("vllm", "transformers"):
        assert shlex.quote(str(tmp_path)) in texts[consumer].forms[0].text
    assert texts["sglang"].standing == "cannot"
    # A file of its own beside them is loaded in place of those.
    save(tmp_path / "other.safetensors", "a")
    assert advice(found, ["vllm"])[0].standing == "cannot"


@pytest.mark.parametrize(
    ("files", "strategy", "threads"),
    [
        ({"model.safetensors": {}}, "processes", None),
        ({INDEX: HF}, "processes", 2),
        ({INDEX: SIDECAR}, "processes", 3),
        ({INDEX: HF, "consolidated.safetensors": {}}, "processes", 2),
        ({INDEX: HF}, "mmap", 1),
    ],
)
def test_that_no_more_files_are_loaded_at_once_than_the_model_has(
    tmp_path, files, strategy, threads
):
    folder(tmp_path, LLM, files)
    text = text_of(tmp_path / next(iter(files)), "sglang", strategy) or ""
    assert ("enable_multithread_load" in text) == (threads is not None)
    assert (f'"num_threads": {threads}' in text) == (threads not in {None, 1})


def test_that_a_model_of_several_gguf_files_is_given_by_its_first_or_all(tmp_path):
    save_gguf(tmp_path / "a-first-by-name.gguf", 1)
    save_gguf(tmp_path / "model.gguf", 4, per_file=2)
    first = tmp_path / "model-00001-of-00002.gguf"
    for consumer in ("llama.cpp", "llama-cpp-python"):
        assert str(first) in (text_of(first, consumer) or "")
    split = told(first, "ollama")
    *parts, setting = split.forms[0].text.splitlines()
    assert parts == [f"FROM {tmp_path}/model-0000{at}-of-00002.gguf" for at in (1, 2)]
    assert (setting, split.forms[0].added) == ("PARAMETER use_mmap false", (2,))
    assert "since 0.30" in split.keep_in_mind
    assert "0.30" not in told(tmp_path / "a-first-by-name.gguf", "ollama").keep_in_mind


@pytest.mark.parametrize(("table_bytes", "is_lazy"), [(GIB, False), (5 * GIB, True)])
def test_that_a_table_that_llama_cpp_would_put_off_is_read_as_it_was_measured(
    tmp_path, table_bytes, is_lazy
):
    path = tmp_path / "model.gguf"
    save_gguf(path, 1)
    assert "lazy" not in str(told(path, "llama.cpp").keep_in_mind)
    found = situation(comparison_of("direct", str(path)))
    assert found.model is not None
    table = Tensor("per_layer_token_embd.weight", "F16", (1,), 0, 0, table_bytes)
    found = replace(found, opened=structs.replace(found.model, tensors=(table,)))
    (said,) = advice(found, ["llama.cpp"])
    command, variables, older = (form.text for form in said.forms)
    assert ("--lazy-mode off" in command) == ("LLAMA_ARG_LAZY_MODE=off" in variables) == is_lazy
    assert "lazy" not in older
    assert "in every load mode" in said.keep_in_mind


def test_that_a_folder_here_is_not_taken_for_one_on_a_server(tmp_path):
    save(tmp_path / "here.safetensors", "a")
    assert situation(comparison_of("parallel", str(tmp_path))).file.endswith("here.safetensors")
    there = situation(comparison_of("parallel", f"ssh://gpu{tmp_path}"))
    assert (there.server, there.path, there.file) == ("ssh://gpu", str(tmp_path), str(tmp_path))


def test_that_auto_maps_what_is_cached_and_reads_the_rest_directly():
    assert situation(comparison_of("auto", cache="warm")).reading.access == "mapped"
    assert situation(comparison_of("auto")).reading.access == "direct"
