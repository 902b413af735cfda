/* SPDX-License-Identifier: GPL-2.0-only */
/* What happens to jobs, for perf and trace-cmd. A job is its file's client id and its seqno. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM bcm2835_v3d

#if !defined(BV3D_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define BV3D_TRACE_H

#include <linux/tracepoint.h>

#define bv3d_trace_queue(queue) __print_symbolic(queue, { 0, "bin" }, { 1, "render" }, { 2, "qpu" })

DECLARE_EVENT_CLASS(bv3d_job, TP_PROTO(u64 client, u64 seqno, unsigned int queue),
		    TP_ARGS(client, seqno, queue),
		    TP_STRUCT__entry(__field(u64, client) __field(u64, seqno)
					     __field(unsigned int, queue)),
		    TP_fast_assign(__entry->client = client; __entry->seqno = seqno;
				   __entry->queue = queue;),
		    TP_printk("client=%llu seqno=%llu queue=%s", __entry->client, __entry->seqno,
			      bv3d_trace_queue(__entry->queue)));

/* The ioctl has queued it */
DEFINE_EVENT(bv3d_job, bv3d_submit,
	TP_PROTO(u64 client, u64 seqno, unsigned int queue), TP_ARGS(client, seqno, queue));

/* All that it waits for has signalled: it waits for the arbiter */
DEFINE_EVENT(bv3d_job, bv3d_ready,
	TP_PROTO(u64 client, u64 seqno, unsigned int queue), TP_ARGS(client, seqno, queue));

/* The arbiter has chosen it: its queue is its own */
DEFINE_EVENT(bv3d_job, bv3d_grant,
	TP_PROTO(u64 client, u64 seqno, unsigned int queue), TP_ARGS(client, seqno, queue));

/* The hardware has it */
DEFINE_EVENT(bv3d_job, bv3d_start,
	TP_PROTO(u64 client, u64 seqno, unsigned int queue), TP_ARGS(client, seqno, queue));

/* Its fence signals, with an error or 0 */
TRACE_EVENT(bv3d_end, TP_PROTO(u64 client, u64 seqno, unsigned int queue, int error),
	    TP_ARGS(client, seqno, queue, error),
	    TP_STRUCT__entry(__field(u64, client) __field(u64, seqno) __field(unsigned int, queue)
				     __field(int, error)),
	    TP_fast_assign(__entry->client = client; __entry->seqno = seqno; __entry->queue = queue;
			   __entry->error = error;),
	    TP_printk("client=%llu seqno=%llu queue=%s error=%d", __entry->client, __entry->seqno,
		      bv3d_trace_queue(__entry->queue), __entry->error));

/* INTCTL and DBQITC as the handler found them */
TRACE_EVENT(bv3d_interrupt,
	TP_PROTO(u32 intctl, u32 dbqitc),
	TP_ARGS(intctl, dbqitc),
	TP_STRUCT__entry(
		__field(u32, intctl)
		__field(u32, dbqitc)
	),
	TP_fast_assign(
		__entry->intctl = intctl;
		__entry->dbqitc = dbqitc;
	),
	TP_printk("intctl=%#x dbqitc=%#x", __entry->intctl, __entry->dbqitc)
);

/* The binner got more memory. Size 0: it wanted some and there was none, so that it waits */
TRACE_EVENT(bv3d_overspill, TP_PROTO(u64 client, u64 seqno, u32 address, u32 size),
	    TP_ARGS(client, seqno, address, size),
	    TP_STRUCT__entry(__field(u64, client) __field(u64, seqno) __field(u32, address)
				     __field(u32, size)),
	    TP_fast_assign(__entry->client = client; __entry->seqno = seqno;
			   __entry->address = address; __entry->size = size;),
	    TP_printk("client=%llu seqno=%llu address=%#x size=%u", __entry->client, __entry->seqno,
		      __entry->address, __entry->size));

/* The V3D was reset because of that queue; 0 when it came back */
TRACE_EVENT(bv3d_reset,
	TP_PROTO(unsigned int queue, int error),
	TP_ARGS(queue, error),
	TP_STRUCT__entry(
		__field(unsigned int, queue)
		__field(int, error)
	),
	TP_fast_assign(
		__entry->queue = queue;
		__entry->error = error;
	),
	TP_printk("queue=%s error=%d", bv3d_trace_queue(__entry->queue), __entry->error)
);

#endif /* BV3D_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
