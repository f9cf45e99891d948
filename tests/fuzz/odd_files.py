"""Files and folders of models as strangers may have written or damaged them, made from a seed.

A file is made whole from its fields, of which some are then odd, and sometimes its bytes.
"""

import io
import json
import os
import struct
import tarfile
import zipfile
from hashlib import sha256

BITS = {"F32": 32, "BF16": 16, "U8": 8, "F4": 4, "F8_E4M3": 8, "BOOL": 8, "C64": 64, "I64": 64}
NAMES = (
    *("", "__metadata__", "\u202egro.\u2066", "\x1b]52;c;eA==\x07", "=1+1", "<b>x</b>", "\x9b31m"),
    *("../../etc/passwd", "/etc/passwd", "a\nb\r\u2028c", "\U0001f600", "x" * 70_000, "a.0" * 99),
    *("projector" * 7000, "layers." * 3000, "layers.99999999999999999999.w", "..", "\0"),
)
NUMBERS = (0, 1, -1, 3, 31, 2**31, 2**32 - 1, 2**53, 2**62, 2**63, 2**64 - 1)
LITERALS = (
    *("null", "true", "1e400", "-0", "0.5", "NaN", "Infinity", '"x"', "[]", "{}", "[[]]", "\\", ""),
    *("9" * 5000, '"\\ud800"', '"\\u0000"', "[" * 3000 + "]" * 3000),
    *('{"a":' * 3000 + "1" + "}" * 3000, *map(str, NUMBERS)),
)


def safetensors(random):
    """A safetensors file."""
    entries, end = ['"__metadata__":{"format":"pt"}'][random.randrange(2) :], 0
    for number in range(random.choice((0, 1, 2, 3, 8, 60))):
        name = random.choice(NAMES) if not random.randrange(12) else f"layers.{number}.w"
        dtype = random.choice(tuple(BITS))
        shape = [random.choice((0, 1, 2, 8)) for _ in range(random.choice((0, 1, 2, 2, 3)))]
        start, end = end, end + _product(shape) * BITS[dtype] // 8
        fields = [f'"dtype":"{dtype}"', f'"shape":{shape}', f'"data_offsets":[{start},{end}]']
        if not random.randrange(20):
            _make_odd(random, fields, _odd_member)
        entries.append(f"{json.dumps(name)}:{{{','.join(fields)}}}")
    if entries and not random.randrange(4):
        _make_odd(random, entries, _odd_member)
    header = f"{{{','.join(entries)}}}".encode()
    header += b" " * random.choice((0, 0, -len(header) % 8, 5000))
    length = random.choice(NUMBERS) % 2**64 if not random.randrange(20) else len(header)
    return _damaged(random, _u64(length) + header, end)


def gguf(random):
    """A GGUF file: numbers, texts and values of pairs are pieces of bytes."""
    alignment = random.choice((32, 32, 64, 1))
    pairs = [
        (_text("general.architecture"), _u32(8), _text("llama")),
        (_text("general.alignment"), _u32(4), _u32(alignment)),
        (_text("tokens"), _u32(9), _u32(8), _u64(2), _text("a"), _text("")),
        (_text("nested"), _u32(9), _u32(9), _u64(1), _u32(4), _u64(1), _u32(7)),
        (_text("eps"), _u32(12), struct.pack("<d", float("nan"))),
        (_text("flag"), _u32(7), b"\2"),
        (_text(random.choice(NAMES)), _u32(8), _text(random.choice(NAMES))),
    ][: random.randrange(2, 8)]
    infos, end = [], 0
    for number in range(random.choice((0, 1, 2, 8, 60))):
        name = random.choice(NAMES) if not random.randrange(12) else f"blk.{number}.w"
        shape = random.choice(((32,), (256, 2), (), (64, 2, 1)))
        kind, value_bytes = random.choice(((0, 4), (1, 2), (30, 2), (24, 1)))
        infos.append((_text(name), _u32(len(shape)), *map(_u64, shape), _u32(kind), _u64(end)))
        end += -(-_product(shape) * value_bytes // alignment) * alignment
    pieces = [b"GGUF", _u32(3), _u64(len(infos)), _u64(len(pairs)), *sum(pairs + infos, ())]
    if not random.randrange(3):
        _make_odd(random, pieces, _odd_piece)
    header = b"".join(pieces)
    return _damaged(random, header + bytes(-len(header) % alignment), end)


def _make_odd(random, fields, odd):
    """Up to three fields are replaced, doubled, dropped or swapped, in place."""
    for _ in range(random.randint(1, 3)):
        at, other = (random.randrange(len(fields)) for _ in range(2))
        match random.randrange(8):
            case 0:
                fields.insert(at, fields[other])
            case 1 if len(fields) > 1:
                del fields[at]
            case 2:
                fields[at], fields[other] = fields[other], fields[at]
            case _:
                fields[at] = odd(random, fields[at])


def _odd_member(random, member):
    name, literal = member.partition(":")[0], random.choice(LITERALS)
    return random.choice(
        (
            f"{name}:{literal}",
            f"{name}:[{literal},{random.choice(LITERALS)}]",
            f"{json.dumps(random.choice(NAMES))}:{literal}",
            literal,
        )
    )


def _odd_piece(random, piece):
    if len(piece) in (1, 4, 8):
        return (random.choice(NUMBERS) % 256 ** len(piece)).to_bytes(len(piece), "little")
    text = random.choice((piece[8:], b"\xff\xfe", random.choice(NAMES).encode()))
    return _u64(random.choice((len(text), *NUMBERS)) % 2**64) + text


def _damaged(random, header, data_bytes):
    """The file of a header and so much data; some of it may be too little, other or gone."""
    if not random.randrange(8):
        data_bytes = random.choice((0, data_bytes + 1, data_bytes // 2))
    content = bytearray(header + bytes(data_bytes))
    for _ in range(random.choice((0, 0, 0, 1, 4))):
        at, length = random.randrange(len(content) + 1), random.choice((0, 1, 8, 40))
        content[at : at + length] = random.choice(
            (b"", random.randbytes(length), content[at : at + length] * 2, b"\xff" * 8, bytes(8))
        )
    if not random.randrange(12):
        del content[random.randrange(len(content) + 1) :]
    return bytes(content)


def _product(shape):
    count = 1
    for extent in shape:
        count *= extent
    return count


def _text(value):
    return _u64(len(value.encode())) + value.encode()


def _u32(value):
    return struct.pack("<I", value)


def _u64(value):
    return struct.pack("<Q", value)


def put_folder(random, folder):
    """Write a model of some layout into an empty folder, then damage what is in it."""
    random.choice((_put_sharded, _put_split, _put_hub, _put_ollama, _put_pipeline))(random, folder)
    for _ in range(random.choice((0, 1, 1, 2, 3))):
        paths = sorted(path for path in folder.rglob("*") if not path.is_dir() or path.is_symlink())
        if paths:
            random.choice(_DAMAGES)(random, random.choice(paths))


def _put(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())


def _one_tensor(name):
    header = json.dumps({name: {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}}).encode()
    return _u64(len(header)) + header + b"\0"


def _put_sharded(random, folder, stem="model"):
    count = random.randint(1, 4)
    weight_map = {}
    for number in range(count):
        weight_map[f"w{number}"] = name = f"{stem}-{number + 1:05}-of-{count:05}.safetensors"
        _put(folder / name, _one_tensor(f"w{number}"))
    for _ in range(random.choice((0, 0, 1, 2))):
        places = ("../secret.safetensors", str(folder.parent / "secret.safetensors"), "link", "a/b")
        odd = (*places, *NAMES, None, 1, [], {}, "./" * 2000, "model-00001-of-99999.safetensors")
        weight_map[random.choice(("w0", "more", *NAMES))] = random.choice(odd)
    index = {"metadata": {"total_size": random.choice(NUMBERS)}, "weight_map": weight_map}
    _put(folder / f"{stem}.safetensors.index.json", index)
    (folder / "link").symlink_to(random.choice(("gone", "link", "/dev/zero")))


def _put_split(random, folder):
    count = random.randint(1, 4)
    for number in range(count):
        said = {"split.no": number, "split.count": count, "split.tensors.count": count}
        said[random.choice(tuple(said))] = random.choice((number, count, *NUMBERS)) % 2**16
        pairs = b"".join(_text(key) + _u32(2) + struct.pack("<H", said[key]) for key in said)
        info = _text(f"blk.{number}.w") + _u32(1) + _u64(32) + _u32(0) + _u64(0)
        header = b"GGUF" + _u32(3) + _u64(1) + _u64(len(said)) + pairs + info
        name = f"m-{number + 1:05}-of-{count:05}.gguf"
        _put(folder / name, header + bytes(-len(header) % 32 + 128))


def _put_hub(random, folder):
    repository, commit = folder / "models--org--name", random.choice(("b" * 40, "..", "\u202e"))
    if commit != "..":
        _put_sharded(random, repository / "snapshots" / commit)
    content = _one_tensor("w")
    _put(repository / "blobs" / sha256(content).hexdigest(), content)
    _put(repository / "refs" / "main", random.choice((commit, "../../..", "x" * 5000)).encode())
    (repository / "snapshots" / ("a" * 40)).mkdir(parents=True)
    link = repository / "snapshots" / ("a" * 40) / "model.safetensors"
    link.symlink_to(f"../../blobs/{random.choice((sha256(content).hexdigest(), 'gone', '../..'))}")


def _put_ollama(random, folder):
    content = gguf(random)
    digest = sha256(content).hexdigest()
    _put(folder / "blobs" / f"sha256-{digest}", content)
    named = random.choice(
        (f"sha256:{digest}", "sha256:../../../secret.safetensors", *NAMES, 1, None)
    )
    kind = f"application/vnd.ollama.image.{random.choice(('model', 'tensor'))}"
    layers = [{"mediaType": kind, "digest": named}] * random.choice((1, 1, 3000))
    manifest = {"layers": random.choice((layers, layers, None, {}, "x", [layers], [1]))}
    _put(folder / "manifests/registry.ollama.ai/library/m/latest", manifest)


def _put_pipeline(random, folder):
    _put(folder / "model_index.json", {"_class_name": random.choice(NAMES)})
    for part in ("unet", "vae"):
        _put_sharded(random, folder / part, "diffusion_pytorch_model")
    _put(folder / "extra_model_paths.yaml", b"a:\n  base_path: " + b"[" * random.choice((0, 5000)))
    _put(folder / "config.json", {"quantization_config": random.choice((*NAMES, *NUMBERS, [], {}))})


def _in_place(write):
    """A damage that puts something else where a file was."""

    def damage(random, path):
        path.unlink()
        write(random, path)

    return damage


def _put_archive(random, path):
    content = io.BytesIO()
    if random.randrange(2):
        with zipfile.ZipFile(content, "w") as archive:
            archive.writestr(random.choice(("data.pkl", "../x", "model.safetensors")), b"x")
    else:
        with tarfile.open(fileobj=content, mode=random.choice(("w", "w:gz"))) as archive:
            archive.addfile(tarfile.TarInfo("../../x"))
    path.write_bytes(content.getvalue())


def _put_sparse(random, path):
    path.write_bytes(random.choice((_u64(2**50), b"GGUF" + _u32(3) + _u64(2**60) * 2, b"")))
    for nbytes in (2**50, 2**43, 2**40):
        try:
            os.truncate(path, nbytes)
        except OSError:
            continue
        return


_TEXTS = (
    b"version https://git-lfs.github.com/spec/v1\noid sha256:4\nsize 9\n",
    b"/annex/objects/SHA256E-s1--a.safetensors",
    b"<!DOCTYPE html><title>403</title>" + b"<b>" * 5000,
    b'{"error":"Repository not found"}',
    b"\x80\x04cos\nsystem\n(S'touch executed'\ntR.",
    b"",
    bytes(5000),
)
_DAMAGES = (
    lambda random, path: path.unlink(),
    lambda random, path: path.is_file() and os.truncate(path, random.randrange(60)),
    lambda random, path: path.rename(
        path.with_name(random.choice(("m.safetensors.part", "x.bin")))
    ),
    _in_place(lambda random, path: path.write_bytes(random.choice((safetensors, gguf))(random))),
    _in_place(lambda random, path: path.write_bytes(random.choice(_TEXTS))),
    _in_place(
        lambda random, path: path.symlink_to(random.choice((path.name, "gone", "/dev/zero")))
    ),
    _in_place(lambda random, path: path.mkdir()),
    _in_place(lambda random, path: os.mkfifo(path)),
    _in_place(_put_archive),
    _in_place(_put_sparse),
)
