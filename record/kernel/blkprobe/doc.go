// Package blkprobe measures in the Linux kernel how long each request to a block device
// took, for activity files: the time in the queue, and the time in the device. Small BPF
// programs on the tracepoints of the block layer add every request to histograms in the
// kernel; a sample reads the requests that were added since the sample before.
//
// The programs are written here, in instructions, so that the recorder needs no compiler
// and no object file. They find the fields of a request by the kernel's own description of
// its types (BTF), or by the formats in tracefs on a kernel without BTF. A request costs a
// few hundred nanoseconds, a sample no system call and no allocation. A request that finds
// no room in the maps is counted as missed. Where programs cannot be loaded, the error is
// one line with the reason and the cure.
//
// Read blkprobe.go first (Probe), then block.go (the counts) and program_hooks.go (the
// programs on each tracepoint).
//
//	block_rq_insert    begins to queue
//	block_rq_issue     leaves the queue, the device has it
//	block_rq_requeue   is put back: queues again, both times go on
//	block_rq_merge     became part of another
//	block_rq_complete  is done: both times are added to histograms
//
// A request that is issued without having been inserted did not queue. Devices that take
// whole bios, as dm, md and zram do, have no requests: the requests of the drives below
// them are counted.
package blkprobe
