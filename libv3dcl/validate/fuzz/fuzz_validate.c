// SPDX-License-Identifier: MIT
/*
 * Fuzzing validate/: the input is a stream of changes to a job that is valid, or code of a shader.
 *
 * All memory has exactly the size that it must have, so that the address sanitizer sees a byte too
 * many. What is accepted is looked at again, from the bytes that the V3D would be given: every
 * address lies in a BO of the job or in its own memory.
 */
#include "../tests/frame.h"

#include "../../tests/must_hold.h"
#include "fuzz.h"

struct fuzz_count fuzz_count;

struct stream {
	const uint8_t *bytes;
	size_t size;
};

static uint32_t take(struct stream *in, unsigned int n)
{
	uint32_t value = 0;

	while (n-- && in->size) {
		value = value << 8 | *in->bytes++;
		in->size--;
	}
	return value;
}

static void *exactly(const void *bytes, size_t size)
{
	void *copy = malloc(size ? size : 1);

	CHECK(copy);
	memcpy(copy, bytes, size);
	return copy;
}

/* Numbers that tend to break things */
static uint32_t interesting(struct stream *in)
{
	static const uint32_t numbers[] = {
		0, 1, 2, 3, 4, 7, 8, 15, 16, 63, 64, 255, 256, 2047, 2048, 4095, 4096, 65535, 65536,
		0x7fffffff, 0x80000000,
		0xfffff000, 0xfffffff0, 0xfffffffc, 0xffffffff,
	};
	uint32_t which = take(in, 1);

	return which < 128 ? numbers[which % (sizeof(numbers) / sizeof(numbers[0]))] : take(in, 4);
}

/* Shaders */
static void check_shader_facts(const struct v3dcl_shader *shader, uint32_t count)
{
	uint32_t i, j;

	CHECK(shader->sample_count <= count && shader->reset_count <= count &&
	      shader->uniform_words <= 2 * count);
	for (i = 0; i < shader->sample_count; i++) {
		CHECK(shader->samples[i].slot[0] < shader->uniform_words);
		for (j = 1; j < 4; j++)
			CHECK(shader->samples[i].slot[j] < shader->uniform_words ||
			      shader->samples[i].slot[j] == V3DCL_NO_SLOT);
		CHECK(!shader->samples[i].direct ||
		      shader->samples[i].slot[1] < shader->uniform_words);
	}
	for (i = 0; i < shader->reset_count; i++)
		CHECK(shader->resets[i] < shader->uniform_words);
	CHECK(shader->setup_count <= V3DCL_MAX_SETUPS);
	for (i = 0; i < shader->setup_count; i++)
		CHECK(shader->setups[i].slot < shader->uniform_words &&
		      shader->setups[i].at < count);
}

static void fuzz_shader(const uint64_t *code, uint32_t count)
{
	uint64_t *copy = exactly(code, count * 8);
	__u32 scratch_bytes = v3dcl_shader_scratch((const __u64 *)copy, count);
	void *scratch = malloc(scratch_bytes + 1), *kept;
	struct v3dcl_refusal refusal;
	struct v3dcl_shader shader;
	struct v3dcl_program program;

	CHECK(scratch);
	if (v3dcl_check_shader((const __u64 *)copy, count, scratch, scratch_bytes, &shader,
			       &refusal)) {
		check_shader_facts(&shader, count);
		kept = malloc(v3dcl_shader_bytes(&shader) + 1);
		v3dcl_keep_shader(&shader, kept);
		check_shader_facts(&shader, count);
		fuzz_count.shaders++;
		free(kept);
	} else {
		CHECK(*v3dcl_rule_text(refusal.rule) && refusal.offset <= count * 8);
	}
	if (v3dcl_check_unverified((const __u64 *)copy, count, &program, &refusal))
		CHECK(program.count == count && program.last_end + 2 < count);
	free(scratch);
	free(copy);
}

/* Instructions that shaders are made of, and some that they are not; the last one is random. */
static struct v3d_qpu_inst pick(struct stream *in)
{
	struct v3d_qpu_inst inst = qb_nop();

	switch (take(in, 1) % 16) {
	case 0:
		return qb_mov(QB_TMU0_T, QB_R1);
	case 1:
		return qb_mov(QB_TMU0_S, QB_R0);
	case 2:
		return qb_add(V3D_QPU_ADD_MAX, QB_R0, QB_R0, qb_imm(0));
	case 3:
		return qb_add(V3D_QPU_ADD_MIN, QB_R0, QB_R0, QB_UNIF);
	case 4:
		return qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_R0, QB_UNIF);
	case 5:
		return qb_mov(QB_RA(take(in, 1) % 32), QB_UNIF);
	case 6:
		return qb_ldi(QB_R3, take(in, 1) % 16 * 4);
	case 7:
		return qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R3, QB_UNIF);
	case 8:
		inst = qb_branch(take(in, 1) % 13, true,
				 (uint32_t)((int)(take(in, 1) % 24) - 12) * 8, QB_NONE);
		return inst;
	case 9:
		return qb_signal(take(in, 1) & 15, inst);
	case 10:
		return qb_mov(QB_VPM_WRITE, QB_VPM_READ);
	case 11:
		return qb_mov(QB_TLB_COLOUR, QB_R4);
	case 12:
		return v3d_qpu_decode((uint64_t)take(in, 4) << 32 | take(in, 4));
	default:
		return inst;
	}
}

static void fuzz_code(struct stream *in)
{
	uint64_t code[64];
	struct qb b;
	uint32_t count = take(in, 1) % 60;

	qb_init(&b, code, 64);
	while (b.count < count && in->size)
		qb_emit(&b, pick(in));
	if (take(in, 1) % 16)
		qb_end(&b);
	fuzz_shader(code, b.count);
}

/* Frames */
static bool in_bo(const struct frame_test *t, uint32_t address, uint64_t bytes)
{
	int i;

	for (i = 0; i < BOS; i++)
		if (address >= t->bos[i].address &&
		    address - t->bos[i].address + bytes <= t->bos[i].size)
			return true;
	return false;
}

static bool in_exec(const struct v3dcl_job *job, uint32_t address, uint64_t bytes)
{
	return address >= job->exec.address &&
	       address - job->exec.address + bytes <= job->exec.size;
}

/* A shader record as the V3D reads it: where the highest vertex of a draw lies */
static void judge_record(const struct frame_test *t, const uint8_t *record, uint32_t attributes,
			 uint64_t last)
{
	uint32_t i;

	for (i = 0; i < 3; i++) {
		CHECK(in_bo(t, word_at(record + 4 + 12 * i), 8));
		CHECK(in_exec(&t->job, word_at(record + 8 + 12 * i), 0));
	}
	for (i = 0; i < attributes; i++) {
		const uint8_t *attribute = record + 36 + 8 * i;

		CHECK(in_bo(t, word_at(attribute), attribute[4] + 1 + last * attribute[5]));
	}
}

/* The checked list, read like the V3D does */
static void judge_bin(const struct frame_test *t)
{
	const struct v3dcl_job *job = &t->job;
	uint32_t at = 0, size = job->bin_end - job->bin_start, attributes = 0;
	const uint8_t *record = NULL;

	while (at < size) {
		const uint8_t *in = job->exec.cpu + at;

		CHECK(v3d_packet_info(in[0])->lists & V3D_IN_BIN);
		at += v3d_packet_info(in[0])->length;
		CHECK(at <= size);
		if (in[0] == V3D_GL_SHADER_STATE) {
			CHECK(!(in[1] & 8));
			attributes = in[1] & 7 ? in[1] & 7 : 8;
			CHECK(in_exec(job, word_at(in + 1) & ~15u, 36 + 8 * attributes));
			record = job->exec.cpu + ((word_at(in + 1) & ~15u) - job->exec.address);
			judge_record(t, record, attributes, 0);
		} else if (in[0] == V3D_ARRAY_PRIMITIVES) {
			CHECK(record && word_at(in + 2));
			judge_record(t, record, attributes,
				     (uint64_t)word_at(in + 2) + word_at(in + 6) - 1);
		} else if (in[0] == V3D_INDEXED_PRIMITIVES) {
			CHECK(in_bo(t, word_at(in + 6), (uint64_t)word_at(in + 2) << (in[1] >> 4)));
			judge_record(t, record, attributes, word_at(in + 10));
		} else {
			CHECK(in[0] != V3D_INCREMENT_SEMAPHORE && in[0] != V3D_WAIT_ON_SEMAPHORE);
		}
	}
}

/*
 * What a surface's loads and stores span, without the layout's rounding: a lower bound, but an
 * independent one
 */
static void judge_surface(const struct frame_test *t,
			  const struct drm_vc4_submit_rcl_surface *surface, uint32_t bytes)
{
	if (surface->hindex != ~0u)
		CHECK(in_bo(t, t->bos[surface->hindex].address + surface->offset, bytes));
}

static void judge_render(const struct frame_test *t)
{
	const struct drm_vc4_submit_cl *submit = &t->submit;
	const struct v3dcl_job *job = &t->job;
	uint32_t at = 0, size = job->render_end - job->render_start, tiles = 0, ends = 0;
	uint32_t pixels = submit->width * submit->height;

	judge_surface(t, &submit->color_write,
		      pixels * (submit->color_write.bits >> 2 & 1 ? 4 : 2));
	judge_surface(t, &submit->zs_write, pixels * 4);
	judge_surface(t, &submit->msaa_color_write, 16384);
	CHECK(size < job->render_bytes);
	while (at < size) {
		const uint8_t *in = job->render.cpu + at;

		CHECK(v3d_packet_info(in[0])->lists & V3D_IN_RENDER &&
		      in[0] != V3D_WAIT_ON_SEMAPHORE);
		at += v3d_packet_info(in[0])->length;
		if (in[0] == V3D_BRANCH_TO_SUB_LIST) {
			tiles++;
			CHECK(word_at(in + 1) - job->tiles.lists <
			      job->needs.tiles_x * job->needs.tiles_y * 32);
		} else if (in[0] == V3D_STORE_FULL || in[0] == V3D_LOAD_FULL) {
			CHECK(in_bo(t, word_at(in + 1) & ~15u, 16384));
		}
		ends += in[0] == V3D_STORE_RESOLVED_END ||
			(in[0] == V3D_STORE_GENERAL && in[3] & 8) ||
			(in[0] == V3D_STORE_FULL && in[1] & 8);
	}
	CHECK(at == size && ends == 1);
	CHECK(!submit->bin_cl_size || tiles == (submit->max_x_tile - submit->min_x_tile + 1u) *
					       (submit->max_y_tile - submit->min_y_tile + 1u));
}

static void run_render(struct frame_test *t)
{
	struct v3dcl_job *job = &t->job;

	if (!v3dcl_check_render(job)) {
		CHECK(*v3dcl_rule_text(job->refusal.rule));
		return;
	}
	job->render = (struct v3dcl_memory){ malloc(job->render_bytes), 0x40000000,
					     job->render_bytes };
	CHECK(v3dcl_build_render(job));
	judge_render(t);
	fuzz_count.renders++;
	free(job->render.cpu);
}

static void run_frame(struct frame_test *t)
{
	struct v3dcl_job *job = &t->job;
	bool accepted = true;

	frame_job(t);
	job->bin.bytes = exactly(t->bin, t->bin_size);
	job->records.bytes = exactly(t->records, t->records_size);
	job->uniforms.bytes = exactly(t->uniforms, t->uniforms_size);
	job->exec.cpu = NULL;
	if (t->bin_size) {
		accepted = v3dcl_measure(job);
		if (accepted) {
			job->exec = (struct v3dcl_memory){ malloc(job->needs.exec), 0x20000000,
							   job->needs.exec };
			accepted = v3dcl_check_bin(job);
		}
		if (accepted) {
			judge_bin(t);
			fuzz_count.bins++;
		} else {
			CHECK(*v3dcl_rule_text(job->refusal.rule));
		}
	}
	if (accepted)
		run_render(t);
	free(job->exec.cpu);
	free((void *)job->uniforms.bytes);
	free((void *)job->records.bytes);
	free((void *)job->bin.bytes);
}

/* Bytes of one of the job's parts, changed, moved up or removed */
static void change_part(struct stream *in, __u8 *bytes, __u32 *size, __u32 capacity)
{
	__u32 at = *size ? take(in, 2) % *size : 0, number;

	switch (take(in, 1) % 8) {
	case 0:		/* one byte */
		if (*size)
			bytes[at] = take(in, 1);
		break;
	case 1:		/* a bit */
		if (*size)
			bytes[at] ^= 1 << take(in, 1) % 8;
		break;
	case 2:		/* cut off */
		*size = at;
		break;
	case 3:		/* a piece doubled */
		number = take(in, 1) % 32;
		if (at + number <= *size && *size + number <= capacity) {
			memmove(bytes + at + number, bytes + at, *size - at);
			*size += number;
		}
		break;
	default:	/* a word */
		number = interesting(in);
		if (at + 4 <= *size)
			memcpy(bytes + at, &number, 4);
		break;
	}
}

/* A record before the last two of the bin list */
static void insert_record(struct stream *in, struct frame_test *t)
{
	static const struct v3d_attribute wide = { .address = 16, .size_minus_1 = 15,
						   .stride = 32 };

	t->bin_size -= t->bin_size >= 2 ? 2 : 0;
	if (t->bin_size > 400 || t->records_size > 300 || t->uniforms_size > 300)
		return;
	switch (take(in, 1) % 4) {
	case 0:
		bin(t, array_primitives, .mode = take(in, 1) % 8, .length = interesting(in),
		    .first_vertex = interesting(in));
		break;
	case 1:
		bin(t, gem_handles, .first = take(in, 1) % (BOS + 1));
		bin(t, indexed_primitives, .mode = take(in, 1) % 8, .index_type = take(in, 1) % 3,
		    .length = interesting(in), .address = interesting(in),
		    .maximum_index = interesting(in));
		break;
	case 2:
		bin(t, gl_shader_state, .attributes = 1);
		shader_record(t, &wide, 1);
		frame_uniforms(t);
		break;
	default:
		bin(t, clip_window, .left = interesting(in), .bottom = interesting(in),
		    .width = interesting(in), .height = interesting(in));
		break;
	}
	frame_end(t);
}

static void change_submit(struct stream *in, struct frame_test *t)
{
	struct drm_vc4_submit_rcl_surface *const surfaces[] = {
		&t->submit.color_read, &t->submit.color_write, &t->submit.zs_read,
		&t->submit.zs_write, &t->submit.msaa_color_write, &t->submit.msaa_zs_write
	};
	struct drm_vc4_submit_rcl_surface *surface = surfaces[take(in, 1) % 6];

	switch (take(in, 1) % 8) {
	case 0:
		surface->hindex = take(in, 1) % 2 ? BO_COLOR + take(in, 1) % 2 : interesting(in);
		break;
	case 1:
		surface->offset = interesting(in);
		break;
	case 2:
		surface->bits = take(in, 2);
		break;
	case 3:
		surface->bits = surface == surfaces[2] || surface == surfaces[3] ? 2 :
				surface == surfaces[0] ? 1 :
										   0;
		break;
	case 4:
		surface->flags = take(in, 1) % 3;
		break;
	case 5:
		t->submit.width = interesting(in);
		t->submit.height = interesting(in);
		break;
	case 6:
		t->submit.max_x_tile = take(in, 1);
		t->submit.max_y_tile = take(in, 1);
		break;
	default:
		t->submit.flags = take(in, 1) % 32;
		t->submit.min_x_tile = take(in, 1) % 4;
		break;
	}
}

static void fuzz_frame(struct stream *in)
{
	static struct frame_test valid, t;
	static bool made;
	unsigned int changes;

	if (!made) {
		frame_start(&valid);
		bin(&valid, array_primitives, .mode = V3D_TRIANGLES, .length = 3);
		frame_end(&valid);
		frame_submit(&valid);
		made = true;
	}
	t = valid;
	t.bos[BO_FS].shader = &t.fs.shader;
	t.bos[BO_VS].shader = &t.vs.shader;
	t.bos[BO_CS].shader = &t.cs.shader;
	t.bos[BO_PROGRAM].program = &t.program;
	for (changes = take(in, 1) % 8; changes && in->size; changes--) {
		switch (take(in, 1) % 8) {
		case 0:
			change_part(in, t.bin, &t.bin_size, sizeof(t.bin));
			break;
		case 1:
			change_part(in, t.records, &t.records_size, sizeof(t.records));
			break;
		case 2:
			change_part(in, t.uniforms, &t.uniforms_size, sizeof(t.uniforms));
			break;
		case 3:
		case 4:
			insert_record(in, &t);
			break;
		case 5:
			t.bos[BO_VERTICES + take(in, 1) % 6].size = interesting(in) & 0xfffff;
			break;
		default:
			change_submit(in, &t);
			break;
		}
	}
	if (take(in, 1) % 8 == 0)
		t.bin_size = 0;
	run_frame(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stream in = { data, size };

	if (take(&in, 1) % 2)
		fuzz_code(&in);
	else
		fuzz_frame(&in);
	return 0;
}
