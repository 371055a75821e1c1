// Package policy decides whom a read of a RAID array asks, when it asks more,
// and when it has enough (T16 §5).
//
// A stripe has a chunk on each of N data members, 0 to N−1, and of P parity
// members behind them, and any N chunks give all others. So a read of all data
// need not wait for its slowest member: it can ask parity as well and be done
// with the first N answers. The policies differ in when they ask:
//
//   - normal asks whom it must and waits for all of them.
//   - reactive waits until a member takes longer than ST times the median of its
//     request and asks a parity member for each that is late, those who stand in
//     for others included. The median is of the members that were asked first,
//     the lower one of an even number, and it is fixed once half of them have
//     answered, since those still out can only be slower.
//   - proactive1 and proactive2 ask one or two more at once.
//   - adaptive is reactive until a member was late SR times in a row, requests
//     that overlap counting once. Then it is proactive for that member: one more
//     is asked at once by each request that wants it, and the member is read
//     along, until one answer of it is within ST. Two such members make it
//     proactive2, and a third is not held to be one.
//   - sitout, which is ours, is adaptive without reading the slow member along,
//     on a queue that is already too long for it. It is passed over: parity is
//     asked in its place, which costs a read of all data nothing. When it owes
//     no answers it is on trial: asked along with those who stand in for it, one
//     read at a time. Below Leave SR times in a row, it is back; late or failed
//     once, it is passed over for the time of Again and then tried anew.
//   - hedge is sitout, and need not wait for ST: see below.
//
// A read of a part of a stripe knows the same policies, but to do without one
// member it must ask N others. A proactive read of one chunk is thus a read of
// the stripe, and a member that is passed over costs N reads where one was
// wanted. Such reads count as extra. Fewer than three members have no median
// that says anything: a request that asked no more is measured by the recent
// median of reads of its size, or by the other member where that took longer,
// and before there is one by Patience. So is any request without a median of
// which no more are out than can be done without. Of requests that ask for a
// stripe because a member is late, only Backlog go on at a time: where all
// members are busy, nobody is late.
//
// Whatever the policy, members that are lost or fail are made up for at once;
// no member is asked twice in a request; never are more passed over than there
// is parity for; and all but normal pass over a member that owes too many
// answers to requests that ended without it.
//
// # Hedge
//
// To ask parity for a late member is to buy time with a read, and what is late
// depends on what is usual. Hedge keeps the recent distribution of each
// member's latency L: how much later than the median of its request it came, in
// medians as are usual for reads of that size, the median itself being 1. It is
// the difference, not the ratio, because what healthy drives differ by, such as
// where the platter stands, adds to what they have in common, such as a long
// way for the arm. Of a member that has taken e, an extra read made now that
// takes R is expected to save
//
//	g(e) = E[max(0, L − e − R) | L > e]
//
// and of k members still out with g₁ ≥ g₂ ≥ …, doing without j saves g₁ − gⱼ₊₁,
// or g₁ where j = k, since who waits for several waits for the slowest. Hedge
// asks at the first moment at which this is worth the reads, and as many as
// bring most.
//
// The time that an extra read has to save is its price. hedge_budget.go has the budget of
// extra reads and the price: each read that is needed adds Options.Budget to the budget,
// each extra read takes 1 from it, and the price rises as the budget falls. Many small
// savings raise the price until they are no longer bought, and some budget is left for
// great ones. With a full budget the price is small but not zero, so that nothing is spent
// where nothing is slow. A small share of every distribution is a tail without end: a
// member that is later than any answer before is replaced, although nothing is known of
// how late it may be. Until a thousand answers have come, hedge is sitout within its
// budget.
//
// The budget bounds all extra reads but those in place of a member that hangs: one that
// has been silent for Patience, though it owes answers, is as good as lost. Its readers
// wait no longer than that, however low the budget.
//
// The rule needs the median of a request to tell a slow member from a busy
// array, so it asks nothing before half of a stripe has come; and it cannot
// bring back the time until then. Where an extra read takes as long as a read
// does when nobody queues, a slow member costs about two medians. Proactive2
// costs one, and two extra reads for everyone.
//
// # Masks
//
// A mask (mask.go) is told by somebody who knows that a member is slow. It comes before the
// decisions of the policy: a member that sits out is asked only where the others have failed
// or hang. Reads that a mask costs are extra, and no budget bounds them. Probes of masked
// members ride along with requests that do not wait for them, and their latencies, compared
// with the medians of these requests, show whether a member has recovered.
//
// # Use
//
// The package has no clock and does no I/O, so that an array on real disks and
// a simulated one run the same code. Times are durations since any origin that
// never run backwards. A [Policy] is shared by all requests of an array and the
// caller must see to it that one call at a time is made to it and its requests:
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
// Answers that come after the request is over are still to be told to it, also
// after Release: that is how a policy learns that a slow member is slow.
package policy
