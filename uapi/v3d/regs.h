/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * Every register of the V3D and every field, once.
 *
 * V3D_REGS lists registers, V3D_FIELDS_<kind> the fields of one kind of register (CT0CS and CT1CS
 * are two registers of one kind). Constants, names for debugfs, the simulator's reset values and
 * the tests all follow from these lists. Source: AG100 Tables 48 to
 * 93. Registers missing there are marked HW: their offsets follow from published vendor code, and
 * where nothing is known of their fields none are listed.
 *
 *	V3D_CT0CS			byte offset of a register
 *	V3D_GET(value, CTCS, CTRUN)	a field out of a value
 *	V3D_SET(CTCS, CTRUN, 1)		a field's value in place
 *	V3D_MASK(CTCS, CTRUN)		a field's bits
 */
#ifndef V3D_REGS_H
#define V3D_REGS_H

#include <v3d/types.h>

/* Bytes of the register window: AG100 Table 48 ends at 0xf20. */
#define V3D_REGS_SIZE 0x1000

/* What any register reads while the power domain is off (HW: seen on a Raspberry Pi). */
#define V3D_SLEEPING 0xdeadbeef

/*
 * Access to a register or field:
 *   RO   writes are ignored
 *   RW   plain storage
 *   WO   an action; reads 0
 *   RC   read; writing 1 resets what the table says
 *   RP   reads state, writing 1 acts, writing 0 does not (CTRUN, L2CENA)
 */
enum v3d_access { V3D_RO, V3D_RW, V3D_WO, V3D_RC, V3D_RP };

/* R(name, kind, offset, access, reset) */
#define V3D_REGS(R) \
	R(IDENT0, IDENT0, 0x000, RO, 0x02443356) \
	R(IDENT1, IDENT1, 0x004, RO, 0xc1102431) \
	R(IDENT2, IDENT2, 0x008, RO, 0x00000121) \
	R(IDENT3, NONE, 0x00c, RO, 0) /* HW */ \
	R(SCRATCH, SCRATCH, 0x010, RW, 0) \
	R(L2CACTL, L2CACTL, 0x020, RP, 0) \
	R(SLCACTL, SLCACTL, 0x024, WO, 0) \
	R(INTCTL, INTCTL, 0x030, RC, 0) \
	R(INTENA, INTENA, 0x034, RP, 0) \
	R(INTDIS, INTDIS, 0x038, RP, 0) \
	R(CT0CS, CTCS, 0x100, RP, 0) \
	R(CT1CS, CTCS, 0x104, RP, 0) \
	R(CT0EA, CTEA, 0x108, RW, 0) \
	R(CT1EA, CTEA, 0x10c, RW, 0) \
	R(CT0CA, CTCA, 0x110, RW, 0) \
	R(CT1CA, CTCA, 0x114, RW, 0) \
	R(CT0RA0, CTRA, 0x118, RO, 0) \
	R(CT1RA0, CTRA, 0x11c, RO, 0) \
	R(CT0LC, CTLC, 0x120, RC, 0) \
	R(CT1LC, CTLC, 0x124, RC, 0) \
	R(CT0PC, CTPC, 0x128, RO, 0) \
	R(CT1PC, CTPC, 0x12c, RO, 0) \
	R(PCS, PCS, 0x130, RO, 0) \
	R(BFC, BFC, 0x134, RC, 0) \
	R(RFC, RFC, 0x138, RC, 0) \
	R(BPCA, BPCA, 0x300, RO, 0) \
	R(BPCS, BPCS, 0x304, RO, 0) \
	R(BPOA, BPOA, 0x308, RW, 0) \
	R(BPOS, BPOS, 0x30c, RW, 0) \
	R(BXCF, BXCF, 0x310, RW, 0) \
	R(SQRSV0, SQRSV0, 0x410, RW, 0) \
	R(SQRSV1, SQRSV1, 0x414, RW, 0) \
	R(SQCNTL, SQCNTL, 0x418, RW, 0) \
	R(SQCSTAT, NONE, 0x41c, RO, 0) /* HW */ \
	R(SRQPC, SRQPC, 0x430, WO, 0) \
	R(SRQUA, SRQUA, 0x434, RW, 0) \
	R(SRQUL, SRQUL, 0x438, RW, 0) \
	R(SRQCS, SRQCS, 0x43c, RC, 0) \
	R(VPACNTL, VPACNTL, 0x500, RW, 0) \
	R(VPMBASE, VPMBASE, 0x504, RW, 0) \
	R(PCTRC, PCTRC, 0x670, WO, 0) \
	R(PCTRE, PCTRE, 0x674, RW, 0) \
	V3D_PCTR_REGS(R) \
	R(DBCFG, NONE, 0xe00, RW, 0) /* HW, and all of 0xe04 to 0xe3c but DBQITE and DBQITC */ \
	R(DBSCS, NONE, 0xe04, RW, 0) \
	R(DBSCFG, NONE, 0xe08, RW, 0) \
	R(DBSSR, NONE, 0xe0c, RW, 0) \
	R(DBSDR0, NONE, 0xe10, RW, 0) \
	R(DBSDR1, NONE, 0xe14, RW, 0) \
	R(DBSDR2, NONE, 0xe18, RW, 0) \
	R(DBSDR3, NONE, 0xe1c, RW, 0) \
	R(DBQRUN, NONE, 0xe20, RW, 0) \
	R(DBQHLT, NONE, 0xe24, RW, 0) \
	R(DBQSTP, NONE, 0xe28, RW, 0) \
	R(DBQITE, DBQITE, 0xe2c, RW, 0) \
	R(DBQITC, DBQITC, 0xe30, RC, 0) \
	R(DBQGHC, NONE, 0xe34, RW, 0) \
	R(DBQGHG, NONE, 0xe38, RW, 0) \
	R(DBQGHH, NONE, 0xe3c, RW, 0) \
	R(DBGE, DBGE, 0xf00, RO, 0) \
	R(FDBGO, FDBGO, 0xf04, RO, 0) \
	R(FDBGB, FDBGB, 0xf08, RO, 0) \
	R(FDBGR, FDBGR, 0xf0c, RO, 0) \
	R(FDBGS, FDBGS, 0xf10, RO, 0) \
	R(ERRSTAT, ERRSTAT, 0xf20, RO, 0x1000) /* VCDI: the VCD is idle */

/* AG100 Tables 85 and 86: count and mapping alternate. */
#define V3D_PCTR_PAIR(R, n) \
	R(PCTR##n, PCTR, 0x680 + 8 * (n), RW, 0) \
	R(PCTRS##n, PCTRS, 0x684 + 8 * (n), RW, 0)
#define V3D_PCTR_REGS(R) \
	V3D_PCTR_PAIR(R, 0) V3D_PCTR_PAIR(R, 1) V3D_PCTR_PAIR(R, 2) V3D_PCTR_PAIR(R, 3) \
	V3D_PCTR_PAIR(R, 4) V3D_PCTR_PAIR(R, 5) V3D_PCTR_PAIR(R, 6) V3D_PCTR_PAIR(R, 7) \
	V3D_PCTR_PAIR(R, 8) V3D_PCTR_PAIR(R, 9) V3D_PCTR_PAIR(R, 10) V3D_PCTR_PAIR(R, 11) \
	V3D_PCTR_PAIR(R, 12) V3D_PCTR_PAIR(R, 13) V3D_PCTR_PAIR(R, 14) V3D_PCTR_PAIR(R, 15)

/* The fields, F(kind, name, highest bit, lowest bit, access). Reserved bits are not listed. */
#define V3D_FIELDS_NONE(F)
#define V3D_FIELDS_CTCS(F)				/* Table 49 */ \
	F(CTCS, CTRSTA, 15, 15, WO) \
	F(CTCS, CTSEMA, 14, 12, RO) \
	F(CTCS, CTRTSD, 9, 8, RO) \
	F(CTCS, CTRUN, 5, 5, RP) \
	F(CTCS, CTSUBS, 4, 4, RP) \
	F(CTCS, CTERR, 3, 3, RO) \
	F(CTCS, CTMODE, 0, 0, RO)
#define V3D_FIELDS_CTEA(F) F(CTEA, CTLEA, 31, 0, RW)	/* Table 50 */
#define V3D_FIELDS_CTCA(F) F(CTCA, CTLCA, 31, 0, RW)	/* Table 51 */
#define V3D_FIELDS_CTRA(F) F(CTRA, CTLRA, 31, 0, RO)	/* Table 52 */
#define V3D_FIELDS_CTLC(F)				/* Table 53 */ \
	F(CTLC, CTLLCM, 31, 16, RC) \
	F(CTLC, CTLSLCS, 15, 0, RC)
#define V3D_FIELDS_CTPC(F) F(CTPC, CTLPC, 31, 0, RO)	/* Table 54 */
#define V3D_FIELDS_PCS(F)				/* Table 55 */ \
	F(PCS, BMOOM, 8, 8, RO) \
	F(PCS, RMBUSY, 3, 3, RO) \
	F(PCS, RMACTIVE, 2, 2, RO) \
	F(PCS, BMBUSY, 1, 1, RO) \
	F(PCS, BMACTIVE, 0, 0, RO)
#define V3D_FIELDS_BFC(F) F(BFC, BMFCT, 7, 0, RC)	/* Table 56 */
#define V3D_FIELDS_RFC(F) F(RFC, RMFCT, 7, 0, RC)	/* Table 57 */
#define V3D_FIELDS_BPCA(F) F(BPCA, BMPCA, 31, 0, RO)	/* Table 58 */
#define V3D_FIELDS_BPCS(F) F(BPCS, BMPRS, 31, 0, RO)	/* Table 59 */
#define V3D_FIELDS_BPOA(F) F(BPOA, BMPOA, 31, 0, RW)	/* Table 60 */
#define V3D_FIELDS_BPOS(F) F(BPOS, BMPOS, 31, 0, RW)	/* Table 61 */
#define V3D_FIELDS_SQRSV0(F)				/* Table 62 */ \
	F(SQRSV0, QPURSV7, 31, 28, RW) F(SQRSV0, QPURSV6, 27, 24, RW) \
	F(SQRSV0, QPURSV5, 23, 20, RW) F(SQRSV0, QPURSV4, 19, 16, RW) \
	F(SQRSV0, QPURSV3, 15, 12, RW) F(SQRSV0, QPURSV2, 11, 8, RW) \
	F(SQRSV0, QPURSV1, 7, 4, RW) F(SQRSV0, QPURSV0, 3, 0, RW)
#define V3D_FIELDS_SQRSV1(F)				/* Table 63 */ \
	F(SQRSV1, QPURSV15, 31, 28, RW) F(SQRSV1, QPURSV14, 27, 24, RW) \
	F(SQRSV1, QPURSV13, 23, 20, RW) F(SQRSV1, QPURSV12, 19, 16, RW) \
	F(SQRSV1, QPURSV11, 15, 12, RW) F(SQRSV1, QPURSV10, 11, 8, RW) \
	F(SQRSV1, QPURSV9, 7, 4, RW) F(SQRSV1, QPURSV8, 3, 0, RW)
#define V3D_FIELDS_SQCNTL(F)				/* Table 64 */ \
	F(SQCNTL, CSRBL, 3, 2, RW) \
	F(SQCNTL, VSRBL, 1, 0, RW)
#define V3D_FIELDS_SRQPC(F) F(SRQPC, QPURQPC, 31, 0, WO)	/* Table 65 */
#define V3D_FIELDS_SRQUA(F) F(SRQUA, QPURQUA, 31, 0, RW)	/* Table 66 */
#define V3D_FIELDS_SRQUL(F) F(SRQUL, QPURQUL, 11, 0, RW)	/* Table 67 */
#define V3D_FIELDS_SRQCS(F)				/* Table 68 */ \
	F(SRQCS, QPURQCC, 23, 16, RC) \
	F(SRQCS, QPURQCM, 15, 8, RC) \
	F(SRQCS, QPURQERR, 7, 7, RC) \
	F(SRQCS, QPURQL, 5, 0, RC)
#define V3D_FIELDS_VPMBASE(F) F(VPMBASE, VPMURSV, 4, 0, RW)	/* Table 69 */
#define V3D_FIELDS_VPACNTL(F)				/* Table 70 */ \
	F(VPACNTL, VPATOEN, 13, 13, RW) \
	F(VPACNTL, VPALIMEN, 12, 12, RW) \
	F(VPACNTL, VPABATO, 11, 9, RW) \
	F(VPACNTL, VPARATO, 8, 6, RW) \
	F(VPACNTL, VPABALIM, 5, 3, RW) \
	F(VPACNTL, VPARALIM, 2, 0, RW)
#define V3D_FIELDS_L2CACTL(F)				/* Table 71 */ \
	F(L2CACTL, L2CCLR, 2, 2, WO) \
	F(L2CACTL, L2CDIS, 1, 1, WO) \
	F(L2CACTL, L2CENA, 0, 0, RP)
#define V3D_FIELDS_SLCACTL(F)				/* Table 72: a bit a slice */ \
	F(SLCACTL, T1CCS, 27, 24, WO) \
	F(SLCACTL, T0CCS, 19, 16, WO) \
	F(SLCACTL, UCCS, 11, 8, WO) \
	F(SLCACTL, ICCS, 3, 0, WO)
#define V3D_FIELDS_DBQITC(F) F(DBQITC, IC_QPU, 15, 0, RC)	/* Table 73: a bit a QPU */
#define V3D_FIELDS_DBQITE(F) F(DBQITE, IE_QPU, 15, 0, RW)	/* Table 74: a bit a QPU */
#define V3D_FIELDS_INTCTL(F)				/* Table 75 */ \
	F(INTCTL, SPILLUSE, 3, 3, RC) \
	F(INTCTL, OUTOMEM, 2, 2, RC) \
	F(INTCTL, FLDONE, 1, 1, RC) \
	F(INTCTL, FRDONE, 0, 0, RC)
#define V3D_FIELDS_INTENA(F)				/* Table 76 */ \
	F(INTENA, SPILLUSE, 3, 3, RP) \
	F(INTENA, OUTOMEM, 2, 2, RP) \
	F(INTENA, FLDONE, 1, 1, RP) \
	F(INTENA, FRDONE, 0, 0, RP)
#define V3D_FIELDS_INTDIS(F)				/* Table 77 */ \
	F(INTDIS, SPILLUSE, 3, 3, RP) \
	F(INTDIS, OUTOMEM, 2, 2, RP) \
	F(INTDIS, FLDONE, 1, 1, RP) \
	F(INTDIS, FRDONE, 0, 0, RP)
#define V3D_FIELDS_SCRATCH(F) F(SCRATCH, SCRATCH, 31, 0, RW)	/* Table 78 */
#define V3D_FIELDS_IDENT0(F)				/* Table 79 */ \
	F(IDENT0, TVER, 31, 24, RO) \
	F(IDENT0, IDSTR, 23, 0, RO)
#define V3D_FIELDS_IDENT1(F)				/* Table 80 */ \
	F(IDENT1, VPMSZ, 31, 28, RO) \
	F(IDENT1, HDRT, 27, 24, RO) \
	F(IDENT1, NSEM, 23, 16, RO) \
	F(IDENT1, TUPS, 15, 12, RO) \
	F(IDENT1, QUPS, 11, 8, RO) \
	F(IDENT1, NSLC, 7, 4, RO) \
	F(IDENT1, REV, 3, 0, RO)
#define V3D_FIELDS_IDENT2(F)				/* Table 81 */ \
	F(IDENT2, TLBDB, 11, 8, RO) \
	F(IDENT2, TLBSZ, 7, 4, RO) \
	F(IDENT2, VRISZ, 3, 0, RO)
#define V3D_FIELDS_PCTRC(F) F(PCTRC, CTCLR, 15, 0, WO)	/* Table 83: a bit a counter */
#define V3D_FIELDS_PCTRE(F) /* Table 84: a bit a counter */ \
	F(PCTRE, ENABLE, 31, 31, RW) /* HW: the whole block counts only with this bit set */ \
	F(PCTRE, CTEN, 15, 0, RW)
#define V3D_FIELDS_PCTR(F) F(PCTR, PCTR, 31, 0, RW)	/* Table 85 */
#define V3D_FIELDS_PCTRS(F) F(PCTRS, PCTRS, 4, 0, RW)	/* Table 86 */
#define V3D_FIELDS_ERRSTAT(F)				/* Table 87 */ \
	F(ERRSTAT, L2CARE, 15, 15, RO) \
	F(ERRSTAT, VCMBE, 14, 14, RO) \
	F(ERRSTAT, VCMRE, 13, 13, RO) \
	F(ERRSTAT, VCDI, 12, 12, RO) \
	F(ERRSTAT, VCDE, 11, 11, RO) \
	F(ERRSTAT, VDWE, 10, 10, RO) \
	F(ERRSTAT, VPMEAS, 9, 9, RO) \
	F(ERRSTAT, VPMEFNA, 8, 8, RO) \
	F(ERRSTAT, VPMEWNA, 7, 7, RO) \
	F(ERRSTAT, VPMERNA, 6, 6, RO) \
	F(ERRSTAT, VPMERR, 5, 5, RO) \
	F(ERRSTAT, VPMEWR, 4, 4, RO) \
	F(ERRSTAT, VPAERRGL, 3, 3, RO) \
	F(ERRSTAT, VPAEBRGL, 2, 2, RO) \
	F(ERRSTAT, VPAERGS, 1, 1, RO) \
	F(ERRSTAT, VPAEABB, 0, 0, RO)
#define V3D_FIELDS_DBGE(F)				/* Table 88 */ \
	F(DBGE, IPD2_FPDUSED, 20, 20, RO) \
	F(DBGE, IPD2_VALID, 19, 19, RO) \
	F(DBGE, MULIP2, 18, 18, RO) \
	F(DBGE, MULIP1, 17, 17, RO) \
	F(DBGE, MULIP0, 16, 16, RO) \
	F(DBGE, VR1_B, 2, 2, RO) \
	F(DBGE, VR1_A, 1, 1, RO)
#define V3D_FIELDS_FDBGO(F)				/* Table 89 */ \
	F(FDBGO, EZREQ_FIFO_ORUN, 17, 17, RO) \
	F(FDBGO, EZVAL_FIFO_ORUN, 15, 15, RO) \
	F(FDBGO, DEPTHO_ORUN, 14, 14, RO) \
	F(FDBGO, DEPTHO_FIFO_ORUN, 13, 13, RO) \
	F(FDBGO, REFXY_FIFO_ORUN, 12, 12, RO) \
	F(FDBGO, ZCOEFF_FIFO_FULL, 11, 11, RO) \
	F(FDBGO, XYRELW_FIFO_ORUN, 10, 10, RO) \
	F(FDBGO, XYRELO_FIFO_ORUN, 7, 7, RO) \
	F(FDBGO, FIXZ_ORUN, 6, 6, RO) \
	F(FDBGO, XYFO_FIFO_ORUN, 5, 5, RO) \
	F(FDBGO, QBSZ_FIFO_ORUN, 4, 4, RO) \
	F(FDBGO, QBFR_FIFO_ORUN, 3, 3, RO) \
	F(FDBGO, XYRELZ_FIFO_FULL, 2, 2, RO) \
	F(FDBGO, WCOEFF_FIFO_FULL, 1, 1, RO)
#define V3D_FIELDS_FDBGB(F)				/* Table 90 */ \
	F(FDBGB, XYFO_FIFO_OP_READY, 28, 28, RO) \
	F(FDBGB, QXYF_FIFO_OP_READY, 27, 27, RO) \
	F(FDBGB, RAST_BUSY, 26, 26, RO) \
	F(FDBGB, EZ_XY_READY, 25, 25, RO) \
	F(FDBGB, EZ_DATA_READY, 23, 23, RO) \
	F(FDBGB, ZRWPE_READY, 7, 7, RO) \
	F(FDBGB, ZRWPE_STALL, 6, 6, RO) \
	F(FDBGB, EDGES_CTRLID, 5, 3, RO) \
	F(FDBGB, EDGES_ISCTRL, 2, 2, RO) \
	F(FDBGB, EDGES_READY, 1, 1, RO) \
	F(FDBGB, EDGES_STALL, 0, 0, RO)
#define V3D_FIELDS_FDBGR(F)				/* Table 91 */ \
	F(FDBGR, FIXZ_READY, 30, 30, RO) \
	F(FDBGR, RECIPW_READY, 28, 28, RO) \
	F(FDBGR, INTERPRW_READY, 27, 27, RO) \
	F(FDBGR, INTERPZ_READY, 24, 24, RO) \
	F(FDBGR, XYRELZ_FIFO_LAST, 23, 23, RO) \
	F(FDBGR, XYRELZ_FIFO_READY, 22, 22, RO) \
	F(FDBGR, XYNRM_LAST, 21, 21, RO) \
	F(FDBGR, XYNRM_READY, 20, 20, RO) \
	F(FDBGR, EZLIM_READY, 19, 19, RO) \
	F(FDBGR, DEPTHO_READY, 18, 18, RO) \
	F(FDBGR, RAST_LAST, 17, 17, RO) \
	F(FDBGR, RAST_READY, 16, 16, RO) \
	F(FDBGR, XYFO_FIFO_READY, 14, 14, RO) \
	F(FDBGR, ZO_FIFO_READY, 13, 13, RO) \
	F(FDBGR, XYRELO_FIFO_READY, 11, 11, RO) \
	F(FDBGR, WCOEFF_FIFO_READY, 7, 7, RO) \
	F(FDBGR, XYRELW_FIFO_READY, 6, 6, RO) \
	F(FDBGR, ZCOEFF_FIFO_READY, 5, 5, RO) \
	F(FDBGR, REFXY_FIFO_READY, 4, 4, RO) \
	F(FDBGR, DEPTHO_FIFO_READY, 3, 3, RO) \
	F(FDBGR, EZVAL_FIFO_READY, 2, 2, RO) \
	F(FDBGR, EZREQ_FIFO_READY, 1, 1, RO) \
	F(FDBGR, QXYF_FIFO_READY, 0, 0, RO)
#define V3D_FIELDS_FDBGS(F)				/* Table 92 */ \
	F(FDBGS, ZO_FIFO_IP_STALL, 28, 28, RO) \
	F(FDBGS, RECIPW_IP_STALL, 25, 25, RO) \
	F(FDBGS, INTERPW_IP_STALL, 22, 22, RO) \
	F(FDBGS, XYRELZ_FIFO_IP_STALL, 18, 18, RO) \
	F(FDBGS, INTERPZ_IP_STALL, 17, 17, RO) \
	F(FDBGS, DEPTHO_FIFO_IP_STALL, 16, 16, RO) \
	F(FDBGS, EZLIM_IP_STALL, 15, 15, RO) \
	F(FDBGS, XYNRM_IP_STALL, 14, 14, RO) \
	F(FDBGS, EZREQ_FIFO_OP_VALID, 13, 13, RO) \
	F(FDBGS, QXYF_FIFO_OP_VALID, 12, 12, RO) \
	F(FDBGS, QXYF_FIFO_OP_LAST, 11, 11, RO) \
	F(FDBGS, QXYF_FIFO_OP1_DUMMY, 10, 10, RO) \
	F(FDBGS, QXYF_FIFO_OP1_LAST, 9, 9, RO) \
	F(FDBGS, QXYF_FIFO_OP1_VALID, 8, 8, RO) \
	F(FDBGS, EZTEST_ANYQVALID, 7, 7, RO) \
	F(FDBGS, EZTEST_ANYQF, 6, 6, RO) \
	F(FDBGS, EZTEST_QREADY, 5, 5, RO) \
	F(FDBGS, EZTEST_VLF_OKNOVALID, 4, 4, RO) \
	F(FDBGS, EZTEST_STALL, 3, 3, RO) \
	F(FDBGS, EZTEST_IP_VLFSTALL, 2, 2, RO) \
	F(FDBGS, EZTEST_IP_PRSTALL, 1, 1, RO) \
	F(FDBGS, EZTEST_IP_QSTALL, 0, 0, RO)
#define V3D_FIELDS_BXCF(F)				/* Table 93 */ \
	F(BXCF, CLIPDISA, 1, 1, RW) \
	F(BXCF, FWDDISA, 0, 0, RW)

/* Every kind with fields, for code that walks all of them */
#define V3D_FIELDS(F) \
	V3D_FIELDS_IDENT0(F) V3D_FIELDS_IDENT1(F) V3D_FIELDS_IDENT2(F) V3D_FIELDS_SCRATCH(F) \
	V3D_FIELDS_L2CACTL(F) V3D_FIELDS_SLCACTL(F) V3D_FIELDS_INTCTL(F) V3D_FIELDS_INTENA(F) \
	V3D_FIELDS_INTDIS(F) V3D_FIELDS_CTCS(F) V3D_FIELDS_CTEA(F) V3D_FIELDS_CTCA(F) \
	V3D_FIELDS_CTRA(F) V3D_FIELDS_CTLC(F) V3D_FIELDS_CTPC(F) V3D_FIELDS_PCS(F) \
	V3D_FIELDS_BFC(F) V3D_FIELDS_RFC(F) V3D_FIELDS_BPCA(F) V3D_FIELDS_BPCS(F) \
	V3D_FIELDS_BPOA(F) V3D_FIELDS_BPOS(F) V3D_FIELDS_BXCF(F) V3D_FIELDS_SQRSV0(F) \
	V3D_FIELDS_SQRSV1(F) V3D_FIELDS_SQCNTL(F) V3D_FIELDS_SRQPC(F) V3D_FIELDS_SRQUA(F) \
	V3D_FIELDS_SRQUL(F) V3D_FIELDS_SRQCS(F) V3D_FIELDS_VPACNTL(F) V3D_FIELDS_VPMBASE(F) \
	V3D_FIELDS_PCTRC(F) V3D_FIELDS_PCTRE(F) V3D_FIELDS_PCTR(F) V3D_FIELDS_PCTRS(F) \
	V3D_FIELDS_DBQITE(F) V3D_FIELDS_DBQITC(F) V3D_FIELDS_DBGE(F) V3D_FIELDS_FDBGO(F) \
	V3D_FIELDS_FDBGB(F) V3D_FIELDS_FDBGR(F) V3D_FIELDS_FDBGS(F) V3D_FIELDS_ERRSTAT(F)

#define V3D_REG_OFFSET(name, kind, offset, access, reset) V3D_##name = (offset),
enum v3d_reg { V3D_REGS(V3D_REG_OFFSET) };

#define V3D_FIELD_CONSTANTS(kind, name, high, low, access) \
	V3D_##kind##_##name##_LOW = (low), \
	V3D_##kind##_##name##_BITS = (high) - (low) + 1,
enum v3d_reg_field { V3D_FIELDS(V3D_FIELD_CONSTANTS) };

#define V3D_MASK(kind, name) \
	((~(__u32)0 >> (32 - V3D_##kind##_##name##_BITS)) << V3D_##kind##_##name##_LOW)
#define V3D_GET(value, kind, name) \
	(((__u32)(value) & V3D_MASK(kind, name)) >> V3D_##kind##_##name##_LOW)
#define V3D_SET(kind, name, value) \
	(((__u32)(value) << V3D_##kind##_##name##_LOW) & V3D_MASK(kind, name))

/* The registers that exist once a control list thread: n is 0 (binning) or 1 (rendering). */
#define V3D_CTNCS(n) (V3D_CT0CS + 4 * (n))
#define V3D_CTNEA(n) (V3D_CT0EA + 4 * (n))
#define V3D_CTNCA(n) (V3D_CT0CA + 4 * (n))
#define V3D_CTNRA0(n) (V3D_CT0RA0 + 4 * (n))
#define V3D_CTNLC(n) (V3D_CT0LC + 4 * (n))
#define V3D_CTNPC(n) (V3D_CT0PC + 4 * (n))
#define V3D_PCTRN(n) (V3D_PCTR0 + 8 * (n))
#define V3D_PCTRSN(n) (V3D_PCTRS0 + 8 * (n))

#define V3D_COUNTERS 16		/* that count at a time: AG100 "Performance Counters" */
#define V3D_USER_QUEUE 16	/* depth of the user program request FIFO: AG100 Table 65 */

/*
 * What a counter can count, C(id, unit, name, text): AG100 Table 82. The names are statistics of
 * the simulator's too.
 */
#define V3D_COUNTER_SOURCES(C) \
	C(0, FEP, fep_primitives_no_pixels, \
	  "valid primitives that result in no rendered pixels, for all rendered tiles") \
	C(1, FEP, fep_primitives, "valid primitives for all rendered tiles") \
	C(2, FEP, fep_clipped_quads, "early-Z, near or far clipped quads") \
	C(3, FEP, fep_valid_quads, "valid quads") \
	C(4, TLB, tlb_quads_stencil_fail, "quads with no pixels passing the stencil test") \
	C(5, TLB, tlb_quads_z_stencil_fail, \
	  "quads with no pixels passing the Z and stencil tests") \
	C(6, TLB, tlb_quads_z_stencil_pass, \
	  "quads with any pixels passing the Z and stencil tests") \
	C(7, TLB, tlb_quads_zero_coverage, "quads with all pixels having zero coverage") \
	C(8, TLB, tlb_quads_nonzero_coverage, "quads with any pixels having non-zero coverage") \
	C(9, TLB, tlb_quads_written, "quads with valid pixels written to the color buffer") \
	C(10, PTB, ptb_primitives_outside, "primitives discarded by being outside the viewport") \
	C(11, PTB, ptb_primitives_clipped, "primitives that need clipping") \
	C(12, PSE, pse_primitives_reversed, \
	  "primitives that are discarded because they are reversed") \
	C(13, QPU, qpu_idle_cycles, "idle clock cycles of all QPUs") \
	C(14, QPU, qpu_vertex_cycles, \
	  "clock cycles of all QPUs doing vertex or coordinate shading") \
	C(15, QPU, qpu_fragment_cycles, "clock cycles of all QPUs doing fragment shading") \
	C(16, QPU, qpu_instruction_cycles, \
	  "clock cycles of all QPUs executing valid instructions") \
	C(17, QPU, qpu_tmu_stall_cycles, "clock cycles of all QPUs stalled waiting for TMUs") \
	C(18, QPU, qpu_scoreboard_stall_cycles, \
	  "clock cycles of all QPUs stalled waiting for the scoreboard") \
	C(19, QPU, qpu_varyings_stall_cycles, \
	  "clock cycles of all QPUs stalled waiting for varyings") \
	C(20, QPU, qpu_icache_hits, "instruction cache hits of all slices") \
	C(21, QPU, qpu_icache_misses, "instruction cache misses of all slices") \
	C(22, QPU, qpu_ucache_hits, "uniforms cache hits of all slices") \
	C(23, QPU, qpu_ucache_misses, "uniforms cache misses of all slices") \
	C(24, TMU, tmu_texture_quads, "texture quads processed") \
	C(25, TMU, tmu_cache_misses, "texture cache misses: fetches from memory or L2 cache") \
	C(26, VPM, vpm_vdw_stall_cycles, "clock cycles VDW is stalled waiting for VPM access") \
	C(27, VPM, vpm_vcd_stall_cycles, "clock cycles VCD is stalled waiting for VPM access") \
	C(28, L2C, l2c_hits, "level 2 cache hits") \
	C(29, L2C, l2c_misses, "level 2 cache misses")

#define V3D_COUNTER_ID(id, unit, name, text) V3D_COUNTER_##name = (id),
enum v3d_counter { V3D_COUNTER_SOURCES(V3D_COUNTER_ID) V3D_COUNTER_COUNT };

#endif /* V3D_REGS_H */
