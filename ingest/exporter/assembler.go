package exporter

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// An Assembler makes readings from samples. Only one goroutine at a time may
// use it.
type Assembler struct {
	o       Options
	limits  limits
	byLabel map[string]*server // servers by the value of their label
	byName  map[string]*server // servers by name
	files   map[string]*server // servers by their name in files
	updated map[*server]bool   // servers with samples since the last Flush
	size    int                // number of cells of all servers
	reading Reading            // memory that is reused for each reading

	trouble  string    // problem with samples whose server cannot be found
	troubled time.Time // time of that problem
	looked   time.Time // time of the last search for servers without samples
}

// New returns an Assembler.
func New(o Options) (*Assembler, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return &Assembler{
		o:       o,
		limits:  limits{Wait: o.Wait, Ahead: o.Ahead, MaxPending: o.MaxPending, MaxSubjects: o.MaxSubjects},
		byLabel: map[string]*server{},
		byName:  map[string]*server{},
		files:   map[string]*server{},
		updated: map[*server]bool{},
	}, nil
}

// Take adds the samples of a batch to the scrapes of their servers. The batch
// arrived at the time now. The parameter sender is the name of the sender or of
// the scraped endpoint.
func (a *Assembler) Take(b *Batch, sender string, now time.Time) Counts {
	sum := Counts{Unused: uint64(b.Unused)}
	b.Each(func(s *Series) {
		sv := a.server(s.Server, now)
		if sv == nil {
			sum.Refused += uint64(len(s.Samples))
			return
		}
		a.updated[sv] = true
		a.limits.Full = a.size >= a.o.MaxCells
		before := sv.Size()
		sum.Add(sv.Take(s, b.Whole, sender, now, &a.limits))
		a.size += sv.Size() - before
	})
	return sum
}

// server returns the server that a label names. It returns nil if the name is
// invalid or there are too many servers.
func (a *Assembler) server(label []byte, now time.Time) *server {
	if sv := a.byLabel[string(label)]; sv != nil && !sv.ClosedAfter(now.Add(a.o.Ahead)) {
		return sv
	} else if sv != nil {
		a.drop(sv)
	}
	name := HostOf(string(label))
	if err := CheckName(name); err != nil {
		a.trouble, a.troubled = err.Error(), now
		return nil
	}
	sv := a.byName[name]
	if sv != nil && sv.ClosedAfter(now.Add(a.o.Ahead)) {
		a.drop(sv)
		sv = nil
	}
	if sv == nil {
		if len(a.byName) >= a.o.MaxServers {
			a.forget(now)
		}
		if len(a.byName) >= a.o.MaxServers {
			a.trouble = fmt.Sprintf("there are more than %d servers, and %q is left out: raise the bound, or see who sends so many names", a.o.MaxServers, name)
			a.troubled = now
			return nil
		}
		sv = newServer(name)
		a.size += sv.Size()
		a.byName[name] = sv
	}
	if len(a.byLabel) < 4*a.o.MaxServers { // a server may have several labels, since its port may change
		a.byLabel[string(label)] = sv
	}
	return sv
}

// forgotten is the time without samples after which a server may be dropped to
// make room for new servers.
const forgotten = time.Hour

// lookAgain is the time between two searches for servers without samples. A
// sender of fifty thousand new names then causes one search, and not fifty
// thousand.
const lookAgain = time.Minute

// forget drops the servers that had no samples for the time forgotten. Their
// files stay.
func (a *Assembler) forget(now time.Time) {
	if since := now.Sub(a.looked); since >= 0 && since < lookAgain { // a clock that was set back makes since negative
		return
	}
	a.looked = now
	gone := func(sv *server) bool {
		_, heard := sv.Heard()
		return now.Sub(heard) > forgotten && !sv.Waits()
	}
	for _, sv := range a.byName {
		if gone(sv) {
			a.size -= sv.Size()
		}
	}
	drop := func(_ string, sv *server) bool { return gone(sv) }
	maps.DeleteFunc(a.byLabel, drop)
	maps.DeleteFunc(a.byName, drop)
	maps.DeleteFunc(a.files, drop)
	maps.DeleteFunc(a.updated, func(sv *server, _ bool) bool { return gone(sv) })
}

// drop removes a server whose closed scrapes are in the future, because
// limpet's clock was ahead and was set back. All samples of this server would
// count as late until the clock reaches the time of those scrapes. At its next
// sample the server is added as a new server.
func (a *Assembler) drop(sv *server) {
	a.size -= sv.Size()
	same := func(_ string, other *server) bool { return other == sv }
	maps.DeleteFunc(a.byLabel, same)
	maps.DeleteFunc(a.byName, same)
	maps.DeleteFunc(a.files, same)
	delete(a.updated, sv)
}

// Flush writes the complete scrapes of the servers that have new samples. If
// all is set, it checks every server, to close scrapes whose remaining samples
// never come. Flush continues after an error, and returns the first error.
func (a *Assembler) Flush(files Files, now time.Time, all bool) (first error) {
	list := slices.SortedFunc(maps.Keys(a.updated), byName)
	if all {
		list = a.sorted()
	}
	for _, sv := range list {
		if err := a.flush(sv, files, now); err != nil && first == nil {
			first = err
		}
	}
	clear(a.updated)
	return first
}

func (a *Assembler) flush(sv *server, files Files, now time.Time) error {
	before := sv.Size()
	defer func() { a.size += sv.Size() - before }()
	if sv.Waits() && (!a.o.ByNodename || sv.Nodename != "") {
		a.assignFileName(sv, now)
		if err := sv.Recall(files); err != nil {
			return err
		}
	}
	for sv.Ready(now, &a.limits) {
		a.assignFileName(sv, now)
		if err := sv.Close(files, now, &a.reading); err != nil {
			return err
		}
	}
	sv.Sweep()
	return nil
}

// assignFileName sets the name of a server in files, if it is not set yet. Two
// servers never have the same name in files.
func (a *Assembler) assignFileName(sv *server, now time.Time) {
	if sv.File != "" {
		return
	}
	sv.File = sv.Name
	if a.o.ByNodename && sv.Nodename != "" {
		sv.File = sv.Nodename
	}
	if other := a.files[sv.File]; other != nil {
		sv.Complain(now, fmt.Sprintf("%s calls itself %s, as %s does: it is kept as %s; give each machine its own name", sv.Name, sv.File, other.Name, sv.Name))
		sv.File = sv.Name
	}
	a.files[sv.File] = sv
}

// sorted returns the servers, sorted by name.
func (a *Assembler) sorted() []*server {
	return slices.SortedFunc(maps.Values(a.byName), byName)
}

func byName(a, b *server) int { return strings.Compare(a.Name, b.Name) }
