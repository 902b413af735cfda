/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * What quiet.c finds out about an instruction, and keeps of what holds, for unusual.c to look at.
 */
#ifndef V3DCL_JOB_QUIET_H
#define V3DCL_JOB_QUIET_H

#include "fields.h"
#include "prove.h"

/* Whose address: that of a port that is read, or of the result of an ALU */
enum { OF_A, OF_B, OF_ADD, OF_MUL };

/*
 * What addresses and signals stand for. Accumulators come first, as a result or from a unit. Then there are two bits for each
 * address: may it be there although nothing is done with it, and is that otherwise when something is? What is in no table has
 * neither.
 */
#define ACCUMULATOR(n) ((__u64)1 << (n))
#define SIX 0x3f			/* accumulators */
#define RESULTS 0x2f			/* those that results go to */
#define USE(of) (0x40u << (of))		/* of the operations: something is done with it; of addresses: nothing need be */
#define OTHERWISE(of) (0x400u << (of))
#define ANY_USE(of) USE(of)
#define IDLE_USE(of) (USE(of) | OTHERWISE(of))
#define SOME_USE(of) OTHERWISE(of)
#define EXISTS 0x4000			/* of the operation */
#define ASKS 0x40000			/* a signal that may be there asks whether the operation exists */
#define FINE (USE(OF_A) | USE(OF_B) | USE(OF_ADD) | USE(OF_MUL) | EXISTS)
#define SHIFT 4				/* from OTHERWISE() to USE(), from ASKS to EXISTS */
#define TILE 0x100000
#define VPM 0x200000
#define SHADERS 0x400000		/* theirs */
#define UNIT 0x800000			/* of which an instruction may access one */
#define SFU 0x1000000
#define LOADS 0x2000000
#define TMU 0x8000000			/* asked for a texture lookup, of shaders */
#define PAYLOAD 0x4000000		/* a register that a fragment comes with something in is written */
#define UNIFORM ((__u64)1 << 32)	/* these are counted */
#define VARYING ((__u64)1 << 50)

/* How the condition of what never happens differs from that of what always does */
#define NEVER_HAPPENS (V3D_QPU_COND_NEVER ^ V3D_QPU_COND_ALWAYS)

/* The signal that says nothing else */
#define ALL_SIGNAL ((__u64)15 << 60)
#define NO_SIGNAL ((__u64)V3D_QPU_SIG_NONE << 60)

/**
 * struct v3dcl_facts - what an instruction's fields stand for
 * @files: registers of both files that it writes
 * @ports: that its read addresses name, whether or not it takes them
 * @traits: all together
 * @both: traits of both of its results
 * @flags: the word, which has a bit that says whether it sets the flags
 * @uses: what it takes, a bit a mux, and what else is done
 * @unusual: fields that say that its results are not stored in the usual way
 */
struct v3dcl_facts {
	__u64 files, ports, traits, both, flags;
	__u32 uses, unusual;
};

/**
 * struct v3dcl_view - what holds, in the middle of quiet instructions, in which only what they change is kept
 * @visible: registers that can be read without another look: not those that the last instruction has written, those whose values
 *	are held, and what a fragment comes with
 * @late: registers that the last instruction wrote in full, which are visible next
 * @seen: accumulators that can be taken without another look, and traits of all instructions together
 * @counts: uniforms and varyings read
 * @flags: has the bit that says that instructions set them
 * @busy: SFU | LOADS while the SFU is at work
 */
struct v3dcl_view {
	__u64 visible, late, seen, counts, flags, busy;
};

/* Between a state and a view of it: see leave() of quiet.c */
static inline struct v3dcl_view v3dcl_enter(const struct v3dcl_state *s)
{
	return (struct v3dcl_view){
		.visible = s->written.files & ~(s->late_bad | s->held.files | s->payload),
		.late = s->written.files & s->late_bad & ~s->held.files,
		.seen = FINE | (s->written.rest & ~s->held.rest & ~(s->sfu_left ? ACCUMULATOR(4) : 0)),
		.busy = s->sfu_left ? SFU | LOADS : 0,
	};
}

static inline void v3dcl_give(struct v3dcl_state *s, __u64 given)
{
	s->written.rest |= given;
	s->held.rest &= ~given;
}

/* Is there anything that may not be there, or that @bad says? */
static __always_inline __u64 v3dcl_objections(const struct v3dcl_facts *f, __u64 bad)
{
	return (((f->traits ^ (f->uses & (f->traits >> SHIFT))) & (bad | FINE)) ^ FINE) | (f->both & (SIX | UNIT));
}

/* Where the result of a half goes to, if it goes to a place */
static inline struct v3dcl_places v3dcl_result_of(__u64 word, bool mul)
{
	const __u64 to = SLOT(get_waddr(word, mul));

	return (struct v3dcl_places){
		mul == get_ws(word) ? to & REGISTERS : to << V3DCL_FILE_B, (to & ACCUMULATORS) >> V3D_QPU_W_ACC0,
	};
}

bool v3dcl_write_part(struct v3dcl_prover *p, const struct v3dcl_view *v, struct v3dcl_facts *f);
bool v3dcl_look_at(struct v3dcl_prover *p, struct v3dcl_view *v, struct v3dcl_facts *f, __u64 bad, __u64 late_bad);
bool v3dcl_branch_quietly(struct v3dcl_prover *p, __u64 flags, __s32 at);
bool v3dcl_reset_quietly(struct v3dcl_prover *p);
bool v3dcl_store_values(struct v3dcl_prover *p, const struct v3dcl_facts *f);

#endif /* V3DCL_JOB_QUIET_H */
