"""Memory in a file that has no name: snapshots that don't fit into memory. Plain Python.

The file is unlinked as soon as it is opened (where the system can, it never has a name), so that nothing stays behind
whatever happens; its room is allocated up front, so that a full disk is an error at the start, not a crash in the
middle. The folder is that of the variable S2SAD_SNAPSHOTS, else the one for temporary files.
"""

import ctypes
import errno
import mmap
import os
import tempfile

FOLDER = "S2SAD_SNAPSHOTS"
NO_ROOM = "no room for the snapshots' file: ask for fewer snapshots, or set S2SAD_SNAPSHOTS to a folder with more room"
CHUNK = 1 << 20

_held = {}  # address of a mapping -> the mapping, and what its address was taken from


def mapped(nbytes):
    """A mapping of a new file of that many bytes (OSError where there is no room)."""
    nbytes = max(nbytes, 1)
    try:
        with tempfile.TemporaryFile(dir=os.environ.get(FOLDER) or None) as file:
            _allocate(file, nbytes)
            return mmap.mmap(file.fileno(), nbytes)
    except (OSError, OverflowError, ValueError) as error:
        raise OSError(getattr(error, "errno", None) or errno.ENOSPC, NO_ROOM) from None


def _allocate(file, nbytes):
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, nbytes)
        return
    for start in range(0, nbytes, CHUNK):
        file.write(bytes(min(CHUNK, nbytes - start)))
    file.flush()


@ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
def map_file(nbytes):
    """For compiled code: the address of a mapping, 0 where there is no room."""
    try:
        made = mapped(nbytes)
    except OSError:
        return 0
    place = ctypes.c_char.from_buffer(made)
    address = ctypes.addressof(place)
    _held[address] = made, place
    return address


@ctypes.CFUNCTYPE(None, ctypes.c_int64)
def unmap_file(address):
    """For compiled code: let a mapping go."""
    _held.pop(address, None)


def open_mappings():
    """How many mappings compiled code holds."""
    return len(_held)
