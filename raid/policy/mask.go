package policy

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// A Mask is the way in which reads treat a member that a diagnosis found to be slow. A mask is an
// order: no budget limits its extra reads, and the array's own latencies need not confirm it.
type Mask string

// The masks.
const (
	// MaskSitOut reads the other members and computes the data of this member. The member is read
	// only if the others are not enough.
	MaskSitOut Mask = "sit-out"
	// MaskLast is MaskSitOut for requests that need no more reads without the member. Other
	// requests read the member as usual.
	MaskLast Mask = "last"
	// MaskHedge reads the member, and one extra member at the same time.
	MaskHedge Mask = "hedge"
)

// Masks returns all masks.
func Masks() []Mask { return []Mask{MaskSitOut, MaskLast, MaskHedge} }

// ParseMask returns the mask with this name.
func ParseMask(text string) (Mask, error) {
	if m := Mask(text); slices.Contains(Masks(), m) {
		return m, nil
	}
	var names []string
	for _, m := range Masks() {
		names = append(names, string(m))
	}
	return "", fmt.Errorf("the kind of mask %q is unknown: write one of %s", text, strings.Join(names, ", "))
}

// MaskOptions decide how a masked member is probed, and when it counts as recovered. The thresholds
// are stricter than the thresholds of a diagnosis, so that a member at the threshold is not masked
// and unmasked again and again.
type MaskOptions struct {
	// ProbeEvery is the shortest time between two probes of a member. A probe is a read of the
	// member that is sent with a request; the request does not wait for it.
	ProbeEvery time.Duration `name:"probe-every" above:"0"`
	// ProbeShare is the largest ratio of probes to needed reads.
	ProbeShare float64 `name:"probe-share" least:"0" most:"0.1"`
	// Block is the number of answers that are judged together.
	Block int `name:"block" least:"8" most:"4096"`
	// Quick is the largest median of a block, in medians of the requests. If the standard deviation
	// of latencies is half of their mean, the median of 32 answers of a healthy disk is within 25 %
	// of its peers (three standard errors).
	Quick float64 `name:"quick" least:"1" most:"2"`
	// WellFor is how long all blocks must be quick.
	WellFor time.Duration `name:"well-for"`
}

// DefaultMaskOptions returns the default options. A known slow member may cost 2 % extra reads, and
// half of these are probes. Slow drives are slow for minutes at a time (T16 §4), so all blocks of
// ten minutes must be quick.
func DefaultMaskOptions() MaskOptions {
	return MaskOptions{ProbeEvery: time.Second, ProbeShare: 0.01, Block: 32, Quick: 1.25, WellFor: 10 * time.Minute}
}

// Validate returns an error if an option is out of range.
func (o *MaskOptions) Validate() error { return bounds.Check(*o) }

// masks holds the members with a mask, by kind.
type masks struct {
	options             MaskOptions
	sitOut, last, hedge set
	recoveries          []recovery // by member
}

// all returns the members with any mask.
func (m *masks) all() set { return m.sitOut | m.last | m.hedge }

// SetMasks replaces the masks of all members. A member that keeps its mask keeps its Recovery. If o
// is nil, members are not probed.
func (p *Policy) SetMasks(of map[int]Mask, o *MaskOptions) {
	next := masks{recoveries: make([]recovery, p.data+p.parity)}
	if o != nil {
		next.options = *o
	}
	for member, mask := range of {
		switch mask {
		case MaskLast:
			next.last |= one(member)
		case MaskHedge:
			next.hedge |= one(member)
		default:
			next.sitOut |= one(member)
		}
		next.recoveries[member] = recovery{mask: mask}
		if before := p.masks.recoveries; before != nil && before[member].mask == mask {
			next.recoveries[member] = before[member]
		}
	}
	p.masks = next
}

// Recovery is the evidence of a masked member's answers since it was masked.
type Recovery struct {
	Probes  uint64        // reads that probed the member
	Answers uint64        // answers that were compared with answers of the peers
	Ratio   float64       // median of the last full block, in medians of the requests; 0: no block is full
	Quick   bool          // the last block was as quick as the peers
	Since   time.Duration // time since when all blocks were quick; valid if Quick
	Well    bool          // all blocks were quick for WellFor
}

// Recovery returns the recovery of a member; zero: the member has no mask.
func (p *Policy) Recovery(member int) Recovery {
	if p.masks.recoveries == nil {
		return Recovery{}
	}
	return p.masks.recoveries[member].shown
}

// recovery collects answers of a masked member in blocks, and answers of its peers at the same
// time.
type recovery struct {
	mask   Mask
	shown  Recovery
	needed uint64        // needed reads of requests since the member was masked
	next   time.Duration // earliest time of the next probe
	began  time.Duration // time of the first answer of the block
	ratios []float64     // latencies of the block, in medians of the requests
	slow   int           // answers of the block later than ST medians
	peers  int           // answers of peers
	behind int           // answers of peers later than ST medians
}

// due reports whether a member may be probed now.
func (v *recovery) due(o *MaskOptions, now time.Duration) bool {
	return o.ProbeEvery > 0 && now >= v.next && float64(v.shown.Probes) < o.ProbeShare*float64(v.needed)
}

// probed counts a probe.
func (v *recovery) probed(o *MaskOptions, now time.Duration) {
	v.shown.Probes++
	v.next = now + o.ProbeEvery
}

// failedRatio is the ratio of a failed answer, larger than any limit.
const failedRatio = 1e9

// add adds an answer of the member, in medians of its request.
func (v *recovery) add(o *MaskOptions, now time.Duration, ratio, late float64) {
	if len(v.ratios) == 0 {
		v.began = now
	}
	v.shown.Answers++
	v.ratios = append(v.ratios, ratio)
	if ratio > late {
		v.slow++
	}
	if o.Block == 0 || len(v.ratios) < o.Block {
		return
	}
	v.judge(o, now)
	v.ratios, v.slow, v.peers, v.behind = v.ratios[:0], 0, 0, 0
}

// judge decides whether a full block was as quick as the peers:
//   - its median is at most Quick, and
//   - its late answers are at most n·p + 3·√(n·p·(1−p)) + 1, for n answers and the share p of late
//     answers of the peers.
func (v *recovery) judge(o *MaskOptions, now time.Duration) {
	slices.Sort(v.ratios)
	n, share := float64(len(v.ratios)), 0.0
	if v.peers > 0 {
		share = float64(v.behind) / float64(v.peers)
	}
	v.shown.Ratio = v.ratios[(len(v.ratios)-1)/2]
	quick := v.shown.Ratio <= o.Quick && float64(v.slow) <= n*share+3*math.Sqrt(n*share*(1-share))+1
	if quick && !v.shown.Quick {
		v.shown.Since = v.began
	}
	v.shown.Quick = quick
	v.shown.Well = quick && now-v.shown.Since >= o.WellFor
}

// mask applies the masks to a request before the policy decides. It sets the members that the
// request does without, and the members that it hedges, and returns the number of extra reads.
func (r *Request) mask() (extra int) {
	m := &r.p.masks
	if m.all() == 0 {
		return 0
	}
	for i := range m.all().members() {
		m.recoveries[i].needed += uint64(r.needed)
	}
	r.masked = m.sitOut
	reads := r.firstReads()
	if m.last != 0 {
		r.masked |= m.last
		if with := r.firstReads(); with > reads {
			r.masked = m.sitOut
		} else {
			reads = with
		}
	}
	r.hedged = m.hedge & r.want &^ r.lost
	if r.hedged != 0 {
		relied := r.want &^ r.lost &^ r.masked
		first := r.fill(relied, r.enoughOf(relied))
		reads = r.spare(first, r.p.data+r.hedged.len()).len()
	}
	return max(0, reads-r.needed)
}

// findStuck finds whether a member that was asked hangs. Then a masked member, which is only slow,
// may replace it. The request is woken when a member starts to count as hanging.
func (r *Request) findStuck(now time.Duration) {
	if r.masked == 0 || r.stuck || r.p.options.Kind == Normal {
		return
	}
	for m := range (r.out &^ r.masked).members() {
		if at := r.p.hangs(m); now < at {
			r.wakeBy(at)
		} else {
			r.stuck = true
		}
	}
}

// firstReads returns the number of members that a request asks first without the masked members.
func (r *Request) firstReads() int {
	relied := r.want &^ r.lost &^ r.masked
	return r.fill(relied, r.enoughOf(relied)).len()
}

// probes returns the members to probe with a request that asks the members in first. The request
// must ask enough members for a median. Only one probe of a member is in flight.
func (r *Request) probes(now time.Duration, first set) (probes set) {
	m := &r.p.masks
	if r.masked == 0 || first.len() < 3 {
		return 0
	}
	for i := range (r.masked &^ r.lost &^ first).members() {
		if v := &m.recoveries[i]; r.p.out[i] == 0 && v.due(&m.options, now) {
			v.probed(&m.options, now)
			probes |= one(i)
		}
	}
	return probes
}

// watch compares an answer with the median of its request, if any member is masked. Answers that
// came before the median was known are compared when it is known.
func (r *Request) watch(now time.Duration, member int) {
	if r.p.masks.all() == 0 || !r.first.has(member) {
		return
	}
	median, known := r.median()
	switch {
	case r.small():
		if usual := r.p.usual.median(r.bytes); usual > 0 {
			r.compare(now, member, usual)
		}
	case !known:
	case r.fixes(member):
		for m := range (r.came & r.first).members() {
			r.compare(now, m, median)
		}
	default:
		r.compare(now, member, median)
	}
}

// compare adds the latency of an answer to the recovery of its member. If its member is not masked,
// the answer counts as an answer of a peer of all masked members.
func (r *Request) compare(now time.Duration, member int, median time.Duration) {
	m, late := &r.p.masks, r.p.late()
	ratio := float64(r.took[member]) / float64(max(median, 1))
	if m.all().has(member) {
		m.recoveries[member].add(&m.options, now, ratio, late)
		return
	}
	for i := range m.all().members() {
		v := &m.recoveries[i]
		v.peers++
		if ratio > late {
			v.behind++
		}
	}
}

// watchFailure counts a failed read of a masked member as slow.
func (r *Request) watchFailure(now time.Duration, member int) {
	if m := &r.p.masks; m.all().has(member) {
		m.recoveries[member].add(&m.options, now, failedRatio, r.p.late())
	}
}

// late returns the number of medians from which an answer of a masked member or its peers is late.
// Policies without the setting ST use its default.
func (p *Policy) late() float64 {
	if p.options.ST > 1 {
		return p.options.ST
	}
	return Default(p.options.Kind).ST
}
