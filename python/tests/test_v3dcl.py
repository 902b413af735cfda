# SPDX-License-Identifier: MIT
"""v3dcl from Python, and the examples of Documentation/python.rst as they stand there."""

import errno
import gc
import os
import pathlib
import re
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import v3dcl

SOURCE = pathlib.Path(os.environ.get('V3D_SOURCE', pathlib.Path(__file__).parents[2]))
STORE = '''
.uniform value, 7
.uniform out, &there, write
mutex_lock
vpm_write_at 0
mov r0, unif
add vpm, r0, elem_num
dma_store 0, 1, unif
mutex_unlock
finish
'''
ENDLESS = 'loop: brr loop\nnop\nnop\nnop\nfinish\n'


@pytest.fixture(name='device')
def open_device():
    with v3dcl.Device() as device:
        yield device


def test_version_and_devices():
    assert re.fullmatch(r'\d+\.\d+\.\d+', v3dcl.version())
    assert all(node.path.startswith('/dev/dri/') for node in v3dcl.devices())


def test_info(device):
    assert device.info.simulated and device.info.qpus == 12 and device.info.max_programs == 256


def test_runs_by_name(device):
    out = device.buffer((300, 16), np.uint32)
    device.run(v3dcl.assemble(STORE), runs=300, there=(out, [64 * i for i in range(300)]), value=range(0, 30000, 100))
    assert np.array_equal(out.array(), 100 * np.arange(300)[:, None] + np.arange(16))
    device.run(v3dcl.assemble(STORE), there=out)
    assert out.array()[0, 15] == 22


def test_words():
    # AG100 Table 34: id 2, units and depth less than their field holds, horizontal
    assert v3dcl.word('vdw_setup', units=16, depth=16, horizontal=1) == 2 << 30 | 16 << 23 | 16 << 16 | 1 << 14
    assert v3dcl.word('texture1', magnify='nearest') == 1 << 7
    for wrong, said in (({'depht': 1}, "'depht' is no field of vdw_setup; it has "), ({'units': 1 << 40}, 'units'),
                        ({'units': 'many'}, "'many' is no name")):
        with pytest.raises(v3dcl.Error, match=said) as caught:
            v3dcl.word('vdw_setup', **wrong)
        assert caught.value.errno == errno.EINVAL
    with pytest.raises(v3dcl.Error, match="no record is called 'vdw'"):
        v3dcl.word('vdw')


def test_runs_by_order_with_floats(device):
    out = device.buffer(16, np.float32)
    text = STORE.replace('.uniform value, 7\n.uniform out, &there, write\n', '').replace('add vpm, r0, elem_num', 'mov vpm, r0')
    device.run(v3dcl.assemble(text), 1.5, out)
    assert (out.array() == 1.5).all()
    device.run(v3dcl.assemble(text), np.float32(-2), (out, 0))
    assert (out.array() == -2).all()


@pytest.mark.parametrize('arguments, words', [
    ({}, "buffer 'there', and nothing is bound"),
    ({'valeu': 3}, "no uniform and no buffer 'valeu'"),
    ({'there': 3}, 'a number is bound to it'),
])
def test_uniforms_that_are_wrong(device, arguments, words):
    with pytest.raises(v3dcl.Error, match=words) as caught:
        device.run(v3dcl.assemble(STORE), **arguments)
    assert caught.value.errno == errno.EINVAL


def test_values_that_are_wrong(device):
    out = device.buffer(16, np.uint32)
    program = v3dcl.assemble(STORE)
    with pytest.raises(ValueError, match='3 values, and there are 2 runs'):
        device.run(program, runs=2, there=out, value=[1, 2, 3])
    with pytest.raises(ValueError, match='does not fit 32 bits'):
        device.run(program, there=out, value=1 << 32)
    with pytest.raises(TypeError, match='not both'):
        device.run(program, 1, there=out)
    with pytest.raises(ValueError, match='0 runs'):
        device.run(program, there=out, runs=0)
    with v3dcl.Device() as other, pytest.raises(ValueError, match='of another device'):
        other.run(program, there=out)


def test_all_errors_of_a_text():
    with pytest.raises(v3dcl.AssemblyError, match="did you mean 'fadd'") as caught:
        v3dcl.assemble('fad r0, r1, r2\nnop\nmov r5, 1\n', name='x.qasm')
    assert [(error.line, error.column) for error in caught.value.errors] == [(1, 1), (3, 5)]
    assert str(caught.value.errors[1]).startswith('x.qasm:3:5: r5 is written as')


def test_programs():
    program = v3dcl.assemble(STORE)
    assert program.uniforms == [v3dcl.Uniform('value', 7, None), v3dcl.Uniform('out', 0, 'there')]
    assert len(program.lines) == len(program.code) and program.lines[0] == 4
    assert np.array_equal(v3dcl.assemble(v3dcl.disassemble(program.code)).code, program.code)
    assert program.symbols['value'] == 0
    program.check()
    assert not program.hazards()
    assert len(v3dcl.assemble('').code) == 0


def test_checks_say_why():
    program = v3dcl.assemble('nop\nmov t0s, elem_num\nnop; ldtmu0\nthrend\nnop\nnop\n')
    with pytest.raises(v3dcl.Error, match='instruction 1: mov t0s, elem_num') as caught:
        program.check()
    assert caught.value.rule and caught.value.offset == 8
    assert v3dcl.assemble('mov ra1, 1\nmov r0, ra1\nthrend\nnop\nnop\n').hazards()[0].rule == 'regfile-raw'
    with pytest.raises(ValueError, match='is none of user'):
        program.check('compute')


def test_a_hang_says_where(device):
    with pytest.raises(v3dcl.Error, match='still runs') as caught:
        device.run(v3dcl.assemble(ENDLESS), timeout=0.01)
    assert caught.value.errno == errno.EIO
    out = device.buffer(16, np.uint32)
    device.run(v3dcl.assemble(STORE), there=out)
    assert out.array()[1] == 8


def test_arrays_are_the_memory(device):
    buffer = device.buffer(np.arange(12, dtype=np.int16).reshape(3, 4))
    view, again = buffer.array(), buffer.array()
    view[1, 2] = 99
    assert again[1, 2] == 99 and buffer.array(np.uint8)[12] == 99
    assert isinstance(view[0], v3dcl.View) and not isinstance(view + 1, v3dcl.View)
    view += 1
    assert again[0, 0] == 1 and np.add(view, 1, out=view) is not None and again[0, 0] == 2


def test_arrays_raise_after_close(device):
    buffer = device.buffer(16, np.uint32)
    view, part = buffer.array(), buffer.array()[4:8]
    buffer.close()
    for use in (lambda: view[0], lambda: view + 1, lambda: part[0], lambda: part.__setitem__(0, 1), lambda: np.sum(view), part.tolist,
                lambda: str(view), lambda: np.concatenate([view, part]), buffer.array):
        with pytest.raises(ValueError, match='closed'):
            use()
    other = device.buffer(16).array()
    device.close()
    with pytest.raises(ValueError, match='the device is closed'):
        other[0]


def test_arrays_keep_the_memory():
    """Even plain ones, that cannot raise, and after the device has gone"""
    device = v3dcl.Device()
    before = device.info.memory_used
    plain = np.asarray(device.buffer(np.arange(1000)).array()).view(np.ndarray)
    gc.collect()
    assert device.info.memory_used > before
    device.close()
    del device
    gc.collect()
    assert plain.sum() == 499500
    with v3dcl.Device() as device:
        view = device.buffer(1 << 20).array()
        del view
        gc.collect()
        assert device.info.memory_used == before


def test_memory_has_an_end():
    with v3dcl.Device(budget=1 << 20) as device:
        with pytest.raises(v3dcl.Error) as caught:
            device.buffer(2 << 20)
        assert caught.value.errno == errno.ENOMEM
        with pytest.raises(ValueError, match='a buffer of 0 bytes'):
            device.buffer(0)
        with pytest.raises(ValueError, match='a buffer of'):
            device.buffer((1 << 20, 1 << 20))


@pytest.mark.parametrize('format', ['raster', 't', 'lt'])
def test_pictures(device, format, tmp_path):
    pixels = np.random.default_rng(1).integers(0, 256, (32, 64, 4), np.uint8)
    buffer = device.buffer(64 * 64 * 4)
    buffer.store_picture(pixels, format)
    assert np.array_equal(buffer.picture(64, 32, format), pixels)
    v3dcl.write_png(tmp_path / 'x.png', pixels)
    assert np.array_equal(v3dcl.read_png(tmp_path / 'x.png'), pixels)


def test_pictures_that_are_wrong(device, tmp_path):
    buffer = device.buffer(64)
    with pytest.raises(v3dcl.Error):
        buffer.picture(64, 64)
    with pytest.raises(ValueError, match='a picture is raster, t, lt'):
        buffer.picture(4, 4, 'z')
    with pytest.raises(ValueError, match='height x width x 4, not 2 x 3'):
        v3dcl.write_png(tmp_path / 'x.png', np.zeros((2, 3)))
    (tmp_path / 'x.png').write_bytes(b'no picture')
    with pytest.raises(v3dcl.Error, match='no PNG file'):
        v3dcl.read_png(tmp_path / 'x.png')


def test_jobs(device):
    saved = v3dcl.Script.read(SOURCE / 'examples/add.v3d', COUNT=256).run(device)
    assert np.array_equal(saved['c'].view(np.float32), 0.5 - 2 * np.arange(256, dtype=np.float32))
    with pytest.raises(v3dcl.Error, match='job:1:') as caught:
        v3dcl.Script('bufer a size 4\n', name='job')
    assert caught.value.line == 1
    with pytest.raises(v3dcl.Error) as caught:
        v3dcl.Script('buffer a { u32 1 }\nexpect a { u32 2 }\n').run(device)
    assert caught.value.errno == errno.EBADMSG


def test_counters(device):
    counters = device.counters(['qpu_instruction_cycles', 'fep_valid_quads'])
    device.run(v3dcl.assemble(STORE), there=device.buffer(16, np.uint32), counters=counters)
    assert counters.values['qpu_instruction_cycles'] > 10 and counters.values['fep_valid_quads'] == 0
    with pytest.raises(ValueError, match='no counters: pixels'):
        device.counters(['pixels'])
    counters.close()


LISTS = [
    # AG100 Table 38: the id, then fields, the lowest bits first
    (('clip_window', {'left': 1, 'bottom': 2, 'width': 640, 'height': 480}), '66 0100 0200 8002 e001'),
    (('array_primitives', {'mode': 'triangles', 'length': 3, 'first_vertex': 0}), '21 04 03000000 00000000'),
    (('clipper_z_scale', {'scale': 0.5, 'offset': np.float32(-1)}), '6a 0000003f 000080bf'),
    (('flush', {}), '04'),
]


def test_names_of_records():
    assert 'array_primitives' in v3dcl.records() and 'gl_shader_record' in v3dcl.records('memory')
    assert 'vdw_setup' in v3dcl.records('word')
    assert list(v3dcl.fields('array_primitives')) == ['mode', 'length', 'first_vertex']
    assert v3dcl.fields('array_primitives')['mode']['triangles'] == 4 and not v3dcl.fields('array_primitives')['length']
    assert v3dcl.fields('flush') == {}
    with pytest.raises(ValueError, match="no record is called 'flash'"):
        v3dcl.fields('flash')
    with pytest.raises(ValueError, match="'x' is none of control, memory, word"):
        v3dcl.records('x')


def test_lists_without_a_frame():
    made = v3dcl.ControlList('sub')
    expected = b''
    for (name, fields), words in LISTS[:3]:
        made.add(name, **fields)
        expected += bytes.fromhex(words)
        assert bytes(made) == expected
    for name, fields, said in (('array_primitive', {}, "no record is called 'array_primitive'"), ('clip_window', {'widht': 1}, 'it has '),
                               ('array_primitives', {'mode': 'triangle', 'length': 3}, 'triangles'),
                               ('clip_window', {'width': 1 << 16}, 'width')):
        with pytest.raises(v3dcl.Error) as caught:
            made.add(name, **fields)
        assert said in str(caught.value) and caught.value.errno == errno.EINVAL
    assert bytes(made) == expected
    with pytest.raises(TypeError, match='address: bytearray is no number and no name'):
        made.add('gl_shader_state', address=bytearray(4))
    with pytest.raises(ValueError, match="'bins' is none of bin, render, sub"):
        v3dcl.ControlList('bins')


def test_frames(device):
    target = device.buffer((64, 64), np.uint32)
    with v3dcl.Frame(device, 64, 64, target, clear=(1, 2, 3, 4)) as frame:
        begun = bytes(frame.bin)
        frame.bin.add('flush')
        assert bytes(frame.bin) == begun + bytes.fromhex(LISTS[3][1]) and not bytes(frame.render)
        for clears in range(2):
            target.array()[...] = clears
            frame.submit(timeout=60)
            assert np.array_equal(target.array(), np.full((64, 64), 0x04030201))
    for use in (frame.submit, lambda: frame.bin.add('flush'), lambda: frame.data([1])):
        with pytest.raises(ValueError, match='the frame is closed'):
            use()


def test_depth_of_a_frame(device):
    depths = [device.buffer((64, 64), np.uint32) for _ in range(2)]
    target = device.buffer((64, 64), np.uint32)
    for depth, color in ((depths[0], None), (depths[1], target)):
        frame = v3dcl.Frame(device, 64, 64, color, depth=depth, clear=(1, 2, 3, 4))
        frame.bin.add('flush')
        frame.submit(timeout=60)
        assert np.array_equal(depth.array(), np.full((64, 64), 0xffffff00))
    assert np.array_equal(target.array(), np.full((64, 64), 0x04030201))
    with pytest.raises(ValueError, match='depth is of another device'):
        v3dcl.Frame(device, 64, 64, depth=v3dcl.Device().buffer(16))


def test_addresses_of_a_frame(device):
    frame, other = v3dcl.Frame(device, 64, 64), v3dcl.Frame(device, 64, 64)
    place = frame.data(np.arange(8, dtype=np.uint16), alignment=32)
    assert (place + 4).offset == place.offset + 4 and place.offset % 32 == 0
    texture = device.buffer((64, 64), np.uint32)
    word = frame.word('texture0', base=texture, mip_levels=1)
    assert word.handle == texture.handle and word.word == v3dcl.word('texture0', base=0, mip_levels=1)
    assert frame.word('texture0', base=0, mip_levels=1) == word.word
    frame.uniforms(1.5, 2, word, (texture, 16))
    sub_list = v3dcl.ControlList('sub', frame)
    sub_list.add('gl_shader_state', attributes=1, address=place)
    assert frame.data(sub_list).frame is frame
    texture.close()
    for value, kind, said in ((other.data([1]), ValueError, 'address: an address of another frame'), (word, ValueError, 'a word is for'),
                              ((device.buffer(16), 16), ValueError, 'offset 16 of a buffer of 16 bytes'),
                              (texture, ValueError, 'the buffer is closed'), (device, TypeError, 'address: Device is no address'),
                              (v3dcl.Device().buffer(16), ValueError, 'address is of another device'),
                              (v3dcl.assemble('nop\n'), v3dcl.Error, '')):
        with pytest.raises(kind, match=said):
            frame.bin.add('gl_shader_state', attributes=1, address=value)
    for arguments, said in (({'format': 'x'}, "'x' is none of raster, t, lt"), ({'clear': (0, 0, 0)}, 'clear is red, green'),
                            ({'clear': (0, 0, 0, 256)}, 'clear is red, green')):
        with pytest.raises(ValueError, match=said):
            v3dcl.Frame(device, 64, 64, **arguments)
    with pytest.raises(v3dcl.Error, match='a frame of 0 x 64 pixels'):
        v3dcl.Frame(device, 0, 64)


def test_a_frame_keeps_what_it_names(device):
    target = device.buffer((64, 64), np.uint32)
    view = target.array()
    frame = v3dcl.Frame(device, 64, 64, target, clear=(255, 0, 0, 0))
    frame.bin.add('flush')
    del target
    gc.collect()
    frame.submit()
    assert view[63, 63] == 255
    device.close()
    with pytest.raises(ValueError, match='the device is closed'):
        frame.submit()


def test_devices_that_are_wrong():
    with pytest.raises(v3dcl.Error, match='HW-1'):
        v3dcl.Device(chip='HW-1')
    with pytest.raises(v3dcl.Error, match='/dev/dri/none') as caught:
        v3dcl.Device('none')
    assert caught.value.errno == errno.ENOENT
    with pytest.raises(ValueError, match='of the simulated device'):
        v3dcl.Device('renderD128', races=True)


def examples():
    text = (SOURCE / 'Documentation/python.rst').read_text(encoding='utf-8')
    return dict(re.findall(r'^\.\. code-block:: python\n   :name: (\S+)\n\n((?:(?:   .*)?\n)+)', text, re.MULTILINE))


def test_the_page_has_examples():
    assert list(examples()) == ['matrix.py', 'mandelbrot.py', 'triangle.py', 'frame.py']


@pytest.mark.parametrize('name', ['matrix.py', 'mandelbrot.py', 'triangle.py', 'frame.py'])
def test_examples_of_the_page(name, tmp_path):
    (tmp_path / name).write_text(textwrap.dedent(examples()[name]), encoding='utf-8')
    (tmp_path / 'examples').symlink_to(SOURCE / 'examples')
    done = subprocess.run([sys.executable, name], cwd=tmp_path, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == {'matrix.py': '[-12. -26. -18. -21.]\n', 'mandelbrot.py': '8497 points of 49152 are in the set\n',
                           'frame.py': '[127 191  63 255] [ 16  32  64 255]\n'}.get(
        name, done.stdout)
    if name != 'matrix.py':
        assert v3dcl.read_png(tmp_path / name.replace('.py', '.png')).any()
