# SYNTAX TEST "source.v3dqpu" "a program"
# SPDX-License-Identifier: MIT
.set x, 1.5
# <---- keyword.other.directive.v3d
#       ^^^ constant.numeric.v3d
:again
    fadd.ifz r0, r1, rb31
#   ^^^^ keyword.operation.v3d
#       ^^^^ storage.modifier.condition.v3d
#            ^^ variable.language.register.v3d
#                    ^^^^ variable.language.register.v3d
    brr.allzc again
#   ^^^ keyword.control.branch.v3d
#      ^^^^^^ storage.modifier.condition.v3d
    nop; ldtmu0 // a remark
#   ^^^ keyword.operation.v3d
#        ^^^^^^ support.function.signal.v3d
#               ^^^^^^^^^^^ comment.line.v3d
    mov r0, ra12x
#           ^^^^^ - variable.language.register.v3d
