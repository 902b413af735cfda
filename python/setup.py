# SPDX-License-Identifier: MIT
"""The rest is in pyproject.toml; setuptools takes the extension of cffi's only from here."""

from setuptools import setup

setup(cffi_modules=['build_v3dcl.py:ffi'])
