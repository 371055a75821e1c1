// Package raid is RAID-6 over files or block devices. Its reads do not wait for the slowest drive
// (T16 §5). So raid hides the slow drives that `study` counts.
//
// In: members (raid/member), and reads and writes of a client, which raid/nbd serves over the
// network. Out: the bytes of the array, its status and its metrics. The packages of raid open only
// members and sockets, and import only internal and report. raid/policy decides which members a
// read asks and when it stops waiting; raid/upkeep rebuilds and scrubs; raid/replay plays traces
// against real and simulated arrays.
//
// Read first: array.go (an array and its members), read.go (a read that does not wait),
// policy/hedge_budget.go (the budget of extra reads), then journal.go (a write).
//
// # Algebra
//
// A stripe is one chunk of 4 KiB on each of N data members, and P and Q on two more members. P and
// Q do not rotate. P is the sum and Q the sum weighted by powers of 2 in GF(2^8) modulo
// x^8+x^4+x^3+x^2+1, byte for byte as in Linux md. The array survives the loss of any two members.
//
// Each chunk has a checksum in a table of its member. Every read of a chunk compares the chunk with
// its checksum. If they differ, the chunk is computed from the other members and written again.
//
// # Reading
//
// A request reads the same stripes from every member that it asks, as one I/O each, so that the
// latencies of the members can be compared. The policy decides which members to ask and when to
// stop waiting. If an answer comes after its request was served, the answer is dropped and its
// buffer goes back to the pool. While a member owes too many late answers, reads do not ask it. If
// the policy waits for every answer, whole chunks are read directly into the caller's memory.
//
// A diagnosis can mask a slow member (mask.go). Reads then leave the member out,
// whatever the policy is. Writes still go to it. The array probes the member,
// and upkeep ends the mask when the member is as quick as its peers.
//
// # Writing
//
// Writes go to all members, whatever their speed. If a member fails a write, or hangs during a
// write, the array loses it: the other members record the loss before anything else is written. The
// array survives two lost members. If a third member fails, the array stops; if a third member
// hangs, the array waits for it.
//
// Every chunk is written to the journal before it is written in place. Each member has two journal
// slots. A batch of writes is one record on each member: the chunks for this member, their stripes
// and checksums, a sequence number, and a checksum of the record. A batch of zeros holds only the
// range of its stripes. The chunks are written in place when all records are synced. The slot is
// used again when the next batch and the chunks in place are synced. So after a kill or a loss of
// power at any point, there are two cases:
//
//   - If the record of a batch is complete on every member that is present, or is missing on no
//     more members than parity can replace, the batch is written in place again, whatever is there
//     already.
//   - Any other batch has not changed a stripe, and is dropped.
//
// In both cases each stripe is as before the write or as after the write, on all members. So there
// is no write hole, even if members are lost at the same moment. Before a batch is written again
// without a member, the loss of that member is recorded. If the array is open read-only, nothing is
// written; reads see the complete batches in place of the chunks on the members. A write that has
// returned is durable. A write of up to Geometry.Journal stripes is done completely or not at all;
// a longer write is several of these, in order.
//
// # Membership
//
// Each member has two superblocks, written in turn. A superblock holds the array, the index of the
// member, the geometry, the lost members, and the last event. Every change of these is an event,
// with a counter and a random name. Open treats a member that differs from the last event as
// follows:
//
//   - A member exactly one event behind, on the same branch, was interrupted by a crash. It takes
//     the last event.
//   - A member whose journal lacks a batch that all members had taken has lost data. It is stale
//     and is refused.
//   - A member that is further behind, on another branch, in the wrong place, too short, or of
//     another array is refused by name, and nothing is written.
package raid
