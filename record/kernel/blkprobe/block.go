// This file has the form of the counts in the kernel: the BPF programs add to them, and a
// sample reads them.

package blkprobe

import "github.com/limpet-storage/limpet/record/blklat"

// A block is what one device did of one operation, as some of the processors
// count it. Its first number says whose it is:
//
//	bit 63     in use
//	bits 40-47 shard: which of the processors
//	bits 32-39 operation, or OwnDevice: the block of the device itself
//	bits 0-31  the device, twelve bits of major, twenty of minor
//
// Counters of 32 bits begin anew after 2³². A sample takes differences, of which
// none can be that large. Block 0 belongs to no device: requests that find no
// block of their own are counted as missed there.
//
// What a request adds to lies in as few cache lines as can be: the head is one,
// and blocks begin with a line. A request that did not queue adds nothing to the
// histogram of queues, so those that lack there belong to its first bucket.
const (
	blockAtOwner = 0  // u64
	atDeviceNs   = 8  // u64
	atQueueNs    = 16 // u64
	atBytes      = 24 // u64
	atErrors     = 32 // u32
	atRequeues   = 36 // u32
	atSizes      = 40 // u32 each: grow last, one for each request
	headSize     = 64
	atDevice     = headSize // u32 each: the histogram of devices
	atQueue      = atDevice + 4*blklat.Buckets
	size         = (atQueue + 4*blklat.Buckets + line - 1) / line * line

	line = 64 // bytes of a cache line
)

// The numbers of the block of a device itself. What is issued and what is left are
// counted in lines of their own, since different processors may count them. Both
// are looked at together only where there may be more in flight than ever: that
// takes as many issues as are lacking.
const (
	atIssued = 8        // u32
	atMost   = 12       // u32: the most in flight; the sampler sets it back
	atCheck  = 16       // u32: how many issued make it worth to look again
	atLeft   = headSize // u32
)

// The numbers of block 0.
const (
	atUnseen = 8  // u64: nobody saw them issued
	atMissed = 16 // u64: found no block, or their end was not heard

	atSpentNs   = 24   // u64: in programs, by the runs that were timed
	runsToTimed = 1024 // one run in as many is
)

// The parts of an owner.
const (
	inUse      = 1 << 63
	shardShift = 40
	opShift    = 32
	ownDevice  = blklat.Ops

	minorBits = 20
)
