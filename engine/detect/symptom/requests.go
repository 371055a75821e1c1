package symptom

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/state"
)

// Requests of a drive may wait longer than the requests of its peers for two reasons: the device is
// slower, or the requests are of another kind. Large requests, and writes that the kernel writes
// back in bursts, wait longer on any device. So the detector compares the requests of a waiting
// drive with the requests of its peers: their size, the share of reads, and the amount of work. If
// the requests differ, the drive is still reported. The finding then also names the harmless kind
// of problem that would have the same symptoms.

// requests compares the requests of a drive with the requests of its peers, in one window or as a sum
// over windows.
type requests struct {
	size, peersSize   float64 // mean size of requests, in sectors
	reads, peersReads float64 // share of reads in all bytes, in percent
	work              float64 // work of the drive, as a multiple of the work of the peers
	costlier          float64 // 1 if the drive is busier than the peers would be with its work, 0 otherwise
}

// requestsOf compares the requests of a drive with the requests of its peers in the present window.
func (d *diskDetector) requestsOf(t *window.Total, does work) requests {
	p := &d.unitCosts
	r := requests{size: requestSize(does), peersSize: p.size, reads: readShare(t), peersReads: p.reads, work: ratio(p.cost(does), p.util)}
	if does.util-p.cost(does) >= d.busierMargin(p.cost(does)) {
		r.costlier = 1
	}
	return r
}

// requestSize returns the mean size of requests, in sectors.
func requestSize(does work) float64 { return ratio(does.bytes/sectorBytes, does.requests) }

// readShare returns the share of reads in all bytes of a drive, in percent.
func readShare(t *window.Total) float64 {
	read := t.Mean(window.Read)
	return ratio(100*read, read+t.Mean(window.Written))
}

func (r *requests) fields() [6]*float64 {
	return [...]*float64{&r.size, &r.peersSize, &r.reads, &r.peersReads, &r.work, &r.costlier}
}

// requestsRecord is the record of the requests of a drive in an episode: the sum over the anomalous
// windows of the symptom Waits in which all fields are known.
type requestsRecord struct {
	windows int
	sum     requests
}

// take adds the comparison of one window. It skips the window if a field of the comparison is
// unknown.
func (s *requestsRecord) take(r requests) {
	if !(r.size > 0 && r.peersSize > 0) || table.IsMissing(r.reads+r.peersReads+r.work) {
		return
	}
	s.windows++
	for i, v := range s.sum.fields() {
		*v += *r.fields()[i]
	}
}

// mean returns the mean of each field over the windows of the record. It returns false if the
// record has no window.
func (s *requestsRecord) mean() (requests, bool) {
	out := s.sum
	for _, v := range out.fields() {
		*v /= float64(max(1, s.windows))
	}
	return out, s.windows > 0
}

func (s *requestsRecord) state(c *state.Codec) {
	state.Int(c, &s.windows)
	for _, v := range s.sum.fields() {
		c.Float(v)
	}
}

// requestEvidence returns comparisons of a drive's requests with the requests of its peers. The
// score of a comparison reaches its threshold if the requests differ:
//
//   - Size: sizes differ if their ratio is at least DoubleTimes. A smaller ratio may be the effect
//     of a slow drive. A slow drive has a longer queue, in which the kernel merges more requests.
//     Merged requests are up to 1.5 times as large.
//   - Share of reads: shares differ if their difference is at least 2·FewShare. Such a difference
//     changes the mean wait of all requests if the kernel writes data back in bursts.
//   - Amount of work: this comparison is left out if, in at least half of the windows, the drive is
//     busier than a peer would be with the same work. The amount of work then does not explain the
//     wait.
func (o *limits) requestEvidence(r requests, e finding.Evidence) []finding.Evidence {
	of := func(name, unit string, own, peers, score, threshold float64, scale finding.Scale) finding.Evidence {
		return finding.Evidence{
			Metric: name, Component: e.Component, Unit: unit, Own: own, Peers: peers, Score: score, Threshold: threshold, Scale: scale, From: e.From, To: e.To,
		}
	}
	times := r.size / r.peersSize
	list := []finding.Evidence{
		of(metric.AvgRqSz.Name, metric.AvgRqSz.Unit, r.size, r.peersSize, max(times, 1/times), o.criteria.DoubleTimes, finding.TimesApart),
		of(finding.ReadsOfAll, "%", r.reads, r.peersReads, math.Abs(r.reads-r.peersReads), 100*2*o.criteria.FewShare, finding.PointsApart),
	}
	if 2*r.costlier < 1 {
		list = append(list, of(finding.WorkOfDrive, "%", 100*r.work, 100, r.work, o.criteria.SmallestTimes, finding.TimesPeersWork))
	}
	return list
}

// doubtRequests adds the comparisons of the requests to a finding about a drive whose requests
// wait. If the requests of the drive differ from the requests of its peers, the finding may be a
// workload imbalance. Otherwise a workload imbalance is ruled out as an explanation.
func (o *limits) doubtRequests(f *finding.Finding, s *requestsRecord, e finding.Evidence) {
	r, known := s.mean()
	if !known || f.Kind != finding.DiskBusy {
		return
	}
	var nearest *finding.Evidence
	for _, x := range o.requestEvidence(r, e) {
		if x.Score >= x.Threshold {
			f.MayBe = finding.WorkloadImbalance
			f.Evidence = append(f.Evidence, x)
			continue
		}
		if nearest == nil || x.Strength() > nearest.Strength() {
			nearest = &x
		}
	}
	imbalance := func(r finding.RuledOut) bool { return r.Kind == finding.WorkloadImbalance }
	switch {
	case f.MayBe != "":
		f.RuledOut = slices.DeleteFunc(f.RuledOut, imbalance)
	case !slices.ContainsFunc(f.RuledOut, imbalance):
		f.RuledOut = append(f.RuledOut, finding.RuledOut{Kind: finding.WorkloadImbalance, Reason: finding.Below, Evidence: nearest})
	}
}
