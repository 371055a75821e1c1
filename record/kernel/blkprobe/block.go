// This file has the layout of the counts in the kernel: the BPF programs add to them, and a sample
// reads them.

package blkprobe

import "github.com/limpet-storage/limpet/record/blklat"

// A block holds the counts of one operation on one device, from some of the processors. Its first
// number is its owner:
//
//	bit 63     in use
//	bits 40-47 shard: which of the processors
//	bits 32-39 operation, or ownDevice: the block of the device itself
//	bits 0-31  the device, twelve bits of major, twenty of minor
//
// Counters of 32 bits start again from 0 after 2³². A sample takes differences, and no difference
// is that large. Block 0 belongs to no device: it counts the requests that found no block of their
// own as missed.
//
// A request changes as few cache lines as possible: the head is one cache line, and each block
// starts at a cache line. A request that did not queue adds nothing to the histogram of queues. The
// requests that are missing there belong to its first bucket.
const (
	blockAtOwner = 0  // u64
	atDeviceNs   = 8  // u64
	atQueueNs    = 16 // u64
	atBytes      = 24 // u64
	atErrors     = 32 // u32
	atRequeues   = 36 // u32
	atSizes      = 40 // u32 each: updated last; each request adds 1 to one of them
	headSize     = 64
	atDevice     = headSize // u32 each: the histogram of times in the device
	atQueue      = atDevice + 4*blklat.Buckets
	size         = (atQueue + 4*blklat.Buckets + line - 1) / line * line

	line = 64 // bytes of a cache line
)

// The numbers of the block of a device itself. Issued and finished requests are counted in two
// cache lines, because different processors may count them. A program compares the two counters
// only when the number in flight may exceed the maximum: after as many more issues as the maximum
// exceeds the number in flight.
const (
	atIssued = 8        // u32
	atMost   = 12       // u32: the most in flight; each sample resets it
	atCheck  = 16       // u32: the value of atIssued from which on the two counters are compared again
	atLeft   = headSize // u32
)

// The numbers of block 0.
const (
	atUnseen = 8  // u64: completed requests whose issue was not seen
	atMissed = 16 // u64: requests that found no block, or whose completion was not seen

	atSpentNs   = 24   // u64: time in programs, of the runs that were timed
	runsToTimed = 1024 // one run in 1024 is timed
)

// The parts of an owner.
const (
	inUse      = 1 << 63
	shardShift = 40
	opShift    = 32
	ownDevice  = blklat.Ops

	minorBits = 20
)
