# SPDX-License-Identifier: MIT
"""The VideoCore IV V3D from Python: programs for its QPUs, whole jobs, pictures; on a Raspberry Pi or on the simulated chip.

    device = v3dcl.Device()
    out = device.buffer(16, 'uint32')
    device.run(v3dcl.assemble(TEXT), out=out, value=5)
    print(out.array())
"""

from __future__ import annotations

import os
import struct
import threading
import weakref
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Type, Union

import numpy as np
import numpy.typing as npt

from ._v3dcl import ffi, lib

__all__ = ['Address', 'AssemblyError', 'Buffer', 'ControlList', 'Counters', 'Device', 'Error', 'Frame', 'Hazard', 'Info', 'Node',
           'Program', 'Script', 'Uniform', 'View', 'assemble', 'counter_names', 'devices', 'disassemble', 'fields', 'read_png', 'records',
           'version', 'word', 'write_png']

Number = Union[int, float]
Picture = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]


class Error(OSError):
    """Why a call failed: errno, and in words what, where and what was expected.

    Where a check has refused something, part, rule, offset, found and expected are those of the driver; line and column are of a text."""

    def __init__(self, error: Any) -> None:
        self.text: str = ffi.string(error.text).decode(errors='replace')
        super().__init__(-error.code, self.text)
        self.part, self.rule, self.offset = int(error.part), int(error.rule), int(error.offset)
        self.found, self.expected = int(error.found), int(error.expected)
        self.line, self.column = int(error.line), int(error.column)

    def __str__(self) -> str:
        return self.text


class AssemblyError(Error):
    """A text that is no program: the first error, and all of them in errors"""

    errors: List[Error]


def _checked(result: int, error: Any) -> int:
    if result < 0:
        raise Error(error)
    return result


def _error() -> Any:
    return ffi.new('struct v3dcl_error *')


def version() -> str:
    """The library's version"""
    return str(ffi.string(lib.v3dcl_version()).decode())


def counter_names() -> List[str]:
    """Of all performance counters, in the order of AG100 Table 82"""
    return [ffi.string(lib.counter_names[i]).decode() for i in range(lib.V3D_COUNTER_COUNT)]


_RECORDS = {'control': 'V3DCL_NAMED_CONTROL', 'memory': 'V3DCL_NAMED_MEMORY', 'word': 'V3DCL_NAMED_WORD'}


def records(kind: str = 'control') -> List[str]:
    """Names of records: 'control' for ControlList.add(), 'memory' for Frame.record(), 'word' for word()"""
    if kind not in _RECORDS:
        raise ValueError(f'{kind!r} is none of {", ".join(_RECORDS)}')
    wanted, record = int(getattr(lib, _RECORDS[kind])), ffi.new('struct v3dcl_named_record *')
    names: List[Tuple[int, str]] = []
    while lib.v3dcl_named_record(len(names), record):
        names.append((int(record.kind), str(ffi.string(record.name).decode())))
    return [name for its, name in names if its == wanted]


def fields(record: str) -> Dict[str, Dict[str, int]]:
    """A record's fields, each with the names that values of it have, if any: fields('array_primitives')['mode']['triangles'] is 4"""
    if record not in (name for kind in _RECORDS for name in records(kind)):
        raise ValueError(f'no record is called {record!r}: records() tells which there are')
    field, value = ffi.new('struct v3dcl_named_field *'), ffi.new('uint32_t *')
    found: Dict[str, Dict[str, int]] = {}
    while lib.v3dcl_named_field(record.encode(), len(found), field):
        values = found.setdefault(str(ffi.string(field.name).decode()), {})
        while True:
            choice = lib.v3dcl_named_choice(record.encode(), field.name, len(values), value)
            if choice == ffi.NULL:
                break
            values[str(ffi.string(choice).decode())] = int(value[0])
    return found


def _named(records: Sequence[Tuple[str, Mapping[str, Field]]], place: Callable[[str, Any], Tuple[int, int]]) -> Tuple[Any, List[Any]]:
    """Records as struct v3dcl_named[], and what that points to; place has the handle and offset of what is no number or name"""
    named, kept = ffi.new('struct v3dcl_named[]', len(records)), []
    for one, (name, fields) in zip(named, records):
        given, texts = ffi.new('struct v3dcl_given[]', len(fields)), [ffi.new('char[]', text.encode()) for text in (name, *fields)]
        for at, text, (field, value) in zip(given, texts[1:], fields.items()):
            at.field = text
            if isinstance(value, str):
                kept.append(ffi.new('char[]', value.encode()))
                at.kind, at.choice = lib.V3DCL_GIVEN_CHOICE, kept[-1]
            elif isinstance(value, (int, np.integer)):
                at.kind, at.number = lib.V3DCL_GIVEN_NUMBER, int(value)
            elif isinstance(value, (float, np.floating)):
                at.kind, at.real = lib.V3DCL_GIVEN_REAL, float(value)
            else:
                at.kind, (at.to.bo, at.to.offset) = lib.V3DCL_GIVEN_ADDRESS, place(field, value)
        one.record, one.fields, one.count = texts[0], given, len(fields)
        kept += [given, *texts]
    return named, kept


def _nowhere(field: str, value: Any) -> Tuple[int, int]:
    raise TypeError(f'{field}: {type(value).__name__} is no number and no name; addresses are known to a Frame')


def word(name: str, **fields: Union[Number, str]) -> int:
    """A set-up word of the VPM, its DMA or a texture, for a uniform: word('vdw_setup', units=16, depth=16, horizontal=1)

    Names are those of v3dcl-text(5); a value may be a name that its field has: word('texture1', magnify='linear'). An address that a word
    has is a number, or 0: Frame.word() takes buffers."""
    error, bits = _error(), ffi.new('uint32_t *')
    named, kept = _named([(name, fields)], _nowhere)
    _checked(lib.v3dcl_word_named(named, bits, ffi.NULL, error), error)
    del kept
    return int(bits[0])


class Node(NamedTuple):
    """A V3D's node below /dev/dri; error is 0, or an errno: the caller may not open it"""

    path: str
    driver: str
    render: bool
    ours: bool
    error: int


@ffi.def_extern()  # type: ignore[misc]
def take_node(opaque: Any, node: Any) -> bool:
    ffi.from_handle(opaque).append(Node(ffi.string(node.path).decode(), ffi.string(node.driver).decode(), bool(node.render),
                                        bool(node.ours), -node.error))
    return True


def devices() -> List[Node]:
    """The nodes of this machine's V3Ds, render nodes first; Device('sim') is always there"""
    nodes: List[Node] = []
    error = _error()
    _checked(lib.v3dcl_devices(lib.take_node, ffi.new_handle(nodes), error), error)
    return nodes


class Uniform(NamedTuple):
    """A uniform that a program declares: a number, or an address in the buffer that reference names"""

    name: Optional[str]
    value: int
    reference: Optional[str]


class Hazard(NamedTuple):
    """A restriction of the hardware that a program breaks, at an instruction, of a line of the text"""

    at: int
    line: int
    rule: str
    text: str
    source: str


@ffi.def_extern()  # type: ignore[misc]
def take_error(opaque: Any, error: Any) -> None:
    ffi.from_handle(opaque).append(Error(error))


@ffi.def_extern()  # type: ignore[misc]
def take_hazard(opaque: Any, hazard: Any) -> bool:
    ffi.from_handle(opaque).append((int(hazard.at), *(ffi.string(text).decode() for text in (hazard.rule, hazard.text, hazard.source))))
    return True


def _string(text: Any) -> Optional[str]:
    return None if text == ffi.NULL else str(ffi.string(text).decode())


class Program:
    """An assembled program: see assemble()"""

    _KINDS = {'user': 'V3DCL_USER_PROGRAM', 'fragment': 'V3DCL_FRAGMENT_SHADER', 'vertex': 'V3DCL_VERTEX_SHADER',
              'coordinate': 'V3DCL_COORDINATE_SHADER'}

    def __init__(self, assembly: Any) -> None:
        self._assembly = ffi.gc(assembly, lib.v3dcl_assembly_free)

    @property
    def code(self) -> Words:
        """Its instruction words, a copy"""
        count = self._assembly.code_count
        return np.frombuffer(ffi.buffer(self._assembly.code, 8 * count), np.uint64).copy() if count else np.zeros(0, np.uint64)

    @property
    def lines(self) -> List[int]:
        """The line of the text that each instruction comes from"""
        return [int(self._assembly.lines[i]) for i in range(self._assembly.code_count)]

    @property
    def uniforms(self) -> List[Uniform]:
        """Those that it declares (.uniform), in their order"""
        uniforms = [self._assembly.uniforms[i] for i in range(self._assembly.uniform_count)]
        return [Uniform(_string(u.name), int(u.value), _string(u.reference)) for u in uniforms]

    @property
    def symbols(self) -> Dict[str, int]:
        """Labels (index of the instruction), uniforms (index), places in the data (bytes)"""
        symbols = [self._assembly.symbols[i] for i in range(self._assembly.symbol_count)]
        return {str(ffi.string(s.name).decode()): int(s.value) for s in symbols}

    def check(self, kind: str = 'user') -> None:
        """Would a device take it, as a program of a user's or as a shader? Raises Error with the reason"""
        error = _error()
        check = lib.V3DCL_CHECK_PROGRAM if self._kind(kind) == lib.V3DCL_USER_PROGRAM else lib.V3DCL_CHECK_SHADER
        _checked(lib.v3dcl_check_code(self._assembly.code, self._assembly.code_count, check, error), error)

    def hazards(self, kind: str = 'user') -> List[Hazard]:
        """Restrictions of the hardware (AG100 p. 37) that it breaks"""
        found: List[Tuple[int, str, str, str]] = []
        lib.v3dcl_hazards(self._assembly.code, self._assembly.code_count, self._kind(kind), lib.take_hazard, ffi.new_handle(found))
        lines = self.lines
        return [Hazard(at, lines[at], rule, text, source) for at, rule, text, source in found]

    def __str__(self) -> str:
        return disassemble(self.code)

    def _kind(self, kind: str) -> int:
        if kind not in self._KINDS:
            raise ValueError(f'{kind!r} is none of {", ".join(self._KINDS)}')
        return int(getattr(lib, self._KINDS[kind]))


def assemble(text: str, name: Optional[str] = None, vc4asm: bool = False, folders: Sequence[str] = ()) -> Program:
    """A text as a program (v3dcl_qpu-assembler(7)). Raises AssemblyError, which has all errors.

    name is that of the file, for messages and for .include, which reads files in folders and below. vc4asm: in that dialect."""
    source = text.encode()
    errors: List[Error] = []
    error, assembly, opaque = _error(), ffi.new('struct v3dcl_assembly **'), ffi.new_handle(errors)
    paths = [ffi.new('char[]', os.fsencode(folder)) for folder in folders]
    array = ffi.new('const char *[]', paths)
    options = ffi.new('struct v3dcl_asm_options *', {
        'size': ffi.sizeof('struct v3dcl_asm_options'), 'vc4asm': vc4asm, 'folders': array, 'folder_count': len(paths),
        'each_error': lib.take_error, 'opaque': opaque})
    if lib.v3dcl_assemble_with(options, os.fsencode(name) if name else ffi.NULL, source, len(source), assembly, error) < 0:
        wrong = AssemblyError(error)
        wrong.errors = errors or [wrong]
        raise wrong
    return Program(assembly[0])


def _taken(buffer: Any) -> bytes:
    """What a struct v3dcl_buffer holds, which is freed"""
    try:
        if buffer.failed:
            raise MemoryError
        return bytes(ffi.buffer(buffer.bytes, buffer.size)) if buffer.size else b''
    finally:
        lib.v3dcl_buffer_free(buffer)


def disassemble(words: npt.ArrayLike) -> str:
    """Instruction words as a listing that assemble() turns into the same words"""
    code = np.ascontiguousarray(words, np.uint64)
    out = ffi.new('struct v3dcl_buffer *')
    lib.v3dcl_disassemble_program(ffi.from_buffer('uint64_t[]', code), code.size, out)
    return _taken(out).decode()


class View(np.ndarray):  # type: ignore[type-arg]
    """An array over a buffer's memory. It keeps the memory; when the buffer or its device has been closed, it raises ValueError."""

    _owner: Optional[Buffer] = None

    def __array_finalize__(self, source: Any) -> None:
        self._owner = getattr(source, '_owner', None)

    def _check(self) -> None:
        if self._owner is not None:
            self._owner._open()

    def __getitem__(self, key: Any) -> Any:
        self._check()
        return super().__getitem__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._check()
        super().__setitem__(key, value)  # type: ignore[no-untyped-call]

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """What is computed from views is ordinary arrays"""
        def plain(value: Any) -> Any:
            if isinstance(value, View):
                value._check()
                return value.view(np.ndarray)
            return value

        if kwargs.get('out'):
            kwargs['out'] = tuple(plain(value) for value in kwargs['out'])
        return getattr(ufunc, method)(*(plain(value) for value in inputs), **kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        self._check()
        return super().__array_function__(function, types, args, kwargs)

    def __repr__(self) -> str:
        self._check()
        return repr(self.view(np.ndarray))

    def __str__(self) -> str:
        self._check()
        return str(self.view(np.ndarray))

    def tolist(self) -> Any:
        self._check()
        return super().tolist()

    def tobytes(self, order: Any = 'C') -> bytes:
        self._check()
        return super().tobytes(order)


class _Handle:
    """An open device, which ends with the last of its users: in whatever order the collector takes them"""

    def __init__(self, pointer: Any) -> None:
        self.pointer = pointer
        self._users = 1
        # The collector may run while it is held
        self._lock = threading.RLock()

    def take(self) -> None:
        with self._lock:
            self._users += 1

    def release(self) -> None:
        with self._lock:
            self._users -= 1
            last = not self._users
        if last:
            lib.v3dcl_close(self.pointer)


class Buffer:
    """A BO of a device's: see Device.buffer()"""

    _PIXELS = {'rgba8888': 'V3D_TEXTURE_RGBA8888', 'rgb565': 'V3D_TEXTURE_RGB565'}
    _FORMATS = {'raster': 0, 't': 1, 'lt': 2}

    def __init__(self, device: Device, shape: Tuple[int, ...], dtype: npt.DTypeLike) -> None:
        self._device = device
        self._closed = False
        self.shape, self.dtype = shape, np.dtype(dtype)
        self.size: int = int(np.prod(shape, dtype=np.int64)) * self.dtype.itemsize
        error, handle, memory = _error(), ffi.new('uint32_t *'), ffi.new('void **')
        owner = device._pointer()
        if not 1 <= self.size < 1 << 32:
            raise ValueError(f'a buffer of {self.size} bytes; 1 to {(1 << 32) - 1}')
        _checked(lib.v3dcl_bo_create(owner, self.size, handle, error), error)
        self.handle = int(handle[0])
        if lib.v3dcl_bo_map(owner, self.handle, memory, error) < 0:
            lib.v3dcl_bo_close(owner, self.handle)
            raise Error(error)
        # The BO, and with it the device, end when no array is left
        kept, number = device._handle, self.handle

        def end(_: Any) -> None:
            lib.v3dcl_bo_close(kept.pointer, number)
            kept.release()

        kept.take()
        self._memory = ffi.gc(memory[0], end)

    def _open(self) -> None:
        if self._closed:
            raise ValueError('the buffer is closed')
        self._device._pointer()

    def array(self, dtype: Optional[npt.DTypeLike] = None, shape: Optional[Union[int, Tuple[int, ...]]] = None) -> Any:
        """Its memory as an array, a View: what is written there the V3D sees, and the other way round"""
        self._open()
        flat = np.frombuffer(ffi.buffer(self._memory, self.size), self.dtype if dtype is None else dtype)
        view = flat.reshape(shape if shape is not None else self.shape if dtype is None else -1).view(View)
        view._owner = self
        return view

    def _plane(self, width: int, height: int, format: str, pixel: str) -> Tuple[Any, int]:
        self._open()
        if format not in self._FORMATS or pixel not in self._PIXELS:
            raise ValueError(f'a picture is {", ".join(self._FORMATS)} of {" or ".join(self._PIXELS)}')
        error, plane = _error(), ffi.new('struct v3dcl_plane *')
        kind = int(getattr(lib, self._PIXELS[pixel]))
        _checked(lib.v3dcl_picture_lay_out(plane, kind, self._FORMATS[format], width, height, error), error)
        return plane, kind

    def picture(self, width: int, height: int, format: str = 'raster', pixel: str = 'rgba8888') -> Picture:
        """The picture in it, a copy: height x width x 4, red, green, blue, alpha"""
        plane, kind = self._plane(width, height, format, pixel)
        error, out = _error(), np.zeros((height, width, 4), np.uint8)
        _checked(lib.v3dcl_picture(plane, kind, self._memory, self.size, width, height, ffi.from_buffer('uint8_t[]', out), error), error)
        return out

    def store_picture(self, picture: npt.ArrayLike, format: str = 'raster', pixel: str = 'rgba8888') -> None:
        """A picture into it, height x width x 4"""
        pixels = _pixels(picture)
        height, width = pixels.shape[:2]
        plane, kind = self._plane(width, height, format, pixel)
        error = _error()
        _checked(lib.v3dcl_picture_store(plane, kind, ffi.from_buffer('uint8_t[]', pixels), width, height, self._memory, self.size,
                                         error), error)

    def close(self) -> None:
        """No more of it; its memory goes with the last array"""
        self._closed = True
        self._memory = None

    def __enter__(self) -> Buffer:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def __len__(self) -> int:
        return self.size


class Info(NamedTuple):
    """What a device is"""

    name: str
    simulated: bool
    ours: bool
    unverified: bool
    qpus: int
    vpm_rows: int
    max_programs: int
    max_uniforms: int
    max_relocs: int
    max_timeout_ns: int
    memory_budget: int
    memory_used: int
    guilty: int
    innocent: int


class Counters:
    """Performance counters of a device's: hand them to Device.run() or Script.run(), and look at values"""

    def __init__(self, device: Device, names: Sequence[str]) -> None:
        known = {name: number for number, name in enumerate(counter_names())}
        wrong = [name for name in names if name not in known]
        if wrong:
            raise ValueError(f'no counters: {", ".join(wrong)}; see counter_names()')
        self._device, self.names = device, list(names)
        error, number = _error(), ffi.new('uint32_t *')
        owner = device._pointer()
        _checked(lib.v3dcl_perfmon_create(owner, bytes(known[name] for name in names), len(self.names), number, error), error)
        self.id = int(number[0])

    @property
    def values(self) -> Dict[str, int]:
        """What was counted, by the jobs that have ended"""
        error, values = _error(), ffi.new('uint64_t[]', len(self.names))
        _checked(lib.v3dcl_perfmon_values(self._device._pointer(), self.id, values, error), error)
        return dict(zip(self.names, (int(value) for value in values)))

    def close(self) -> None:
        """Gives them back; without it, they go with the device"""
        lib.v3dcl_perfmon_destroy(self._device._pointer(), self.id)


Place = Union[Buffer, Tuple[Buffer, int], Tuple[Buffer, Sequence[int]]]
Value = Union[Number, Sequence[Number], npt.NDArray[Any], Place]


def _bits(number: Any) -> int:
    """A uniform's 32 bits: of a whole number, or of a float"""
    if isinstance(number, (float, np.floating)):
        return int(struct.unpack('<I', struct.pack('<f', number))[0])
    whole = int(number)
    if not -(1 << 31) <= whole < 1 << 32:
        raise ValueError(f'{whole} does not fit 32 bits')
    return whole & 0xffffffff


class Device:
    """A V3D by its name: 'sim' in this process, 'reference' (the same, slowly), a path, a node's name; None for the first node"""

    def __init__(self, name: Optional[str] = 'sim', *, chip: Optional[str] = None, unverified: bool = False, threads: int = 0,
                 races: bool = False, budget: int = 0, limit_ms: int = 0) -> None:
        error, device = _error(), ffi.new('struct v3dcl_device **')
        if name in ('sim', 'reference'):
            chosen = ffi.new('char[]', chip.encode()) if chip else ffi.NULL
            config = ffi.new('struct v3dcl_simulator_config *', {
                'size': ffi.sizeof('struct v3dcl_simulator_config'), 'reference': name == 'reference', 'chip': chosen,
                'unverified': unverified, 'threads': threads, 'races': races, 'budget': budget, 'limit_ms': limit_ms})
            _checked(lib.v3dcl_open_simulator(config, device, error), error)
        elif chip or unverified or threads or races or budget or limit_ms:
            raise ValueError('chip, unverified, threads, races, budget and limit_ms are of the simulated device')
        else:
            _checked(lib.v3dcl_open(os.fsencode(name) if name is not None else ffi.NULL, device, error), error)
        self._handle = _Handle(device[0])
        self._end = weakref.finalize(self, self._handle.release)

    def _pointer(self) -> Any:
        if not self._end.alive:
            raise ValueError('the device is closed')
        return self._handle.pointer

    @property
    def info(self) -> Info:
        """What it is, and what it takes"""
        error, info = _error(), ffi.new('struct v3dcl_info *')
        _checked(lib.v3dcl_device_info(self._pointer(), info, error), error)
        return Info(ffi.string(info.name).decode(), *(getattr(info, field) for field in Info._fields[1:]))

    def buffer(self, what: Union[int, Tuple[int, ...], npt.NDArray[Any], Sequence[Any]], dtype: npt.DTypeLike = None) -> Buffer:
        """A buffer: of a shape, all zero (bytes, unless a dtype is given), or of an array's values"""
        if isinstance(what, int) or (isinstance(what, tuple) and all(isinstance(side, int) for side in what)):
            return Buffer(self, (what,) if isinstance(what, int) else what, np.uint8 if dtype is None else dtype)
        values = np.asarray(what, dtype)
        made = Buffer(self, values.shape, values.dtype)
        made.array()[...] = values
        return made

    def counters(self, names: Iterable[str]) -> Counters:
        """Up to 16 performance counters, by names of counter_names()"""
        return Counters(self, list(names))

    def run(self, program: Program, *values: Value, runs: int = 1, timeout: Optional[float] = None,
            counters: Optional[Counters] = None, **named: Value) -> None:
        """Runs a program to its end, as often as runs says, on as many QPUs as there are.

        A uniform or buffer that the program declares has its value by name, one that declares none by order: a number, a buffer, a
        buffer and an offset in bytes; where each run has its own, a sequence of numbers, or a buffer and a sequence of offsets.
        timeout is in seconds."""
        if values and named:
            raise TypeError('uniforms have values by order or by name, not both')
        kept: List[Any] = []
        pairs: List[Tuple[Optional[str], Value]] = [(None, value) for value in values]
        pairs += list(named.items())
        bindings = ffi.new('struct v3dcl_binding[]', [self._binding(name, value, runs, kept) for name, value in pairs])
        if not 1 <= runs < 1 << 32:
            raise ValueError(f'{runs} runs')
        launch = ffi.new('struct v3dcl_launch *', {
            'size': ffi.sizeof('struct v3dcl_launch'), 'bindings': bindings, 'binding_count': len(pairs), 'runs': runs,
            'perfmon': counters.id if counters else 0, 'timeout_ns': int(timeout * 1e9) if timeout else 0})
        error = _error()
        _checked(lib.v3dcl_run_program(self._pointer(), program._assembly, launch, error), error)

    def _binding(self, name: Optional[str], value: Value, runs: int, kept: List[Any]) -> Dict[str, Any]:
        binding: Dict[str, Any] = {}
        if name is not None:
            kept.append(ffi.new('char[]', name.encode()))
            binding['name'] = kept[-1]
        number: Any = value
        if isinstance(value, Buffer):
            value = (value, 0)
        if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], Buffer):
            value[0]._open()
            if value[0]._device is not self:
                raise ValueError(f'{name or "a buffer"} is of another device')
            binding['handle'] = value[0].handle
            number = value[1]
        if isinstance(number, (int, float, np.number)):
            binding['value'] = _bits(number)
            return binding
        each = [_bits(one) for one in number]
        if len(each) != runs:
            raise ValueError(f'{name or "a uniform"} has {len(each)} values, and there are {runs} runs')
        kept.append(ffi.new('uint32_t[]', each))
        binding['each'] = kept[-1]
        return binding

    def close(self) -> None:
        """No more of it; the device goes with the last array over a buffer of its"""
        self._end()

    def __enter__(self) -> Device:
        return self

    def __exit__(self, exception: Optional[Type[BaseException]], *rest: Any) -> None:
        self.close()


@dataclass(frozen=True)
class Address:
    """A place in what a frame keeps, or a word with an address in it; address + 16 is 16 bytes further"""

    frame: Frame
    handle: int
    offset: int
    word: Optional[int] = None

    def __add__(self, step: int) -> Address:
        return replace(self, offset=self.offset + step)


Field = Union[Number, str, Buffer, Tuple[Buffer, int], Address, Program]


class ControlList:
    """A control list of records by their names, those of v3dcl-text(5): 'bin', 'render' or 'sub'.

    Frame.bin and Frame.render are those of a frame. One of its own has addresses of that frame; without a frame, numbers alone."""

    _KINDS = {'bin': 'V3DCL_BIN_LIST', 'render': 'V3DCL_RENDER_LIST', 'sub': 'V3DCL_SUB_LIST'}

    def __init__(self, kind: str = 'bin', frame: Optional[Frame] = None) -> None:
        if kind not in self._KINDS:
            raise ValueError(f'{kind!r} is none of {", ".join(self._KINDS)}')
        self._frame = frame
        self._own: Any = ffi.gc(ffi.new('struct v3dcl_list *'), lib.v3dcl_list_free)
        lib.v3dcl_list_init(self._own, getattr(lib, self._KINDS[kind]))

    def _pointer(self) -> Any:
        return self._own

    def add(self, record: str, /, *, behind: bytes = b'', **fields: Field) -> None:
        """Appends a record: add('array_primitives', mode='triangles', length=3, first_vertex=0).

        A field that is not given is 0, but addresses have to be: a number, or of a frame's list a buffer, a buffer and an offset in bytes,
        an Address. What follows records 42, 48 and 49 is behind. Raises Error for what does not exist, with what does; the list is then
        as it was."""
        error = _error()
        named, kept = _named([(record, fields)], self._frame._place if self._frame else _nowhere)
        _checked(lib.v3dcl_list_named(self._pointer(), named, ffi.from_buffer(behind), len(behind), error), error)
        del kept

    def __bytes__(self) -> bytes:
        """What it is so far; addresses in buffers are 0"""
        block = self._pointer().block.bytes
        return bytes(ffi.buffer(block.bytes, block.size)) if block.size else b''


class _FrameList(ControlList):
    """A list that is part of a frame, which has its memory"""

    def __init__(self, frame: Frame, of: Any) -> None:
        super().__init__('bin', frame)
        self._own, self._of = None, of

    def _pointer(self) -> Any:
        assert self._frame
        return self._of(self._frame._pointer())


class Frame:
    """A frame: what is drawn, as records by their names, and where it is stored.

    width and height are in pixels; target has rgba8888 pixels in a format as Buffer.picture() has it, and depth has pixels of 32 bits
    in the same format: 8 of stencil, then 24 of depth. clear is red, green, blue and alpha, 0 to 255, which every pixel, of stencil 0
    and depth 0xffffff, begins as. The bin list has begun; its last record is a flush."""

    def __init__(self, device: Device, width: int, height: int, target: Optional[Buffer] = None, *, format: str = 'raster',
                 clear: Optional[Sequence[int]] = None, multisample: bool = False, depth: Optional[Buffer] = None) -> None:
        if format not in Buffer._FORMATS:
            raise ValueError(f'{format!r} is none of {", ".join(Buffer._FORMATS)}')
        if clear is not None and (len(clear) != 4 or not all(0 <= part <= 255 for part in clear)):
            raise ValueError('clear is red, green, blue and alpha, 0 to 255')
        self._device = device
        self._kept: List[Any] = []
        self._shaders: Dict[int, Tuple[Program, int]] = {}
        error, frame, owner = _error(), ffi.new('struct v3dcl_frame **'), device._pointer()
        _checked(lib.v3dcl_frame_new(frame, error), error)
        handle, shaders = device._handle, self._shaders

        def end(pointer: Any) -> None:
            lib.v3dcl_frame_free(pointer)
            for _, shader in shaders.values():
                lib.v3dcl_bo_close(owner, shader)
            handle.release()

        handle.take()
        self._frame: Any = ffi.gc(frame[0], end)
        targets = ffi.new('struct v3dcl_targets *', {'width': width, 'height': height, 'multisample': multisample,
                                                      'clear': clear is not None, 'clear_z': 0xffffff})
        if clear is not None:
            targets.clear_color = [int.from_bytes(bytes(clear), 'little')] * 2
        for name, buffer, where in (('target', target, targets.color_write), ('depth', depth, targets.zs_write)):
            if buffer is not None:
                (where.address.bo, where.address.offset), where.format = self._place(name, buffer), Buffer._FORMATS[format]
        _checked(lib.v3dcl_frame_targets(self._frame, targets, error), error)
        _checked(lib.v3dcl_frame_begin(self._frame, error), error)
        self.bin: ControlList = _FrameList(self, lib.v3dcl_frame_bin)
        self.render: ControlList = _FrameList(self, lib.v3dcl_frame_render)

    def _pointer(self) -> Any:
        if self._frame is None:
            raise ValueError('the frame is closed')
        self._device._pointer()
        return self._frame

    def _place(self, field: str, value: Any) -> Tuple[int, int]:
        if isinstance(value, Address):
            if value.frame is not self or value.word is not None:
                raise ValueError(f'{field}: ' + ('an address of another frame' if value.frame is not self else 'a word is for uniforms()'))
            return value.handle, value.offset
        if isinstance(value, Program):
            return self._shader(value), 0
        buffer, offset = value if isinstance(value, tuple) and len(value) == 2 else (value, 0)
        if not isinstance(buffer, Buffer) or not isinstance(offset, (int, np.integer)):
            raise TypeError(f'{field}: {type(value).__name__} is no address: a buffer, a buffer and an offset, an Address, a Program')
        buffer._open()
        if buffer._device is not self._device:
            raise ValueError(f'{field} is of another device')
        if not 0 <= offset < buffer.size:
            raise ValueError(f'{field}: offset {offset} of a buffer of {buffer.size} bytes')
        self._kept.append(buffer._memory)
        return buffer.handle, int(offset)

    def _shader(self, program: Program) -> int:
        """The handle of a program's BO, made once"""
        if id(program) not in self._shaders:
            error, handle, assembly = _error(), ffi.new('uint32_t *'), program._assembly
            owner = self._device._pointer()
            _checked(lib.v3dcl_bo_create_shader(owner, assembly.code, assembly.code_count, handle, error), error)
            self._shaders[id(program)] = program, int(handle[0])
        return self._shaders[id(program)][1]

    def _address(self, where: Any) -> Address:
        return Address(self, int(where.bo), int(where.offset))

    def data(self, what: Union[npt.ArrayLike, ControlList], alignment: int = 16) -> Address:
        """Keeps a copy of vertices, of indices, or of a sub-list"""
        error, where = _error(), ffi.new('struct v3dcl_address *')
        if isinstance(what, ControlList):
            _checked(lib.v3dcl_frame_data(self._pointer(), ffi.addressof(what._pointer(), 'block'), alignment, where, error), error)
            return self._address(where)
        values = np.ascontiguousarray(what)
        block = ffi.gc(ffi.new('struct v3dcl_block *'), lib.v3dcl_block_free)
        _checked(lib.v3dcl_block_bytes(block, ffi.from_buffer(values), values.nbytes, error), error)
        _checked(lib.v3dcl_frame_data(self._pointer(), block, alignment, where, error), error)
        return self._address(where)

    def uniforms(self, *values: Union[Number, Buffer, Tuple[Buffer, int], Address]) -> Address:
        """Keeps a shader's uniforms: numbers, addresses, and words of word(), in the order in which the shader reads them"""
        error, where = _error(), ffi.new('struct v3dcl_address *')
        block, to = ffi.gc(ffi.new('struct v3dcl_block *'), lib.v3dcl_block_free), ffi.new('struct v3dcl_address *')
        for value in values:
            if isinstance(value, (int, float, np.number)):
                _checked(lib.v3dcl_block_word(block, _bits(value), error), error)
                continue
            word = 0
            if isinstance(value, Address):
                word, value = value.word or 0, replace(value, word=None)
            to.bo, to.offset = self._place('a uniform', value)
            _checked(lib.v3dcl_block_address(block, to[0], word, error), error)
        _checked(lib.v3dcl_frame_uniforms(self._pointer(), block, where, error), error)
        return self._address(where)

    def word(self, name: str, /, **fields: Field) -> Union[int, Address]:
        """As v3dcl.word(), of a buffer too: word('texture0', base=buffer). For uniforms()"""
        error, bits, to = _error(), ffi.new('uint32_t *'), ffi.new('struct v3dcl_address *')
        named, kept = _named([(name, fields)], self._place)
        _checked(lib.v3dcl_word_named(named, bits, to, error), error)
        del kept
        return replace(self._address(to), word=int(bits[0])) if to.bo else int(bits[0])

    def record(self, name: str, /, *, attributes: Sequence[Mapping[str, Field]] = (), strides: Sequence[int] = (),
               **fields: Field) -> Address:
        """Keeps a record in memory: a gl_shader_record with its attributes, and strides where it is extended; a nv_shader_record,
        vg_shader_record or clipped_vertex. A Program is the address of a shader."""
        records: List[Tuple[str, Mapping[str, Field]]] = [(name, fields)]
        records += [('attribute', attribute) for attribute in attributes]
        records += [('extended_stride', {'stride': stride}) for stride in strides]
        error, where = _error(), ffi.new('struct v3dcl_address *')
        named, kept = _named(records, self._place)
        _checked(lib.v3dcl_frame_named(self._pointer(), named, len(records), where, error), error)
        del kept
        return self._address(where)

    def submit(self, counters: Optional[Counters] = None, timeout: Optional[float] = None) -> None:
        """Draws it, and returns when that has ended; it can be drawn again. timeout is in seconds"""
        error, seqno, frame, owner = _error(), ffi.new('uint64_t *'), self._pointer(), self._device._pointer()
        lib.v3dcl_frame_perfmon(frame, counters.id if counters else 0)
        _checked(lib.v3dcl_frame_submit(frame, owner, seqno, error), error)
        _checked(lib.v3dcl_wait(owner, seqno[0], int(timeout * 1e9) if timeout is not None else (1 << 64) - 1, error), error)

    def close(self) -> None:
        """No more of it, and what it keeps is freed"""
        self._frame = None
        self._kept.clear()

    def __enter__(self) -> Frame:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()


@ffi.def_extern(error=-12)  # type: ignore[misc]
def take_saved(opaque: Any, saved: Any) -> int:
    if saved.rgba != ffi.NULL:
        pixels = np.frombuffer(ffi.buffer(saved.rgba, 4 * saved.width * saved.height), np.uint8)
        value = pixels.reshape(saved.height, saved.width, 4).copy()
    else:
        value = np.frombuffer(ffi.buffer(saved.bytes, saved.size), np.uint8).copy()
    ffi.from_handle(opaque)[ffi.string(saved.name).decode()] = value
    return 0


class Script:
    """A whole job as text (v3dcl-text(5)), with values for its options; file names in it are relative to name"""

    def __init__(self, text: str, name: Optional[str] = None, **options: int) -> None:
        source = text.encode()
        words = [ffi.new('char[]', f'{option}={value}'.encode()) for option, value in options.items()]
        error, script = _error(), ffi.new('struct v3dcl_script **')
        _checked(lib.v3dcl_script_read(os.fsencode(name) if name else ffi.NULL, source, len(source), ffi.new('const char *[]', words),
                                       len(words), script, error), error)
        self._script = ffi.gc(script[0], lib.v3dcl_script_free)

    @classmethod
    def read(cls, path: Union[str, 'os.PathLike[str]'], **options: int) -> Script:
        """From a file"""
        with open(path, encoding='utf-8') as file:
            return cls(file.read(), os.fspath(path), **options)

    def run(self, device: Device, counters: Optional[Counters] = None) -> Dict[str, Picture]:
        """Runs it: what it saves by name, pictures as height x width x 4, all else as bytes. What it expects comes out, or Error"""
        saved: Dict[str, Picture] = {}
        error, opaque = _error(), ffi.new_handle(saved)
        options = ffi.new('struct v3dcl_run_options *', {
            'size': ffi.sizeof('struct v3dcl_run_options'), 'saved': lib.take_saved, 'opaque': opaque,
            'perfmon': counters.id if counters else 0})
        _checked(lib.v3dcl_script_run(self._script, device._pointer(), options, error), error)
        return saved


def _pixels(picture: npt.ArrayLike) -> Picture:
    pixels = np.ascontiguousarray(picture, np.uint8)
    if pixels.ndim != 3 or pixels.shape[2] != 4:
        raise ValueError(f'a picture is height x width x 4, not {" x ".join(map(str, pixels.shape))}')
    return pixels


def write_png(path: Union[str, 'os.PathLike[str]'], picture: npt.ArrayLike) -> None:
    """A picture, height x width x 4, as a PNG file"""
    pixels = _pixels(picture)
    error, out = _error(), ffi.new('struct v3dcl_buffer *')
    _checked(lib.v3dcl_png_write(ffi.from_buffer('uint8_t[]', pixels), pixels.shape[1], pixels.shape[0], out, error), error)
    with open(path, 'wb') as file:
        file.write(_taken(out))


def read_png(path: Union[str, 'os.PathLike[str]']) -> Picture:
    """The pixels of a PNG file, height x width x 4"""
    with open(path, 'rb') as file:
        file_bytes = file.read()
    error, out = _error(), ffi.new('struct v3dcl_buffer *')
    width, height = ffi.new('uint32_t *'), ffi.new('uint32_t *')
    result = lib.v3dcl_png_read(file_bytes, len(file_bytes), out, width, height, error)
    pixels = _taken(out)
    _checked(result, error)
    return np.frombuffer(pixels, np.uint8).reshape(height[0], width[0], 4).copy()
