package symptom

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// plain is the twin of [examiner]: it keeps every row and computes each window
// from those that lie in it.
type plain struct {
	opts     Options
	system   *topology.System
	schema   table.Schema
	rows     []*table.Row
	window   []*table.Row
	present  []bool // by component: any metric in more than half of the window
	means    map[quantity]float64
	verdicts map[[2]int][]bool // by component and kind
}

// quantity is a metric of a component.
type quantity struct {
	component int
	metric    string
}

func (p *plain) steps() int { return int(p.opts.WinSeconds / p.schema.StepSeconds) }

// examine judges at every multiple of the shift that the rows have reached.
func (p *plain) examine() []window {
	p.verdicts = map[[2]int][]bool{}
	var list []window
	first := p.rows[0].End - p.rows[0].End%p.opts.ShiftSeconds
	for end := first; end <= p.rows[len(p.rows)-1].End; end += p.opts.ShiftSeconds {
		p.window = slices.DeleteFunc(slices.Clone(p.rows), func(r *table.Row) bool {
			return r.End <= end-p.opts.WinSeconds || r.End > end
		})
		if 2*len(p.window) > p.steps() {
			p.attend()
			list = append(list, window{start: end - p.opts.WinSeconds, end: end, signs: p.judge()})
		}
	}
	return list
}

// series has a metric's values of a component, missing ones included.
func (p *plain) series(c int, name string) []float64 {
	at := metric.Index(p.schema.Metrics, name)
	var list []float64
	for _, row := range p.window {
		v := math.NaN()
		if at >= 0 {
			v = row.Values[at][c]
		}
		list = append(list, v)
	}
	return list
}

func known(list []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(list), math.IsNaN)
}

func sum(list []float64) float64 {
	total := 0.0
	for _, v := range list {
		total += v
	}
	return total
}

func mean(list []float64) float64 { return sum(list) / float64(len(list)) } // NaN of none

func (p *plain) mean(c int, name string) float64 {
	key := quantity{c, name}
	v, ok := p.means[key]
	if !ok {
		v = mean(known(p.series(c, name)))
		p.means[key] = v
	}
	return v
}

// await is the waiting of all requests of which it is known, divided by their
// number.
func (p *plain) await(c int) float64 {
	waited, requests := 0.0, 0.0
	rates := p.series(c, "tps")
	for i, ms := range p.series(c, "await") {
		if n := rates[i] * float64(p.schema.StepSeconds); !math.IsNaN(n * ms) {
			waited += ms * n
			requests += n
		}
	}
	if requests < 5 {
		return math.NaN()
	}
	return waited / requests
}

// attend finds who is present, and forgets the window before.
func (p *plain) attend() {
	p.present, p.means = make([]bool, len(p.system.Components)), map[quantity]float64{}
	for c := range p.present {
		p.present[c] = !p.idle(c) && slices.ContainsFunc(Metrics(), func(name string) bool {
			return 2*len(known(p.series(c, name))) > p.steps()
		})
	}
}

// idle drives have no request in the window, idle interfaces hardly any traffic.
func (p *plain) idle(c int) bool {
	requests := known(p.series(c, "tps"))
	in, out := mean(known(p.series(c, "rxbyt"))), mean(known(p.series(c, "txbyt")))
	return len(requests) > 0 && sum(requests) == 0 || in < 10_000 && out < 10_000
}

// around are the component's peers, itself among them, that are present.
func (p *plain) around(c int) []int {
	members := p.system.Groups[p.system.Components[c].Group-1].Members
	return slices.DeleteFunc(slices.Clone(members), func(c int) bool { return !p.present[c] })
}

// judged components are present, and two more of their peers are.
func (p *plain) judged(c int) bool { return p.present[c] && len(p.around(c)) >= 3 }

func middle(list []float64) float64 {
	if list = known(list); len(list) < 3 {
		return math.NaN()
	}
	slices.Sort(list)
	n := len(list)
	if n%2 == 1 {
		return list[n/2]
	}
	return (list[n/2-1] + list[n/2]) / 2
}

// typical is the median of something over the peers of a component.
func (p *plain) typical(c int, something func(c int) float64) float64 {
	var list []float64
	for _, peer := range p.around(c) {
		list = append(list, something(peer))
	}
	return middle(list)
}

func (p *plain) typicalMean(c int, name string) float64 {
	return p.typical(c, func(c int) float64 { return p.mean(c, name) })
}

// beyond is what a component has more than its peers.
func (p *plain) beyond(c int, name string) float64 {
	if d := p.mean(c, name) - p.typicalMean(c, name); !math.IsNaN(d) {
		return d
	}
	return 0
}

// siblings are the judged components of a kind that a component's server has.
func (p *plain) siblings(c int, kind topology.Kind) []int {
	var list []int
	for other := range p.system.Components {
		o := &p.system.Components[other]
		if o.Server == p.system.Components[c].Server && o.Kind == kind && p.judged(other) {
			list = append(list, other)
		}
	}
	return list
}

// serverBeyond adds up what the judged components of a server have more than
// their peers.
func (p *plain) serverBeyond(c int, kind topology.Kind, name string) float64 {
	total := 0.0
	for _, s := range p.siblings(c, kind) {
		total += p.beyond(s, name)
	}
	return total
}
