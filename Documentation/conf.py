# SPDX-License-Identifier: MIT
project = 'bcm2835_v3d'
copyright = 'The V3D team'
extensions = ['sphinx.ext.graphviz']
graphviz_output_format = 'svg'
html_theme = 'alabaster'
html_show_copyright = False
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
