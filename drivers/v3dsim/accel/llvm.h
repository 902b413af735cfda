/* SPDX-License-Identifier: MIT */
/*
 * LLVM 15's C API, in a library that is looked for when it is first needed, and that nothing is
 * linked with: it is 100 MB, and what it is for is speed alone.
 */
#ifndef V3DSIM_LLVM_H
#define V3DSIM_LLVM_H

#include <llvm-c/Core.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

/* What is called of it, each as llvm->Name */
#define LLVM_FUNCTIONS(X) \
	X(AddAttributeAtIndex) X(AddCase) X(AddFunction) X(AddIncoming) \
	X(AppendBasicBlockInContext) X(BuildAShr) X(BuildAdd) X(BuildAnd) X(BuildBitCast) \
	X(BuildBr) X(BuildCall2) X(BuildCondBr) X(BuildFPToSI) X(BuildGEP2) X(BuildICmp) \
	X(BuildLShr) X(BuildLoad2) X(BuildMul) X(BuildNeg) X(BuildNot) X(BuildOr) X(BuildPhi) \
	X(BuildRet) X(BuildSExt) X(BuildSelect) X(BuildShl) X(BuildShuffleVector) X(BuildStore) \
	X(BuildSub) X(BuildSwitch) X(BuildUnreachable) X(BuildXor) X(ConstInt) X(ConstIntToPtr) \
	X(ConstVector) X(ContextCreate) X(ContextDispose) X(CreateBuilderInContext) \
	X(CreateEnumAttribute) X(CreateMCJITCompilerForModule) X(CreateStringAttribute) \
	X(DisposeBuilder) X(DisposeExecutionEngine) X(DisposeMessage) X(DisposeModule) \
	X(FloatTypeInContext) X(FunctionType) X(GetEnumAttributeKindForName) \
	X(GetFunctionAddress) X(GetHostCPUFeatures) X(GetInsertBlock) \
	X(GetIntrinsicDeclaration) X(GetParam) X(GetUndef) X(InitializeMCJITCompilerOptions) \
	X(Int16TypeInContext) X(Int32TypeInContext) X(Int64TypeInContext) X(Int8TypeInContext) \
	X(IntTypeInContext) X(IntrinsicGetType) X(LinkInMCJIT) X(LookupIntrinsicID) \
	X(MDStringInContext2) X(MetadataAsValue) X(ModuleCreateWithNameInContext) \
	X(PointerTypeInContext) X(PositionBuilderAtEnd) X(SetAlignment) X(VectorType) \
	X(VoidTypeInContext)

/**
 * struct llvm - the library's functions
 */
struct llvm {
#define LLVM_MEMBER(name) __typeof__(LLVM##name) *name;
	LLVM_FUNCTIONS(LLVM_MEMBER)
#undef LLVM_MEMBER
};

/* The library, made ready at the first call. NULL: it is not there, or not as it should be */
const struct llvm *llvm_library(void);

#endif /* V3DSIM_LLVM_H */
