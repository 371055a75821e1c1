//go:build linux

package program

// An entry is what is known of a request under way. Entries stay when requests
// are done, since the kernel uses the same requests again and again: that is
// cheaper than to forget and to learn.
const (
	atSince  = 0  // u64, ns: when the state began
	atQueued = 8  // u64, ns
	atServed = 16 // u64, ns, of attempts that were put back
	atBlock  = 24 // u32
	atOwn    = 28 // u32: the block of the device
	atState  = 32 // u32
	atLength = 36 // u32, bytes

	atOwner = 40 // u64: of the block, as it was found last

	entrySize = 48
)

// The states of a request.
const (
	idle = iota
	inserted
	issued
	requeued
)
