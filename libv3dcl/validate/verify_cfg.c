// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * The control-flow graph: which instructions can be run, the basic blocks that they form, and which
 * block can follow which.
 *
 * Branches are relative, so all of them are known, but for those to a register alone: they lead
 * behind calls, which are branches that write a link register. For the order of the work such a
 * branch may lead behind every call; where it does lead its register says, when it is known: see
 * propagate_return() of verify_fixpoint.c. Each block is one node of the graph here;
 * verify_context.c adds those of further contexts. Instructions that start a
 * block are called leaders: the first one, each target of a branch, and what comes after the delay
 * slots of a branch or of a program end. A block ends with delay slots, which no branch may lead
 * into.
 */
#include "fields.h"
#include "verifier.h"

/*
 * The branches on a path to here, the last ones of them. It has an end, at the first block: the
 * predecessor of a block was reached before it.
 */
static void tell_path(const struct v3dcl_verifier *p, struct v3dcl_refusal *refusal)
{
	__u32 index = p->block, path[V3DCL_PATH], count = 0, steps, i;

	if (!p->block_count || NEVER(index >= p->node_limit))
		return;
	for (steps = 0; count < V3DCL_PATH && p->blocks[index].predecessor != V3DCL_NO_BLOCK;
	     steps++) {
		const struct v3dcl_basic_block *block = &p->blocks[index],
					       *from = &p->blocks[block->predecessor];

		if (NEVER(steps >= p->node_limit))
			return;
		if (from->branch != V3DCL_NO_BRANCH)
			path[count++] = from->branch * 2 + block->taken;
		index = block->predecessor;
	}
	refusal->path_count = count;
	for (i = 0; i < count; i++)
		refusal->path[i] = path[count - 1 - i];
}

/**
 * v3dcl_refuse_at() - refuse the code, with the path to where it breaks a rule
 * @p: its refusal is set
 * @at: index of an instruction, or the count of them
 * @rule: enum v3dcl_rule
 * @found: what stands there
 * @expected: what the rule asks for, or its limit
 * Return: false
 */
bool v3dcl_refuse_at(const struct v3dcl_verifier *p, __u32 at, __u16 rule, __u64 found,
		     __u64 expected)
{
	v3dcl_refuse(p->refusal, DRM_V3DCL_PART_CODE, rule, at * V3D_QPU_INSTRUCTION_BYTES, found,
		     expected);
	p->refusal->instruction = at < p->count ? p->code[at] : 0;
	tell_path(p, p->refusal);
	return false;
}

/**
 * v3dcl_refuse_here() - v3dcl_refuse_at() the instruction that is run
 * @p: its refusal is set
 * @rule: enum v3dcl_rule
 * @found: what stands there
 * @expected: what the rule asks for, or its limit
 * Return: false
 */
bool v3dcl_refuse_here(const struct v3dcl_verifier *p, __u16 rule, __u64 found, __u64 expected)
{
	return v3dcl_refuse_at(p, p->at, rule, found, expected);
}

/**
 * v3dcl_refuse_value() - v3dcl_refuse_here() for what is known of a value
 * @p: its refusal is set
 * @rule: enum v3dcl_rule
 * @value: that breaks it
 * @expected: what the rule asks for, or its limit
 * Return: false
 */
bool v3dcl_refuse_value(const struct v3dcl_verifier *p, __u16 rule,
			const struct v3dcl_abstract_value *value, __u64 expected)
{
	v3dcl_refuse_at(p, p->at, rule, value->low, expected);
	p->refusal->value = *value;
	p->refusal->has_value = true;
	p->refusal->lost = v3dcl_lost(value);
	if (p->explain && v3dcl_is_unknown(value) && !p->refusal->lost)
		p->refusal->lost = p->at + 1;
	return false;
}

static bool refuse(const struct v3dcl_verifier *p, __u16 rule, __u64 found, __u64 expected)
{
	return v3dcl_refuse_at(p, p->at, rule, found, expected);
}

/*
 * A leader, or the program's end: check_branch() and find_limit() look no further than the code.
 */
static bool mark_leader(struct v3dcl_verifier *p, __u32 at)
{
	if (NEVER(at > p->count))
		return refuse(p, V3DCL_RULE_INTERNAL, at, p->count);
	p->leaders[at / 32] |= 1u << at % 32;
	return true;
}

static __s64 target_of(__u64 word, __s32 at)
{
	return (__s64)at + V3D_QPU_BRANCH_SLOTS + 1 + (__s32)word / V3D_QPU_INSTRUCTION_BYTES;
}

/* The branch of a user program to a register that has a link, and nothing is added */
static bool is_return(const struct v3dcl_verifier *p, __u64 word)
{
	return !p->shader && get_reg(word) && !get_rel(word) && !(__u32)word;
}

/*
 * The branch of a user program that writes its link into a register of a file: not into the one
 * that it goes by, of which no one knows which value it takes
 */
static bool is_call(const struct v3dcl_verifier *p, __u64 word)
{
	return !p->shader && get_waddr_add(word) < 32 && get_waddr_mul(word) == V3D_QPU_W_NOP &&
	       (!get_reg(word) || get_ws(word) ||
		get_waddr_add(word) != get_branch_raddr_a(word));
}

static bool check_branch(struct v3dcl_verifier *p, __u64 word)
{
	__u32 add = get_waddr_add(word), mul = get_waddr_mul(word), offset = word;
	__s64 target = is_return(p, word) ? 0 : target_of(word, p->at);

	if (!v3dcl_branch_exists(get_cond_br(word)))
		return refuse(p, V3DCL_RULE_BRANCH_CONDITION, get_cond_br(word),
			      V3D_QPU_BRANCH_ALWAYS);
	if ((get_reg(word) || !get_rel(word)) && !is_return(p, word))
		return refuse(p, V3DCL_RULE_BRANCH_KIND, get_reg(word) << 1 | get_rel(word), 1);
	if ((add != V3D_QPU_W_NOP || mul != V3D_QPU_W_NOP) && !is_call(p, word))
		return refuse(p, V3DCL_RULE_BRANCH_WRITE, add != V3D_QPU_W_NOP ? add : mul,
			      V3D_QPU_W_NOP);
	if (offset % V3D_QPU_INSTRUCTION_BYTES || target < 0 || target >= p->count ||
	    p->at + V3D_QPU_BRANCH_SLOTS + 1 >= (__s64)p->count)
		return refuse(p, V3DCL_RULE_BRANCH_TARGET, offset,
			      p->count * V3D_QPU_INSTRUCTION_BYTES);
	if (p->at - p->branch_at <= V3D_QPU_BRANCH_SLOTS)
		return refuse(p, V3DCL_RULE_BRANCH_SLOT, p->at - p->branch_at,
			      V3D_QPU_BRANCH_SLOTS + 1);
	return true;
}

/* How far a branch leads, or what comes after it if it is not taken */
static __s64 reach_of(__u64 word, __s32 at)
{
	__s64 target = target_of(word, at), next = (__s64)at + V3D_QPU_BRANCH_SLOTS + 1;

	return target > next && !get_reg(word) ? target : next;
}

/* What a first scan of the code finds */
struct scan {
	__s64 reach;
	__s32 reacher;
	__u32 branches, ends;
};

/* Where a branch leads to is a leader, and what comes after its delay slots. */
static bool add_branch(struct v3dcl_verifier *p, struct scan *scan)
{
	const __u64 word = p->code[p->at];

	if (!check_branch(p, word) ||
	    NEVER(!get_reg(word) && !mark_leader(p, target_of(word, p->at))) ||
	    NEVER(!mark_leader(p, p->at + V3D_QPU_BRANCH_SLOTS + 1)))
		return false;
	if (reach_of(word, p->at) > scan->reach) {
		scan->reach = reach_of(word, p->at);
		scan->reacher = p->at;
	}
	if (is_call(p, word)) {
		if (p->call_count >= V3DCL_MAX_CALLS)
			return refuse(p, V3DCL_RULE_CODE_WORK, p->call_count + 1, V3DCL_MAX_CALLS);
		p->calls[p->call_count++] = p->at;
	}
	p->branch_at = p->at;
	scan->branches++;
	return true;
}

#define ENDS (1u << V3D_QPU_SIG_PROGRAM_END | 1u << V3D_QPU_SIG_BRANCH)

/*
 * The program ends at the first program end that no branch before it leads past; what stands in its
 * delay slots leads nowhere.
 */
static bool find_limit(struct v3dcl_verifier *p, struct scan *scan)
{
	__s32 count = p->count, at;

	for (at = 0; at < count; at++) {
		const __u64 word = p->code[at];

		if (!(ENDS >> (word >> 60) & 1))
			continue;
		p->at = at;
		if (word >> 60 == V3D_QPU_SIG_BRANCH) {
			if (!add_branch(p, scan))
				return false;
			continue;
		}
		p->limit = at + V3D_QPU_END_SLOTS + 1;
		scan->ends++;
		if (at >= scan->reach)
			break;
		if (NEVER(!mark_leader(p, p->limit < p->count ? p->limit : p->count)))
			return false;
	}
	if (at < count && p->limit <= p->count)
		return mark_leader(p, p->limit);
	p->at = p->limit && at >= count ? scan->reacher : count;
	return p->at < count ? refuse(p, V3DCL_RULE_BRANCH_TARGET, scan->reach, p->limit) :
			       refuse(p, V3DCL_RULE_CODE_END, p->count, p->limit);
}

/* Delay slots, by signal */
static const __u8 slots[16] = {
	[V3D_QPU_SIG_BRANCH] = V3D_QPU_BRANCH_SLOTS,
	[V3D_QPU_SIG_PROGRAM_END] = V3D_QPU_END_SLOTS,
	[V3D_QPU_SIG_THREAD_SWITCH] = V3D_QPU_END_SLOTS,
	[V3D_QPU_SIG_LAST_THREAD_SWITCH] = V3D_QPU_END_SLOTS,
};

/* Delay slots belong to what they follow, so no block starts there. */
static bool check_leader(struct v3dcl_verifier *p, __u32 at)
{
	__u32 slot;

	for (slot = at < V3D_QPU_BRANCH_SLOTS ? at : V3D_QPU_BRANCH_SLOTS; slot; slot--) {
		p->at = at - slot;
		if (slots[p->code[p->at] >> 60] >= slot)
			return refuse(p, V3DCL_RULE_SLOT_TARGET, at * V3D_QPU_INSTRUCTION_BYTES, 0);
	}
	return true;
}

/* Does it stand where it ends a block with its delay slots? */
static bool ends_with(const struct v3dcl_verifier *p, __u32 start, __u32 end, __u8 sig)
{
	__u32 length = slots[sig] + 1;

	return end - start >= length && p->code[end - length] >> 60 == sig;
}

/* The next block after @start, or the program's end, which find_limit() has marked */
static __u32 next_leader(const struct v3dcl_verifier *p, __u32 start)
{
	__u32 word = (start + 1) / 32,
	      bits = p->leaders[word] >> (start + 1) % 32 << (start + 1) % 32;

	while (!bits && ALWAYS(word < p->limit / 32))
		bits = p->leaders[++word];
	return bits ? word * 32 + __builtin_ctz(bits) : p->limit + 1;
}

/* How the block ends that comes before block @next */
static void find_end(const struct v3dcl_verifier *p, struct v3dcl_basic_block *block, __u32 next)
{
	block->branch = ends_with(p, block->start, block->end, V3D_QPU_SIG_BRANCH) ?
				block->end - V3D_QPU_BRANCH_SLOTS - 1 :
				V3DCL_NO_BRANCH;
	block->fall_through = ends_with(p, block->start, block->end, V3D_QPU_SIG_PROGRAM_END) ?
				      V3DCL_NO_BLOCK :
				      next;
}

/*
 * The basic blocks, and how each of them ends. There is memory for all leaders: two a branch, one a
 * program end, and the first.
 */
static bool build_blocks(struct v3dcl_verifier *p)
{
	__u32 start, end;

	p->block_count = 0;
	for (start = 0; start < p->limit; start = end) {
		struct v3dcl_basic_block *block = &p->blocks[p->block_count];

		if (!check_leader(p, start))
			return false;
		p->at = start;
		if (p->block_count++ >= V3DCL_MAX_BLOCKS)
			return refuse(p, V3DCL_RULE_CODE_WORK, p->block_count, V3DCL_MAX_BLOCKS);
		if (NEVER(p->block_count > p->node_limit))
			return refuse(p, V3DCL_RULE_INTERNAL, p->block_count, p->node_limit);
		end = next_leader(p, start);
		if (NEVER(end <= start || end > p->limit))
			return refuse(p, V3DCL_RULE_INTERNAL, end, p->limit);
		*block = (struct v3dcl_basic_block){
			.start = start,
			.end = end,
			.target = V3DCL_NO_BLOCK,
			.first = p->block_count - 1,
			.next = V3DCL_NO_BLOCK,
			.predecessor = V3DCL_NO_BLOCK,
			.back_edge = V3DCL_NO_BLOCK,
		};
		find_end(p, block, p->block_count);
	}
	p->blocks[p->block_count] = (struct v3dcl_basic_block){ 0 };
	p->node_count = p->block_count + 1;
	return true;
}

static __u16 block_at(const struct v3dcl_verifier *p, __u32 at)
{
	__u32 low = 0, high = p->block_count;

	while (high - low > 1) {
		__u32 middle = (low + high) / 2;

		if (p->blocks[middle].start <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* A branch to a register may lead behind each call: a loop, if that comes before it. */
static void link_return(struct v3dcl_verifier *p, __u32 index)
{
	__u32 i;

	for (i = 0; i < p->call_count; i++)
		if (p->calls[i] <= index && ALWAYS(p->calls[i] < p->block_count))
			p->blocks[p->calls[i]].back_edge = index;
}

/* The blocks behind calls, which all are leaders: add_branch() */
static bool find_calls(struct v3dcl_verifier *p)
{
	__u32 i, at;

	for (i = 0; i < p->call_count; i++) {
		at = p->calls[i] + V3D_QPU_BRANCH_SLOTS + 1;
		p->calls[i] = block_at(p, at);
		if (NEVER(p->blocks[p->calls[i]].start != at))
			return refuse(p, V3DCL_RULE_INTERNAL, at, p->calls[i]);
	}
	return true;
}

/*
 * The edges of the branches. Where they lead to blocks start, and all are inside: add_branch() has
 * marked them, find_limit() looked at how far they go.
 */
static bool link_blocks(struct v3dcl_verifier *p)
{
	__u32 i;

	for (i = 0; i < p->block_count; i++) {
		struct v3dcl_basic_block *block = &p->blocks[i];
		__u64 word;

		if (block->branch == V3DCL_NO_BRANCH)
			continue;
		word = p->code[block->branch];
		if (get_cond_br(word) == V3D_QPU_BRANCH_ALWAYS)
			block->fall_through = V3DCL_NO_BLOCK;
		if (get_reg(word)) {
			link_return(p, i);
			continue;
		}
		block->target = block_at(p, target_of(word, block->branch));
		if (NEVER(p->blocks[block->target].start != target_of(word, block->branch)))
			return v3dcl_refuse_at(p, block->branch, V3DCL_RULE_SLOT_TARGET, word,
					       block->target);
		if (block->target <= i)
			p->blocks[block->target].back_edge = i;
	}
	return true;
}

/**
 * v3dcl_build_cfg() - find where the program ends, and its control-flow graph
 * @p: open
 * Return: false with the refusal set
 */
bool v3dcl_build_cfg(struct v3dcl_verifier *p)
{
	struct scan scan = { 0 };

	p->branch_at = V3DCL_LONG_AGO;
	if (!find_limit(p, &scan))
		return false;
	p->branch_at = V3DCL_LONG_AGO;
	if (!v3dcl_lay_out_blocks(p, scan.branches, scan.ends) || !build_blocks(p))
		return false;
	return find_calls(p) && link_blocks(p);
}
