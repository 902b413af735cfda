// SPDX-License-Identifier: MIT
/* The judge: see machine.h. */
#include <string.h>
#include <sys/mman.h>

#include "core/fault.h"
#include "core/sim.h"
#include "machine.h"
#include "qpu/qps_state.h"

#define ADDRESS_SPACE ((size_t)1 << 32)
#define SPILL 0x6e000000u	/* what the binner gets when its memory is used up */
#define SPILL_BYTES 0x10000u
#define SPILLS 4
#define USER_VPM_ROWS 64

static bool allows(const struct machine *m, const struct span *span, enum v3dsim_unit unit,
		   bool write)
{
	return (write ? span->writers : span->readers) >> unit & 1 &&
	       (!span->owner || span->owner == m->code);
}

/* NULL: no span allows it, and there is what lies there */
static const struct span *find(const struct machine *m, enum v3dsim_unit unit, uint32_t addr,
			       bool write, const char **there)
{
	const struct span *last = m->hits[unit];

	if (last && addr - last->base < last->size && allows(m, last, unit, write))
		return last;
	*there = "nothing of the job's";
	for (const struct span *span = m->spans; span < m->spans + m->span_count; span++) {
		if (addr - span->base >= span->size)
			continue;
		if (allows(m, span, unit, write))
			return span;
		*there = span->what;
	}
	return NULL;
}

/* Where in which span: the same wherever that lies */
static uint64_t place(const struct machine *m, const struct span *span, uint32_t addr)
{
	return (uint64_t)(span - m->spans) << 32 | (addr - span->base);
}

static void note(struct machine *m, uint64_t word)
{
	m->trace = (m->trace ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	m->trace ^= m->trace >> 29;
}

/* It was a region that the bytes were written to: these are inside */
static void written(void *opaque, uint32_t addr, uint32_t len)
{
	struct machine *m = opaque;

	for (; len >= 4; addr += 4, len -= 4) {
		uint32_t word;

		memcpy(&word, m->host + addr, sizeof(word));
		note(m, word);
	}
}

static bool region(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
		   struct v3dsim_region *out)
{
	struct machine *m = opaque;
	const char *there;
	const struct span *span = find(m, unit, addr, write, &there);

	if (span) {
		/*
		 * In a strict configuration each instruction is fetched anew, just before what it
		 * does itself.
		 */
		if (unit == V3DSIM_UNIT_ICACHE)
			m->code = span->base;
		m->hits[unit] = span;
		*out = (struct v3dsim_region){ m->host + span->base, span->base, span->size,
					       write };
		(write ? m->stores : m->loads)[unit]++;
		note(m, place(m, span, addr) << 8 | unit << 1 | write);
		return true;
	}
	if (!m->broken) {
		m->broken = true;
		m->unit = unit;
		m->address = addr;
		m->write = write;
		m->there = there;
	}
	return false;
}

/* The chip of each face, which is its name, too */
static const char *chips[FACES] = { [FACE_IDEAL] = "ideal", [FACE_BCM2835] = "bcm2835" };

bool machine_new(struct machine *m)
{
	const struct v3dsim_host host = { .region = region, .written = written, .opaque = m };

	memset(m, 0, sizeof(*m));
	m->host = mmap(NULL, ADDRESS_SPACE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (m->host == MAP_FAILED)
		return false;
	for (unsigned int face = 0; face < FACES; face++) {
		const struct v3dsim_config config = { .strict = true, .chip = chips[face] };

		m->faces[face] = v3dsim_new(&config, &host);
		if (!m->faces[face])
			return false;
	}
	m->sim = m->faces[FACE_IDEAL];
	m->patience = 1;
	return true;
}

void machine_free(struct machine *m)
{
	for (unsigned int face = 0; face < FACES; face++)
		v3dsim_free(m->faces[face]);
	munmap(m->host, ADDRESS_SPACE);
}

void machine_forget(struct machine *m, enum face face, uint32_t residue)
{
	static const uint32_t kept[] = {
		V3D_BPOA, V3D_BPOS, V3D_BXCF, V3D_SQRSV0, V3D_SQRSV1, V3D_VPACNTL, V3D_PCTRE,
	};

	m->sim = m->faces[face];
	m->state = V3DSIM_IDLE;
	m->span_count = 0;
	m->broken = false;
	m->inside = NULL;
	m->sim->stats.broken = m->sim->stats.left = 0;
	m->sim->residue = residue;
	m->trace = 0;
	memset(m->hits, 0, sizeof(m->hits));
	memset(m->loads, 0, sizeof(m->loads));
	memset(m->stores, 0, sizeof(m->stores));
	v3dsim_power(m->sim, false);
	v3dsim_power(m->sim, true);
	/* Of shaders the simulator does so by itself */
	for (unsigned int n = 0; residue && n < V3D_QPUS; n++)
		qpu_inherit(&m->sim->qps->qpu[n], NULL, residue);
	/* As a driver has to: power does not clear them on every chip */
	for (unsigned int i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		v3dsim_write(m->sim, kept[i], 0);
	v3dsim_write(m->sim, V3D_VPMBASE, V3D_SET(VPMBASE, VPMURSV, USER_VPM_ROWS * 64 / 256));
}

void machine_allow(struct machine *m, uint32_t base, uint32_t size, unsigned int readers,
		   unsigned int writers, const char *what)
{
	if (size && m->span_count < MACHINE_SPANS)
		m->spans[m->span_count++] = (struct span){ base, size, readers, writers, 0, what };
}

void machine_stream(struct machine *m, uint32_t base, uint32_t size, uint32_t owner)
{
	machine_allow(m, base, size, UNIT(UNIFORMS), 0, "a uniform stream");
	if (size)
		m->spans[m->span_count - 1].owner = owner;
}

static bool starves(struct machine *m)
{
	return V3D_GET(v3dsim_read(m->sim, V3D_PCS), PCS, BMOOM) && !v3dsim_read(m->sim, V3D_BPOS);
}

void machine_run(struct machine *m, uint64_t budget)
{
	m->state = v3dsim_run(m->sim, budget * m->patience);
}

bool machine_list(struct machine *m, unsigned int thread, uint32_t start, uint32_t end,
		  uint64_t budget)
{
	const uint32_t done = thread ? V3D_SET(INTCTL, FRDONE, 1) : V3D_SET(INTCTL, FLDONE, 1);
	unsigned int spills = 0;

	v3dsim_write(m->sim, V3D_INTCTL, done);
	v3dsim_write(m->sim, V3D_CTNCA(thread), start);
	v3dsim_write(m->sim, V3D_CTNEA(thread), end);
	for (;;) {
		machine_run(m, budget);
		if (v3dsim_read(m->sim, V3D_INTCTL) & done)
			return true;
		if (thread || m->broken || spills == SPILLS || !starves(m))
			return false;
		machine_allow(m, SPILL + spills * SPILL_BYTES, SPILL_BYTES,
			      UNIT(PTB) | UNIT(CLE1) | UNIT(PSE), UNIT(PTB), "overspill");
		v3dsim_write(m->sim, V3D_BPOA, SPILL + spills++ * SPILL_BYTES);
		v3dsim_write(m->sim, V3D_BPOS, SPILL_BYTES);
		v3dsim_write(m->sim, V3D_INTCTL, V3D_SET(INTCTL, OUTOMEM, 1));
	}
}

const char *machine_face(enum face face)
{
	return chips[face];
}

unsigned int machine_faces(const char *name, char *error, size_t size)
{
	if (!strcmp(name, "both"))
		return ALL_FACES;
	for (unsigned int face = 0; face < FACES; face++)
		if (!strcmp(name, chips[face]))
			return 1u << face;
	if (!v3dsim_chip_check(name, error, size))
		return 0;
	chips[FACE_IDEAL] = name;
	return 1u << FACE_IDEAL;
}

const char *machine_unit(enum v3dsim_unit unit)
{
	return fault_unit_name(unit);
}
