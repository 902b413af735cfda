// SPDX-License-Identifier: MIT
/*
 * Jobs, programs and shaders of an ordinary user who wants the memory of others: each is refused,
 * by the rule that it breaks. What other checkers of this kind have let through, or were close to,
 * has a case each; v3dcl_hostile_code has one for each rule of code.
 */
#include "v3dcl_drawing.h"
#include "v3dcl_rules.h"

IGT_TEST_DESCRIPTION("What an ordinary user must not get through the checker");

/* --- programs --------------------------------------------------------------------------------- */

/* r0 becomes what the VPM holds, which is unknown */
static void emit_unknown(struct qb *b)
{
	qb_read_row(b, QB_R0, 0);
}

/* r1 becomes r0, held between 0 and 60 */
static void emit_clamped(struct qb *b)
{
	qb_emit(b, qb_add(V3D_QPU_ADD_MAX, QB_R1, QB_R0, qb_imm(0)));
	qb_emit(b, qb_ldi(QB_R2, 60));
	qb_emit(b, qb_add(V3D_QPU_ADD_MIN, QB_R1, QB_R1, QB_R2));
}

/* Reads memory at r1 plus a uniform */
static void emit_read(struct qb *b)
{
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_R1, QB_UNIF));
	qb_emit(b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	qb_emit(b, qb_mov(QB_R3, QB_R4));
}

/* What all the others vary: this one, with an end, is verified */
static void good(struct qb *b)
{
	emit_unknown(b);
	emit_clamped(b);
	emit_read(b);
}

/* Code that only a forward branch past an end reaches */
static void past_end(struct qb *b)
{
	emit_unknown(b);
	qb_branch_to(b, V3D_QPU_BRANCH_ALWAYS, qb_here(b) + 7);
	qb_nops(b, 3);
	qb_end(b);
	qb_store_rows(b, 0, 1, QB_R0);
	qb_end(b);
}

/*
 * A clamp into file A's address 39 is nowhere, and what is read from there is nothing that was
 * clamped
 */
static void io_register(struct qb *b)
{
	emit_unknown(b);
	emit_clamped(b);
	qb_emit(b, qb_mov(QB_RA(V3D_QPU_W_NOP), QB_R1));
	qb_nops(b, 1);
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_RA(V3D_QPU_R_NOP), QB_UNIF_B));
	qb_emit(b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	qb_end(b);
}

/* A direct read is not clamped because the one before it was */
static void lookup_before(struct qb *b)
{
	emit_unknown(b);
	emit_clamped(b);
	emit_read(b);
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_R0, QB_UNIF));
	qb_emit(b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	qb_end(b);
}

/* A lookup that is not finished is left for the next program */
static void lookup_open(struct qb *b)
{
	emit_unknown(b);
	qb_emit(b, qb_mov(QB_IO(V3D_QPU_W_TMU0_T), QB_R0));
	qb_end(b);
}

/* The clamp's result is packed: other bits than those that were clamped */
static void pack_on_clamp(struct qb *b)
{
	emit_unknown(b);
	qb_emit(b, qb_mov(QB_RA(1), QB_R0));
	qb_emit(b, qb_add(V3D_QPU_ADD_MAX, QB_R1, QB_R0, qb_imm(0)));
	qb_emit(b, qb_ldi(QB_R2, 60));
	/* the lower half only */
	qb_emit(b, qb_pack(1, false, qb_add(V3D_QPU_ADD_MIN, QB_RA(1), QB_R1, QB_R2)));
	qb_nops(b, 1);
	qb_emit(b, qb_mov(QB_R1, QB_RA(1)));
	emit_read(b);
	qb_end(b);
}

/* The clamp happens in some elements only */
static void conditional_clamp(struct qb *b)
{
	emit_unknown(b);
	qb_emit(b, qb_flags(qb_mov(QB_R1, QB_R0)));
	qb_emit(b, qb_if(V3D_QPU_COND_ZS, qb_add(V3D_QPU_ADD_MAX, QB_R1, QB_R1, qb_imm(0))));
	qb_emit(b, qb_ldi(QB_R2, 60));
	qb_emit(b, qb_if(V3D_QPU_COND_ZS, qb_add(V3D_QPU_ADD_MIN, QB_R1, QB_R1, QB_R2)));
	emit_read(b);
	qb_end(b);
}

/* What was clamped has changed since */
static void overwritten_clamp(struct qb *b)
{
	emit_unknown(b);
	emit_clamped(b);
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_R1, QB_R1, QB_R0));
	emit_read(b);
	qb_end(b);
}

/* On one of two ways there is no clamp */
static void clamp_on_one_path(struct qb *b)
{
	emit_unknown(b);
	qb_emit(b, qb_flags(qb_mov(QB_R1, QB_R0)));
	qb_branch_to(b, V3D_QPU_BRANCH_ALL_ZS, qb_here(b) + 7);
	qb_nops(b, 3);
	emit_clamped(b);
	emit_read(b);
	qb_end(b);
}

/*
 * The port takes a uniform that no operation uses: the stream is one further than a count of
 * operations says
 */
static void uniform_unread(struct qb *b)
{
	struct v3d_qpu_inst inst = qb_mov(QB_R1, QB_R0);

	emit_unknown(b);
	inst.raddr_a = V3D_QPU_R_UNIFORM;
	qb_emit(b, inst);
	emit_clamped(b);
	emit_read(b);
	qb_end(b);
}

/* An address that is but a number */
static void no_base(struct qb *b)
{
	qb_emit(b, qb_ldi(QB_TMU0_S, 0x1000));
	qb_emit(b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	qb_end(b);
}

/* What the last program has left in an accumulator */
static void unwritten_accumulator(struct qb *b)
{
	qb_write_row(b, 0, QB_R3);
	qb_store_rows(b, 0, 1, QB_UNIF);
	qb_end(b);
}

/* More than all the rows */
static void rows_beyond(struct qb *b)
{
	qb_store_rows(b, 1, 64, QB_UNIF);
	qb_end(b);
}

/* A store with BLOCKMODE: rows of memory follow each other in the VPM, or begin a row of it each */
static void emit_block(struct qb *b, struct v3d_vdw_setup setup)
{
	const struct v3d_vdw_stride stride = { .blockmode = 1, .id = 3 };

	setup.id = 2;
	qb_setup(b, QB_VW_SETUP, v3d_word_vdw_setup(&setup));
	qb_setup(b, QB_VW_SETUP, v3d_word_vdw_stride(&stride));
	qb_emit(b, qb_mov(QB_VDW_ADDR, QB_UNIF));
	qb_emit(b, qb_mov(QB_NONE, QB_VDW_WAIT));
	qb_end(b);
}

/* Row 63 as AG100 Table 35 has it; as two published libraries need it, 15 rows of others as well */
static void block_rows(struct qb *b)
{
	emit_block(b, (struct v3d_vdw_setup){ .y = 63, .horizontal = 1, .depth = 1, .units = 16 });
}

/* Columns 15 and 16, or the end of column 15 */
static void block_columns(struct qb *b)
{
	emit_block(b, (struct v3d_vdw_setup){ .x = 15, .depth = 32, .units = 2 });
}

/* The other way round: inside only if each row of memory begins a row, or a column, further on */
static void block_packed(struct qb *b)
{
	emit_block(b, (struct v3d_vdw_setup){ .y = 55, .horizontal = 1, .depth = 20, .units = 8 });
}

static void block_packed_columns(struct qb *b)
{
	emit_block(b, (struct v3d_vdw_setup){ .depth = 33, .units = 2 });
}

static void mutex_kept(struct qb *b)
{
	qb_mutex_lock(b);
	qb_end(b);
}

static void tile_buffer(struct qb *b)
{
	qb_emit(b, qb_ldi(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), 0));
	qb_end(b);
}

static void never_ends(struct qb *b)
{
	qb_nops(b, 4);
}

/* What a transfer moves is known only when its set-up is */
static void setup_unknown(struct qb *b)
{
	emit_unknown(b);
	qb_emit(b, qb_mov(QB_VW_SETUP, QB_R0));
	qb_emit(b, qb_mov(QB_VDW_ADDR, QB_UNIF));
	qb_emit(b, qb_mov(QB_NONE, QB_VDW_WAIT));
	qb_end(b);
}

/* The next set-up would be that of a transfer which is under way */
static void transfer_open(struct qb *b)
{
	qb_setup(b, QB_VR_SETUP, qb_word_vdr(0, 1));
	qb_emit(b, qb_mov(QB_VDR_ADDR, QB_UNIF));
	qb_emit(b, qb_mov(QB_VDR_ADDR, QB_UNIF));
	qb_emit(b, qb_mov(QB_NONE, QB_VDR_WAIT));
	qb_end(b);
}

/* A return to where no call has come from */
static void link_of_no_call(struct qb *b)
{
	qb_emit(b, qb_mov(QB_RA(0), QB_UNIF));
	qb_nops(b, 1);
	qb_emit(b, qb_branch_register(qb_branch(V3D_QPU_BRANCH_ALWAYS, false, 0, QB_NONE), 0));
	qb_nops(b, 3);
	qb_end(b);
}

static const struct program_case {
	const char *name;
	void (*emit)(struct qb *b);
	uint32_t rule;
	const char *describe;
} program_cases[] = {
	{ "past-end", past_end, RULE_ADDRESS_UNKNOWN,
	  "Code that only a forward branch past an end reaches" },
	{ "io-register", io_register, RULE_CODE_READ, "An I/O address taken for a register" },
	{ "lookup-before", lookup_before, RULE_ADDRESS_UNKNOWN,
	  "State left over from an earlier lookup" },
	{ "lookup-open", lookup_open, RULE_TMU_OPEN, "A lookup that is not finished" },
	{ "pack-on-clamp", pack_on_clamp, RULE_ADDRESS_UNKNOWN, "A pack on a clamp" },
	{ "conditional-clamp", conditional_clamp, RULE_ADDRESS_UNKNOWN,
	  "A clamp under a condition" },
	{ "overwritten-clamp", overwritten_clamp, RULE_ADDRESS_UNKNOWN,
	  "A clamped value that has changed since" },
	{ "clamp-on-one-path", clamp_on_one_path, RULE_ADDRESS_UNKNOWN,
	  "A clamp on one of two paths" },
	{ "uniform-unread", uniform_unread, RULE_UNIFORM_UNREAD,
	  "A uniform that is counted but not consumed" },
	{ "no-base", no_base, RULE_ADDRESS_UNKNOWN, "An address without a BO" },
	{ "unwritten-accumulator", unwritten_accumulator, RULE_CODE_UNDEFINED,
	  "An accumulator that the program has not written" },
	{ "rows-beyond", rows_beyond, RULE_DMA_ROWS, "More VPM rows than there are" },
	{ "block-rows", block_rows, RULE_DMA_ROWS, "Rows of a block, inside only if packed" },
	{ "block-columns", block_columns, RULE_DMA_ROWS,
	  "Columns of a block, inside only if packed" },
	{ "block-packed", block_packed, RULE_DMA_ROWS, "Rows of a block, inside unless packed" },
	{ "block-packed-columns", block_packed_columns, RULE_DMA_ROWS,
	  "Columns of a block, inside unless packed" },
	{ "mutex-kept", mutex_kept, RULE_MUTEX_HELD, "The mutex held at the end" },
	{ "tile-buffer", tile_buffer, RULE_CODE_WRITE, "The tile buffer, from a user program" },
	{ "never-ends", never_ends, RULE_CODE_END, "Code without an end" },
	{ "setup-unknown", setup_unknown, RULE_SETUP_UNKNOWN,
	  "A set-up that the program makes up" },
	{ "transfer-open", transfer_open, RULE_DMA_PENDING, "Two transfers at a time" },
	{ "link-of-no-call", link_of_no_call, RULE_LINK_UNKNOWN, "A return without a call" },
};

static void try_program(int fd, const struct program_case *test)
{
	uint64_t code[64];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	test->emit(&b);
	refused_program(fd, &b, test->rule);
}

/* --- jobs of good programs -------------------------------------------------------------------- */

struct good_job {
	struct bo bo;
	uint32_t program;
	struct job *job;
};

/* good(), reading 64 bytes from @offset on of a BO of 4096 bytes */
static struct good_job good_job(int fd, uint32_t offset)
{
	struct good_job g = { .bo = bo_create(fd, 4096), .program = program_of(fd, good),
			      .job = job_new() };

	job_run(g.job, g.program);
	job_reads(g.job, &g.bo, offset);
	return g;
}

static void good_job_free(int fd, struct good_job *g)
{
	gem_close(fd, g->program);
	bo_destroy(fd, &g->bo);
	free(g->job);
}

static void refused_job(int fd, struct good_job *g, uint32_t part, uint32_t rule)
{
	igt_assert_eq(job_try(fd, g->job), EINVAL);
	refused(fd, part, rule);
	good_job_free(fd, g);
}

/* The last address that fits, and the first that does not */
static void last_bytes(int fd)
{
	struct good_job g = good_job(fd, 4096 - 64);

	job_submit(fd, g.job);
	igt_assert_eq(seqno_wait(fd, g.job->submit.seqno, LONG_WAIT), 0);
	good_job_free(fd, &g);
	g = good_job(fd, 4096 - 63);
	refused_job(fd, &g, DRM_V3DCL_PART_UNIFORMS, RULE_ADDRESS_END);
}

static void wrong_addresses(int fd)
{
	struct good_job g = good_job(fd, 0);

	/* A number of the user's own */
	g.job->submit.reloc_count = 0;
	g.job->uniforms[0] = 0x10000000;
	refused_job(fd, &g, DRM_V3DCL_PART_UNIFORMS, RULE_ADDRESS_RELOC);
	/* A BO that may only be written */
	g = good_job(fd, 0);
	g.job->relocs[0].flags = DRM_V3DCL_RELOC_WRITE;
	refused_job(fd, &g, DRM_V3DCL_PART_UNIFORMS, RULE_ADDRESS_FLAGS);
	/* Code as memory; memory as code; no BO at all */
	g = good_job(fd, 0);
	g.job->relocs[0].handle = g.program;
	refused_job(fd, &g, DRM_V3DCL_PART_RELOC, RULE_BO_PLAIN);
	g = good_job(fd, 0);
	g.job->programs[0].handle = g.bo.handle;
	refused_job(fd, &g, DRM_V3DCL_PART_PROGRAM, RULE_BO_PROGRAM);
	g = good_job(fd, 0);
	g.job->relocs[0].handle = 0xdeadbeef;
	refused_job(fd, &g, DRM_V3DCL_PART_RELOC, RULE_BO_HANDLE);
	/* Into the middle of the code; without the uniforms that it reads */
	g = good_job(fd, 0);
	g.job->programs[0].offset = 8;
	refused_job(fd, &g, DRM_V3DCL_PART_PROGRAM, RULE_PROGRAM_START);
	g = good_job(fd, 0);
	g.job->programs[0].uniform_count = 0;
	g.job->submit.reloc_count = 0;
	refused_job(fd, &g, DRM_V3DCL_PART_PROGRAM, RULE_PROGRAM_SHORT);
}

/* Relocations of words that the run has not, to bytes that the BO has not, in ways there are not */
static void wrong_relocations(int fd)
{
	static const struct {
		struct drm_v3dcl_reloc reloc;	/* but for the handle */
		uint32_t rule;
	} cases[] = {
		{ { .program = 1, .flags = DRM_V3DCL_RELOC_READ }, RULE_RELOC_PROGRAM },
		{ { .program = 0xffffffff, .flags = DRM_V3DCL_RELOC_READ }, RULE_RELOC_PROGRAM },
		{ { .slot = 1, .flags = DRM_V3DCL_RELOC_READ }, RULE_RELOC_SLOT },
		{ { .slot = 0xffffffff, .flags = DRM_V3DCL_RELOC_READ }, RULE_RELOC_SLOT },
		{ { .offset = 4096, .flags = DRM_V3DCL_RELOC_READ }, RULE_RELOC_OFFSET },
		{ { .offset = 0xffffffff, .flags = DRM_V3DCL_RELOC_READ }, RULE_RELOC_OFFSET },
		{ { .flags = 0 }, RULE_RELOC_FLAGS },
		{ { .flags = DRM_V3DCL_RELOC_READ | 4 }, RULE_RELOC_FLAGS },
		{ { .flags = DRM_V3DCL_RELOC_READ, .pad = 1 }, RULE_RELOC_PAD },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct good_job g = good_job(fd, 0);

		g.job->relocs[0] = cases[i].reloc;
		g.job->relocs[0].handle = g.bo.handle;
		refused_job(fd, &g, DRM_V3DCL_PART_RELOC, cases[i].rule);
	}
}

/* Runs that begin beside the code, and uniforms that are not the job's */
static void wrong_runs(int fd)
{
	static const struct {
		uint32_t offset, first_uniform, uniform_count, rule;
	} cases[] = {
		{ 4, 0, 1, RULE_PROGRAM_OFFSET },
		{ 0x10000, 0, 1, RULE_PROGRAM_OFFSET },
		{ 0xfffffff8, 0, 1, RULE_PROGRAM_OFFSET },
		{ 0, 1, 1, RULE_PROGRAM_UNIFORMS },
		{ 0, 0, 2, RULE_PROGRAM_UNIFORMS },
		{ 0, 0xffffffff, 1, RULE_PROGRAM_UNIFORMS },
		{ 0, 1, 0xffffffff, RULE_PROGRAM_UNIFORMS },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct good_job g = good_job(fd, 0);

		g.job->programs[0].offset = cases[i].offset;
		g.job->programs[0].first_uniform = cases[i].first_uniform;
		g.job->programs[0].uniform_count = cases[i].uniform_count;
		refused_job(fd, &g, DRM_V3DCL_PART_PROGRAM, cases[i].rule);
	}
}

/* Another program instead of the good one, which is verified but reaches beyond the BO */
static void refused_reach(int fd, void (*emit)(struct qb *b))
{
	struct good_job g = good_job(fd, 0);

	gem_close(fd, g.program);
	g.program = program_of(fd, emit);
	g.job->programs[0].handle = g.program;
	refused_job(fd, &g, DRM_V3DCL_PART_UNIFORMS, RULE_ADDRESS_END);
}

static void emit_half_clamp(struct qb *b)
{
	emit_unknown(b);
	qb_emit(b, qb_flags(qb_add(V3D_QPU_ADD_MAX, QB_R1, QB_R0, qb_imm(0))));
	qb_emit(b, qb_ldi(QB_R2, 60));
	qb_emit(b, qb_if(V3D_QPU_COND_ZS, qb_add(V3D_QPU_ADD_MIN, QB_R1, QB_R1, QB_R2)));
	emit_read(b);
}

/* Half of a clamp, and half of one in some elements, leaves more than any BO has */
static void half_clamp(int fd)
{
	refused_reach(fd, emit_half_clamp);
}

static void emit_immediate_as_clamp(struct qb *b)
{
	struct v3d_qpu_inst clamp = qb_add(V3D_QPU_ADD_MIN, QB_R1, QB_R1, QB_R2);

	qb_emit(b, qb_ldi(QB_R1, v3d_qpu_encode(&clamp)));
	emit_read(b);
}

/*
 * A load of an immediate whose bits would be a clamp, were it an ALU instruction, is but a number:
 * far outside of the BO
 */
static void immediate_as_clamp(int fd)
{
	refused_reach(fd, emit_immediate_as_clamp);
}

static void emit_up(struct qb *b)
{
	qb_emit(b, qb_sema_up(3));
}

static void emit_limited(struct qb *b)
{
	emit_unknown(b);
	qb_emit(b, qb_add(V3D_QPU_ADD_MAX, QB_R1, QB_R0, qb_imm(0)));
	qb_emit(b, qb_add(V3D_QPU_ADD_MIN, QB_R1, QB_R1, QB_UNIF));
	emit_read(b);
}

/* The stream goes on at its second word, whose address is the first */
static void emit_reset(struct qb *b)
{
	qb_emit(b, qb_ldi(QB_R3, 4));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R3, QB_UNIF));
	qb_nops(b, 2);
	qb_emit(b, qb_mov(QB_R0, QB_UNIF));
}

/* A run of a good program, refused for what it is given */
static void refused_run(int fd, struct job *job, uint32_t program, uint32_t part, uint32_t rule)
{
	igt_assert_eq(job_try(fd, job), EINVAL);
	refused(fd, part, rule);
	gem_close(fd, program);
	free(job);
}

/* A limit below 0, an address where the stream's goes, semaphores that are left, a pad */
static void wrong_words(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	uint32_t program = program_of(fd, emit_limited);
	struct job *job = job_new();

	job_run(job, program);
	job_uniform(job, 0xffffffff);
	job_reads(job, &bo, 0);
	refused_run(fd, job, program, DRM_V3DCL_PART_UNIFORMS, RULE_LIMIT_NEGATIVE);
	program = program_of(fd, emit_reset);
	job = job_new();
	job_run(job, program);
	job_reads(job, &bo, 0);
	job_uniform(job, 0);
	refused_run(fd, job, program, DRM_V3DCL_PART_UNIFORMS, RULE_RESET_SHARED);
	program = program_of(fd, emit_up);
	job = job_new();
	job_run(job, program);
	refused_run(fd, job, program, DRM_V3DCL_PART_PROGRAM, RULE_SEMAPHORE_SUM);
	program = program_of(fd, qb_host_int);
	job = job_new();
	job_run(job, program);
	job->submit.pad = 1;
	refused_run(fd, job, program, DRM_V3DCL_PART_SUBMIT, RULE_SUBMIT_RANGE);
	bo_destroy(fd, &bo);
}

/* --- frames ----------------------------------------------------------------------------------- */

struct good_frame {
	struct bo target, vertices;
	uint32_t shaders[DRAWING_SHADERS];
	struct drawing *d;
};

/*
 * A triangle in 128 x 128 pixels, with the list and records that may be changed before it is
 * submitted
 */
static struct good_frame good_frame(int fd)
{
	struct good_frame g = { .target = bo_create(fd, 128 * 128 * 4),
				.vertices = bo_create(fd, 4096) };

	make_shaders(fd, g.shaders);
	g.d = drawing_new(g.shaders, &g.target, 128, 128, &g.vertices, 3);
	return g;
}

static void refused_frame(int fd, struct good_frame *g, uint32_t part, uint32_t rule)
{
	igt_assert_eq(render_try(fd, g->d->r), EINVAL);
	refused(fd, part, rule);
	drawing_free(g->d);
	drop_shaders(fd, g->shaders);
	bo_destroy(fd, &g->target);
	bo_destroy(fd, &g->vertices);
}

static void wrong_handles(int fd)
{
	struct good_frame g = good_frame(fd);

	g.d->shader.handles[0] = g.d->r->submit.bo_handle_count;
	refused_frame(fd, &g, DRM_V3DCL_PART_SHADER_RECORD, RULE_BO_INDEX);
	g = good_frame(fd);
	g.d->shader.handles[4] = g.d->r->submit.bo_handle_count;
	refused_frame(fd, &g, DRM_V3DCL_PART_SHADER_RECORD, RULE_BO_INDEX);
	/* Memory as a shader, a shader as memory, a shader as a surface */
	g = good_frame(fd);
	g.d->shader.handles[1] = g.d->shader.handles[3];
	refused_frame(fd, &g, DRM_V3DCL_PART_SHADER_RECORD, RULE_BO_SHADER);
	g = good_frame(fd);
	g.d->shader.handles[3] = g.d->shader.handles[1];
	refused_frame(fd, &g, DRM_V3DCL_PART_SHADER_RECORD, RULE_BO_PLAIN);
	g = good_frame(fd);
	g.d->r->submit.color_write.hindex = g.d->shader.handles[0];
	refused_frame(fd, &g, DRM_V3DCL_PART_SURFACE, RULE_BO_PLAIN);
}

/* The last record before the list's end, as drawing_new() writes it: what and how much is drawn */
static void draw_instead(struct drawing *d, uint32_t first, uint32_t length)
{
	d->list.size -= 2;
	d->list.size -= v3d_packet_info(V3D_ARRAY_PRIMITIVES)->length;
	list_add(&d->list, array_primitives, .mode = V3D_TRIANGLES, .length = length,
		 .first_vertex = first);
	list_end(&d->list);
}

/* 4096 bytes hold 146 vertices of 28 bytes */
static void vertices_beyond(int fd)
{
	struct good_frame g = good_frame(fd);

	draw_instead(g.d, 0, 147);
	refused_frame(fd, &g, DRM_V3DCL_PART_BIN, RULE_VERTEX_END);
	/* 28 times these is 2^32 and a little: small again in 32 bits */
	g = good_frame(fd);
	draw_instead(g.d, 0x0924924a, 3);
	refused_frame(fd, &g, DRM_V3DCL_PART_BIN, RULE_VERTEX_END);
	g = good_frame(fd);
	draw_instead(g.d, 0xffffffff, 3);
	refused_frame(fd, &g, DRM_V3DCL_PART_BIN, RULE_OVERFLOW);
	g = good_frame(fd);
	draw_instead(g.d, 0, 0);
	refused_frame(fd, &g, DRM_V3DCL_PART_BIN, RULE_DRAW_LENGTH);
}

static void tiles_beyond(int fd)
{
	struct good_frame g = good_frame(fd);

	/* One row of pixels more than the BO has */
	g.d->r->submit.height = 129;
	refused_frame(fd, &g, DRM_V3DCL_PART_SURFACE, RULE_SURFACE_END);
	/* The last tile is the number of tiles: of the frame, of the bin list */
	g = good_frame(fd);
	g.d->r->submit.max_x_tile = 2;
	refused_frame(fd, &g, DRM_V3DCL_PART_SURFACE, RULE_TILE_FRAME);
	g = good_frame(fd);
	g.d->r->submit.width = 192;
	g.d->r->submit.height = 64;
	g.d->r->submit.max_x_tile = 2;
	g.d->r->submit.max_y_tile = 0;
	refused_frame(fd, &g, DRM_V3DCL_PART_SURFACE, RULE_TILE_BIN);
}

/* A surface beside or beyond its BO, and in formats whose size is not known */
static void wrong_surfaces(int fd)
{
	static const struct {
		uint32_t offset, bits, flags, rule;
	} cases[] = {
		{ 8, RENDER_PIXEL(V3D_FRAME_RGBA8888), 0, RULE_SURFACE_ALIGNMENT },
		{ 16, RENDER_PIXEL(V3D_FRAME_RGBA8888), 0, RULE_SURFACE_END },
		{ 0xfffffff0, RENDER_PIXEL(V3D_FRAME_RGBA8888), 0, RULE_SURFACE_END },
		{ 0, RENDER_PIXEL(3), 0, RULE_SURFACE_PIXEL },
		{ 0, RENDER_PIXEL(V3D_FRAME_RGBA8888) | RENDER_FORMAT(3), 0, RULE_SURFACE_TILING },
		{ 0, RENDER_PIXEL(V3D_FRAME_RGBA8888) | 0x8000, 0, RULE_SURFACE_BITS },
		{ 0, RENDER_PIXEL(V3D_FRAME_RGBA8888), 0x8000, RULE_SURFACE_FLAGS },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct good_frame g = good_frame(fd);

		g.d->r->submit.color_write.offset = cases[i].offset;
		g.d->r->submit.color_write.bits = cases[i].bits;
		g.d->r->submit.color_write.flags = cases[i].flags;
		refused_frame(fd, &g, DRM_V3DCL_PART_SURFACE, cases[i].rule);
	}
}

/* The draw, by the indices of a BO instead */
static void indices_instead(struct drawing *d, uint32_t handle, uint32_t length, uint32_t address)
{
	d->list.size -= 2;
	d->list.size -= v3d_packet_info(V3D_ARRAY_PRIMITIVES)->length;
	list_add(&d->list, gem_handles, .first = handle);
	list_add(&d->list, indexed_primitives, .mode = V3D_TRIANGLES,
		 .index_type = V3D_INDEX_16, .length = length, .address = address,
		 .maximum_index = 2);
	list_end(&d->list);
	d->r->submit.bin_cl_size = d->list.size;
}

/* Of 4096 bytes: indices behind the last one, and such whose bytes wrap to few */
static void indices_beyond(int fd)
{
	static const struct {
		uint32_t length, address, rule;
	} cases[] = {
		{ 2049, 0, RULE_INDEX_END },
		{ 3, 4092, RULE_INDEX_END },
		{ 3, 0xfffffffe, RULE_INDEX_END },
		{ 3, 1, RULE_INDEX_ALIGNMENT },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct good_frame g = good_frame(fd);

		indices_instead(g.d, g.d->shader.handles[3], cases[i].length, cases[i].address);
		refused_frame(fd, &g, DRM_V3DCL_PART_BIN, cases[i].rule);
	}
}

/* An array that begins behind its BO, or has no vertex whole */
static void attributes_beyond(int fd)
{
	static const uint32_t addresses[] = { 4096, 4080, 0xfffffff0 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(addresses); i++) {
		struct good_frame g = good_frame(fd);
		struct v3d_attribute all = { .address = addresses[i],
					     .size_minus_1 = sizeof(struct vertex) - 1,
					     .stride = sizeof(struct vertex) };

		v3d_pack_attribute(g.d->shader.record + V3D_GL_SHADER_RECORD_LENGTH, &all);
		refused_frame(fd, &g, DRM_V3DCL_PART_SHADER_RECORD, RULE_ATTRIBUTE_END);
	}
}

/* 256 tiles are 0 in a byte; one shader state is one more than none */
static void counters_wrap(int fd)
{
	struct good_frame g = good_frame(fd);

	list_begin(&g.d->list, 0, 2, false);
	list_end(&g.d->list);
	g.d->r->submit.bin_cl_size = g.d->list.size;
	refused_frame(fd, &g, DRM_V3DCL_PART_BIN, RULE_BIN_TILES);
	g = good_frame(fd);
	g.d->r->submit.shader_rec_count = 0;
	refused_frame(fd, &g, DRM_V3DCL_PART_BIN, RULE_SHADER_COUNT);
}

/* Bytes of a shader record: AG100 Table 45 */
enum {
	RECORD_FLAGS,
	RECORD_VARYINGS = 3,
	RECORD_FS_CODE = 4,
	RECORD_VS_ARRAYS = 14,
	RECORD_VS_SIZE = 15,
	RECORD_CS_ARRAYS = 26,
};

static void refused_record(int fd, unsigned int byte, uint8_t value, uint32_t part, uint32_t rule)
{
	struct good_frame g = good_frame(fd);

	g.d->shader.record[byte] = value;
	refused_frame(fd, &g, part, rule);
}

/* A list as drawing_new() writes it, but for what breaks this rule */
static void state_but_for(struct list *l, uint32_t wrong)
{
	list_add(l, primitive_list_format, .primitive = V3D_LIST_TRIANGLES,
		 .data = wrong == RULE_LIST_FORMAT ? 3 : V3D_LIST_INDEX_16);
	if (wrong != RULE_CLIP_MISSING)
		list_add(l, clip_window, .width = 128, .height = 128);
	if (wrong == RULE_POINT_SIZE)
		list_add(l, point_size, .size = 0x3d800000 /* 1/16 */);
	if (wrong == RULE_RECORD_UNKNOWN)
		list_code(l, 127);
	if (wrong == RULE_RECORD_FORBIDDEN)
		list_code(l, V3D_HALT);
	if (wrong != RULE_SHADER_MISSING)
		list_add(l, gl_shader_state, .attributes = 2,
			 .address = wrong == RULE_SHADER_ADDRESS ? 16 : 0,
			 .extended = wrong == RULE_SHADER_EXTENDED);
}

static void draw_but_for(struct list *l, uint32_t wrong, uint32_t indices)
{
	const bool indexed = wrong == RULE_HANDLES_MISSING || wrong == RULE_INDEX_TYPE;

	if (wrong == RULE_INDEX_TYPE)
		list_add(l, gem_handles, .first = indices);
	if (indexed)
		list_add(l, indexed_primitives, .mode = V3D_TRIANGLES,
			 .index_type = wrong == RULE_INDEX_TYPE ? 5 : V3D_INDEX_16, .length = 3,
			 .maximum_index = 2);
	else
		list_add(l, array_primitives, .length = 3,
			 .mode = wrong == RULE_PRIMITIVE_MODE ? 15 : V3D_TRIANGLES);
}

static void list_but_for(struct list *l, uint32_t wrong, uint32_t indices)
{
	unsigned int i;

	l->size = 0;
	for (i = wrong == RULE_BIN_MODE_MISSING; i < 1 + (wrong == RULE_BIN_MODE_TWICE); i++)
		list_add(l, tile_binning_mode, .width = 2, .height = 2, .auto_initialise = 1,
			 .color64 = wrong == RULE_BIN_FLAGS);
	for (i = wrong == RULE_START_MISSING; i < 1 + (wrong == RULE_START_TWICE); i++)
		list_code(l, V3D_START_TILE_BINNING);
	state_but_for(l, wrong);
	draw_but_for(l, wrong, indices);
	list_end(l);
	l->size -= wrong == RULE_BIN_END ? 1 : wrong == RULE_TRUNCATED ? 4 : 0;
}

static void wrong_lists(int fd)
{
	static const uint32_t rules[] = {
		RULE_TRUNCATED, RULE_RECORD_UNKNOWN, RULE_RECORD_FORBIDDEN, RULE_BIN_MODE_MISSING,
		RULE_BIN_MODE_TWICE, RULE_BIN_FLAGS, RULE_START_TWICE, RULE_START_MISSING,
		RULE_BIN_END, RULE_SHADER_MISSING, RULE_PRIMITIVE_MODE, RULE_INDEX_TYPE,
		RULE_HANDLES_MISSING, RULE_LIST_FORMAT, RULE_CLIP_MISSING, RULE_SHADER_ADDRESS,
		RULE_SHADER_EXTENDED, RULE_POINT_SIZE,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		struct good_frame g = good_frame(fd);

		list_but_for(&g.d->list, rules[i], g.d->shader.handles[3]);
		g.d->r->submit.bin_cl_size = g.d->list.size;
		refused_frame(fd, &g, DRM_V3DCL_PART_BIN, rules[i]);
	}
}

/* The frame itself: its size, its tiles, its flags, a surface of another buffer or sampling */
static void wrong_frames(int fd)
{
	struct good_frame g = good_frame(fd);

	g.d->r->submit.width = 0;
	refused_frame(fd, &g, DRM_V3DCL_PART_SURFACE, RULE_SIZE_RANGE);
	g = good_frame(fd);
	g.d->r->submit.min_x_tile = 2;
	refused_frame(fd, &g, DRM_V3DCL_PART_SURFACE, RULE_TILE_ORDER);
	g = good_frame(fd);
	render_surface(g.d->r, &g.d->r->submit.zs_read, g.target.handle, 0,
		       SURFACE(V3D_BUFFER_COLOR, V3D_RASTER, V3D_RGBA8888));
	refused_frame(fd, &g, DRM_V3DCL_PART_SURFACE, RULE_SURFACE_BUFFER);
	g = good_frame(fd);
	g.d->r->submit.color_write.bits |= RENDER_MULTISAMPLE;
	refused_frame(fd, &g, DRM_V3DCL_PART_SURFACE, RULE_SURFACE_MULTISAMPLE);
	g = good_frame(fd);
	g.d->r->submit.flags |= 0x80000000;
	refused_frame(fd, &g, DRM_V3DCL_PART_SUBMIT, RULE_SUBMIT_RANGE);
}

static uint32_t shader_switching(int fd)
{
	uint64_t code[16];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_signal(V3D_QPU_SIG_THREAD_SWITCH, qb_nop()));
	qb_nops(&b, 2);
	qb_end(&b);
	return shader_create(fd, &b);
}

/* An array that goes to rows which its record does not reserve */
static void rows_not_reserved(int fd)
{
	struct good_frame g = good_frame(fd);
	struct v3d_attribute all = { .size_minus_1 = 2 * sizeof(struct vertex) - 1,
				     .stride = sizeof(struct vertex) };

	v3d_pack_attribute(g.d->shader.record + V3D_GL_SHADER_RECORD_LENGTH, &all);
	refused_frame(fd, &g, DRM_V3DCL_PART_SHADER_RECORD, RULE_ATTRIBUTE_ROWS);
}

/* Code of one shader where another one is, or in the middle; flags that do not fit it */
static void wrong_shaders(int fd)
{
	struct good_frame g = good_frame(fd);
	uint32_t switching = shader_switching(fd);

	g.d->shader.handles[1] = use(g.d->r, switching);
	refused_frame(fd, &g, DRM_V3DCL_PART_SHADER_RECORD, RULE_SHADER_THREADED);
	gem_close(fd, switching);
	g = good_frame(fd);

	g.d->shader.record[RECORD_FS_CODE] = 8;
	refused_frame(fd, &g, DRM_V3DCL_PART_SHADER_RECORD, RULE_SHADER_OFFSET);
	g = good_frame(fd);
	g.d->shader.record[RECORD_FLAGS] ^= 1;	/* single-threaded */
	refused_frame(fd, &g, DRM_V3DCL_PART_SHADER_RECORD, RULE_SHADER_THREADING);
	g = good_frame(fd);
	g.d->shader.handles[0] = g.d->shader.handles[1];
	refused_frame(fd, &g, DRM_V3DCL_PART_SHADER_RECORD, RULE_SHADER_USES_VPM);
	g = good_frame(fd);
	g.d->shader.handles[1] = g.d->shader.handles[0];
	refused_frame(fd, &g, DRM_V3DCL_PART_SHADER_RECORD, RULE_SHADER_USES_TILE);
}

/* The vertex shader of a drawing, whose set-ups of the VPM are its uniforms */
static uint32_t shader_set_up(int fd)
{
	uint64_t code[64];
	struct qb b;
	unsigned int n;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_mov(QB_VR_SETUP, QB_UNIF));
	qb_emit(&b, qb_mov(QB_VW_SETUP, QB_UNIF));
	qb_nops(&b, 2);
	for (n = 0; n < SCREEN_WORDS; n++)
		qb_emit(&b, qb_mov(QB_VPM_WRITE, QB_VPM_READ));
	qb_end(&b);
	return shader_create(fd, &b);
}

static void refused_set_up(int fd, struct drawing *d, uint32_t found, uint32_t expected)
{
	struct drm_v3dcl_refusal refusal;

	igt_assert_eq(render_try(fd, d->r), EINVAL);
	refused(fd, DRM_V3DCL_PART_UNIFORMS, RULE_SETUP_UNIFORM);
	refusal = refusal_get(fd);
	igt_assert_eq(refusal.found, found);
	igt_assert_eq(refusal.expected, expected);
}

/*
 * Uniforms that set up more rows than are read, which the next batch would read; rows of others;
 * DMA
 */
static void wrong_set_ups(int fd)
{
	const uint32_t read = qb_word_vpm_read(0, SCREEN_WORDS), write = qb_word_vpm_write(0),
		       reads[] = { qb_word_vpm_read(0, SCREEN_WORDS + 1),
				   qb_word_vpm_read(1, SCREEN_WORDS),
				   qb_word_vpm_read(0, SCREEN_WORDS - 1), 0x80000000, 0 },
		       writes[] = { qb_word_vpm_write(1), write | 1u << 31, write ^ 1u << 11, 0 };
	struct good_frame g = good_frame(fd);
	const uint32_t shader = shader_set_up(fd);
	uint32_t words[] = { COLOR, read, write };
	unsigned int i;

	g.d->shader.handles[1] = use(g.d->r, shader);
	g.d->r->submit.uniforms = (uintptr_t)words;
	g.d->r->submit.uniforms_size = sizeof(words);
	for (i = 0; i < ARRAY_SIZE(reads); i++) {
		words[1] = reads[i];
		refused_set_up(fd, g.d, reads[i], read);
	}
	words[1] = read;
	for (i = 0; i < ARRAY_SIZE(writes); i++) {
		words[2] = writes[i];
		refused_set_up(fd, g.d, writes[i], write);
	}
	words[2] = write;
	render_submit(fd, g.d->r);
	igt_assert_eq(seqno_wait(fd, g.d->r->submit.seqno, LONG_WAIT), 0);
	words[1] = reads[0];
	refused_frame(fd, &g, DRM_V3DCL_PART_UNIFORMS, RULE_SETUP_UNIFORM);
	gem_close(fd, shader);
}

/* What lies in rows of the VPM, or comes from the varyings' FIFO, and is none of this job's */
static void others_vertices(int fd)
{
	struct good_frame g;

	/*
	 * The vertex shader reads three words a vertex: of two that are reserved, of an array that
	 * is not loaded
	 */
	refused_record(fd, RECORD_VS_SIZE, 8, DRM_V3DCL_PART_SHADER_RECORD, RULE_SHADER_ROWS);
	refused_record(fd, RECORD_VS_ARRAYS, 0, DRM_V3DCL_PART_SHADER_RECORD, RULE_SHADER_ROWS);
	refused_record(fd, RECORD_CS_ARRAYS, 2, DRM_V3DCL_PART_SHADER_RECORD, RULE_SHADER_ROWS);
	/* It writes no varying. */
	refused_record(fd, RECORD_VARYINGS, 1, DRM_V3DCL_PART_SHADER_RECORD, RULE_SHADER_OUTPUT);
	/* A point has two, which this fragment shader does not read */
	g = good_frame(fd);
	g.d->list.bytes[g.d->list.size - 2 - v3d_packet_info(V3D_ARRAY_PRIMITIVES)->length + 1] =
		V3D_POINTS;
	refused_frame(fd, &g, DRM_V3DCL_PART_BIN, RULE_DRAW_VARYINGS);
}

/* --- textures --------------------------------------------------------------------------------- */

#define RASTER_HEIGHT 28
#define RASTER_FITS 32

/* Each element looks up another texel: two parameters, both of them uniforms */
static void emit_lookup(struct qb *b)
{
	qb_emit(b, qb_mov(QB_R0, QB_ELEMENT));
	qb_emit(b, qb_mov(QB_IO(V3D_QPU_W_TMU0_T), QB_R0));
	qb_emit(b, qb_mov(QB_TMU0_S, QB_R0));
	qb_emit(b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	qb_emit(b, qb_mov(QB_R0, QB_R4));
}

/* Parameter 1 of a raster texture; its parameter 0 has an address, and zeros */
static uint32_t raster_of(unsigned int width)
{
	const struct v3d_texture1 word = {
		.type4 = V3D_TEXTURE_RGBA32R >> 4, .width = width, .height = RASTER_HEIGHT,
	};

	return v3d_word_texture1(&word);
}

/* The rule, and what tells the user how wide it has to be */
static void refused_width(int fd, unsigned int found, unsigned int expected)
{
	struct drm_v3dcl_refusal refusal = refusal_get(fd);

	refused(fd, DRM_V3DCL_PART_UNIFORMS, RULE_TEXTURE_RASTER_WIDTH);
	igt_assert_eq(refusal.found, found);
	igt_assert_eq(refusal.expected, expected);
}

static int try_raster_program(int fd, uint32_t program, const struct bo *bo, unsigned int width)
{
	struct job *job = job_new();
	int error;

	job_run(job, program);
	job_reads(job, bo, 0);
	job_uniform(job, raster_of(width));
	error = job_try(fd, job);
	if (!error)
		igt_assert_eq(seqno_wait(fd, job->submit.seqno, LONG_WAIT), 0);
	free(job);
	return error;
}

static void raster_program(int fd, const struct bo *bo)
{
	const uint32_t program = program_of(fd, emit_lookup);

	igt_assert_eq(try_raster_program(fd, program, bo, RASTER_FITS), 0);
	igt_assert_eq(try_raster_program(fd, program, bo, RASTER_FITS + 1), EINVAL);
	refused_width(fd, RASTER_FITS + 1, 2 * RASTER_FITS);
	igt_assert_eq(try_raster_program(fd, program, bo, 2 * RASTER_FITS), EINVAL);
	refused(fd, DRM_V3DCL_PART_UNIFORMS, RULE_TEXTURE_END);
	gem_close(fd, program);
}

static uint32_t shader_lookup(int fd)
{
	uint64_t code[64];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	emit_lookup(&b);
	qb_end_color(&b, QB_R0);
	return shader_create(fd, &b);
}

/* What the fragment shader reads: first the BO, for the kernel alone */
static void give_raster(struct drawing *d, uint32_t words[3], const struct bo *bo,
			unsigned int width)
{
	words[0] = use(d->r, bo->handle);
	words[1] = 0;
	words[2] = raster_of(width);
	d->r->submit.uniforms = (uintptr_t)words;
	d->r->submit.uniforms_size = 3 * sizeof(words[0]);
}

static void raster_frame(int fd, const struct bo *bo)
{
	struct scene *scene = scene_new(fd, shader_lookup(fd), 128, 64);
	uint32_t words[3];

	give_raster(scene->frame, words, bo, RASTER_FITS);
	render_submit(fd, scene->frame->r);
	igt_assert_eq(seqno_wait(fd, scene->frame->r->submit.seqno, LONG_WAIT), 0);
	words[2] = raster_of(RASTER_FITS + 1);
	igt_assert_eq(render_try(fd, scene->frame->r), EINVAL);
	refused_width(fd, RASTER_FITS + 1, 2 * RASTER_FITS);
	scene_free(scene);
}

/*
 * HW-2898: the chip looks for each row of 33 texels 64 texels after the one before. What the image
 * takes by its own width, 36 * 28 * 4 bytes, fits in the BO; what the chip reads is 7168 bytes.
 */
static void raster_width(int fd)
{
	struct bo bo = bo_create(fd, 4096);

	raster_program(fd, &bo);
	raster_frame(fd, &bo);
	bo_destroy(fd, &bo);
}

/*
 * What the parameters of a lookup may say that the BO has not: levels before its first byte, more
 * of them than there are, faces of cube maps without a distance, a type without a known size; and
 * streams that end before the shader's last word
 */
static void wrong_textures(int fd)
{
	static const struct {
		struct v3d_texture0 p0;
		struct v3d_texture1 p1;
		uint32_t words, rule;
	} cases[] = {
		{ { .mip_levels = 1 }, { .width = 16, .height = 16 }, 3, RULE_TEXTURE_LEVELS },
		{ { .mip_levels = 12 }, { .width = 16, .height = 16 }, 3,
		  RULE_TEXTURE_LEVEL_COUNT },
		{ { .cube = 1 }, { .width = 16, .height = 16 }, 3, RULE_TEXTURE_CUBE_STRIDE },
		{ { .type = 15 }, { .width = 16, .height = 16, .type4 = 1 }, 3, RULE_TEXTURE_TYPE },
		{ { .base = 4096 }, { .width = 16, .height = 16 }, 3, RULE_TEXTURE_END },
		{ { 0 }, { .width = 16, .height = 16 }, 2, RULE_UNIFORMS_SHORT },
	};
	struct bo bo = bo_create(fd, 4096);
	struct scene *scene = scene_new(fd, shader_lookup(fd), 128, 64);
	uint32_t words[3];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		give_raster(scene->frame, words, &bo, RASTER_FITS);
		words[1] = v3d_word_texture0(&cases[i].p0);
		words[2] = v3d_word_texture1(&cases[i].p1);
		scene->frame->r->submit.uniforms_size = cases[i].words * sizeof(words[0]);
		igt_assert_eq(render_try(fd, scene->frame->r), EINVAL);
		refused(fd, DRM_V3DCL_PART_UNIFORMS, cases[i].rule);
	}
	scene_free(scene);
	bo_destroy(fd, &bo);
}

/* Reads where its first uniform holds it, from where its second uniform says */
static uint32_t shader_direct(int fd)
{
	uint64_t code[64];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_mov(QB_R0, QB_ELEMENT));
	qb_emit(&b, qb_add(V3D_QPU_ADD_MAX, QB_R0, QB_R0, qb_imm(0)));
	qb_emit(&b, qb_add(V3D_QPU_ADD_MIN, QB_R0, QB_R0, QB_UNIF));
	qb_emit(&b, qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_R0, QB_UNIF));
	qb_emit(&b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	qb_emit(&b, qb_mov(QB_R0, QB_R4));
	qb_end_color(&b, QB_R0);
	return shader_create(fd, &b);
}

/* Of 4096 bytes: a base behind them, and a limit that reaches behind them */
static void direct_beyond(int fd)
{
	static const struct {
		uint32_t limit, base, rule;
	} cases[] = {
		{ 4, 4096, RULE_DIRECT_BASE },	{ 4, 0xfffffffc, RULE_DIRECT_BASE },
		{ 4093, 0, RULE_DIRECT_LIMIT }, { 1, 4092, RULE_DIRECT_LIMIT },
		{ 0x7fffffff, 0, RULE_DIRECT_LIMIT },
	};
	struct bo bo = bo_create(fd, 4096);
	struct scene *scene = scene_new(fd, shader_direct(fd), 128, 64);
	uint32_t words[3];
	unsigned int i;

	give_raster(scene->frame, words, &bo, 0);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		words[1] = cases[i].limit;
		words[2] = cases[i].base;
		igt_assert_eq(render_try(fd, scene->frame->r), EINVAL);
		refused(fd, DRM_V3DCL_PART_UNIFORMS, cases[i].rule);
	}
	scene_free(scene);
	bo_destroy(fd, &bo);
}

static uint32_t shader_child(int fd)
{
	uint64_t code[64];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_mov(QB_R0, QB_ELEMENT));
	qb_emit(&b, qb_mov(QB_IO(V3D_QPU_W_TMU0_R), QB_R0));
	qb_emit(&b, qb_mov(QB_IO(V3D_QPU_W_TMU0_B), QB_R0));
	emit_lookup(&b);
	qb_end_color(&b, QB_R0);
	return shader_create(fd, &b);
}

/* A child beside its image of 16 by 16, one without an offset, and one of a cube map */
static void wrong_children(int fd)
{
	static const struct {
		struct v3d_texture0 p0;
		uint32_t x, width, ptype, rule;
	} cases[] = {
		{ { 0 }, 1, 16, 3, RULE_TEXTURE_CHILD_END },
		{ { 0 }, 0, 0, 3, RULE_TEXTURE_CHILD_END },
		{ { 0 }, 0, 16, 0, RULE_TEXTURE_CHILD },
		{ { .cube = 1 }, 0, 16, 3, RULE_TEXTURE_CHILD },
	};
	const struct v3d_texture1 p1 = { .width = 16, .height = 16 };
	struct bo bo = bo_create(fd, 4096);
	struct scene *scene = scene_new(fd, shader_child(fd), 128, 64);
	uint32_t words[5];
	unsigned int i;

	give_raster(scene->frame, words, &bo, 0);
	scene->frame->r->submit.uniforms_size = sizeof(words);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct v3d_texture_child_size size = { .width = cases[i].width, .height = 16,
							     .ptype = 2 };
		const struct v3d_texture_child_offset at = { .x = cases[i].x,
							     .ptype = cases[i].ptype };

		words[1] = v3d_word_texture0(&cases[i].p0);
		words[2] = v3d_word_texture1(&p1);
		words[3] = v3d_word_texture_child_size(&size);
		words[4] = v3d_word_texture_child_offset(&at);
		igt_assert_eq(render_try(fd, scene->frame->r), EINVAL);
		refused(fd, DRM_V3DCL_PART_UNIFORMS, cases[i].rule);
	}
	scene_free(scene);
	bo_destroy(fd, &bo);
}

static const struct subtest tests[] = {
	{ "last-bytes", last_bytes, "An address that just fits, and the next" },
	{ "wrong-addresses", wrong_addresses, "Addresses that are none, or of the wrong BO" },
	{ "wrong-relocations", wrong_relocations, "Relocations out of every range" },
	{ "wrong-runs", wrong_runs, "Runs out of the code, and out of the uniforms" },
	{ "half-clamp", half_clamp,
	  "A value held above 0 only, and below something in some elements" },
	{ "immediate-as-clamp", immediate_as_clamp,
	  "A load of an immediate taken for an ALU operation" },
	{ "wrong-handles", wrong_handles,
	  "A handle index equal to the count, BOs of the wrong kind" },
	{ "vertices-beyond", vertices_beyond, "Strides whose product wraps" },
	{ "tiles-beyond", tiles_beyond, "Bounds off by one tile, a tile box as large as the bin" },
	{ "wrong-surfaces", wrong_surfaces, "Surfaces beside their BO, of formats there are not" },
	{ "indices-beyond", indices_beyond, "Index lists that end behind their BO, or wrap" },
	{ "attributes-beyond", attributes_beyond, "Attributes that are not in their BO" },
	{ "counters-wrap", counters_wrap, "Counters that wrap to 0" },
	{ "raster-width", raster_width, "Raster textures whose rows the chip takes for longer" },
	{ "wrong-textures", wrong_textures, "Parameters of lookups that no BO has room for" },
	{ "others-vertices", others_vertices, "Vertices and varyings that are none of the job's" },
	{ "wrong-words", wrong_words, "Limits below 0, addresses for the stream, semaphores" },
	{ "wrong-lists", wrong_lists, "Bin lists with a record too many, or one too few" },
	{ "wrong-frames", wrong_frames, "Frames of no size, of other tiles, of other buffers" },
	{ "wrong-shaders", wrong_shaders, "Shaders in the place of others" },
	{ "rows-not-reserved", rows_not_reserved, "Attributes in rows of others" },
	{ "wrong-set-ups", wrong_set_ups, "Uniforms that set up the VPM otherwise than is read" },
	{ "direct-beyond", direct_beyond, "Direct reads of shaders, from behind a BO or to there" },
	{ "wrong-children", wrong_children, "Child images beside their image, or of a cube map" },
};

static int drm_fd = -1;

v3dcl_main()
{
	static const struct program_case *test;

	v3dcl_fixture() {
		drm_fd = drm_open_driver(DRIVER_VC4);
		require_user(drm_fd);
	}

	for (test = program_cases; test < program_cases + ARRAY_SIZE(program_cases); test++) {
		igt_describe(test->describe);
		igt_subtest_f("%s", test->name)
			try_program(drm_fd, test);
	}
	run_subtests(tests, ARRAY_SIZE(tests), drm_fd);

	v3dcl_fixture()
		drm_close_driver(drm_fd);
}
