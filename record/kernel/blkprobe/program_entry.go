//go:build linux

package blkprobe

// An entry holds the state of a request under way. Entries stay after requests are done, because
// the kernel uses the same requests again. Keeping an entry is cheaper than deleting it and making
// it again.
//
// The processor that issues a request and the processor that completes it pass cache lines to each
// other, which takes longer than all the rest. Therefore the numbers that change with each request
// have a cache line of their own. The kernel keeps 56 bytes (hash, key) before each entry. The
// first 8 bytes of the entry share the cache line of these 56 bytes, so they are numbers that
// rarely change.
const (
	atBlock = 0 // u32: number of the block of the operation
	atOwn   = 4 // u32: number of the block of the device

	atSince  = 8  // u64, ns: when the state began
	atQueued = 16 // u64, ns in the queue
	atServed = 24 // u64, ns in the device, of attempts that were put back
	atOwner  = 32 // u64: owner of the block atBlock
	atState  = 40 // u32
	atLength = 44 // u32, bytes

	entrySize = 72
)

// The states of a request.
const (
	idleEntry = iota
	inserted
	issued
	requeued
)
