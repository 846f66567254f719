"""Generated text as modules: content-addressed, whole, findable, and gone without harm."""

import importlib
import inspect
import os
import subprocess
import sys
import threading
import traceback
from pathlib import Path

import pytest

from s2sad.emit import load as loading
from s2sad.emit.load import PACKAGE, load

TEXT = "def f(x):\n    return x * x\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.setenv("S2SAD_CACHE_DIR", str(tmp_path / "made"))


def test_equal_text_is_one_module():
    assert load(TEXT, "f", jit=True) is load(TEXT, "f", jit=True)
    assert load(TEXT, "f", jit=True).f(3) == 9


def test_other_text_is_another_module():
    other = load(TEXT.replace("x * x", "x + x"), "f", jit=True)
    assert other.f(3) == 6
    assert load(TEXT, "f", jit=True).f(3) == 9


def test_the_name_says_what_it_is(tmp_path):
    module = load(TEXT, "<lambda>", jit=False)
    assert module.__name__.startswith(f"{PACKAGE}._lambda__plain_")
    assert Path(module.__file__).parent == (tmp_path / "made")


def test_source_and_traceback_show_the_text():
    module = load("def fails(x):\n    raise ValueError(x)  # here\n", "fails", jit=True)
    assert "# here" in inspect.getsource(module.fails)
    with pytest.raises(ValueError) as caught:
        module.fails(1)
    assert "# here" in "".join(traceback.format_tb(caught.tb))


def test_a_damaged_file_is_replaced():
    module = load(TEXT + "# damaged later\n", "f", jit=True)
    file = Path(module.__file__)
    file.write_text("half of")
    del sys.modules[module.__name__]
    assert load(TEXT + "# damaged later\n", "f", jit=True).f(3) == 9


def test_nothing_but_the_file_is_left(tmp_path):
    load(TEXT + "# alone\n", "f", jit=True)
    assert [p.suffix for p in (tmp_path / "made").iterdir() if p.is_file()] == [".py"]


def test_text_deleted_gives_an_empty_module_and_comes_back():
    text = TEXT + "# deleted\n"
    module = load(text, "f", jit=True)
    Path(module.__file__).unlink()
    del sys.modules[module.__name__]
    empty = importlib.import_module(module.__name__)
    assert not hasattr(empty, "f")
    assert load(text, "f", jit=True).f(3) == 9


def test_a_folder_that_cannot_be_made(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("S2SAD_CACHE_DIR", str(tmp_path / "file" / "in"))
    module = load(TEXT + "# elsewhere\n", "f", jit=True)
    assert module.f(3) == 9
    assert tmp_path not in Path(module.__file__).parents


def test_where_files_lie(tmp_path, monkeypatch):
    monkeypatch.delenv("S2SAD_CACHE_DIR")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    assert loading.directory() == tmp_path / "numba" / "s2sad"
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert loading.directory() == tmp_path / "cache" / "s2sad"


def test_eight_threads_at_once():
    text, seen = TEXT + "# threads\n", []
    threads = [threading.Thread(target=lambda: seen.append(load(text, "f", jit=True))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8
    assert len(set(map(id, seen))) == 1


def test_two_processes_at_once(tmp_path):
    program = (
        "from s2sad.emit.load import load\n"
        "for k in range(50):\n"
        "    assert load(f'def f(x):\\n    return x + {k}\\n', 'f', jit=False).f(1) == 1 + k\n"
    )
    env = os.environ | {"S2SAD_CACHE_DIR": str(tmp_path / "shared"), "PYTHONPATH": os.pathsep.join(sys.path)}
    both = [subprocess.Popen([sys.executable, "-c", program], env=env) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    assert len(list((tmp_path / "shared").glob("*.py"))) == 50
    assert not list((tmp_path / "shared").glob("*.part"))


def test_loading_needs_no_numba():
    text = "from s2sad_runtime.plain import new_arena\ndef f():\n    return new_arena()\n"
    program = (
        "import sys\nfrom s2sad.emit.load import load\n"
        f"assert load({text!r}, 'f', jit=False).f() == []\n"
        "assert 'numba' not in sys.modules\n"
    )
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", program], env=env, check=True)
