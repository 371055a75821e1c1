package tables

import (
	"cmp"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
)

// A step collects the samples of one time step, and makes a row from them.
//
// Lines of the same component and time become one sample. Tidy tables, and tables with one file for
// each metric, have such lines. If two such lines of one file have a value of the same metric, the
// value of the later line is used. If the lines are in two files, the value of the later file is used.
//
// If a component has several samples in the step, the row gets their mean. If the description
// weights a metric by the load, the weight of a sample is its load. The weight of a sample without
// a load is the mean load of the other samples. If no sample has a load above 0, all samples have
// the same weight.
type step struct {
	metrics  int
	load     int
	weighted []bool

	samples []stepSample
	values  []float64
	first   []int32 // for each component: 1 + index of its first sample; 0 if it has no sample
	last    []int32 // for each component: 1 + index of its last sample; 0 if it has no sample
	members []int32 // components with a sample
	some    []int32 // indexes of the samples of one component, sorted by time
	means   []float64
	// Twice counts the values that the input contains more than once.
	Twice repeatedValues
	// Samples counts the samples of all steps. Mixed counts the samples that contain different values
	// of one metric, from two lines.
	Samples, Mixed int
	FirstMixed     repeatedValues // the first of the mixed samples
}

// stepSample is one sample of the step. Its values are in step.values.
type stepSample struct {
	time  int64
	file  int32
	next  int32 // 1 + index of the component's next sample; 0 if there is no further sample
	mixed bool  // true if the sample contains different values of one metric, from two lines
}

// repeatedValues counts the values that the input contains more than once.
type repeatedValues struct {
	InFiles, InLines int      // InFiles is the number of values that two files contain; InLines is the number of values that one file contains twice
	Component        int32    // component of the first value that the input contains twice
	Files            [2]int32 // indexes of the two files that contain this first value; they may be the same file
}

// newStep returns an empty step. The caller passes the index of the metric that is the load, or -1
// if no metric is the load. For metric m, weighted[m] is true if the mean of the metric is weighted
// by the load.
func newStep(components, load int, weighted []bool) *step {
	return &step{
		metrics: len(weighted), load: load, weighted: weighted,
		first: make([]int32, components), last: make([]int32, components), means: make([]float64, len(weighted)),
	}
}

// Len returns the number of samples. Add merges successive samples of one component and time, so
// they count as one.
func (p *step) Len() int { return len(p.samples) }

// Add adds a sample. Samples must be added in the order of the files.
func (p *step) Add(file int, who int32, ns int64, values []float64) {
	if last := p.last[who]; last > 0 && p.samples[last-1].time == ns {
		p.merge(who, last-1, values, int32(file))
		return
	}
	p.samples = append(p.samples, stepSample{time: ns, file: int32(file)})
	p.values = append(p.values, values...)
	place := int32(len(p.samples))
	if p.first[who] == 0 {
		p.first[who] = place
		p.members = append(p.members, who)
	} else {
		p.samples[p.last[who]-1].next = place
	}
	p.last[who] = place
}

// Fold puts the values of the step into a row, and removes all samples from the step. The row gets
// the values of metrics. A component may also have values about its file system (key `room` of the
// description), which come after the metrics. Fold calls the function `add` with all values of each
// component. Fold reports whether any component has a value.
func (p *step) Fold(row *table.Row, add func(who int32, values []float64)) bool {
	found := false
	for _, who := range p.members {
		values := p.valuesOf(p.first[who] - 1)
		if p.first[who] != p.last[who] {
			values = p.mean(who)
			p.count(p.some...)
		} else {
			p.count(p.first[who] - 1)
		}
		for m, v := range values {
			if m < len(row.Values) {
				row.Values[m][who] = v
			}
			found = found || !table.IsMissing(v)
		}
		add(who, values)
		p.first[who], p.last[who] = 0, 0
	}
	p.samples, p.values, p.members = p.samples[:0], p.values[:0], p.members[:0]
	return found
}

// count counts the samples with the given indexes in p.Samples and p.Mixed.
func (p *step) count(places ...int32) {
	for _, place := range places {
		p.Samples++
		if p.samples[place].mixed {
			p.Mixed++
		}
	}
}

func (p *step) valuesOf(place int32) []float64 {
	return p.values[int(place)*p.metrics : (int(place)+1)*p.metrics]
}

// mean returns the mean of each metric of a component. The result is valid until the next call of
// mean.
func (p *step) mean(who int32) []float64 {
	p.collect(who)
	p.join(who)
	for m := range p.means {
		p.means[m] = p.meanOf(m)
	}
	return p.means
}

// collect lists the samples of a component, sorted by time. Samples of the same time stay
// in the order of their files.
func (p *step) collect(who int32) {
	p.some = p.some[:0]
	for place := p.first[who]; place != 0; place = p.samples[place-1].next {
		p.some = append(p.some, place-1)
	}
	byTime := func(a, b int32) int { return cmp.Compare(p.samples[a].time, p.samples[b].time) }
	if !slices.IsSortedFunc(p.some, byTime) {
		slices.SortStableFunc(p.some, byTime)
	}
}

// join merges samples of the same time into one sample.
func (p *step) join(who int32) {
	kept := p.some[:1]
	for _, place := range p.some[1:] {
		last := kept[len(kept)-1]
		if p.samples[last].time != p.samples[place].time {
			kept = append(kept, place)
			continue
		}
		p.merge(who, last, p.valuesOf(place), p.samples[place].file)
		p.samples[last].mixed = p.samples[last].mixed || p.samples[place].mixed
	}
	p.some = kept
}

// merge copies values of a later line or file into an earlier sample of the same component
// and time. The parameter `place` is the index of this sample.
func (p *step) merge(who, place int32, values []float64, file int32) {
	into := p.valuesOf(place)
	for m, v := range values {
		if table.IsMissing(v) {
			continue
		}
		if !table.IsMissing(into[m]) {
			p.Twice.Note(who, p.samples[place].file, file, 1)
			if differ(into[m], v) {
				p.samples[place].mixed = true
				p.FirstMixed.Note(who, p.samples[place].file, file, 1)
			}
		}
		into[m] = v
	}
	p.samples[place].file = file
}

// differ reports whether two values of the same metric cannot be one measurement. Two collectors may
// round a measurement differently, so a difference of 1 % is allowed.
func differ(a, b float64) bool { return math.Abs(a-b) > 0.01*max(math.Abs(a), math.Abs(b)) }

// Note counts values of a component that occur twice: in the file `a`, and again in the file `b`.
// The parameter `values` is the number of these values. The two files may be the same file.
func (t *repeatedValues) Note(who, a, b int32, values int) {
	if t.InLines+t.InFiles == 0 {
		t.Component, t.Files = who, [2]int32{a, b}
	}
	if a == b {
		t.InLines += values
	} else {
		t.InFiles += values
	}
}

// meanOf returns the mean of one metric over the samples in p.some. It computes a running
// mean, so that the mean of equal values is exactly that value.
func (p *step) meanOf(m int) float64 {
	usual, weigh := 1.0, p.weighted[m]
	if weigh {
		usual, weigh = p.meanLoad(m)
	}
	mean, weights := 0.0, 0.0
	for _, place := range p.some {
		values, w := p.valuesOf(place), 1.0
		if weigh {
			w = values[p.load]
		}
		if table.IsMissing(w) {
			w = usual
		}
		if !table.IsMissing(values[m]) && w > 0 {
			weights += w
			mean += (values[m] - mean) * w / weights
		}
	}
	if weights == 0 {
		return table.Missing
	}
	return mean
}

// meanLoad returns the mean load of the samples that have a value of metric m and a load. The
// result `ok` is false if the mean is 0, or if there is no such sample.
func (p *step) meanLoad(m int) (mean float64, ok bool) {
	sum, n := 0.0, 0
	for _, place := range p.some {
		values := p.valuesOf(place)
		if load := values[p.load]; !table.IsMissing(values[m]) && !table.IsMissing(load) {
			sum += load
			n++
		}
	}
	return sum / float64(n), sum > 0
}
