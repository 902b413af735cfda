// SPDX-License-Identifier: MIT
/*
 * Units that user programs share: mutex, semaphores, TMUs, the SFU, the host's interrupt; addresses
 * above 31, which are no registers; and what is the same, or not, where paths meet.
 */
#include "verify.h"

#define BACK(to) qb_branch_to(&b, V3D_QPU_BRANCH_ALL_ZC, to); qb_nops(&b, 3);
#define TMU1(x) E(qb_mov(QB_IO(V3D_QPU_W_TMU1_S), x))

/* Both files' addresses from 32 on: only those of units that user programs may use, as they may */
TEST(test_addresses)
{
	static const uint8_t reads[] = { 32, 38, 48, 49, 50, 51 };	/* AG100 Table 14 */
	static const uint8_t writes[] = { 38, 40, 48, 49, 50, 51, 52, 53, 54,
					  55, 56, 57, 58, 59, 60, 61, 62, 63 };

	(void)state;
	for (__u8 address = 32; address < 64; address++) {
		for (int file = 0; file < 2; file++) {
			struct v3d_qpu_inst inst = qb_mov(QB_R1, QB_R0);
			const bool known = memchr(reads, address, sizeof(reads));

			start();
			ZERO(QB_R0)
			inst.raddr_a = file ? inst.raddr_a : address;
			inst.raddr_b = file ? address : inst.raddr_b;
			inst.add_a = inst.add_b = file ? V3D_QPU_B : V3D_QPU_A;
			E(inst)
			qb_end(&b);
			if (check())
				assert_true(known);
			else if (!known)
				assert_refusal(&refusal, CODE, CODE_READ, 8);
			else
				assert_int_not_equal(refusal.rule, V3DCL_RULE_CODE_READ);
		}
	}
	for (__u8 address = 36; address < 64; address++) {
		for (int mul = 0; mul < 2; mul++) {
			struct v3d_qpu_inst inst = mul ? qb_mul_mov(QB_R1, QB_R0) :
							 qb_mov(QB_R1, QB_R0);
			const bool known = memchr(writes, address, sizeof(writes)) ||
					   address == V3D_QPU_W_NOP || address == V3D_QPU_W_ACC5;

			start();
			ZERO(QB_R0)
			inst.waddr_add = mul ? inst.waddr_add : address;
			inst.waddr_mul = mul ? address : inst.waddr_mul;
			E(inst)
			qb_end(&b);
			if (check())
				assert_true(known);
			else if (!known)
				assert_refusal(&refusal, CODE, CODE_WRITE, 8);
			else
				assert_int_not_equal(refusal.rule, V3DCL_RULE_CODE_WRITE);
		}
	}
}

TEST(test_mutex)
{
	(void)state;
	OK(qb_mutex_lock(&b); qb_mutex_unlock(&b); qb_mutex_lock(&b); qb_mutex_unlock(&b););
	OK(FLAGS qb_mutex_lock(&b); OVER(1) NOP qb_mutex_unlock(&b););
	/* one read for each port */
	BROKEN(MUTEX_TWICE, 0, E(read_both(51, 51)));
	/* named and not taken, or by an operation that never happens */
	BROKEN(UNIFORM_UNREAD, 0, struct v3d_qpu_inst i = qb_nop(); i.raddr_b = 51; E(i));
	BROKEN(UNIFORM_UNREAD, 0, E(without(false, qb_mov(QB_NONE, QB_UNIF))));
	BROKEN(UNIFORM_UNREAD, 0, E(without(true, qb_mul_mov(QB_NONE, QB_UNIF))));
	BROKEN(UNIFORM_UNREAD, 0, struct v3d_qpu_inst i = qb_nop(); i.raddr_a = V3D_QPU_R_UNIFORM;
	       E(i));
	BROKEN(UNIFORM_UNREAD, 0, struct v3d_qpu_inst i = qb_nop(); i.raddr_a = V3D_QPU_R_VPM_READ;
	       E(i));
	BROKEN(MUTEX_PATHS, 7, FLAGS qb_mutex_lock(&b); OVER(1) qb_mutex_unlock(&b););
}

TEST(test_semaphores)
{
	(void)state;
	OK(E(qb_sema_up(0)) E(qb_sema_down(0)) E(qb_sema_up(15)) E(qb_sema_up(15)));
	for (int n = 0; n < 16; n++)
		assert_int_equal(program.semaphores[n], n == 15 ? 2 : 0);
	for (int down = 0; down < 2; down++) {
		for (int n = 127; n <= 128; n++) {
			start();
			for (int i = 0; i < n; i++)
				E(down ? qb_sema_down(2) : qb_sema_up(2))
			qb_end(&b);
			assert_int_equal(check(), n == 127);
			if (n == 127)
				assert_int_equal(program.semaphores[2], down ? -127 : 127);
			else
				assert_refusal(&refusal, CODE, SEMAPHORE_PATHS, 127 * 8);
		}
	}
	/* what its ALUs put out goes to accumulators or files only */
	for (__u8 waddr = 0; waddr < 64; waddr++) {
		for (int mul = 0; mul < 2; mul++) {
			start();
			struct v3d_qpu_inst i = qb_sema_up(1);

			*(mul ? &i.waddr_mul : &i.waddr_add) = waddr;
			*(mul ? &i.cond_mul : &i.cond_add) = V3D_QPU_COND_ALWAYS;
			E(i)
			qb_end(&b);
			assert_int_equal(check(),
					 waddr <= V3D_QPU_W_ACC3 || waddr == V3D_QPU_W_NOP);
			if (waddr > V3D_QPU_W_ACC3 && waddr != V3D_QPU_W_NOP)
				assert_refusal(&refusal, CODE, CODE_WRITE, 0);
		}
	}
	/* at each of several ends as many */
	RAW(SEMAPHORE_PATHS, 11, FLAGS OVER(3) END qb_nops(&b, 2);
	    E(qb_sema_up(15)) END qb_nops(&b, 2););
	start();
	FLAGS
	E(qb_sema_up(15))
	OVER(3)
	END
	qb_nops(&b, 2);
	END
	qb_nops(&b, 2);
	assert_true(check());
	assert_int_equal(program.semaphores[15], 1);
	/* an end that cannot be reached has no say */
	start();
	E(qb_sema_up(3))
	E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 3 * 8, QB_NONE))
	qb_nops(&b, 3);
	END
	qb_nops(&b, 2);
	END
	qb_nops(&b, 2);
	assert_true(check());
	assert_int_equal(program.semaphores[3], 1);
	BROKEN(SEMAPHORE_PATHS, 6, FLAGS OVER(1) E(qb_sema_up(15)));
	BROKEN(SEMAPHORE_PATHS, 6, FLAGS OVER(1) E(qb_sema_down(0)));
}

TEST(test_tmus)
{
	(void)state;
	BROKEN(TMU_UNREAD, 1, TMU1(QB_UNIF));
	BROKEN(TMU_FULL, 5,
	       E(qb_mov(QB_R0, QB_UNIF)) repeat(5, qb_mov(QB_IO(V3D_QPU_W_TMU1_S), QB_R0)););
	OK(E(qb_mov(QB_R0, QB_UNIF)) repeat(4, qb_mov(QB_IO(V3D_QPU_W_TMU1_S), QB_R0));
	   repeat(4, qb_mov(QB_TMU0_S, QB_R0)); repeat(4, SIG(LOAD_TMU1, qb_nop()));
	   repeat(4, SIG(LOAD_TMU0, qb_nop())););
	BROKEN(TMU_PATHS, 6, FLAGS OVER(1) TMU1(QB_UNIF));
	BROKEN(TMU_EMPTY, 2, TMU1(QB_UNIF) E(SIG(LOAD_TMU1, qb_nop())) E(SIG(LOAD_TMU1, qb_nop())));
	/* What an instruction asks for is not there when it loads: v3d-oracle at seed 8590676141 */
	BROKEN(TMU_EMPTY, 0, E(SIG(LOAD_TMU1, qb_mov(QB_IO(V3D_QPU_W_TMU1_S), QB_UNIF))));
	/* A load is an access, as the request is (AG100 p. 37): at seed 17592192713073 */
	BROKEN(PERIPHERALS, 1, TMU1(QB_UNIF)
	       E(SIG(LOAD_TMU1, qb_mov(QB_IO(V3D_QPU_W_TMU1_S), QB_UNIF)))
	       E(SIG(LOAD_TMU1, qb_nop())));
	/* r4 is the SFU's for two instructions */
	BROKEN(SFU_SOON, 3, ZERO(QB_R0) E(qb_mov(QB_TMU0_S, QB_UNIF)) E(qb_mov(QB_RECIP, QB_R0))
	       E(SIG(LOAD_TMU0, qb_nop())));
	BROKEN(SFU_SOON, 4, ZERO(QB_R0) E(qb_mov(QB_TMU0_S, QB_UNIF)) E(qb_mov(QB_RECIP, QB_R0)) NOP
	       E(SIG(LOAD_TMU0, qb_nop())));
	OK(ZERO(QB_R0) E(qb_mov(QB_TMU0_S, QB_UNIF)) E(qb_mov(QB_RECIP, QB_R0)) qb_nops(&b, 2);
	   E(SIG(LOAD_TMU0, qb_mov(QB_R1, QB_R4))));
	BROKEN(SFU_SOON, 2, ZERO(QB_R0) E(qb_mov(QB_RECIP, QB_R0)) E(qb_mov(QB_RECIP, QB_R0)));
	BROKEN(SFU_SOON, 3, ZERO(QB_R0) E(qb_mov(QB_RECIP, QB_R0)) NOP E(qb_mov(QB_R1, QB_R4)));
	OK(ZERO(QB_R0) E(qb_mov(QB_RECIP, QB_R0)) qb_nops(&b, 2);
	   E(qb_mov(QB_R1, QB_R4)) E(qb_mov(QB_RECIP, QB_R0)));
	/* nothing is known of what is loaded */
	start();
	ZERO(QB_R0)
	E(qb_mov(QB_RECIP, QB_R0))
	qb_nops(&b, 2);
	E(qb_mov(QB_R0, QB_R4))
	ADDRESS
	qb_end(&b);
	assert_false(check());
	assert_int_equal(refusal.rule, V3DCL_RULE_ADDRESS_UNKNOWN);
}

/* After the last instruction another program may have what this one had. */
TEST(test_after_the_end)
{
	(void)state;
	for (int slot = 1; slot < 3; slot++) {
		const struct v3d_qpu_inst late[] = {
			qb_mov(QB_R0, QB_UNIF),
			qb_mov(QB_NONE, QB_VDW_WAIT),
			qb_mov(QB_NONE, QB_VDR_WAIT),
			qb_ldi(QB_VW_SETUP, qb_word_vpm_write(0)),
			qb_ldi(QB_VW_SETUP, qb_word_vdw(0, 1)),
			qb_ldi(QB_VR_SETUP, qb_word_vdr(0, 1)),
			qb_ldi(QB_IO(V3D_QPU_W_HOST_INT), 1),
			qb_mov(QB_VDW_ADDR, QB_R0),
			qb_mov(QB_VPM_WRITE, QB_R0),
		};

		for (unsigned int i = 0; i < sizeof(late) / sizeof(late[0]); i++)
			RAW(CODE_END_ACCESS, 4 + slot,
			    ZERO(QB_R0) qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 1));
			    qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0));
			    qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
			    END qb_nops(&b, slot - 1); E(late[i]) qb_nops(&b, 2););
	}
	BROKEN(INTERRUPT_TWICE, 1, qb_host_int(&b); qb_host_int(&b););
	BROKEN(INTERRUPT_TWICE, 7, FLAGS OVER(1) qb_host_int(&b); NOP qb_host_int(&b););
	BROKEN(INTERRUPT_TWICE, 1, FLAGS qb_host_int(&b); BACK(1));
}

/* A value read from the VPM through both ports is one. */
TEST(test_both_ports)
{
	(void)state;
	OK(qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1)); qb_nops(&b, 3); E(read_both(48, 48)));
	BROKEN(VPM_EMPTY, 5, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1)); qb_nops(&b, 3);
	       E(read_both(38, 48)) E(qb_mov(QB_R0, QB_VPM_READ)));
	/* waiting for both transfers */
	OK(qb_setup(&b, QB_VR_SETUP, qb_word_vdr(0, 1));
	   E(qb_mov(QB_VDR_ADDR, QB_UNIF)) qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 1));
	   qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0));
	   E(qb_mov(QB_VDW_ADDR, QB_UNIF)) E(read_both(50, 50)));
}

/* Where paths meet, only what holds on both does. */
TEST(test_joins)
{
	(void)state;
	/*
	 * of two values the range that holds both; a register that only one path has changed late
	 * is not known
	 */
	OK(FLAGS ZERO(QB_R0) OVER(1) E(qb_ldi(QB_R0, 60)) ADDRESS);
	assert_int_equal(program.uses[0].address.low, 0);
	assert_int_equal(program.uses[0].address.span, 60);
	BROKEN(ADDRESS_UNKNOWN, 8, FLAGS E(qb_mov(QB_R0, QB_UNIF)) OVER(1)
	       E(qb_mov(QB_R0, QB_ELEMENT)) NOP ADDRESS);
	BROKEN(ADDRESS_UNKNOWN, 8, FLAGS E(qb_mov(QB_R1, QB_UNIF)) E(qb_ldi(QB_RA(1), 4)) OVER(1)
	       E(qb_ldi(QB_RA(1), 4))
	       E(ADD(QB_TMU0_S, QB_RA(1), QB_R1)) E(SIG(LOAD_TMU0, qb_nop())));
	BROKEN(ADDRESS_UNKNOWN, 7, FLAGS E(qb_ldi(QB_RB(1), 4)) OVER(1) E(qb_ldi(QB_RB(1), 4))
	       E(ADD(QB_TMU0_S, QB_RB(1), QB_UNIF)) E(SIG(LOAD_TMU0, qb_nop())));
	OK(FLAGS E(qb_ldi(QB_RB(1), 4)) OVER(1) E(qb_ldi(QB_RB(1), 4)) NOP
	   E(ADD(QB_TMU0_S, QB_RB(1), QB_UNIF))
	   E(SIG(LOAD_TMU0, qb_nop())));
	BROKEN(CODE_UNDEFINED, 6, FLAGS OVER(1) E(qb_ldi(QB_RA(1), 4)) E(qb_mov(QB_R0, QB_RA(1))));
	/* hazards of either */
	BROKEN(ROTATE_SOON, 7, FLAGS ZERO(QB_R0) OVER(1) ZERO(QB_R0) E(qb_rotate(QB_R1, QB_R0, 1)));
	BROKEN(SFU_SOON, 7, FLAGS ZERO(QB_R0) OVER(1) E(qb_mov(QB_RECIP, QB_R0))
	       E(qb_mov(QB_RECIP, QB_R0)));
	BROKEN(SETUP_MISSING, 7, FLAGS ZERO(QB_R0)
	       OVER(1) qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	       E(qb_mov(QB_VPM_WRITE, QB_R0)));
	BROKEN(UNIFORM_SOON, 9,
	       FLAGS E(qb_mov(QB_RA(0), QB_UNIF)) NOP OVER(2)
		       NOP E(ADD(QB_UNIF_ADDR, QB_RA(0), qb_imm(4))) E(qb_mov(QB_R0, QB_UNIF)));
	BROKEN(VPM_PATHS, 6, FLAGS OVER(1) qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1)););
	BROKEN(UNIFORM_LOST, 6, FLAGS OVER(1) E(qb_mov(QB_R0, QB_UNIF)) E(qb_mov(QB_R0, QB_UNIF)));
	/* the transfer that one of the paths has started */
	BROKEN(DMA_PENDING, 8, FLAGS qb_setup(&b, QB_VR_SETUP, qb_word_vdr(0, 1));
	       E(qb_mov(QB_R0, QB_UNIF)) OVER(1)
	       E(qb_mov(QB_VDR_ADDR, QB_R0)) E(qb_mov(QB_VDR_ADDR, QB_R0)));
}

/*
 * Loops: what changes once is followed, what goes on changing given up; what a round leaves the
 * next one finds.
 */
TEST(test_loops)
{
	(void)state;
	/* 0 before the first round, 60 before the others */
	OK(FLAGS ZERO(QB_R0) E(qb_mov(QB_R1, QB_UNIF)) E(ADD(QB_TMU0_S, QB_R0, QB_R1))
	   E(SIG(LOAD_TMU0, qb_nop()))
	   E(qb_ldi(QB_R0, 60)) BACK(3));
	assert_int_equal(program.use_count, 1);
	assert_int_equal(program.uses[0].address.low, 0);
	assert_int_equal(program.uses[0].address.span, 60);
	BROKEN(ADDRESS_UNKNOWN, 3, FLAGS ZERO(QB_R0) E(qb_mov(QB_R1, QB_UNIF))
	       E(ADD(QB_TMU0_S, QB_R0, QB_R1))
	       E(SIG(LOAD_TMU0, qb_nop())) OP(ADD, QB_R0, QB_R0, qb_imm(4)) BACK(3));
	/* three values one after the other: 0, then 4, then 8 for ever */
	OK(FLAGS ZERO(QB_R0) ZERO(QB_R2) E(qb_mov(QB_R1, QB_UNIF)) E(ADD(QB_TMU0_S, QB_R0, QB_R1))
	   E(SIG(LOAD_TMU0, qb_nop()))
	   E(qb_mov(QB_R0, QB_R2)) E(qb_ldi(QB_R2, 8)) BACK(4));
	assert_int_equal(program.uses[0].address.span, 8);
	/* nothing but a transfer that is under way is new in the second round */
	BROKEN(DMA_PENDING, 3,
	       FLAGS E(qb_mov(QB_R0, QB_UNIF)) qb_setup(&b, QB_VR_SETUP, qb_word_vdr(0, 1));
	       E(qb_mov(QB_VDR_ADDR, QB_R0)) BACK(3) E(qb_mov(QB_NONE, QB_VDR_WAIT)));
	/* or a set-up word */
	BROKEN(SETUP_UNKNOWN, 4,
	       FLAGS E(qb_mov(QB_R0, QB_UNIF)) qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0));
	       qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 1)); E(qb_mov(QB_VDW_ADDR, QB_R0))
		       E(qb_mov(QB_NONE, QB_VDW_WAIT)) qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 2));
	       BACK(4));
	BROKEN(TMU_PATHS, 1, FLAGS TMU1(QB_UNIF) BACK(1) E(SIG(LOAD_TMU1, qb_nop())));
	BROKEN(SEMAPHORE_PATHS, 1, FLAGS E(qb_sema_up(3)) BACK(1));
	BROKEN(UNIFORM_LOST, 1, FLAGS E(qb_mov(QB_R0, QB_UNIF)) BACK(1));
	/* a path that leads on beside one that leads back */
	OK(FLAGS NOP OVER(6) NOP NOP BACK(1) NOP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses), cmocka_unit_test(test_mutex),
		cmocka_unit_test(test_semaphores), cmocka_unit_test(test_tmus),
		cmocka_unit_test(test_after_the_end), cmocka_unit_test(test_both_ports),
		cmocka_unit_test(test_joins), cmocka_unit_test(test_loops),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("verify_peripherals", tests, NULL, NULL);
}
