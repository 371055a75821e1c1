package exporter

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// An Assembler makes readings from samples. A scrape is the set of all samples of one server that
// have the same time. A reading is the state of the server at this time. Only one goroutine at a
// time may use an Assembler.
type Assembler struct {
	o       Options
	limits  limits
	byLabel map[string]*server // servers by the value of the server label
	byName  map[string]*server // servers by name
	files   map[string]*server // servers by the name that their files have
	updated map[*server]bool   // servers with samples since the last Flush
	size    int                // number of cells of all servers; a cell is memory for a device, an interface or a remote host, see Options.MaxCells
	shares  shares
	known   map[string]bool // names of servers that have files, but no samples since the start of limpet
	began   time.Time       // time at which Assembler.known was set
	reading Reading         // memory that is reused for each reading

	trouble    string    // problem with samples whose server cannot be found
	troubleSet time.Time // time at which Assembler.trouble was set
	troubled   time.Time // time of the last sample whose server could not be found
	lastSearch time.Time // time of the last search for servers without samples
}

// New returns an Assembler without servers.
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
		shares:  shares{byUser: map[string]usage{}, bySender: map[Sender]int{}},
		known:   map[string]bool{},
	}, nil
}

// Reserve reserves a place among the Options.MaxServers servers for each server that has files,
// even before its first sample. So after a restart of limpet, new servers cannot displace servers
// that had samples before the restart. The reservations end after an hour (forgetAfter). The caller
// passes the names of the servers with files. The server with the newest file must be last.
func (a *Assembler) Reserve(servers []string, now time.Time) {
	for _, name := range servers[max(0, len(servers)-a.o.MaxServers):] {
		a.known[name] = true
	}
	a.began = now
}

// Take adds the samples of a batch to the scrapes of their servers. A scrape holds the samples of
// one server that have the same time. The caller passes the time at which the batch arrived. If
// samples are refused or late, the second result is a sentence with the reason for the first such
// sample.
func (a *Assembler) Take(b *Batch, from Sender, now time.Time) (sum Counts, leftOut string) {
	sum.Unused = uint64(b.Unused)
	b.Each(func(s *Series) {
		sv, err := a.server(s, from, now)
		if err != nil {
			// The text in Assembler.trouble changes at most once a minute (lookAgain), so that a
			// sender with ever new names does not fill the log.
			if lasts := now.Sub(a.troubleSet); lasts >= lookAgain || lasts < 0 {
				a.trouble, a.troubleSet = err.Error(), now
			}
			a.troubled = now
			sum.Refused += uint64(len(s.Samples))
			leftOut = cmp.Or(leftOut, err.Error())
			return
		}
		a.updated[sv] = true
		a.limits.Full = a.size >= a.o.MaxCells || sv.from.Address != "" && a.shares.byUser[sv.from.Name].cells >= a.o.MaxCells/userPart
		before := sv.Size()
		c := sv.Take(s, b.Whole, from.Name, now, &a.limits)
		a.resize(sv, before)
		sum.Add(c)
		switch {
		case c.Refused > 0:
			leftOut = cmp.Or(leftOut, sv.Name+": "+sv.trouble.text)
		case c.Late > 0:
			leftOut = cmp.Or(leftOut, fmt.Sprintf("server %s: some samples of a scrape arrived after limpet had stopped waiting for these samples: send samples sooner, or increase the setting \"wait\"", sv.Name))
		}
	})
	return sum, leftOut
}

// resize updates two counts after the number of cells of one server has changed (see
// Options.MaxCells): the number of cells of all servers, and the number of cells of the sender of
// this server. The caller passes the number of cells that the server had before the change.
func (a *Assembler) resize(sv *server, before int) {
	n := sv.Size() - before
	a.size += n
	a.shares.add(sv.from, 0, n)
}

// server returns the server of a series. It returns an error if the name is invalid, if there is no
// room for a new server, or if a machine and a cluster of services have the same name.
func (a *Assembler) server(s *Series, from Sender, now time.Time) (*server, error) {
	sv, err := a.serverNamed(s, from, now)
	if err == nil && sv.services != s.Service {
		return nil, fmt.Errorf("a machine and a Ceph cluster both have the name %s, so the data of one of them are left out: give the series of the cluster a label \"cluster\" with another name", sv.Name)
	}
	return sv, err
}

// serverNamed returns the server that the server label of a series names. If the server is new,
// serverNamed adds it.
func (a *Assembler) serverNamed(s *Series, from Sender, now time.Time) (*server, error) {
	label := s.Server
	if sv := a.byLabel[string(label)]; sv != nil && !sv.ClosedAfter(now.Add(a.o.Ahead)) {
		return sv, nil
	} else if sv != nil {
		a.drop(sv)
	}
	name := HostOf(string(label))
	if err := CheckName(name); err != nil {
		return nil, err
	}
	sv := a.byName[name]
	if sv != nil && sv.ClosedAfter(now.Add(a.o.Ahead)) {
		a.drop(sv)
		sv = nil
	}
	if sv == nil {
		if a.checkRoom(name, from) != nil {
			a.forget(now)
		}
		if err := a.checkRoom(name, from); err != nil {
			return nil, err
		}
		sv = newServer(name)
		sv.from, sv.services = from, s.Service
		a.size += sv.Size()
		a.shares.add(from, 1, sv.Size())
		a.byName[name] = sv
		delete(a.known, name)
	}
	if len(a.byLabel) < 4*a.o.MaxServers { // a server may have several labels, since its port may change
		a.byLabel[string(label)] = sv
	}
	return sv, nil
}

// checkRoom returns an error if the sender, or all senders together, already have the largest
// allowed number of servers. It does not drop servers (see forget).
func (a *Assembler) checkRoom(name string, from Sender) error {
	used := len(a.byName)
	if !a.known[name] {
		used += len(a.known)
	}
	most, full := a.shares.full(from, a.o.MaxServers)
	switch {
	case full:
		return fmt.Errorf("%s sends data of more than %d servers, which is the limit for one sender, so server %q is left out: check the server names that this sender sends, or give each sender its own token", from, most, name)
	case used >= a.o.MaxServers:
		return fmt.Errorf("limpet can receive data of at most %d servers, so server %q is left out: check which sender sends too many server names, or run a second limpet serve for a part of the servers", a.o.MaxServers, name)
	}
	return nil
}

// forgetAfter is the time without samples after which a server may be dropped
// to make room for new servers.
const forgetAfter = time.Hour

// lookAgain is the shortest time between two searches for servers without samples. Such servers are
// dropped to make room for new servers. A sender may send fifty thousand new names at once, and
// without lookAgain each of these names would cause a search. lookAgain is also the shortest time
// between two changes of Assembler.trouble.
const lookAgain = time.Minute

// forget drops the servers that have had no samples for an hour (forgetAfter), and have no scrape
// that waits for samples. The files of these servers stay.
func (a *Assembler) forget(now time.Time) {
	if since := now.Sub(a.lastSearch); since >= 0 && since < lookAgain { // a clock that was set back makes since negative
		return
	}
	a.lastSearch = now
	gone := func(sv *server) bool {
		_, heard := sv.ActiveSource()
		return now.Sub(heard) > forgetAfter && !sv.Waits()
	}
	for _, sv := range a.byName {
		if gone(sv) {
			a.release(sv)
		}
	}
	if now.Sub(a.began) > forgetAfter {
		clear(a.known)
	}
	drop := func(_ string, sv *server) bool { return gone(sv) }
	maps.DeleteFunc(a.byLabel, drop)
	maps.DeleteFunc(a.byName, drop)
	maps.DeleteFunc(a.files, drop)
	maps.DeleteFunc(a.updated, func(sv *server, _ bool) bool { return gone(sv) })
}

// drop removes a server whose last closed scrape is in the future. This happens if limpet's clock
// was ahead and was set back. A closed scrape takes no more samples. So without drop, all samples
// of the server would count as late until the clock reaches the time of that scrape. After drop,
// the Assembler adds the server again as a new server.
func (a *Assembler) drop(sv *server) {
	a.release(sv)
	same := func(_ string, other *server) bool { return other == sv }
	maps.DeleteFunc(a.byLabel, same)
	maps.DeleteFunc(a.byName, same)
	maps.DeleteFunc(a.files, same)
	delete(a.updated, sv)
}

// release subtracts a server, and its devices, interfaces and remote hosts (cells), from the counts
// of the Assembler and of the sender.
func (a *Assembler) release(sv *server) {
	a.size -= sv.Size()
	a.shares.add(sv.from, -1, -sv.Size())
}

// Flush writes the complete scrapes of the servers that have new samples into `files`. If `all` is
// true, Flush checks every server. It then also finds scrapes of other servers that have waited
// long enough for their remaining samples. Flush continues after an error, and returns the first
// error.
func (a *Assembler) Flush(files Files, now time.Time, all bool) (first error) {
	list := slices.SortedFunc(maps.Keys(a.updated), byName)
	if all {
		list = a.sortedServers()
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
	defer func() { a.resize(sv, before) }()
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
		sv.Complain(now, fmt.Sprintf("the machines %s and %s both have the host name %s: the data of the first machine are stored under the name %s; give each machine its own host name", sv.Name, other.Name, sv.File, sv.Name))
		sv.File = sv.Name
	}
	a.files[sv.File] = sv
}

func (a *Assembler) sortedServers() []*server {
	return slices.SortedFunc(maps.Values(a.byName), byName)
}

func byName(a, b *server) int { return strings.Compare(a.Name, b.Name) }
