package exporter

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Joiner joins samples into readings. It is for one goroutine at a time.
type Joiner struct {
	o       Options
	limits  limits
	byLabel map[string]*machineSeries
	byName  map[string]*machineSeries
	files   map[string]*machineSeries // by their name in files
	touched map[*machineSeries]bool   // since they were last looked at
	size    int                       // of all machines together
	reading Reading                   // in use again and again

	trouble  string // of samples that no machine can be found for
	troubled time.Time
	looked   time.Time // for machines that are no more
}

// New makes a Joiner.
func New(o Options) (*Joiner, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return &Joiner{
		o:       o,
		limits:  limits{Wait: o.Wait, Ahead: o.Ahead, MaxPending: o.MaxPending, MaxThings: o.MaxThings},
		byLabel: map[string]*machineSeries{},
		byName:  map[string]*machineSeries{},
		files:   map[string]*machineSeries{},
		touched: map[*machineSeries]bool{},
	}, nil
}

// Take takes the samples of a batch that a sender, or the endpoint of that
// name, told now.
func (j *Joiner) Take(b *Batch, sender string, now time.Time) Counts {
	sum := Counts{Unused: uint64(b.Unused)}
	b.Each(func(s *Series) {
		m := j.machine(s.Server, now)
		if m == nil {
			sum.Refused += uint64(len(s.Samples))
			return
		}
		j.touched[m] = true
		j.limits.Full = j.size >= j.o.MaxCells
		before := m.Size()
		sum.Add(m.Take(s, b.Whole, sender, now, &j.limits))
		j.size += m.Size() - before
	})
	return sum
}

// machine is the one that a label names, nil where it cannot be.
func (j *Joiner) machine(label []byte, now time.Time) *machineSeries {
	if m := j.byLabel[string(label)]; m != nil && !m.ClosedAfter(now.Add(j.o.Ahead)) {
		return m
	} else if m != nil {
		j.drop(m)
	}
	name := HostOf(string(label))
	if err := CheckName(name); err != nil {
		j.trouble, j.troubled = err.Error(), now
		return nil
	}
	m := j.byName[name]
	if m != nil && m.ClosedAfter(now.Add(j.o.Ahead)) {
		j.drop(m)
		m = nil
	}
	if m == nil {
		if len(j.byName) >= j.o.MaxServers {
			j.forget(now)
		}
		if len(j.byName) >= j.o.MaxServers {
			j.trouble = fmt.Sprintf("there are more than %d servers, and %q is left out: raise the bound, or see who sends so many names", j.o.MaxServers, name)
			j.troubled = now
			return nil
		}
		m = newMachineSeries(name)
		j.size += m.Size()
		j.byName[name] = m
	}
	if len(j.byLabel) < 4*j.o.MaxServers { // ports may change
		j.byLabel[string(label)] = m
	}
	return m
}

// forgotten is how long a machine has to be silent to make room for others.
const forgotten = time.Hour

// lookAgain is how long it takes until machines are looked through again for
// some that are no more: who sends fifty thousand new names has it done once.
const lookAgain = time.Minute

// forget drops machines that are no more. Their files stay.
func (j *Joiner) forget(now time.Time) {
	if since := now.Sub(j.looked); since >= 0 && since < lookAgain { // clocks are set back
		return
	}
	j.looked = now
	gone := func(m *machineSeries) bool {
		_, heard := m.Heard()
		return now.Sub(heard) > forgotten && !m.Waits()
	}
	for _, m := range j.byName {
		if gone(m) {
			j.size -= m.Size()
		}
	}
	drop := func(_ string, m *machineSeries) bool { return gone(m) }
	maps.DeleteFunc(j.byLabel, drop)
	maps.DeleteFunc(j.byName, drop)
	maps.DeleteFunc(j.files, drop)
	maps.DeleteFunc(j.touched, func(m *machineSeries, _ bool) bool { return gone(m) })
}

// drop forgets a machine whose scrapes lie in the future, since our clock was
// ahead and was set back: all that it tells until then would be late. What it
// tells next begins anew.
func (j *Joiner) drop(m *machineSeries) {
	j.size -= m.Size()
	same := func(_ string, other *machineSeries) bool { return other == m }
	maps.DeleteFunc(j.byLabel, same)
	maps.DeleteFunc(j.byName, same)
	maps.DeleteFunc(j.files, same)
	delete(j.touched, m)
}

// Flush gives out the scrapes that are complete. Where all is set it looks at
// every machine, for scrapes whose rest does not come. It goes on after an
// error and returns the first.
func (j *Joiner) Flush(files Files, now time.Time, all bool) (first error) {
	list := slices.SortedFunc(maps.Keys(j.touched), byName)
	if all {
		list = j.sorted()
	}
	for _, m := range list {
		if err := j.flush(m, files, now); err != nil && first == nil {
			first = err
		}
	}
	clear(j.touched)
	return first
}

func (j *Joiner) flush(m *machineSeries, files Files, now time.Time) error {
	before := m.Size()
	defer func() { j.size += m.Size() - before }()
	if m.Waits() && (!j.o.ByNodename || m.Nodename != "") {
		j.baptise(m, now)
		if err := m.Recall(files); err != nil {
			return err
		}
	}
	for m.Ready(now, &j.limits) {
		j.baptise(m, now)
		if err := m.Close(files, now, &j.reading); err != nil {
			return err
		}
	}
	m.Sweep()
	return nil
}

// baptise gives a machine its name in files, for good. No two may share one.
func (j *Joiner) baptise(m *machineSeries, now time.Time) {
	if m.File != "" {
		return
	}
	m.File = m.Name
	if j.o.ByNodename && m.Nodename != "" {
		m.File = m.Nodename
	}
	if other := j.files[m.File]; other != nil {
		m.Complain(now, fmt.Sprintf("%s calls itself %s, as %s does: it is kept as %s; give each machine its own name", m.Name, m.File, other.Name, m.Name))
		m.File = m.Name
	}
	j.files[m.File] = m
}

// sorted are the machines by name.
func (j *Joiner) sorted() []*machineSeries {
	return slices.SortedFunc(maps.Values(j.byName), byName)
}

func byName(a, b *machineSeries) int { return strings.Compare(a.Name, b.Name) }
