// SPDX-License-Identifier: MIT
/* Hot runs, found and compiled: see compile.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "qpu/qps.h"
#include "compile_emit.h"

#define RUNS 256	/* of one chip; when there are that many, all of them are dropped */
#define HOT 4096	/* after how many times that it was executed a run is compiled */

struct compiler *compiler_new(void)
{
	struct compiler *compiler = calloc(1, sizeof(*compiler));

	if (compiler)
		compiler->hot = HOT;
	return compiler;
}

bool compile_ready(void)
{
	return llvm_library();
}

static void drop(struct compiled *run)
{
	const struct llvm *l = llvm_library();

	if (run->engine)
		l->DisposeExecutionEngine(run->engine);
	if (run->context)
		l->ContextDispose(run->context);
	free(run);
}

static void drop_all(struct compiler *compiler)
{
	while (compiler->runs) {
		struct compiled *run = compiler->runs;

		compiler->runs = run->next;
		drop(run);
	}
	compiler->count = 0;
}

void compiler_free(struct compiler *compiler)
{
	if (compiler)
		drop_all(compiler);
	free(compiler);
}

/* A branch that writes nothing, or what does not branch */
static bool fits(const struct qpu_op *op)
{
	if (!op->valid)
		return false;
	return op->quick || compile_is_between(op) ||
	       (op->plain &&
		(op->inst.kind != V3D_QPU_BRANCH || (op->idle && !op->inst.reg)));
}

/*
 * May @op, @at instructions behind the first one, come after those before it without being looked
 * at? A branch in another's slots is left to others.
 */
static bool joins(const struct qpu_op *op, unsigned int at)
{
	if (!fits(op) || !compile_follows(op - 1, op))
		return false;
	for (unsigned int n = 1; n <= V3D_QPU_BRANCH_SLOTS && n <= at; n++)
		if (op->inst.kind == V3D_QPU_BRANCH && op[-(int)n].inst.kind == V3D_QPU_BRANCH)
			return false;
	return true;
}

/*
 * The instructions around @op that follow each other, all as they were when last looked at. Return:
 * how many of them are before it
 */
static unsigned int collect(const struct qpu_words *words, struct compiled *run,
			    const struct qpu_op *op, uint32_t offset)
{
	const unsigned int behind = words->size / V3D_QPU_INSTRUCTION_BYTES - offset;
	const struct qpu_op *end = MIN(words->decoded + QPS_DECODED, op + behind),
			    *begin = MAX(words->decoded, op - MIN(offset, COMPILED_WORDS / 2)),
			    *first = op;

	while (first > begin && fits(first - 1) && joins(first, 1))
		first--;
	for (const struct qpu_op *at = first; run->words < COMPILED_WORDS && at < end; at++) {
		if (at > first && !joins(at, at - first)) {
			if (at > op)
				break;
			first = at;
			run->words = 0;
		}
		run->word[run->words] = at->word;
		run->op[run->words++] = *at;
	}
	return op - first;
}

/* Half of these lanes at a time is what processors without wider vectors have */
static unsigned int host_width(const char *features)
{
	return strstr(features, "+avx512f") ? 16 : strstr(features, "+avx2") ? 8 : 4;
}

static LLVMValueRef text(const struct emit *e, const char *string)
{
	LLVMMetadataRef data = e->llvm->MDStringInContext2(e->context, string, strlen(string));

	return e->llvm->MetadataAsValue(e->context, data);
}

/* An empty function, and all that is needed to fill it */
static void begin(struct emit *e, const struct llvm *l, const char *features)
{
	const unsigned int strict = l->GetEnumAttributeKindForName("strictfp", 8);
	LLVMTypeRef arguments[5];

	*e = (struct emit){ .llvm = l, .context = l->ContextCreate(),
			    .width = host_width(features) };
	e->module = l->ModuleCreateWithNameInContext("run", e->context);
	e->b = l->CreateBuilderInContext(e->context);
	e->i1 = l->IntTypeInContext(e->context, 1);
	e->i8 = l->Int8TypeInContext(e->context);
	e->i32 = l->Int32TypeInContext(e->context);
	e->pointer = l->PointerTypeInContext(e->context, 0);
	e->lanes = l->VectorType(e->i32, V3D_QPU_LANES);
	e->floats = l->VectorType(l->FloatTypeInContext(e->context), V3D_QPU_LANES);
	e->rounding = text(e, "round.dynamic");
	e->exceptions = text(e, "fpexcept.ignore");
	arguments[0] = arguments[1] = arguments[2] = e->pointer;
	arguments[3] = arguments[4] = e->i32;
	e->function = l->AddFunction(e->module, "run",
				     l->FunctionType(e->i32, arguments, 5, false));
	e->qpu = l->GetParam(e->function, 0);
	e->thread = l->GetParam(e->function, 1);
	e->place = l->GetParam(e->function, 2);
	e->count = l->GetParam(e->function, 4);
	l->AddAttributeAtIndex(e->function, LLVMAttributeFunctionIndex,
			       l->CreateEnumAttribute(e->context, strict, 0));
	l->AddAttributeAtIndex(e->function, LLVMAttributeFunctionIndex,
			       l->CreateStringAttribute(e->context, "target-features", 15, features,
							strlen(features)));
}

/* Return: false: there is no code */
static bool compile(struct compiled *run, const struct compile_calls *calls)
{
	const struct llvm *l = llvm_library();
	struct LLVMMCJITCompilerOptions options;
	LLVMExecutionEngineRef engine;
	char *features, *error;
	struct emit e;
	uint64_t code;

	if (!l)
		return false;
	features = l->GetHostCPUFeatures();
	begin(&e, l, features);
	l->DisposeMessage(features);
	run->context = e.context;
	emit_run(&e, run, calls);
	l->DisposeBuilder(e.b);
	l->InitializeMCJITCompilerOptions(&options, sizeof(options));
	options.OptLevel = 1;
	if (l->CreateMCJITCompilerForModule(&engine, e.module, &options, sizeof(options), &error)) {
		l->DisposeMessage(error);
		l->DisposeModule(e.module);
		return false;
	}
	run->engine = engine;
	code = l->GetFunctionAddress(engine, "run");
	memcpy(&run->code, &code, sizeof(run->code));
	return code;
}

void compile_run(const struct qpu_words *words, struct qpu_op *op, uint32_t offset,
		 const struct compile_calls *calls)
{
	struct compiler *compiler = words->compiler;
	struct compiled *run = fits(op) ? calloc(1, sizeof(*run)) : NULL;

	if (!run)
		return;
	if (compiler->count == RUNS) {
		for (unsigned int n = 0; n < QPS_DECODED; n++)
			words->decoded[n].compiled = NULL;
		drop_all(compiler);
	}
	op -= collect(words, run, op, offset);
	if (run->words < 2 || !compile(run, calls)) {
		drop(run);
		return;
	}
	run->next = compiler->runs;
	compiler->runs = run;
	compiler->count++;
	for (unsigned int n = 0; n < run->words; n++) {
		op[n].compiled = run;
		op[n].compiled_at = n;
	}
}
