" SPDX-License-Identifier: MIT
" Jobs for the V3D (v3dcl-text(5)), with the assembler's syntax in programs
if exists('b:current_syntax')
  finish
endif

syntax include @v3dqpu <sfile>:p:h/v3dqpu.vim
unlet! b:current_syntax

syntax match v3dStatement /\%(^\|[{;]\)\@<=\s*\%(buffer\|program\|option\|run\|lists\|frame\|submit\|save\|expect\|const\|repeat\|if\|else\|assert\|macro\|bin\|render\|record\|uniforms\)\>/
syntax match v3dData /\<\%(u8\|u16\|u32\|u64\|s8\|s16\|s32\|f32\|f16\|f187\|s12\.4\|table\|zero\|align\|text\|file\|image\|code\)\>/
syntax match v3dField /\<[a-z_0-9]\+\ze=[^=]/
syntax match v3dAccess /\<\%(read\|write\|readwrite\)\>/
syntax match v3dNumber /\<\%(0x\x\+\|0b[01]\+\|\d\+\%(\.\d*\)\?\%([eE][-+]\?\d\+\)\?\)\>/
syntax region v3dString start=/"/ skip=/\\./ end=/"/ oneline
syntax match v3dComment /\%(#\|\/\/\).*$/
syntax region v3dComment start=/\/\*/ end=/\*\//
" A program ends with the first line that begins with }
syntax region v3dProgram matchgroup=v3dStatement start=/^\s*program\>[^{]*{/ end=/^\s*}/ contains=@v3dqpu

highlight default link v3dStatement Statement
highlight default link v3dData Type
highlight default link v3dField Identifier
highlight default link v3dAccess Special
highlight default link v3dNumber Number
highlight default link v3dString String
highlight default link v3dComment Comment

let b:current_syntax = 'v3d'
