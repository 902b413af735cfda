// SPDX-License-Identifier: MIT
/*
 * Registers as values: by their own names, by names that the text gives them, with a number added,
 * rotated, packed.
 */
#include <string.h>

#include "assembler.h"

_Static_assert(sizeof(struct qasm_register) == sizeof(int64_t), "it is a value's integer");

struct lang_value qasm_register_value(const struct qasm_register *reg)
{
	struct lang_value value = { .kind = LANG_REGISTER };

	memcpy(&value.integer, reg, sizeof(*reg));
	return value;
}

struct qasm_register qasm_value_register(const struct lang_value *value)
{
	struct qasm_register reg;

	memcpy(&reg, &value->integer, sizeof(reg));
	return reg;
}

/*
 * "ra" and "12" of "ra12" or of "ra[4 * 3]": @kind 'a', 'b' or 'r'; @number -1 where brackets
 * follow
 */
static bool numbered(const struct lang_token *token, uint32_t length, char *kind, int *number)
{
	const char *at = token->at;
	uint32_t i = 1;

	if (token->kind != LANG_WORD || !length || (at[0] | 0x20) != 'r')
		return false;
	*kind = 'r';
	if (length > 1 && ((at[1] | 0x20) == 'a' || (at[1] | 0x20) == 'b'))
		*kind = at[i++] | 0x20;
	*number = -1;
	if (i == length)
		return length == token->length && token[1].kind == '[';
	for (*number = 0; i < length && at[i] >= '0' && at[i] <= '9' && *number < 100; i++)
		*number = *number * 10 + at[i] - '0';
	return i == length;
}

static bool take_number(struct qasm *a, const char *at, char kind, int number,
			struct qasm_register *reg)
{
	const int64_t last = kind == 'r' ? V3D_QPU_R5 : 63;
	int64_t index = number;

	if (number < 0) {
		a->lang.inside++;
		if (!qasm_expect(a, '[', "'['") ||
		    !qasm_range(a, "a register's number", 0, last, &index) ||
		    !qasm_expect(a, ']', "']'"))
			return false;
		a->lang.inside--;
	} else if (index > last) {
		return qasm_fail(a, at,
				 kind == 'r' ?
					 "accumulators are r0 to r5; registers are ra or rb" :
					 "a register's number is 0 to 31, an I/O address 32 to 63");
	}
	*reg = (struct qasm_register){
		.place = kind == 'r' ? V3DCL_QPU_ACCUMULATOR :
			 kind == 'a' ? V3DCL_QPU_FILE_A : V3DCL_QPU_FILE_B,
		.address = index, .access = QASM_READ | QASM_WRITE,
	};
	return true;
}

/* sacq3, srel3: what mov reads to decrement or increment a semaphore */
static bool find_semaphore(const struct lang_token *name, uint32_t length,
			   struct qasm_register *reg)
{
	const bool acquire = length > 4 && lang_same("sacq", name->at, 4);
	unsigned int number = 0;
	uint32_t i;

	if (length < 5 || length > 6 || !(acquire || lang_same("srel", name->at, 4)))
		return false;
	for (i = 4; i < length; i++) {
		if (name->at[i] < '0' || name->at[i] > '9')
			return false;
		number = number * 10 + name->at[i] - '0';
	}
	*reg = (struct qasm_register){ .place = QASM_SEMAPHORE, .address = number,
				       .access = QASM_READ, .acquire = acquire };
	return number < V3D_QPU_SEMAPHORES;
}

/* By its own name; the same place has other names where it is read and where it is written. */
static bool find_named(const struct lang_token *name, uint32_t length, struct qasm_register *reg)
{
	unsigned int files = 3;
	const int written = qasm_find_io(qasm_writes, name->at, length, &files),
		  read = qasm_find_io(qasm_reads, name->at, length, &files);

	if (written < 0 && read < 0)
		return find_semaphore(name, length, reg);
	*reg = (struct qasm_register){
		.place = files == 3 ? V3DCL_QPU_IO :
			 files == 1 ? V3DCL_QPU_FILE_A : V3DCL_QPU_FILE_B,
		.address = written >= 0 ? written : read,
		.access = (read >= 0 ? QASM_READ : 0) | (written >= 0 ? QASM_WRITE : 0),
		.named = 1,
	};
	return true;
}

/* A register that the text or an expansion calls so */
static bool find_alias(struct qasm *a, const struct lang_token *name, uint32_t length,
		       struct qasm_register *reg)
{
	struct lang_token base = *name;
	struct lang_value value;

	base.length = length;
	if (!qasm_find_value(a, &base, &value) || value.kind != LANG_REGISTER)
		return false;
	*reg = qasm_value_register(&value);
	return true;
}

bool qasm_names_register(struct qasm *a, const struct lang_token *token, struct qasm_register *reg)
{
	const uint32_t length = token->kind == LANG_WORD ? qasm_base_length(token) : 0;
	int number;
	char kind;

	if (!length || token[1].kind == '(')
		return false;
	if (numbered(token, length, &kind, &number)) {
		*reg = (struct qasm_register){
			.place = kind == 'r' ? V3DCL_QPU_ACCUMULATOR :
				 kind == 'a' ? V3DCL_QPU_FILE_A : V3DCL_QPU_FILE_B,
			.access = QASM_READ | QASM_WRITE,
			.address = number < 0 ? 0 : number,
		};
		return true;
	}
	if (find_named(token, length, reg) &&
	    (reg->access & (a->role == QASM_ANY_ROLE ? 3 : a->role)))
		return true;
	return find_alias(a, token, length, reg) ||
	       (find_named(token, length, reg) && !qasm_lookup(a, token));
}

static bool take_suffix(struct qasm *a, const char *text, uint32_t length,
			struct qasm_register *reg)
{
	const int unpack = qasm_find(qasm_unpacks, text, length),
		  pack = qasm_find(qasm_packs, text, length),
		  condition = qasm_find(qasm_conditions, text, length);
	const bool source = a->role != QASM_WRITE && unpack >= 0 && !reg->unpack,
		   target = a->role != QASM_READ && pack >= 0 && !reg->pack;

	if (source || target) {
		reg->unpack = source ? unpack : reg->unpack;
		reg->pack = target ? pack : reg->pack;
		return true;
	}
	if (a->role != QASM_READ && condition >= 0 && a->conditional) {
		reg->condition = condition + 1;
		return true;
	}
	if (a->role != QASM_READ && a->conditional && (lang_same("setf", text, length) ||
						       lang_same("sf", text, length))) {
		reg->set_flags = true;
		return true;
	}
	return qasm_fail(a, text, "%s",
			 a->role == QASM_READ ?
				 "an unpack mode is expected: 16a, 16b, 8dr, or 8a to 8d" :
				 "a pack mode is expected: 16a, 16b, 8abcd, 8a to 8d, each with s "
				 "to saturate, or s; or a condition");
}

static bool take_suffixes(struct qasm *a, const char *at, const char *end,
			  struct qasm_register *reg)
{
	while (at < end) {
		const char *text = at + 1, *dot = memchr(text, '.', end - text);

		at = dot ? dot : end;
		if (!take_suffix(a, text, at - text, reg))
			return false;
	}
	return true;
}

bool qasm_register_suffixes(struct qasm *a, struct qasm_register *reg)
{
	const struct lang_token *token = qasm_peek(a);

	if (token->kind != LANG_SUFFIX &&
	    !(token->kind == LANG_WORD && *token->at == '.' && token->at == token[-1].at + 1))
		return true;
	a->lang.now++;
	return take_suffixes(a, token->at, token->at + token->length, reg);
}

bool qasm_take_register(struct qasm *a, struct qasm_register *reg, bool *found)
{
	const struct lang_token *token = qasm_peek(a);
	const uint32_t length = token->kind == LANG_WORD ? qasm_base_length(token) : 0;
	int number;
	char kind;

	*found = qasm_names_register(a, token, reg);
	if (!*found)
		return true;
	a->lang.now++;
	if (numbered(token, length, &kind, &number) &&
	    !take_number(a, token->at, kind, number, reg))
		return false;
	return take_suffixes(a, token->at + length, token->at + token->length, reg) &&
	       (qasm_peek(a)->kind != LANG_SUFFIX || qasm_register_suffixes(a, reg));
}

/*
 * A unit has no next one, but for the TMUs' coordinates: t0s + 4 is t1s. Who adds to its name where
 * it is read means what it gives.
 */
static bool can_count(struct qasm *a, const struct lang_token *op, const struct qasm_register *reg)
{
	unsigned int files;

	if (!reg->named || (reg->place == V3DCL_QPU_IO && reg->address >= V3D_QPU_W_TMU0_S))
		return true;
	if (a->role == QASM_WRITE || !(reg->access & QASM_READ))
		return qasm_fail(a, op->at, "a unit's register is not counted on from");
	return qasm_fail(a, op->at,
			 "a unit's register is not counted on from; where what it gives is meant, "
			 "write '%s r0, %s, ...'", op->kind == '+' ? "add" : "sub",
			 qasm_io_text(qasm_reads, reg->address, reg->place == V3DCL_QPU_FILE_B,
				      &files));
}

/* "ra3 + 2" is ra5: a number counts registers, within what is of the same kind. */
static struct lang_value count_on(struct qasm *a, const struct lang_token *op,
				  struct qasm_register reg, int64_t by)
{
	const int64_t number = reg.address + (op->kind == '+' ? (uint64_t)by : -(uint64_t)by);
	int64_t least = 0, most = 31;

	if (!can_count(a, op, &reg))
		return lang_integer(0);
	if (reg.place == V3DCL_QPU_ACCUMULATOR)
		most = V3D_QPU_R5;
	else if (reg.place == QASM_SEMAPHORE)
		most = V3D_QPU_SEMAPHORES - 1;
	else if (reg.address > 31)
		least = 32, most = 63;
	if (number < least || number > most)
		qasm_fail(a, op->at, "there is no register of this kind with the number %lld",
			  (long long)number);
	reg.address = number & 63;
	return qasm_register_value(&reg);
}

/*
 * "r0 << 4": what the mul half makes of it goes to elements further up. In vc4asm's dialect ">>"
 * leads down; elsewhere it is that of published listings, which leads up.
 */
static struct lang_value rotated(struct qasm *a, const struct lang_token *op,
				 struct qasm_register reg, const struct lang_value *by)
{
	const struct qasm_register amount = qasm_value_register(by);
	int64_t n = by->integer;

	if (by->kind == LANG_REGISTER) {
		if (amount.place != V3DCL_QPU_ACCUMULATOR || amount.address != V3D_QPU_R5 ||
		    amount.rotate)
			qasm_fail(a, op->at, "a rotation is by a number or by r5");
		reg.rotate = V3DCL_QPU_ROTATE_R5;
		return qasm_register_value(&reg);
	}
	if (op->kind == LANG_SHR && a->vc4asm)
		n = -(uint64_t)n;
	if (n <= -V3D_QPU_LANES || n >= V3D_QPU_LANES || reg.rotate == V3DCL_QPU_ROTATE_R5)
		qasm_fail(a, op->at, "a rotation is %lld; it must be 0 to %u",
			  (long long)by->integer, V3D_QPU_LANES - 1);
	reg.rotate = (reg.rotate + n) & (V3D_QPU_LANES - 1);
	return qasm_register_value(&reg);
}

struct lang_value qasm_operate(struct lang *l, const struct lang_token *op,
			       const struct lang_value *x, const struct lang_value *y)
{
	struct qasm *a = qasm_of(l);
	const bool same = x->kind == y->kind && x->integer == y->integer;

	if (x->unknown || y->unknown)
		return (struct lang_value){ .kind = LANG_INTEGER, .unknown = true };
	if (op->kind == LANG_EQ || op->kind == LANG_NE)
		return lang_integer(same == (op->kind == LANG_EQ));
	if (x->kind == LANG_REGISTER && (op->kind == LANG_SHL || op->kind == LANG_SHR) &&
	    (y->kind == LANG_INTEGER || y->kind == LANG_REGISTER))
		return rotated(a, op, qasm_value_register(x), y);
	if (x->kind == LANG_REGISTER && y->kind == LANG_INTEGER &&
	    (op->kind == '+' || op->kind == '-'))
		return count_on(a, op, qasm_value_register(x), y->integer);
	qasm_fail(a, op->at, "'%.*s' has no meaning for %s", (int)op->length, op->at,
		  lang_kind_text(x->kind >= LANG_REGISTER ? x : y));
	return lang_integer(0);
}
