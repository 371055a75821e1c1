// Package policy decides which members a read of a RAID array asks, when it asks more members, and
// when it has enough answers (T16 §5).
//
// A stripe has a chunk on each of N data members, 0 to N−1, and on each of the parity members after
// them. Any N chunks give all others. So a read of all data need not wait for its slowest member:
// it can ask parity members too, and end with the first N answers. The policies differ in when they
// ask:
//
//   - normal asks the members that it needs, and waits for all of them.
//   - reactive waits until a member takes longer than ST times the median of its request. Then it
//     asks a parity member for each late member. A parity member can be late too. The median is of
//     the members that were asked first, the lower median of an even number. It is fixed when half
//     of them have answered, because the others can only be slower.
//   - proactive1 and proactive2 ask one or two more members at once.
//   - adaptive is reactive until a member was late SR times in a row; overlapping requests count
//     once. Then it is proactive for that member: each request that wants the member asks one more
//     member at once, and still reads the slow member, until one answer of it is within ST. With
//     two slow members, adaptive asks two more. A third slow member is not treated as slow.
//   - sitout, which is ours, is adaptive without the reads of the slow member, whose queue is
//     already too long. The slow member is passed over: parity is asked instead, which costs no
//     extra reads if all data are wanted. When the member owes no answers, it is on trial: one read
//     at a time asks it together with the members that replace it. After SR answers in a row within
//     Leave, it is used again. After one late or failed answer, it is passed over for the time
//     Again, and then tried again.
//   - hedge is sitout, but need not wait for ST: see below.
//
// The policies are the same for a read of a part of a stripe, but to do without one member such a
// read must ask N others. So a proactive read of one chunk reads the whole stripe, and a member
// that is passed over costs N reads in place of one. These reads count as extra.
//
// The median of fewer than three members shows nothing. A request that asks fewer than three is
// compared with the recent median of reads of its size, or with its other member if that took
// longer. Before there is a recent median, Patience is the limit. The same limits apply to a
// request that has no median yet but could do without all members that have not answered.
//
// If a request of a part of a stripe has a late member, it asks for the whole stripe. Only Backlog
// requests do this at a time: if all members are busy, no member is late.
//
// With every policy,
//
//   - members that are lost or fail are replaced at once;
//   - no member is asked twice in a request;
//   - no more members are passed over than parity can replace.
//
// All policies but normal pass over a member that owes too many answers to requests that ended
// without it.
//
// # Hedge
//
// To ask parity for a late member costs a read and saves time, and a latency is late only in
// comparison with the usual latency. Hedge keeps the recent distribution of each member's latency
// L:
//
//	L = 1 + (latency of the member − median of its request) / usual median
//
// The usual median is of reads of that size. So the median of a request has L = 1. L is a
// difference and not a ratio, because the part in which healthy drives differ, such as the rotation
// of the platter, adds to the part that they share, such as a long seek. For a member that has
// taken e so far, an extra read that begins now and takes R is expected to save
//
//	g(e) = E[max(0, L − e − R) | L > e]
//
// If k members have not answered, with g₁ ≥ g₂ ≥ …, a request that does without j of them saves
// g₁ − gⱼ₊₁, or g₁ if j = k, because it waits for the slowest of the others. Hedge asks as soon as
// this saving is worth the reads, for the j with the largest saving minus price.
//
// The time that an extra read has to save is its price. hedge_budget.go has the budget of extra
// reads and the price: each needed read adds Options.Budget to the budget, each extra read takes 1
// from it, and the price rises as the budget falls. Many small savings raise the price until they
// are no longer bought, and some budget is left for great savings. With a full budget the price is
// small but not zero, so that nothing is spent if nothing is slow. Every distribution gets a small
// share of unlimited latencies. So a member that is later than all its earlier answers is replaced,
// although its latency cannot be predicted. Until a thousand answers have come, hedge is sitout
// within its budget.
//
// The budget limits all extra reads, with two exceptions: reads that a mask costs (below), and reads
// in place of a member that hangs. A
// member that owes answers and has been silent for Patience is treated as lost. Reads wait for it
// no longer than that, however low the budget.
//
// Hedge needs the median of a request to distinguish a slow member from a busy array. So it asks
// nothing before half of the stripe has come, and cannot save that time. If an extra read takes as
// long as a read without a queue, a slow member costs about two medians. Proactive2 costs one
// median, and two extra reads in every request.
//
// # Masks
//
// A mask (mask.go) is set by an operator or a program that knows that a member is slow. It comes
// before the decisions of the policy: a member that sits out is asked only if others have failed or
// hang. Reads that a mask costs are extra, and no budget limits them. Probes of masked members are
// sent with requests that do not wait for them. Their latencies, compared with the medians of these
// requests, show whether a member has recovered.
//
// # Use
//
// The package has no clock and does no I/O, so that a real array and a simulated array run the same
// code. Times are durations since any origin, and never decrease. All requests of an array share
// one [Policy]. The caller makes only one call at a time to the policy and its requests:
//
//	r, do := p.Begin(now, want, lost, bytes)
//	for !do.Done && !do.Fail {
//		ask(do.Read)                    // each is answered once, in time
//		switch e := next(do.WakeAt); {  // an answer, or the time has come
//		case e.answer:
//			do = r.Answer(now, e.member, e.failed)
//		default:
//			do = r.Wake(now)
//		}
//	}
//	r.Release()
//
// Pass answers that come after the request is over to Answer too, even after Release: they show the
// policy that a slow member is slow.
package policy
