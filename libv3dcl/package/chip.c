// SPDX-License-Identifier: MIT
/*
 * The least that is a board: a page of memory, and a chip that says which it is, runs a list out of
 * that page, and says why it does not run one behind it. For test-install.
 */
#include <stdio.h>

#include <v3dsim.h>

/* AG100 Table 59 */
#define IDENT0 0x000
#define CT1EA 0x10c
#define CT1CA 0x114

#define PAGE 4096u
#define BASE 0x10000u

/* AG100 Table 38: four times nothing; the list ends behind them */
static uint8_t memory[PAGE] = { 1, 1, 1, 1 };

static bool region(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
		   struct v3dsim_region *out)
{
	(void)unit;
	++*(unsigned int *)opaque;
	if (write || addr - BASE >= PAGE)
		return false;
	*out = (struct v3dsim_region){ .host = memory, .base = BASE, .len = PAGE };
	return true;
}

static void irq(void *opaque)
{
	(void)opaque;
}

static enum v3dsim_state run(struct v3dsim *sim, uint32_t list)
{
	v3dsim_write(sim, CT1CA, list);
	v3dsim_write(sim, CT1EA, list + 4);
	return v3dsim_run(sim, 1000);
}

int main(void)
{
	unsigned int asked = 0;
	const struct v3dsim_host host = { .region = region, .irq = irq, .opaque = &asked };
	struct v3dsim_fault fault = { .text = "" };
	struct v3dsim *sim = v3dsim_new(NULL, &host);
	int wrong = 0;

	if (!sim)
		return 1;
	if (v3dsim_read(sim, IDENT0) != 0x02443356)	/* Table 79: "V3D", version 2 */
		wrong = 2;
	else if (run(sim, BASE) != V3DSIM_IDLE || v3dsim_read(sim, CT1CA) != BASE + 4 || !asked)
		wrong = 3;
	else if (v3dsim_fault(sim, &fault))
		wrong = 4;
	else if (run(sim, BASE + PAGE) != V3DSIM_FAULT || !v3dsim_fault(sim, &fault))
		wrong = 5;
	v3dsim_free(sim);
	printf("%d: %s\n", wrong, fault.text);
	return wrong;
}
