// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Contexts: what holds in a procedure is found for each call of it, by call strings. A context is
 * the calls that are under way, the last one first. Where a call leads, the context is one of that
 * call more; where the procedure returns, it is that of its caller again. A node of the
 * control-flow graph is a block in a context, and has a state of its own, so what holds at one call
 * is not joined with what holds at another.
 *
 * It is sound whichever context a branch is said to lead to: that only chooses with which states
 * before the same block it is joined. To which block a branch leads is for the branch to say, and
 * for links: each stands for the place behind the call that wrote it. So the states of every run of
 * the program are among those of the nodes of the block that it comes to, and each instruction is
 * checked by the states of all its nodes: check_blocks() of verify_fixpoint.c.
 *
 * The work is bounded: a call that is under way already makes no further context, so strings are no
 * longer than there are calls; there are V3DCL_MAX_CONTEXTS, as many nodes as there is memory for,
 * and all that is run comes out of one budget.
 */
#include "verifier.h"

/**
 * v3dcl_enter_context() - the context that a call leads to
 * @p: at the node that the call ends
 * @context: that of the call; set to the new one
 * Return: false with the refusal set
 */
bool v3dcl_enter_context(struct v3dcl_verifier *p, __u32 *context)
{
	const __u16 behind = p->blocks[p->block].first + 1, caller = *context;
	__u32 i;

	/* Recursion, or a loop of calls. Each caller comes before what it calls. */
	for (i = caller; i; i = p->contexts[i].caller) {
		if (p->contexts[i].behind == behind) {
			*context = i;
			return true;
		}
	}
	for (i = 1; i < p->context_count; i++) {
		if (p->contexts[i].behind == behind && p->contexts[i].caller == caller) {
			*context = i;
			return true;
		}
	}
	if (p->context_count >= V3DCL_MAX_CONTEXTS)
		return v3dcl_refuse_at(p, p->blocks[p->block].branch, V3DCL_RULE_CODE_WORK,
				       p->context_count, V3DCL_MAX_CONTEXTS - 1);
	p->contexts[p->context_count] = (struct v3dcl_context){ behind, caller };
	*context = p->context_count++;
	return true;
}

/**
 * v3dcl_leave_context() - the context that a branch by a link leads to
 * @p: its contexts
 * @context: that of the branch
 * @link: the context whose link it is
 * Return: that of the caller, if it returns; from one procedure to the place of another it is the
 * same
 */
__u32 v3dcl_leave_context(const struct v3dcl_verifier *p, __u32 context, __u32 link)
{
	return link == context ? p->contexts[context].caller : context;
}

/**
 * v3dcl_find_node() - the node of a block in a context
 * @p: at the node that an edge comes from
 * @first: the block's first node, which belongs to whichever context comes there first
 * @context: one of @p
 * Return: its index, it is made if need be; V3DCL_NO_BLOCK with the refusal set
 */
__u32 v3dcl_find_node(struct v3dcl_verifier *p, __u32 first, __u32 context)
{
	struct v3dcl_basic_block *node = &p->blocks[first];
	__u32 index = first;

	if (NEVER(first >= p->block_count || context >= p->context_count)) {
		v3dcl_refuse_here(p, V3DCL_RULE_INTERNAL, first, context);
		return V3DCL_NO_BLOCK;
	}
	if (!node->reached)
		node->context = context;
	while (node->context != context && node->next != V3DCL_NO_BLOCK) {
		index = node->next;
		node = &p->blocks[index];
	}
	if (node->context == context)
		return index;
	if (p->node_count >= p->node_limit) {
		v3dcl_refuse_at(p, node->start, V3DCL_RULE_CODE_WORK, p->node_count, p->node_limit);
		return V3DCL_NO_BLOCK;
	}
	index = p->node_count++;
	node->next = index;
	p->blocks[index] = p->blocks[first];
	p->blocks[index].next = V3DCL_NO_BLOCK;
	p->blocks[index].context = context;
	p->blocks[index].reached = false;
	p->blocks[index].visits = 0;
	return index;
}
