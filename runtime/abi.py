"""The generation of this runtime: a number for emitted files, and a stamp for cached machine code."""

import hashlib
from pathlib import Path

ABI = 1


def _stamp() -> str:
    """Hash of the runtime's own files: their code is inlined into whatever calls them."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


STAMP = _stamp()


def require(abi: int) -> None:
    """Refuse an emitted file that was made for another generation of the runtime (ImportError)."""
    if abi != ABI:
        raise ImportError(
            f"this file was made for s2sad_runtime generation {abi}, here is {ABI}: emit it again"
        )
