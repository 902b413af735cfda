// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * The rules in words.
 */
#include "validate.h"

#define RULE_TEXT(number, name, text) [number] = text,
#define RULE_NAME(number, name, text) [number] = #name,

static const char *const texts[] = { V3DCL_RULES(RULE_TEXT) };
static const char *const names[] = { V3DCL_RULES(RULE_NAME) };

/**
 * v3dcl_rule_text() - a rule as a sentence
 * @rule: enum v3dcl_rule
 * Return: at most 95 characters; an empty string for a number that is no rule
 */
const char *v3dcl_rule_text(__u32 rule)
{
	return rule < V3DCL_RULE_LIMIT && texts[rule] ? texts[rule] : "";
}

/**
 * v3dcl_rule_name() - the name of a rule, as in enum v3dcl_rule without its prefix
 * @rule: enum v3dcl_rule
 * Return: an empty string for a number that is no rule
 */
const char *v3dcl_rule_name(__u32 rule)
{
	return rule < V3DCL_RULE_LIMIT && names[rule] ? names[rule] : "";
}
