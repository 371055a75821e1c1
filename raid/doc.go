// Package raid is RAID-6 over files or block devices whose readers do not
// wait for the slowest drive (T16 §5). It hides the slow drives that `study` counts.
//
// In: members (raid/member), and reads and writes of a client, which raid/nbd serves over
// the network. Out: the bytes of the array, and status and metrics. The room may touch its
// members and sockets; it imports internal and report alone. raid/policy decides which
// members a read asks and when it stops waiting; raid/upkeep rebuilds and scrubs;
// raid/replay plays traces against real and simulated arrays.
//
// Read first: array.go (an array and its members), read.go (a read that does not wait),
// policy/hedge_budget.go (the budget of extra reads), then journal.go (a write).
//
// # Algebra
//
// A stripe is one chunk of 4 KiB on each of N data members, and P and Q on two
// more, which do not rotate. P is the sum and Q the sum weighted by powers of
// 2 in GF(2^8) modulo x^8+x^4+x^3+x^2+1: what Linux md computes, byte for byte.
// Any two members can be lost.
//
// Each chunk has a checksum in a table of its member. Every read of a chunk checks it; a
// chunk that differs is computed from the others, and written again.
//
// # Reading
//
// A request reads the same stripes of every member that it asks, as one I/O
// each, so that their latencies compare; policy says whom to ask and when to
// stop waiting. An answer that comes after its request was served is dropped,
// and its buffer goes back to the pool; a member that owes too many such
// answers is read around until it has given them. Where the policy waits for
// every answer, whole chunks are read straight into the caller's memory.
//
// A diagnosis can mask a slow member (mask.go). Reads then leave the member out,
// whatever the policy is. Writes still go to it. The array probes the member,
// and upkeep ends the mask when the member is as quick as its peers.
//
// # Writing
//
// Writes go to all members, whatever their speed. A member that fails a write
// or hangs at one is out: the others record it before anything else is written.
// Two such are borne; a third that fails stops the array, and one that hangs is
// waited for.
//
// Nothing is written in place before it stands in the journal, of which every
// member has two slots. A batch of writes is one record on each member: the
// chunks that this member is to take, their stripes and checksums, a sequence
// number and a checksum of all. A batch of zeros names its stripes alone. Only
// when all records are synced are the chunks written in place, and only when the
// next batch is synced, and these with it, is the slot used again. Hence, after
// a kill or a loss of power at any point,
//
//   - a batch whose record is whole on every member that is there, or on all
//     but as many as parity covers, is written again, of whatever was in place;
//   - any other has not touched a stripe, and is dropped.
//
// Either way each stripe is as before the write or as after it, on all members
// at once: the write hole is closed also where members are lost in the same
// moment. Who is left out is recorded before a batch is written again without
// it. Opened read-only, whole batches are laid over what members hold, and
// nothing is written. A write that has returned is durable. One of up to
// Geometry.Journal stripes happens as a whole or not at all; a longer one is
// several such, in order.
//
// # Membership
//
// Each member carries two superblocks, written in turn: array, index,
// geometry, who is lost, and an event that is counted and named by chance with
// every change. A member one event behind whose name follows was caught by a
// crash between members, and is levelled; one whose journal lacks what all had
// taken lost it, and is stale; any other that is behind, ahead on
// another branch, swapped, short or of another array is refused by name, and
// nothing is written.
package raid
