//go:build linux

package blkprobe

// An entry is what is known of a request under way. Entries stay when requests
// are done, since the kernel uses the same requests again and again: that is
// cheaper than to forget and to learn.
//
// The processor that issues a request and the one that completes it hand over
// cache lines, which takes longer than all else. So what changes with each request
// has a line of its own. The kernel has 56 bytes ahead of an entry, by which it is
// found: its first numbers share that line, and stay.
const (
	atBlock = 0 // u32
	atOwn   = 4 // u32: the block of the device

	atSince  = 8  // u64, ns: when the state began
	atQueued = 16 // u64, ns
	atServed = 24 // u64, ns, of attempts that were put back
	atOwner  = 32 // u64: of the block, as it was found last
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
