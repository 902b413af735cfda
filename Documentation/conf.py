# SPDX-License-Identifier: MIT
project = 'bcm2835_v3d'
copyright = 'The V3D team'
extensions = []
html_theme = 'alabaster'
html_show_copyright = False
# kernel-doc writes C declarations of types that live in kernel headers.
suppress_warnings = ['ref.*', 'c.*']
highlight_language = 'none'
