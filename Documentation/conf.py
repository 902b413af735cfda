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


def setup(app):
    app.add_directive('modes', Modes)
    app.add_directive('house', House)
