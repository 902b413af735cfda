" SPDX-License-Identifier: MIT
autocmd BufNewFile,BufRead *.v3d setfiletype v3d
autocmd BufNewFile,BufRead *.qasm,*.qinc,*.qpu setfiletype v3dqpu
