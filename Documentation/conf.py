# SPDX-License-Identifier: MIT
import pathlib
import re
import subprocess

from docutils.statemachine import StringList
from sphinx.ext.graphviz import Graphviz
from sphinx.util.docutils import SphinxDirective

project = 'bcm2835_v3d'
copyright = 'The V3D team'
extensions = ['sphinx.ext.graphviz']
graphviz_output_format = 'svg'
graphviz_dot_args = ['-Nfontname=sans-serif', '-Efontname=sans-serif', '-Gfontname=sans-serif', '-Nfontsize=11', '-Efontsize=10',
                     '-Gfontsize=11', '-Gbgcolor=transparent']
html_theme = 'furo'
html_title = 'The VideoCore IV V3D'
html_static_path = ['static']
html_css_files = ['v3d.css']
html_show_copyright = False
html_show_sphinx = False
# kernel-doc writes C declarations of types that live in kernel headers.
suppress_warnings = ['ref.*', 'c.*']
highlight_language = 'none'
# Section 7 of the manual: what is behind the library; section 5: its text format
man_pages = [
    ('v3dcl-text', 'v3dcl-text', "the text format of jobs for the V3D", '', 5),
    ('abi', 'v3dcl_abi', "the ioctls of the V3D's driver", '', 7),
    ('chip', 'v3dcl_chip', 'the VideoCore IV V3D and its simulator', '', 7),
    ('qpu-assembler', 'v3dcl_qpu-assembler', 'programs for the QPUs as text', '', 7),
    ('invariants', 'v3dcl_invariants', 'what holds whatever a program does', '', 7),
]


class House(SphinxDirective):
    """.. house:: who may include whom, as a drawing and as a table, as scripts/lint has it."""

    def run(self):
        here = pathlib.Path(__file__).resolve()
        lint = next(folder / 'scripts/lint' for folder in here.parents if (folder / 'scripts/lint').is_file())
        printed = {kind: subprocess.run([lint, '--map', kind], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
                   for kind in ('graph', 'table')}
        graph = Graphviz('graphviz', [], {'alt': 'who may include whom: the table below, drawn'}, StringList(printed['graph'], str(lint)),
                         self.lineno, self.content_offset, '', self.state, self.state_machine)
        self.state_machine.insert_input(printed['table'] + [''], str(lint))
        return graph.run()


class Modes(SphinxDirective):
    """.. modes:: the modes of the chip, as uapi/v3d/chip.h has them."""

    def run(self):
        here = pathlib.Path(__file__).resolve()
        table = next(folder / 'uapi/v3d/chip.h' for folder in here.parents if (folder / 'uapi/v3d/chip.h').is_file())
        source = table.read_text(encoding='utf-8')
        text = re.sub(r'\\\n\s*', '', source)
        rows = re.findall(r'X\(\w+, "([^"]+)", (\d+), "([^"]+)", ((?:"[^"]*"\s*)+)\)', text)
        if not rows or len(rows) != len(re.findall(r'^\tX\(', source, re.M)):
            raise self.error(f'{table}: {len(rows)} modes can be read')
        lines = ['.. list-table::', '   :header-rows: 1', '   :widths: 20 60 20', '', '   * - mode', '     - what the chip does',
                 '     - source']
        for name, number, trust, words in rows:
            said = ''.join(re.findall(r'"([^"]*)"', words))
            lines += [f'   * - ``{name}{":" + number if number != "0" else ""}``', f'     - {said}', f'     - {trust}']
        self.state_machine.insert_input(lines + [''], str(table))
        return []


class Mainline(SphinxDirective):
    """.. mainline:: what the kernel's own vc4 makes of silicon's defects, as scripts/machines/mainline.expected has it."""

    def run(self):
        here = pathlib.Path(__file__).resolve()
        name = 'scripts/machines/mainline.expected'
        table = next(folder / name for folder in here.parents if (folder / name).is_file())
        text = table.read_text(encoding='utf-8').splitlines()
        dates = [line.removeprefix('# Run ') for line in text if line.startswith('# Run ')]
        rows = [line.split('\t') for line in text if line and not line.startswith('#')]
        if len(dates) != 1 or any(len(row) != 4 for row in rows):
            raise self.error(f'{table}: one line "# Run DATE", and rows of four fields')
        lines = [f'Run {dates[0]}', '', '.. list-table::', '   :header-rows: 1', '   :widths: 22 16 16 46', '', '   * - the chip has',
                 '     - 6.1', '     - 6.12', '     - why']
        for modes, *words, why in rows:
            names = ', '.join(f'``{mode}``' for mode in modes.split('+'))
            lines += [f'   * - {names}'] + [f'     - {word}' for word in words] + [f'     - {why}']
        self.state_machine.insert_input(lines + [''], str(table))
        return []


def setup(app):
    app.add_directive('mainline', Mainline)
    app.add_directive('modes', Modes)
    app.add_directive('house', House)
