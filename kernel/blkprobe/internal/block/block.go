// Package block is the form of the kernel's counts, which programs add to and
// samples read.
package block

import "github.com/limpet-storage/limpet/blklat"

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
const (
	AtOwner     = 0  // u64
	AtDeviceNs  = 8  // u64
	AtQueueNs   = 16 // u64
	AtBytes     = 24 // u64
	AtMissed    = 32 // u64, of block 0: found no block
	AtUnseen    = 8  // u64, of block 0: nobody saw them issued
	AtCompleted = 40 // u32: grows last
	AtErrors    = 44 // u32
	AtRequeues  = 48 // u32
	AtSizes     = 52 // u32 each
	AtInFlight  = 68 // u32, of devices
	AtMost      = 72 // u32, of devices: the sampler sets it back
	AtDevice    = 80 // u32 each: the histogram of devices
	AtQueue     = AtDevice + 4*blklat.Buckets
	Size        = AtQueue + 4*blklat.Buckets
	HeadSize    = AtDevice
)

// The parts of an owner.
const (
	InUse      = 1 << 63
	ShardShift = 40
	OpShift    = 32
	OwnDevice  = blklat.Ops

	MinorBits = 20
)
