" SPDX-License-Identifier: MIT
" QPU programs, as v3dcl asm takes them (v3dcl_qpu-assembler(7))
if exists('b:current_syntax')
  finish
endif

" Conditions and packs stand behind an operation with points: mov.setf, add.ifz
syntax match v3dqpuOperation /\<\%(nop\|mov\|fadd\|fsub\|fmin\|fmax\|fminabs\|fmaxabs\|ftoi\|itof\|add\|sub\|shr\|asr\|ror\|shl\|min\|max\|and\|or\|xor\|not\|clz\|v8adds\|v8subs\|fmul\|mul24\|v8muld\|v8min\|v8max\|ldi\|sacq\|srel\|read\)\>/
syntax match v3dqpuBranch /\<\%(bra\|brr\)\>/
syntax match v3dqpuSignal /\<\%(bkpt\|thrsw\|thrend\|sbwait\|sbdone\|lthrsw\|loadcv\|loadc\|ldcend\|ldtmu0\|ldtmu1\|loadam\)\>/
syntax match v3dqpuCondition /\.\%(setf\|never\|zs\|zc\|ns\|nc\|cs\|cc\|ifz\|ifnz\|ifn\|ifnn\|ifc\|ifnc\|ifcc\|ifcs\|all[znc][sc]\|any[znc][sc]\)\>/
syntax match v3dqpuDirective /\%(^\|;\|\s\)\@<=\.\%(align\|assert\|back\|byte\|clone\|code\|const\|data\|define\|else\|elseif\|endb\|endf\|endfor\|endif\|endloc\|endm\|endr\|equ\|float\|foreach\|func\|global\|globl\|half\|if\|ifset\|include\|inst\|int\|lconst\|local\|long\|lset\|lunset\|macro\|rep\|rept\|rodata\|set\|short\|space\|syntax\|text\|uniform\|unset\|word\)\>/
syntax match v3dqpuRegister /\<\%(r[0-5]\|r[ab]\%([0-9]\|[12][0-9]\|3[01]\)\)\>/
syntax match v3dqpuNumber /\<\%(0x\x\+\|0b[01]\+\|\d\+\%(\.\d*\)\?\%([eE][-+]\?\d\+\)\?\)\>/
syntax match v3dqpuLabel /^\s*[A-Za-z_.][A-Za-z0-9_.]*:/
syntax region v3dqpuString start=/"/ skip=/\\./ end=/"/ oneline
syntax match v3dqpuComment /\%(#\|\/\/\).*$/
syntax region v3dqpuComment start=/\/\*/ end=/\*\//

highlight default link v3dqpuOperation Statement
highlight default link v3dqpuBranch Conditional
highlight default link v3dqpuSignal Special
highlight default link v3dqpuCondition Type
highlight default link v3dqpuDirective PreProc
highlight default link v3dqpuRegister Identifier
highlight default link v3dqpuNumber Number
highlight default link v3dqpuLabel Label
highlight default link v3dqpuString String
highlight default link v3dqpuComment Comment

let b:current_syntax = 'v3dqpu'
