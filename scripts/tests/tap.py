# SPDX-License-Identifier: MIT
"""What tests of scripts share: a script as a module, and its tests' verdicts as TAP."""

import contextlib
import importlib.machinery
import importlib.util
import os
import sys


def load(name):
    """scripts/NAME as a module"""
    path = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), name)
    spec = importlib.util.spec_from_loader(name, importlib.machinery.SourceFileLoader(name, path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(names, around=contextlib.nullcontext):
    """Runs all that is called test_* among the names of a file, each inside a context of its own; one that returns "SKIP: why" is
    skipped. Return: the exit status"""
    if len(sys.argv) > 1:
        print(f'usage: {os.path.basename(sys.argv[0])} [--help]\n\n{names["__doc__"]}')
        return 0 if sys.argv[1] == '--help' else 2
    tests = [(name[5:], function) for name, function in names.items() if name.startswith('test_')]
    print(f'TAP version 13\n1..{len(tests)}')
    failed = 0
    for number, (name, function) in enumerate(tests, 1):
        try:
            with around():
                said = function()
            skipped = f' # {said.replace(":", "", 1)}' if isinstance(said, str) and said.startswith('SKIP: ') else ''
            print(f'ok {number} - {name}{skipped}', flush=True)
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            print(f'# {type(error).__name__}: {error}\nnot ok {number} - {name}', flush=True)
    return 1 if failed else 0
