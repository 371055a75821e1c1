//go:build linux

package program

// An entry is what is known of a request under way. Entries stay when requests
// are done, since the kernel uses the same requests again and again: that is
// cheaper than to forget and to learn.
//
// The processor that issues a request and the one that completes it hand over
// cache lines, which takes longer than all else. So what changes with each request
// has a line of its own, and what stays has another, which both can keep. The
// kernel has 56 bytes ahead of an entry: it begins with the end of a line.
const (
	atOwner = 8  // u64: of the block, as it was found last
	atBlock = 16 // u32
	atOwn   = 20 // u32: the block of the device

	atSince  = 72  // u64, ns: when the state began
	atQueued = 80  // u64, ns
	atServed = 88  // u64, ns, of attempts that were put back
	atState  = 96  // u32
	atLength = 100 // u32, bytes

	entrySize = 136
)

// The states of a request.
const (
	idle = iota
	inserted
	issued
	requeued
)
