// SPDX-License-Identifier: MIT
/*
 * A test for each class of mistake that checkers of this kind are known to have made, by its name.
 */
#include "frame.h"

#define MAX0 qb_add(V3D_QPU_ADD_MAX, QB_R0, QB_R0, qb_imm(0))
#define MIN_UNIFORM qb_add(V3D_QPU_ADD_MIN, QB_R0, QB_R0, QB_UNIF)
#define READ qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_R0, QB_UNIF)

static struct frame_test frame, *t = &frame;
static struct test_shader shader;

#define E(inst) shader_emit(&shader, inst);

#define shader_refused(rule_, at_, body) assert_shader_refused(&shader, rule_, at_, body)

static bool accepted(void)
{
	frame_job(t);
	if (t->bin_size && (!v3dcl_measure(&t->job) || !v3dcl_check_bin(&t->job)))
		return false;
	return v3dcl_check_render(&t->job) && v3dcl_build_render(&t->job);
}

/* The list as it is, or ended */
#define refused(part, rule, offset) \
	do { \
		assert_false(accepted()); \
		assert_refusal(&t->job.refusal, part, rule, offset); \
	} while (0)

static void begin(void)
{
	frame_start(t);
	frame_submit(t);
}

static void begin_without_bin(void)
{
	begin();
	t->bin_size = 0;
}

TEST(test_code_reached_only_by_a_forward_branch_past_an_end)
{
	(void)state;
	shader_refused(CODE_WRITE, 7,
		       E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, 3 * 8, QB_NONE))
			       qb_nops(&shader.b, 3);
		       qb_end(&shader.b); E(qb_mov(QB_VDW_ADDR, QB_R0)));
}

/* Number 49 is VR_SETUP, and 16 + 33 no register; 32 is a uniform, and no register 0 of file B. */
TEST(test_io_addresses_taken_for_registers)
{
	(void)state;
	shader_refused(CODE_WRITE, 0, E(qb_mov(QB_RA(50), QB_R0)));
	shader_refused(CODE_READ, 0, E(qb_mov(QB_R0, QB_RA(33))));
	/* what is clamped is B 0, what is read a uniform */
	shader_refused(DIRECT_CLAMP, 3, E(MAX0) E(qb_add(V3D_QPU_ADD_MIN, QB_RB(0), QB_R0,
							 QB_UNIF)) qb_nops(&shader.b, 1);
		       E(qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_UNIF, QB_UNIF)));
}

/* A lookup with four parameters, then one with two: the second has no third. */
TEST(test_state_left_over_from_an_earlier_lookup)
{
	(void)state;
	shader_begin(&shader);
	E(qb_mov(QB_TMU0_B, QB_R1))
	E(qb_mov(QB_TMU0_R, QB_R1))
	shader_lookup(&shader);
	shader_lookup(&shader);
	shader_finish(&shader);
	assert_int_equal(shader.shader.sample_count, 2);
	assert_int_equal(shader.shader.samples[1].slot[0], 4);
	assert_int_equal(shader.shader.samples[1].slot[2], V3DCL_NO_SLOT);
	assert_int_equal(shader.shader.samples[1].slot[3], V3DCL_NO_SLOT);
	/* a direct read after it is none of it */
	shader_refused(DIRECT_CLAMP, 3, shader_lookup(&shader); E(READ));
}

/* Its immediate has the bits of max(r0, 0) and of min(r0, uniform). */
TEST(test_load_immediate_taken_for_an_alu_op)
{
	const struct v3d_qpu_inst max = MAX0, min = MIN_UNIFORM;

	(void)state;
	shader_refused(DIRECT_CLAMP, 2, E(qb_ldi(QB_R0, (uint32_t)v3d_qpu_encode(&max)))
		       E(qb_ldi(QB_R0, (uint32_t)v3d_qpu_encode(&min))) E(READ));
}

TEST(test_pack_on_a_clamp)
{
	(void)state;
	shader_refused(DIRECT_CLAMP, 2, E(MAX0) E(qb_pack(1, false, MIN_UNIFORM)) E(READ));
	shader_refused(DIRECT_CLAMP, 2, E(qb_pack(1, false, MAX0)) E(MIN_UNIFORM) E(READ));
}

TEST(test_conditional_or_later_overwritten_clamp)
{
	(void)state;
	shader_refused(DIRECT_CLAMP, 2, E(MAX0) E(qb_if(V3D_QPU_COND_ZS, MIN_UNIFORM)) E(READ));
	shader_refused(DIRECT_CLAMP, 2, E(qb_if(V3D_QPU_COND_ZS, MAX0)) E(MIN_UNIFORM) E(READ));
	shader_refused(DIRECT_CLAMP, 3, E(MAX0) E(MIN_UNIFORM) E(qb_mov(QB_R0, QB_R1)) E(READ));
	shader_refused(DIRECT_CLAMP, 3, E(MAX0) E(MIN_UNIFORM)
		       E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_R0, QB_R1))) E(READ));
	shader_refused(DIRECT_CLAMP, 3, E(MAX0) E(MIN_UNIFORM) E(qb_mul_mov(QB_R0, QB_R1)) E(READ));
}

/*
 * A port that names the uniform, and no operation that takes it: the chip's count and ours would
 * part.
 */
TEST(test_uniforms_counted_but_not_consumed)
{
	struct v3d_qpu_inst unread = qb_nop(), never = qb_mov(QB_R0, QB_UNIF);

	(void)state;
	unread.raddr_a = V3D_QPU_R_UNIFORM;
	never.cond_add = V3D_QPU_COND_NEVER;
	shader_refused(UNIFORM_UNREAD, 0, E(unread));
	shader_refused(UNIFORM_UNREAD, 0, E(never));
	/* both ports: one word */
	shader_begin(&shader);
	E(qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_UNIF, QB_UNIF))
	E(qb_mov(QB_R0, QB_UNIF))
	assert_int_equal(shader_finish(&shader)->uniform_words, 2);
}

TEST(test_handle_index_equal_to_the_count)
{
	const __u32 none = BOS;

	(void)state;
	begin();
	bin(t, gem_handles, .first = BOS);
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .length = 1);
	refused(BIN, BO_INDEX, t->last);
	begin();
	memcpy(t->records, &none, 4);
	refused(SHADER_RECORD, BO_INDEX, 0);
	begin();
	memcpy(t->records + 12, &none, 4);
	refused(SHADER_RECORD, BO_INDEX, 12);
	begin();
	memcpy(t->uniforms, &none, 4);
	refused(UNIFORMS, BO_INDEX, 0);
	begin_without_bin();
	t->submit.color_write.hindex = BOS;
	refused(SURFACE, BO_INDEX, offsetof(struct drm_vc4_submit_cl, color_write.hindex));
}

TEST(test_wrong_bo_kind)
{
	const __u32 plain = BO_VERTICES, code = BO_FS, program = BO_PROGRAM;

	(void)state;
	begin();
	memcpy(t->records, &plain, 4);
	refused(SHADER_RECORD, BO_SHADER, 0);
	begin();
	memcpy(t->records, &program, 4);
	refused(SHADER_RECORD, BO_SHADER, 0);
	begin();
	memcpy(t->records + 12, &code, 4);
	refused(SHADER_RECORD, BO_PLAIN, 12);
	begin();
	memcpy(t->uniforms, &code, 4);
	refused(UNIFORMS, BO_PLAIN, 0);
	begin();
	bin(t, gem_handles, .first = BO_PROGRAM);
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .length = 1);
	refused(BIN, BO_PLAIN, t->last);
	begin_without_bin();
	t->submit.color_write.hindex = BO_VS;
	refused(SURFACE, BO_PLAIN, offsetof(struct drm_vc4_submit_cl, color_write.hindex));
}

/* 16 times 0x10000001 is 16, 128 times 0x02000000 is 0. */
TEST(test_strides_whose_product_wraps)
{
	static const __u8 strides[] = { 16, 128, 255 };
	static const __u32 indices[] = { 0x10000001, 0x02000000, 0x01010102 };

	(void)state;
	for (int i = 0; i < 3; i++) {
		const struct v3d_attribute attribute = { .size_minus_1 = 11, .stride = strides[i] };

		begin();
		bin(t, gl_shader_state, .attributes = 1);
		shader_record(t, &attribute, 1);
		frame_uniforms(t);
		bin(t, gem_handles, .first = BO_INDICES);
		bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .length = 1,
		    .maximum_index = indices[i]);
		refused(BIN, VERTEX_END, t->last + 10);
	}
}

/* Two by two tiles of 64 pixels, 256 bytes a row: the last byte counts. */
TEST(test_bounds_off_by_one_tile)
{
	(void)state;
	begin_without_bin();
	t->bos[BO_COLOR].size = 128 * 100 * 4;
	assert_true(accepted());
	t->bos[BO_COLOR].size--;
	refused(SURFACE, SURFACE_END, offsetof(struct drm_vc4_submit_cl, color_write.offset));
	/*
	 * whole tiles of 32 by 32 pixels, 16 KiB each: three rows of four, and four of the last row
	 */
	for (int less = 0; less < 2; less++) {
		begin_without_bin();
		/* multisampled: tiles of 32 pixels */
		t->submit.color_write.bits |= 1;
		t->submit.max_x_tile = 3;
		t->submit.max_y_tile = 3;
		t->submit.msaa_color_write.hindex = BO_ZS;
		t->bos[BO_ZS].size = 16 * 16384 - less;
		if (less)
			refused(SURFACE, SURFACE_END,
				offsetof(struct drm_vc4_submit_cl, msaa_color_write.offset));
		else
			assert_true(accepted());
	}
}

/* Column 2 of 2, 0 to 1 */
TEST(test_tile_box_equal_to_the_bin_size)
{
	(void)state;
	begin();
	frame_end(t);
	assert_true(accepted());
	t->bos[BO_COLOR].size = 256 * 256 * 4;
	t->submit.width = 256;
	t->submit.height = 256;
	t->submit.max_x_tile = 2;
	refused(SURFACE, TILE_BIN, offsetof(struct drm_vc4_submit_cl, max_x_tile));
	t->submit.max_x_tile = 1;
	t->submit.max_y_tile = 2;
	refused(SURFACE, TILE_BIN, offsetof(struct drm_vc4_submit_cl, max_y_tile));
}

TEST(test_counters_that_wrap_to_0)
{
	(void)state;
	/* 0xfffffffe + 3 vertices, an index list of 2^32 bytes, its end at 2^32 */
	begin();
	bin(t, array_primitives, .mode = V3D_TRIANGLES, .first_vertex = 0xfffffffe, .length = 3);
	refused(BIN, OVERFLOW, t->last + 6);
	begin();
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .length = 0x80000000,
	    .index_type = V3D_INDEX_16);
	refused(BIN, OVERFLOW, t->last + 2);
	begin();
	bin(t, gem_handles, .first = BO_INDICES);
	bin(t, indexed_primitives, .mode = V3D_TRIANGLES, .length = 0x10, .address = 0xfffffff0);
	refused(BIN, INDEX_END, t->last + 6);
	/* no tiles at all, 256 of them in 8 bits */
	begin();
	t->bin[13] = 0;			/* its width */
	assert_false(accepted());
	begin_without_bin();
	t->submit.max_x_tile = 255;
	refused(SURFACE, TILE_FRAME, offsetof(struct drm_vc4_submit_cl, max_x_tile));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code_reached_only_by_a_forward_branch_past_an_end),
		cmocka_unit_test(test_io_addresses_taken_for_registers),
		cmocka_unit_test(test_state_left_over_from_an_earlier_lookup),
		cmocka_unit_test(test_load_immediate_taken_for_an_alu_op),
		cmocka_unit_test(test_pack_on_a_clamp),
		cmocka_unit_test(test_conditional_or_later_overwritten_clamp),
		cmocka_unit_test(test_uniforms_counted_but_not_consumed),
		cmocka_unit_test(test_handle_index_equal_to_the_count),
		cmocka_unit_test(test_wrong_bo_kind),
		cmocka_unit_test(test_strides_whose_product_wraps),
		cmocka_unit_test(test_bounds_off_by_one_tile),
		cmocka_unit_test(test_tile_box_equal_to_the_bin_size),
		cmocka_unit_test(test_counters_that_wrap_to_0),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("known_mistakes", tests, NULL, NULL);
}
