// Package blkprobe hears from the Linux kernel how long each request to a block
// device took, for activity files to keep: how long it queued, and how long the
// device had it. Small BPF programs on the tracepoints of the block layer add
// every request to histograms in the kernel; a sample reads what was added since
// the one before.
//
// It is nobody's burden. The programs are written here, in instructions, so that
// no compiler and no file of others is part of the recorder. They find the fields
// of a request by the kernel's own description of its types (BTF); without one
// they read what tracefs shows. A request costs a few hundred nanoseconds, a
// sample no system call and no allocation. Nothing is lost in silence: what finds
// no place is counted as missed. Where programs cannot be loaded, one line says
// why, and what would cure it.
//
//	block_rq_insert    begins to queue
//	block_rq_issue     leaves the queue, the device has it
//	block_rq_requeue   is put back: queues again, both times go on
//	block_rq_merge     became part of another
//	block_rq_complete  is done: both times are added to histograms
//
// A request that is issued without having been inserted did not queue. Devices
// that take whole bios, as dm, md and zram do, have no requests: those of the
// drives below are heard.
package blkprobe
