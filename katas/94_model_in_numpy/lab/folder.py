"""A model's folder: finding or downloading it, and reading its JSON files."""
import importlib
import json
import re
from pathlib import Path

MOST_BYTES = 64 * 2 ** 20                        # of a JSON file; the index of a very large model has about 10 MB
FILES = ["config.json", "generation_config.json", "*.safetensors", "*.index.json", "tokenizer.json"]


class Refused(Exception):
    """What cannot be done; the text says why in one line."""


def package(name, use):
    """An optional package; `use` says what it is needed for."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Refused(f"{use} needs {name}, which is not installed: pip install {name}") from None


def folder_of(name, files=FILES):
    """The folder of this name, or one with the files of the model of this name, which are downloaded."""
    if Path(name).is_dir():
        return Path(name)
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", name):
        raise Refused(f"{name} is a file; give its folder" if Path(name).is_file() else
                      f"{name}: there is no such folder")
    hub = package("huggingface_hub", f"{name} is no folder here, and downloading it")
    try:
        return Path(hub.snapshot_download(name, allow_patterns=files))
    except Exception as error:                   # of the library, of those below it, or of the system
        raise Refused(f"{name}: there is no such folder, and the download failed ({type(error).__name__}). On another "
                      f"machine, run: hf download {name} --local-dir DIR. Here, give the folder: --model DIR") from None


def read_json(path):
    """The object in a JSON file."""
    if not path.is_file():
        raise Refused(f"{path.parent}: there is no {path.name}")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise Refused(f"{path} is not read: it has more than {MOST_BYTES} bytes")
        content = json.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise Refused(f"{path} is not read: its lists or objects are nested too deeply") from None
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}") from None
    except ValueError as error:                  # no JSON, or no UTF-8
        raise Refused(f"{path} is not JSON: {error}") from None
    if not isinstance(content, dict):
        raise Refused(f"{path} is not a JSON object")
    return content
