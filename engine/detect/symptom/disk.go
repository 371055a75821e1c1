package symptom

import (
	"math"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/topology"
)

// diskDetector compares drives by the busy time that they need for their work. The peers show how
// much busy time the same work needs on a healthy drive: this is the cost of the work. If a drive
// has more busy time than the cost of its work, it is slow, or it has work that its server cannot
// see. If a drive does work that no client requested, a hog uses the drive: a program other than a
// client, such as a backup (finding.DiskHog). A drive that only gets more requests than its peers
// is healthy, however long its requests wait.
//
// A drive has the symptom Waits in one of two cases:
//
//   - The ratio of its wait to the wait of the peers is at least ClearTimes, and the drive is
//     busier than a peer would be with the same work.
//   - This ratio is at least FarTimes, and the drive does not have clearly more work than its
//     peers. Its latency is at least SureDeviations standard deviations above the latencies of the
//     peers.
//
// In both cases, the load explains the wait if all drives of the group have more work than usual
// (demandRose).
//
// A hog reads or writes at least the share QuarterShare of what the peers read and write. It
// reaches this share, because it reads and writes without pause. A healthy drive may read a tenth
// more than its server sends: the drive reads ahead of the clients, or reads some data twice.
//
// The detector notes signs in a Window: a sign is one symptom of one drive in this window. Between
// windows the detector remembers the work and the busy time of each drive.
type diskDetector struct {
	limits
	past      []past    // by component: its work and its busy time in past windows
	unitCosts unitCosts // unit costs of the group whose drives are being examined
	order     []int     // drives of this group with work, in the order of examination
	accused   []int     // drives of this group that wait too long in this window
}

// newDiskDetector returns a detector for a number of components.
func newDiskDetector(o limits, components int) *diskDetector {
	return &diskDetector{limits: o, past: make([]past, components)}
}

// Examine notes the signs of all drives in a window.
func (d *diskDetector) Examine(w *Window) {
	w.Groups(topology.Attachment, func(g *Group) {
		d.unitCosts = d.unitCostsOf(w, g)
		d.accused = d.accused[:0]
		d.order = w.byWork(d.order[:0], g)
		for _, c := range d.order {
			d.examine(w, g, c)
		}
		keep := math.Exp2(-float64(d.ShiftSeconds) / float64(d.criteria.SameCauseSeconds))
		w.EachMember(g, func(c int) { d.past[c].close(w.End, keep) })
	})
}

// examine notes the signs of one drive in a window: the symptoms that the drive shows or might
// show.
func (d *diskDetector) examine(w *Window, g *Group, c int) {
	called := d.noteUnrequestedWork(w, g, c)
	own := d.await(w, c)
	if table.IsMissing(own) || !(d.unitCosts.await > 0) {
		return
	}
	does, ratio := workOf(&w.ByComponent[c]), own/d.unitCosts.await
	doubt := d.doubtWaits(w, g, c, does, ratio, called)
	if doubt == finding.NoDoubt && ratio >= d.criteria.ClearTimes && (d.queueExplains(w, g, c, does, own) || d.demandRose(w, g, c, does)) {
		doubt = finding.Queues
	}
	slow := w.Note(finding.Waits, window.Await, doubt, finding.Evidence{
		Component: c, Own: own, Peers: d.unitCosts.await, Score: ratio, Threshold: d.criteria.ClearTimes, Scale: finding.TimesPeers,
	})
	w.Signs[len(w.Signs)-1].requests = d.requestsOf(&w.ByComponent[c], does)
	d.noteMoreRequests(w, g, c, does, ratio >= d.criteria.ClearTimes, slow, called)
	if slow {
		d.accused = append(d.accused, c)
		d.past[c].slowAt = w.End
	}
	d.past[c].take(does, slow || doubt == finding.Queues, does.util-d.unitCosts.cost(does) >= d.busierMargin(d.unitCosts.cost(does)))
}

// await returns the mean latency of a drive's requests in a window. It returns a missing value if
// there are fewer than FewestRequests requests, because their mean varies by chance.
func (d *diskDetector) await(w *Window, c int) float64 {
	t := &w.ByComponent[c]
	if t.Requests*float64(w.StepSeconds) < d.FewestRequests {
		return table.Missing
	}
	return t.Waited / t.Requests
}

// doubtWaits returns the reason why a drive may be healthy although its requests wait longer than
// the requests of its peers. It returns NoDoubt if there is no such reason. The parameter `does` is
// the work of the drive, and `ratio` is its wait divided by the wait of its peers. The parameter
// `called` is true if clients requested this work.
//
// A long wait alone does not show a fault: if all drives are saturated, requests on some healthy
// drives wait several times as long as on other healthy drives. So there are only two cases without
// a doubt:
//
//   - The requests wait far longer than the spread of the peers explains, although the drive has no
//     more work than its peers.
//   - The drive is busier than a peer would be with the same work. If it is not busier, the doubt
//     is NoBusier.
//
// The expected busy time in the second case is not exact, because the cost of a byte depends on the
// number of bytes. So there are two more doubts. BusyAsPeer: a healthy peer was about as busy,
// although it did not have more work. MoreThanAny: clients request more from the drive than any
// peer ever served.
func (d *diskDetector) doubtWaits(w *Window, g *Group, c int, does work, ratio float64, called bool) finding.Doubt {
	cost := d.unitCosts.cost(does)
	more := cost-d.unitCosts.util >= d.busierMargin(d.unitCosts.util)
	far := ratio >= d.FarTimes && math.Log(ratio) >= d.criteria.SureDeviations*d.unitCosts.spread
	switch {
	case far && !more:
		return finding.NoDoubt
	case !(does.util-cost >= d.busierMargin(cost)):
		return finding.NoBusier
	case ratio < d.criteria.ClearTimes: // the sign is below its threshold, so the past of the peers does not matter
		return finding.NoDoubt
	case called && does.bytes >= (1+d.FeltShare)*d.maxServedByPeers(w, g, c):
		return finding.MoreThanAny
	}
	if cost = max(cost, d.busiestHealthyPeer(g, c, does, w.End)); does.util-cost < d.busierMargin(cost) {
		return finding.BusyAsPeer
	}
	return finding.NoDoubt
}

// busierMargin returns how far the busy time of a drive must lie above the expected busy time
// before the drive counts as busier than expected. The parameter `percent` is the expected busy
// time. All busy times are in percent of the time.
func (o *limits) busierMargin(percent float64) float64 {
	return min(o.BusierPercent, o.criteria.HalfShare*percent)
}

// noteMoreRequests notes the symptom Asked: a healthy drive that gets more work than its peers.
// Three conditions must hold: clients requested the work, the drive needs no more time for the work
// than its peers would need, and its requests wait longer than the requests of its peers. The
// peers' drives may have unequal work. So two measurements must show more work: the busy time that
// the work would need on a peer, and the ratio of reads, writes or requests in the evidence
// (largestExcess).
func (d *diskDetector) noteMoreRequests(w *Window, g *Group, c int, does work, waits, slow, called bool) {
	if !(d.unitCosts.util > 0) || table.IsMissing(d.unitCosts.cost(does)) {
		return
	}
	doubt := finding.NoDoubt
	switch {
	case !called:
		doubt = finding.NotAsked
	case !waits:
		doubt = finding.NoLonger
	case slow:
		doubt = finding.TooCostly
	}
	threshold := 1 + d.busierMargin(d.unitCosts.util)/d.unitCosts.util
	of, times := largestExcess(w, g, c, threshold)
	w.Note(finding.Asked, of, doubt, finding.Evidence{
		Component: c, Own: w.ByComponent[c].Mean(of), Peers: g.Medians[of], Score: min(times, d.unitCosts.cost(does)/d.unitCosts.util),
		Threshold: threshold, Scale: finding.TimesPeersWork,
	})
}

// largestExcess returns the column that shows how much more work a drive has than its peers, and
// the ratio of the drive to its peers in this column. It first compares reads and writes, and
// chooses the column in which the drive exceeds its peers by more. If the ratio in this column is
// below the threshold, and the ratio in the column of requests is larger, it chooses the column of
// requests.
func largestExcess(w *Window, g *Group, c int, threshold float64) (window.Column, float64) {
	of := window.Read
	if w.Excess(g, c, window.Written) > w.Excess(g, c, window.Read) {
		of = window.Written
	}
	times := func(of window.Column) float64 {
		if !(g.Medians[of] > 0) {
			return math.Inf(1) // the peers have 0, so the ratio is infinite
		}
		return w.ByComponent[c].Mean(of) / g.Medians[of]
	}
	if requests := times(window.TPS); times(of) < threshold && requests > times(of) {
		return window.TPS, requests
	}
	return of, times(of)
}

// noteUnrequestedWork notes the symptom Loaded: a drive that reads or writes more than its peers,
// although neither requests from the network nor an exchange with other servers explain the
// additional work. The score is the share of a peer's time that the additional work would take, in
// percent. A share of time depends neither on the speed of the drives nor on the size of requests.
// The time of a peer is used because a slow drive takes longer for any work.
//
// noteUnrequestedWork returns true if clients requested the work of the drive. It returns false if
// the drive has too much unrequested work, or if a metric is missing.
func (d *diskDetector) noteUnrequestedWork(w *Window, g *Group, c int) (called bool) {
	t := &w.ByComponent[c]
	for _, m := range [...]window.Column{window.Read, window.Written, window.Util} {
		if table.IsMissing(t.Mean(m)) || table.IsMissing(g.Medians[m]) {
			return false
		}
	}
	l := w.LoadOf(c)
	read := sectorBytes*w.Excess(g, c, window.Read) - max(l.explainedWork(l.Sent), w.movedForServers(g, c, window.Read))
	written := sectorBytes*w.Excess(g, c, window.Written) - max(l.explainedWork(l.Received), w.movedForServers(g, c, window.Written))
	if w.isOfCeph(c) {
		read, written = min(read, w.unrequestedWork(g, c, window.Read)), min(written, w.unrequestedWork(g, c, window.Written))
	}
	of, uncalled := window.Read, read
	if written > read {
		of, uncalled = window.Written, written
	}
	score := min(t.Mean(window.Util), uncalled*costOfByte(g, t))
	doubt := finding.NoDoubt
	if uncalled < d.criteria.QuarterShare*sectorBytes*(g.Medians[window.Read]+g.Medians[window.Written]) {
		doubt = finding.LittleMore
	}
	return !w.Note(finding.Loaded, of, doubt, finding.Evidence{
		Component: c, Own: t.Mean(of), Peers: g.Medians[of], Score: score, Threshold: d.HogPercent, Scale: finding.PercentOfDrive,
	})
}

// costOfByte returns the share of time, in percent, that a typical drive of the group is busy per byte
// per second. If the peers move no data, it returns this percentage for the examined drive (t).
func costOfByte(g *Group, t *window.Total) float64 {
	if theirs := sectorBytes * (g.Medians[window.Read] + g.Medians[window.Written]); theirs > 0 {
		return g.Medians[window.Util] / theirs
	}
	if own := sectorBytes * (t.Mean(window.Read) + t.Mean(window.Written)); own > 0 {
		return t.Mean(window.Util) / own
	}
	return 0
}
