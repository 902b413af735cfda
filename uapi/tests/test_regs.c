// SPDX-License-Identifier: MIT
/*
 * Registers against AG100 Tables 48 to 93, and what silicon has beyond them.
 */
#include "rows.h"

#include <v3d/regs.h>

/*
 * Table 48: offset, name; then which of the tables below has its fields, 0 for none. The guide
 * prints CT00RA0 for CT0RA0.
 */
static const char registers[] =
	"00000 IDENT0 79 00004 IDENT1 80 00008 IDENT2 81 00010 SCRATCH 78 00020 L2CACTL 71 00024 "
	"SLCACTL 72 00030 INTCTL 75 00034 INTENA 76 00038 INTDIS 77 00100 CT0CS 49 00104 CT1CS 49 "
	"00108 CT0EA 50 0010c CT1EA 50 00110 CT0CA 51 00114 CT1CA 51 00118 CT0RA0 52 0011c CT1RA0 "
	"52 00120 CT0LC 53 00124 CT1LC 53 00128 CT0PC 54 0012c CT1PC 54 00130 PCS 55 00134 BFC 56 "
	"00138 RFC 57 00300 BPCA 58 00304 BPCS 59 00308 BPOA 60 0030c BPOS 61 00310 BXCF 93 00410 "
	"SQRSV0 62 00414 SQRSV1 63 00418 SQCNTL 64 00430 SRQPC 65 00434 SRQUA 66 00438 SRQUL 67 "
	"0043c SRQCS 68 00500 VPACNTL 70 00504 VPMBASE 69 00670 PCTRC 83 00674 PCTRE 84 00680 "
	"PCTR0 85 00684 PCTRS0 86 00688 PCTR1 85 0068c PCTRS1 86 00690 PCTR2 85 00694 PCTRS2 86 "
	"00698 PCTR3 85 0069c PCTRS3 86 006a0 PCTR4 85 006a4 PCTRS4 86 006a8 PCTR5 85 006ac PCTRS5 "
	"86 006b0 PCTR6 85 006b4 PCTRS6 86 006b8 PCTR7 85 006bc PCTRS7 86 006c0 PCTR8 85 006c4 "
	"PCTRS8 86 006c8 PCTR9 85 006cc PCTRS9 86 006d0 PCTR10 85 006d4 PCTRS10 86 006d8 PCTR11 85 "
	"006dc PCTRS11 86 006e0 PCTR12 85 006e4 PCTRS12 86 006e8 PCTR13 85 006ec PCTRS13 86 006f0 "
	"PCTR14 85 006f4 PCTRS14 86 006f8 PCTR15 85 006fc PCTRS15 86 00f00 DBGE 88 00f04 FDBGO 89 "
	"00f08 FDBGB 90 00f0c FDBGR 91 00f10 FDBGS 92 00f20 ERRSTAT 87 "
	/*
	 * QPU interrupts have tables, but no line in Table 48: HW gives their offsets, and these
	 * registers as well.
	 */
	"00e2c DBQITE 74 00e30 DBQITC 73 0000c IDENT3 0 0041c SQCSTAT 0 00e00 DBCFG 0 00e04 DBSCS "
	"0 00e08 DBSCFG 0 00e0c DBSSR 0 00e10 DBSDR0 0 00e14 DBSDR1 0 00e18 DBSDR2 0 00e1c DBSDR3 "
	"0 00e20 DBQRUN 0 00e24 DBQHLT 0 00e28 DBQSTP 0 00e34 DBQGHC 0 00e38 DBQGHG 0 00e3c DBQGHH "
	"0";

/*
 * Tables 49 to 93: fields with their type, R, W, or RW for the guide's R/W. Reset is 0 where it is
 * not given.
 */
static const struct {
	unsigned int table;
	const char *fields;
	__u32 reset;
} tables[] = {
	{ 49,
	  "15 CTRSTA W; 14:12 CTSEMA R; 9:8 CTRTSD R; 5 CTRUN RW; 4 CTSUBS RW; 3 CTERR R; 0 CTMODE "
	  "R",
	  0 },
	{ 50, "31:0 CTLEA RW", 0 },
	{ 51, "31:0 CTLCA RW", 0 },
	{ 52, "31:0 CTLRA R", 0 },
	{ 53, "31:16 CTLLCM RW; 15:0 CTLSLCS RW", 0 },
	{ 54, "31:0 CTLPC R", 0 },
	{ 55, "8 BMOOM R; 3 RMBUSY R; 2 RMACTIVE R; 1 BMBUSY R; 0 BMACTIVE R", 0 },
	{ 56, "7:0 BMFCT RW", 0 },
	{ 57, "7:0 RMFCT RW", 0 },
	{ 58, "31:0 BMPCA R", 0 },
	{ 59, "31:0 BMPRS R", 0 },
	{ 60, "31:0 BMPOA RW", 0 },
	{ 61, "31:0 BMPOS RW", 0 },
	{ 62,
	  "31:28 QPURSV7 RW; 27:24 QPURSV6 RW; 23:20 QPURSV5 RW; 19:16 QPURSV4 RW; 15:12 QPURSV3 "
	  "RW; 11:8 QPURSV2 RW; "
	  "7:4 QPURSV1 RW; 3:0 QPURSV0 RW",
	  0 },
	{ 63,
	  "31:28 QPURSV15 RW; 27:24 QPURSV14 RW; 23:20 QPURSV13 RW; 19:16 QPURSV12 RW; 15:12 "
	  "QPURSV11 RW; "
	  "11:8 QPURSV10 RW; 7:4 QPURSV9 RW; 3:0 QPURSV8 RW",
	  0 },
	{ 64, "3:2 CSRBL RW; 1:0 VSRBL RW", 0 },
	{ 65, "31:0 QPURQPC W", 0 },
	{ 66, "31:0 QPURQUA RW", 0 },
	{ 67, "11:0 QPURQUL RW", 0 },
	{ 68, "23:16 QPURQCC RW; 15:8 QPURQCM RW; 7 QPURQERR RW; 5:0 QPURQL RW", 0 },
	{ 69, "4:0 VPMURSV RW", 0 },
	{ 70,
	  "13 VPATOEN RW; 12 VPALIMEN RW; 11:9 VPABATO RW; 8:6 VPARATO RW; 5:3 VPABALIM RW; 2:0 "
	  "VPARALIM RW",
	  0 },
	{ 71, "2 L2CCLR W; 1 L2CDIS W; 0 L2CENA RW", 0 },
	/* T1CCS0 to T1CCS3 in the guide, and so on */
	{ 72, "27:24 T1CCS W; 19:16 T0CCS W; 11:8 UCCS W; 3:0 ICCS W", 0 },
	{ 73, "15:0 IC_QPU RW", 0 },
	{ 74, "15:0 IE_QPU RW", 0 },
	/* with INT_, EI_ or DI_ in front in the guide */
	{ 75, "3 SPILLUSE RW; 2 OUTOMEM RW; 1 FLDONE RW; 0 FRDONE RW", 0 },
	{ 76, "3 SPILLUSE RW; 2 OUTOMEM RW; 1 FLDONE RW; 0 FRDONE RW", 0 },
	{ 77, "3 SPILLUSE RW; 2 OUTOMEM RW; 1 FLDONE RW; 0 FRDONE RW", 0 },
	{ 78, "31:0 SCRATCH RW", 0 },
	{ 79, "31:24 TVER R; 23:0 IDSTR R", 0x02443356 }, /* 2, "V3D"; HW: this very number */
	{ 80,
	  "31:28 VPMSZ R; 27:24 HDRT R; 23:16 NSEM R; 15:12 TUPS R; 11:8 QUPS R; 7:4 NSLC R; 3:0 "
	  "REV R",
	  12u << 28 | 1 << 24 | 16 << 16 | 2 << 12 | 4 << 8 | 3 << 4 | 1 },
	{ 81, "11:8 TLBDB R; 7:4 TLBSZ R; 3:0 VRISZ R", 1 << 8 | 2 << 4 | 1 },
	{ 83, "15:0 CTCLR W", 0 },
	{ 84, "31 ENABLE RW; 15:0 CTEN RW", 0 }, /* HW: bit 31 */
	{ 85, "31:0 PCTR RW", 0 },
	{ 86, "4:0 PCTRS RW", 0 },
	/*
	 * The guide prints 0 as reset of all of Table 87; that of VCDI is the simulator's idle
	 * state.
	 */
	{ 87,
	  "15 L2CARE R; 14 VCMBE R; 13 VCMRE R; 12 VCDI R; 11 VCDE R; 10 VDWE R; 9 VPMEAS R; 8 "
	  "VPMEFNA R; 7 VPMEWNA R; "
	  "6 VPMERNA R; 5 VPMERR R; 4 VPMEWR R; 3 VPAERRGL R; 2 VPAEBRGL R; 1 VPAERGS R; 0 VPAEABB "
	  "R",
	  1 << 12 },
	{ 88,
	  "20 IPD2_FPDUSED R; 19 IPD2_VALID R; 18 MULIP2 R; 17 MULIP1 R; 16 MULIP0 R; 2 VR1_B R; 1 "
	  "VR1_A R",
	  0 },
	{ 89,
	  "17 EZREQ_FIFO_ORUN R; 15 EZVAL_FIFO_ORUN R; 14 DEPTHO_ORUN R; 13 DEPTHO_FIFO_ORUN R; 12 "
	  "REFXY_FIFO_ORUN R; "
	  "11 ZCOEFF_FIFO_FULL R; 10 XYRELW_FIFO_ORUN R; 7 XYRELO_FIFO_ORUN R; 6 FIXZ_ORUN R; "
	  "5 XYFO_FIFO_ORUN R; "
	  "4 QBSZ_FIFO_ORUN R; 3 QBFR_FIFO_ORUN R; 2 XYRELZ_FIFO_FULL R; 1 WCOEFF_FIFO_FULL R",
	  0 },
	{ 90,
	  "28 XYFO_FIFO_OP_READY R; 27 QXYF_FIFO_OP_READY R; 26 RAST_BUSY R; 25 EZ_XY_READY R; 23 "
	  "EZ_DATA_READY R; "
	  "7 ZRWPE_READY R; 6 ZRWPE_STALL R; 5:3 EDGES_CTRLID R; 2 EDGES_ISCTRL R; 1 EDGES_READY "
	  "R; 0 EDGES_STALL R",
	  0 },
	{ 91,
	  "30 FIXZ_READY R; 28 RECIPW_READY R; 27 INTERPRW_READY R; 24 INTERPZ_READY R; 23 "
	  "XYRELZ_FIFO_LAST R; "
	  "22 XYRELZ_FIFO_READY R; 21 XYNRM_LAST R; 20 XYNRM_READY R; 19 EZLIM_READY R; 18 "
	  "DEPTHO_READY R; 17 RAST_LAST R; 16 RAST_READY R; 14 XYFO_FIFO_READY R; 13 "
	  "ZO_FIFO_READY R; 11 XYRELO_FIFO_READY R; 7 WCOEFF_FIFO_READY R; 6 XYRELW_FIFO_READY "
	  "R; 5 ZCOEFF_FIFO_READY R; 4 REFXY_FIFO_READY R; 3 DEPTHO_FIFO_READY R; 2 "
	  "EZVAL_FIFO_READY R; "
	  "1 EZREQ_FIFO_READY R; 0 QXYF_FIFO_READY R",
	  0 },
	{ 92,
	  "28 ZO_FIFO_IP_STALL R; 25 RECIPW_IP_STALL R; 22 INTERPW_IP_STALL R; 18 "
	  "XYRELZ_FIFO_IP_STALL R; "
	  "17 INTERPZ_IP_STALL R; 16 DEPTHO_FIFO_IP_STALL R; 15 EZLIM_IP_STALL R; 14 "
	  "XYNRM_IP_STALL R; 13 EZREQ_FIFO_OP_VALID R; 12 QXYF_FIFO_OP_VALID R; 11 "
	  "QXYF_FIFO_OP_LAST R; 10 QXYF_FIFO_OP1_DUMMY R; 9 QXYF_FIFO_OP1_LAST R; 8 "
	  "QXYF_FIFO_OP1_VALID R; 7 EZTEST_ANYQVALID R; 6 EZTEST_ANYQF R; 5 EZTEST_QREADY R; 4 "
	  "EZTEST_VLF_OKNOVALID R; 3 EZTEST_STALL R; 2 EZTEST_IP_VLFSTALL R; 1 "
	  "EZTEST_IP_PRSTALL R; 0 EZTEST_IP_QSTALL R",
	  0 },
	{ 93, "1 CLIPDISA RW; 0 FWDDISA RW", 0 },
};

/* What the header says */
struct header_register {
	const char *name, *kind;
	unsigned int offset;
	__u32 reset;
};

struct header_field {
	const char *kind, *name;
	unsigned int high, low;
	enum v3d_access access;
	__u32 mask, shifted;
};

#define HEADER_REGISTER(name, kind, offset, access, reset) { #name, #kind, offset, reset },
#define HEADER_FIELD(kind, name, high, low, access) \
	{ #kind, \
	  #name, \
	  high, \
	  low, \
	  V3D_##access, \
	  V3D_MASK(kind, name), \
	  V3D_SET(kind, name, 0xffffffff) },

static const struct header_register header_registers[] = { V3D_REGS(HEADER_REGISTER) };
static const struct header_field header_fields[] = { V3D_FIELDS(HEADER_FIELD) };

static const struct header_register *find_register(const char *name)
{
	size_t i;

	for (i = 0; i < COUNT(header_registers); i++)
		if (!strcmp(header_registers[i].name, name))
			return &header_registers[i];
	print_message("# no register %s\n", name);
	fail();
	return NULL;
}

static const struct header_field *find_field(const char *kind, const char *name)
{
	size_t i;

	for (i = 0; i < COUNT(header_fields); i++)
		if (!strcmp(header_fields[i].name, name) && !strcmp(header_fields[i].kind, kind))
			return &header_fields[i];
	print_message("# no field %s of %s\n", name, kind);
	fail();
	return NULL;
}

static void check_fields(const struct header_register *reg, const char *row)
{
	const char *const whole = row;
	struct row_field field;
	unsigned int n = 0;
	size_t i;

	while (row_next(&row, &field)) {
		const struct header_field *header = find_field(reg->kind, field.name);
		__u64 bits = ((1ull << (field.high + 1)) - 1) & ~((1ull << field.low) - 1);

		assert_int_equal(header->high, field.high);
		assert_int_equal(header->low, field.low);
		assert_int_equal(header->mask, bits);
		assert_int_equal(header->shifted, bits);
		/* The guide's R/W stands for three ways to be written. */
		if (!strcmp(field.rest, "R"))
			assert_int_equal(header->access, V3D_RO);
		else if (!strcmp(field.rest, "W"))
			assert_int_equal(header->access, V3D_WO);
		else
			assert_true(header->access == V3D_RW || header->access == V3D_RC ||
				    header->access == V3D_RP);
	}
	for (i = 0; i < COUNT(header_fields); i++)
		n += !strcmp(header_fields[i].kind, reg->kind);
	assert_int_equal(n, row_count(whole));
}

static void check_table(const struct header_register *reg, unsigned int table)
{
	size_t i;

	if (!table) {
		assert_string_equal(reg->kind, "NONE");
		return;
	}
	for (i = 0; i < COUNT(tables) && tables[i].table != table; i++)
		;
	if (i == COUNT(tables)) {
		fail_msg("no Table %u", table);
		return;
	}
	assert_int_equal(reg->reset, tables[i].reset);
	check_fields(reg, tables[i].fields);
}

static void test_registers(void **state)
{
	const char *row = registers;
	unsigned int offset, table, count = 0;
	char name[16];
	int used;

	(void)state;
	for (; sscanf(row, "%x %15s %u%n", &offset, name, &table, &used) == 3; row += used) {
		const struct header_register *reg = find_register(name);

		assert_int_equal(reg->offset, offset);
		check_table(reg, table);
		count++;
	}
	assert_int_equal(*row, 0);
	assert_int_equal(count, COUNT(header_registers));
}

/* Per-thread and per-counter registers by number */
static void test_numbered(void **state)
{
	(void)state;
	assert_int_equal(V3D_CTNCS(0), 0x100);
	assert_int_equal(V3D_CTNCS(1), 0x104);
	assert_int_equal(V3D_CTNEA(1), 0x10c);
	assert_int_equal(V3D_CTNCA(1), 0x114);
	assert_int_equal(V3D_CTNRA0(1), 0x11c);
	assert_int_equal(V3D_CTNLC(1), 0x124);
	assert_int_equal(V3D_CTNPC(1), 0x12c);
	assert_int_equal(V3D_PCTRN(0), 0x680);
	assert_int_equal(V3D_PCTRN(15), 0x6f8);
	assert_int_equal(V3D_PCTRSN(15), 0x6fc);
	assert_int_equal(V3D_GET(0xc1102431, IDENT1, NSEM), 16);
	assert_int_equal(V3D_GET(0xc1102431, IDENT1, VPMSZ), 12);
	assert_int_equal(V3D_SET(SRQCS, QPURQCM, 0x1ff), 0xff00);
}

/* Table 82: 30 sources; the first word of each, and something only it has */
static void test_counters(void **state)
{
	static const char *const units =
		"FEP FEP FEP FEP TLB TLB TLB TLB TLB TLB PTB PTB PSE QPU QPU QPU QPU QPU QPU QPU "
		"QPU QPU QPU QPU TMU TMU VPM VPM L2C L2C ";
	static const char *const words[] = {
		"no_pixels", "primitives", "clipped", "valid", "stencil_fail", "z_stencil_fail",
		"z_stencil_pass", "zero_coverage",
		"nonzero_coverage", "written", "outside", "clipped", "reversed", "idle", "vertex",
		"fragment", "instruction_cycles",
		"tmu_stall", "scoreboard", "varyings", "icache_hits", "icache_misses",
		"ucache_hits", "ucache_misses", "quads",
		"cache_misses", "vdw", "vcd", "hits", "misses",
	};
#define COUNTER_ROW(id, unit, name, text) { id, #unit, #name },
	static const struct {
		unsigned int id;
		const char *unit, *name;
	} header[] = { V3D_COUNTER_SOURCES(COUNTER_ROW) };
	size_t i;

	(void)state;
	assert_int_equal(COUNT(header), 30);
	assert_int_equal(V3D_COUNTER_COUNT, 30);
	for (i = 0; i < 30; i++) {
		assert_int_equal(header[i].id, i);
		assert_memory_equal(header[i].unit, units + 4 * i, 3);
		assert_non_null(strstr(header[i].name, words[i]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_numbered),
		cmocka_unit_test(test_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
