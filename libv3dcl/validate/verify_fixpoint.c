// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * The fixpoint: states before all basic blocks that no block changes any more.
 *
 * Where edges of the control-flow graph meet, the states that they bring are joined into one that
 * holds whichever was taken. A block whose state has grown is on the worklist, and is run again.
 * That ends, as joins only make states larger, and widening gives up what grows more often than a
 * few times. A budget bounds the work of what is deeply nested.
 */
#include "verifier.h"

/*
 * How often the state before a block may grow before it is widened: what then still grows is given
 * up
 */
#define WIDENING_DELAY 3

/* Instructions that are run, in all: those of loops again and again until nothing changes */
#define BUDGET_FACTOR 8
#define BUDGET_LEAST 65536

/**
 * struct join - how states are joined
 * @lost: the block before which they are, as &struct v3dcl_refusal.lost has it
 * @widen: give up what grows
 * @explain: note what is lost
 */
struct join {
	__u32 lost;
	bool widen, explain;
};

/* Widening: what has grown becomes unknown, but for taints and links, of which there are few. */
static void give_up_growth(const struct v3dcl_abstract_value *a, struct v3dcl_abstract_value *grown)
{
	struct v3dcl_abstract_value n = *grown;
	const __u32 links = v3dcl_links(grown);

	n.taint = a->taint;
	if (v3dcl_same(a, &n))
		return;
	n = v3dcl_forget(grown);
	n.low = links;
	n.initialised = grown->initialised;
	*grown = n;
}

/* Two values that differ are joined; what would grow becomes unknown when it is widened. */
static bool join_differing(struct v3dcl_state *to, __u32 place,
			   const struct v3dcl_abstract_value *a,
			   const struct v3dcl_abstract_value *b, const struct join *join)
{
	struct v3dcl_abstract_value n = v3dcl_join(a, b);

	if (v3dcl_same(a, &n))
		return false;
	if (join->widen)
		give_up_growth(a, &n);
	if (join->explain && v3dcl_is_unknown(&n) && !v3dcl_links(&n) && !v3dcl_lost(&n))
		v3dcl_set_lost(&n, join->lost);
	v3dcl_set_value(to, place, &n);
	return true;
}

/* The join of the values of a place. Return: did it change? */
static inline bool join_value(struct v3dcl_state *to, const struct v3dcl_state *from, __u32 place,
			      const struct join *join)
{
	const struct v3dcl_abstract_value *a = v3dcl_value_at(to, place),
					  *b = v3dcl_value_at(from, place);

	return !v3dcl_same(a, b) && join_differing(to, place, a, b, join);
}

/* The bits say it all where no value is. */
static bool join_bits(__u64 *must, __u64 *may, __u64 other_must, __u64 other_may, __u64 values)
{
	__u64 some = *may | *must | ((other_may | other_must) & ~values),
	      both = *must & (other_must | values);
	bool changed = both != *must || (some & ~both) != (*may & ~*must);

	*must = both;
	*may = some;
	return changed;
}

static bool join_values(struct v3dcl_state *to, const struct v3dcl_state *from,
			const struct join *join)
{
	__u64 files = to->held.files | from->held.files, rest = to->held.rest | from->held.rest;
	bool changed;

	changed = join_bits(&to->must_initialised.files, &to->may_initialised.files,
			    from->must_initialised.files, from->may_initialised.files, files);
	changed |= join_bits(&to->must_initialised.rest, &to->may_initialised.rest,
			     from->must_initialised.rest, from->may_initialised.rest, rest);
	for (; files; files &= files - 1)
		changed |= join_value(to, from, v3dcl_lowest(files), join);
	for (; rest; rest &= rest - 1)
		changed |= join_value(to, from, V3DCL_ACC + v3dcl_lowest(rest), join);
	return changed;
}

/* What may be so on either path may be so. */
#define UNITE(field) (changed |= (from->field & ~to->field) != 0, to->field |= from->field)
#define GREATEST(field) \
	(changed |= from->field > to->field, \
	 to->field = from->field > to->field ? from->field : to->field)

/* What a fragment comes with is there on both paths, or may be there in part. */
static bool join_payload(struct v3dcl_state *to, const struct v3dcl_state *from)
{
	__u64 differ = to->payload ^ from->payload, places;
	bool changed = differ & to->payload;

	for (places = differ; places; places &= places - 1) {
		__u32 place = v3dcl_lowest(places);

		changed |= v3dcl_value_at(to, place)->initialised != V3DCL_MAY_INITIALISED;
		v3dcl_set_value(to, place, &v3dcl_may_initialised);
	}
	to->payload &= from->payload;
	return changed;
}

/*
 * Of requests to a TMU, as many as there are on both paths: the more of them are new, and the more
 * values each has, the less may a threaded shader do.
 */
static bool join_requests(struct v3dcl_state *to, const struct v3dcl_state *from)
{
	bool changed = false;
	__u32 i, at;

	for (i = 0; i < 2; i++) {
		GREATEST(tmu_new[i]);
		if (to->tmu_values[i] == from->tmu_values[i])
			continue;
		for (at = 0; at < 32; at += 4) {
			__u32 a = to->tmu_values[i] >> at & 0xf,
			      b = from->tmu_values[i] >> at & 0xf;

			if (b <= a)
				continue;
			to->tmu_values[i] += (b - a) << at;
			changed = true;
		}
	}
	return changed;
}

static bool same_comparison(const struct v3dcl_comparison *a, const struct v3dcl_comparison *b)
{
	return a->known == b->known && a->number == b->number && a->place[0] == b->place[0] &&
	       a->place[1] == b->place[1];
}

static bool join_hazards(struct v3dcl_state *to, const struct v3dcl_state *from)
{
	__u8 flags = (to->flags & from->flags & V3DCL_ALL_BYTES) |
		     ((to->flags | from->flags) & ~V3DCL_ALL_BYTES);
	bool changed = flags != to->flags || (to->vpm_write && !from->vpm_write);

	if (to->comparison.known && !same_comparison(&to->comparison, &from->comparison)) {
		to->comparison = (struct v3dcl_comparison){ 0 };
		changed = true;
	}
	to->flags = flags;
	to->vpm_write &= from->vpm_write;
	UNITE(late.files);
	UNITE(late.rest);
	UNITE(late_bad);
	UNITE(flags_taint);
	UNITE(load_pending);
	UNITE(store_pending);
	UNITE(interrupted);
	GREATEST(sfu_left);
	GREATEST(reset_left);
	GREATEST(vpm_early);
	return changed;
}

/* What must be the same on all paths that meet, since it has no join but equality */
static bool check_counts(const struct v3dcl_verifier *p, const struct v3dcl_state *to,
			 const struct v3dcl_state *from, __u32 at)
{
	__u32 i;

	if (to->tmu[0] != from->tmu[0] || to->tmu[1] != from->tmu[1])
		return v3dcl_refuse_at(p, at, V3DCL_RULE_TMU_PATHS, from->tmu[0] + from->tmu[1],
				       to->tmu[0] + to->tmu[1]);
	if (to->varyings != from->varyings)
		return v3dcl_refuse_at(p, at, V3DCL_RULE_VARYING_PATHS, from->varyings,
				       to->varyings);
	if (p->shader)
		return true;
	if (to->vpm_left != from->vpm_left || to->vpm_old != from->vpm_old)
		return v3dcl_refuse_at(p, at, V3DCL_RULE_VPM_PATHS, from->vpm_left, to->vpm_left);
	if (to->mutex != from->mutex)
		return v3dcl_refuse_at(p, at, V3DCL_RULE_MUTEX_PATHS, from->mutex, to->mutex);
	for (i = 0; i < V3D_QPU_SEMAPHORES; i++)
		if (to->semaphores[i] != from->semaphores[i])
			return v3dcl_refuse_at(p, at, V3DCL_RULE_SEMAPHORE_PATHS,
					       (__u64)from->semaphores[i],
					       (__u64)to->semaphores[i]);
	return true;
}

/*
 * Where paths meet at different words, a shader may set the address anew: these must be addresses
 * as well. False after a refusal, which no word of the stream leads to.
 */
static bool join_cursor(struct v3dcl_verifier *p, struct v3dcl_state *to,
			const struct v3dcl_state *from, __u32 lost, bool *changed)
{
	if (to->cursor == from->cursor)
		return true;
	if (NEVER(!v3dcl_mark_position(p, to->cursor) || !v3dcl_mark_position(p, from->cursor)))
		return false;
	if (to->cursor != V3DCL_LOST) {
		to->cursor_lost = from->cursor == V3DCL_LOST ? from->cursor_lost : lost;
		*changed = true;
	}
	to->cursor = V3DCL_LOST;
	return true;
}

/* The join of two states. False after a refusal */
static bool join_states(struct v3dcl_verifier *p, struct v3dcl_state *to,
			const struct v3dcl_state *from, const struct join *join, bool *changed)
{
	*changed = join_values(to, from, join);
	*changed |= join_hazards(to, from);
	*changed |= join_requests(to, from);
	*changed |= join_payload(to, from);
	return ALWAYS(join_cursor(p, to, from, join->lost, changed));
}

/* The state at the end of a block is the first one that is known before a successor. */
static void reach(struct v3dcl_verifier *p, __u32 index, bool taken)
{
	struct v3dcl_basic_block *block = &p->blocks[index];

	v3dcl_copy_state(&p->states[index], p->s);
	block->reached = true;
	block->on_worklist = true;
	block->predecessor = p->block;
	block->taken = taken;
}

/*
 * The state at the end of a block is joined into that before a successor in this context, which
 * there is: the last one ends with the program, see find_limit().
 */
static bool propagate_to(struct v3dcl_verifier *p, __u32 first, __u32 context, bool taken)
{
	const __u32 index = v3dcl_find_node(p, first, context);
	struct join join = { .explain = p->explain };
	struct v3dcl_basic_block *block;
	struct v3dcl_state *to;
	bool changed;

	if (index == V3DCL_NO_BLOCK)
		return false;
	block = &p->blocks[index];
	to = &p->states[index];
	join.widen = block->visits >= WIDENING_DELAY;
	join.lost = (block->start + 1) | DRM_V3DCL_LOST_JOIN;
	if (!block->reached) {
		reach(p, index, taken);
		return true;
	}
	if (!check_counts(p, to, p->s, block->start) ||
	    !join_states(p, to, p->s, &join, &changed))
		return false;
	if (changed) {
		block->on_worklist = true;
		block->visits += block->visits < WIDENING_DELAY;
	}
	return true;
}

/*
 * A block that no path reaches is checked as if all were possible before it, and nothing missing.
 */
static void assume_unreachable(struct v3dcl_state *s)
{
	__builtin_memset(s, 0, __builtin_offsetof(struct v3dcl_state, value));
	s->cursor = V3DCL_LOST;
	s->flags = V3DCL_INITIALISED;
	s->vpm_write = true;
	s->must_initialised = (struct v3dcl_places){ ~(__u64)0, ~(__u32)0 };
}

static bool transfer_instructions(struct v3dcl_verifier *p, __u32 start, __u32 end)
{
	p->branch_at = V3DCL_LONG_AGO;
	p->switch_at = V3DCL_LONG_AGO;
	p->end_at = V3DCL_LONG_AGO;
	for (p->at = start; p->at < (__s32)end; p->at++)
		if (!v3dcl_transfer(p, p->code[p->at]))
			return false;
	/* The thread switches just before the next block. */
	if (p->at - p->switch_at == V3D_QPU_END_SLOTS + 1) {
		v3dcl_check_tmu_switch(p);
		v3dcl_switch_threads(p->s);
	}
	if (p->lookups[0].count || p->lookups[1].count)
		return v3dcl_refuse_at(p, end, V3DCL_RULE_TMU_OPEN,
				       p->lookups[0].count + p->lookups[1].count, 0);
	return true;
}

/*
 * The state before a node, and what has been found in those that stand before it: in further nodes
 * of a block of a user program, most of all, how many uniforms its first one reads
 */
static void enter_block(struct v3dcl_verifier *p, const struct v3dcl_basic_block *block)
{
	p->unreachable = !block->reached;
	if (block->reached)
		v3dcl_copy_state(p->s, &p->states[p->block]);
	else
		assume_unreachable(p->s);
	p->words = p->block == block->first ? block->words : p->blocks[block->first + 1].words;
	p->sample_count = block->samples;
	p->reset_count = block->resets;
}

/*
 * The transfer function of a block: that of its instructions, one after the other. No block is
 * empty, so that all work counts, or goes beyond the end: see build_blocks().
 */
static bool transfer_block(struct v3dcl_verifier *p, __u32 index)
{
	struct v3dcl_basic_block *block = &p->blocks[index], *after;
	__u32 length;

	if (NEVER(index >= p->node_count || block->end <= block->start || block->end > p->limit))
		return v3dcl_refuse_here(p, V3DCL_RULE_INTERNAL, index, p->node_count);
	length = block->end - block->start;
	p->block = index;
	p->link = V3DCL_NOWHERE;
	p->returns = 0;
	block->on_worklist = false;
	if (length > p->budget)
		return v3dcl_refuse_at(p, block->start, V3DCL_RULE_CODE_WORK, p->count, 0);
	p->budget -= length;
	enter_block(p, block);
	if (!transfer_instructions(p, block->start, block->end))
		return false;
	after = &p->blocks[block->first + 1];
	after->words = p->words;
	after->samples = p->sample_count;
	after->resets = p->reset_count;
	return true;
}

/*
 * A call that is taken has written its link register, no earlier than the branch and no later than
 * its last delay slot: so these must not write it. Its element 15 alone counts, and all are alike.
 */
static bool write_link(struct v3dcl_verifier *p, __u32 *context)
{
	struct v3dcl_abstract_value link;

	if (v3dcl_value_at(p->s, p->link)->initialised)
		return v3dcl_refuse_at(p, p->blocks[p->block].branch, V3DCL_RULE_BRANCH_WRITE,
				       p->link, V3D_QPU_W_NOP);
	if (!v3dcl_enter_context(p, context))
		return false;
	link = v3dcl_link(*context);
	v3dcl_set_value(p->s, p->link, &link);
	return true;
}

/* Behind the call of each context that the register of a branch may be the link of */
static bool propagate_return(struct v3dcl_verifier *p, __u32 context)
{
	__u32 links;

	for (links = p->returns; links; links &= links - 1) {
		const __u32 link = v3dcl_lowest(links) + 1;

		if (NEVER(link >= p->context_count))
			return v3dcl_refuse_here(p, V3DCL_RULE_INTERNAL, link, p->context_count);
		if (!propagate_to(p, p->contexts[link].behind,
				  v3dcl_leave_context(p, context, link), true))
			return false;
	}
	return true;
}

static bool propagate(struct v3dcl_verifier *p)
{
	const struct v3dcl_basic_block *block = &p->blocks[p->block];
	__u32 context = block->context;

	if (block->fall_through != V3DCL_NO_BLOCK &&
	    !propagate_to(p, block->fall_through, context, false))
		return false;
	if (p->link != V3DCL_NOWHERE && !write_link(p, &context))
		return false;
	return (block->target == V3DCL_NO_BLOCK ||
		propagate_to(p, block->target, context, true)) &&
	       propagate_return(p, context);
}

/* The last block of the loop that @first heads: loops that overlap count as one. */
static __u32 last_of_loop(const struct v3dcl_verifier *p, __u32 first)
{
	__u32 last = first, i;

	for (i = first; i <= last && ALWAYS(i < p->block_count); i++)
		if (p->blocks[i].back_edge != V3DCL_NO_BLOCK && p->blocks[i].back_edge > last)
			last = p->blocks[i].back_edge;
	return last;
}

/* All nodes of blocks up to the last one of these, in the order in which the code stands */
static __u32 next_node(const struct v3dcl_verifier *p, __u32 index, __u32 last)
{
	const struct v3dcl_basic_block *node = &p->blocks[index];

	if (node->next != V3DCL_NO_BLOCK)
		return node->next;
	return node->first < last ? node->first + 1u : V3DCL_NO_BLOCK;
}

/* The fixpoint of a loop. What is found before that is not recorded. */
static bool find_loop_fixpoint(struct v3dcl_verifier *p, __u32 first, __u32 last)
{
	bool again = true;
	__u32 i;

	p->record = false;
	while (again) {
		again = false;
		for (i = first; i != V3DCL_NO_BLOCK; i = next_node(p, i, last)) {
			if (!p->blocks[i].on_worklist)
				continue;
			if (!transfer_block(p, i) || !propagate(p))
				return false;
			again = true;
		}
	}
	return true;
}

/* The states before the nodes are known: check the instructions by all of them. */
static bool check_blocks(struct v3dcl_verifier *p, __u32 first, __u32 last, bool leave)
{
	__u32 i;

	p->record = true;
	for (i = first; i != V3DCL_NO_BLOCK; i = next_node(p, i, last))
		if (!transfer_block(p, i) || (leave && p->blocks[i].reached && !propagate(p)))
			return false;
	return true;
}

/* Each was checked by all that holds before it: nothing has changed since, see last_of_loop(). */
static bool check_fixpoint(const struct v3dcl_verifier *p)
{
	__u32 i;

	for (i = 0; i < p->node_count; i++)
		if (NEVER(p->blocks[i].on_worklist))
			return v3dcl_refuse_at(p, p->blocks[i].start, V3DCL_RULE_INTERNAL, i,
					       p->node_count);
	return true;
}

/*
 * All that leads to a block outside of loops comes before it, so its state is final when it is
 * visited.
 */
static bool visit_blocks(struct v3dcl_verifier *p)
{
	__u32 first, last;

	for (first = 0; first < p->block_count; first = last + 1) {
		bool loop = p->blocks[first].back_edge != V3DCL_NO_BLOCK;

		last = last_of_loop(p, first);
		if ((loop && !find_loop_fixpoint(p, first, last)) ||
		    !check_blocks(p, first, last, !loop))
			return false;
	}
	p->words = p->blocks[p->block_count].words;
	p->sample_count = p->blocks[p->block_count].samples;
	p->reset_count = p->blocks[p->block_count].resets;
	return check_fixpoint(p);
}

/**
 * v3dcl_find_fixpoint() - find what holds before each instruction, and check all of them by it
 * @p: its control-flow graph is known; its state is that before the first instruction
 * Return: false with the refusal set
 */
bool v3dcl_find_fixpoint(struct v3dcl_verifier *p)
{
	p->block = 0;
	p->budget = p->limit * (BUDGET_FACTOR + 1) + BUDGET_LEAST;
	v3dcl_copy_state(&p->states[0], p->s);
	p->blocks[0].reached = true;
	p->blocks[0].on_worklist = true;
	return visit_blocks(p);
}
