package witness

import (
	"cmp"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/topology"
)

// Sign is a kind of error or state that a drive or a kernel recorded.
type Sign uint8

// The signs.
const (
	MediaError  Sign = iota // a sector could not be read or written
	IOError                 // a request failed
	Rejected                // requests are rejected, because the device is offline
	TaskAbort               // a request was aborted
	Timeout                 // a request took too long
	LinkReset               // a link or a device was reset
	Reallocated             // sectors were replaced by spare ones; a count
	Unstable                // sectors wait to be replaced; a count
	LinkErrors              // CRC errors on the link; a count
	Failing                 // the SMART status of the drive is failing
	Worn                    // the drive has used up its life; percent
	Hot                     // the drive is hot; degrees, or a warning
	Sound                   // all counts of the drive are zero, and the drive is not hot
	NumSigns
)

// Statement is one log line of a kernel, or one count of a drive.
type Statement struct {
	Sign         Sign
	Server       string // empty: unknown
	Device       string // name in the kernel: sdb; empty: unknown
	Serial, WWN  string
	At           int64   // Unix time; 0: unknown
	Value        float64 // count, percent or degrees; 0: none
	File         string
	Line         int
	FromSnapshot bool // a count over the life of the drive; otherwise one event
}

// Record holds all statements, and the time that each kernel log covers.
type Record struct {
	statements []Statement
	covered    map[string][2]int64 // by server: the first and the last time of its kernel log
}

// Add adds statements.
func (r *Record) Add(list ...Statement) { r.statements = append(r.statements, list...) }

// CoverTime records that the kernel log of a server has a line of this time.
func (r *Record) CoverTime(server string, at int64) {
	if at == 0 {
		return
	}
	if r.covered == nil {
		r.covered = map[string][2]int64{}
	}
	h, ok := r.covered[server]
	if !ok {
		h = [2]int64{at, at}
	}
	r.covered[server] = [2]int64{min(h[0], at), max(h[1], at)}
}

// Covers reports whether the kernel log of a server begins before a time and ends after it.
func (r *Record) Covers(server string, at int64) bool {
	h, ok := r.covered[server]
	return ok && h[0] <= at && at <= h[1]
}

// Account sums up the statements of one sign.
type Account struct {
	Sign        Sign
	Times       int     // number of statements
	Value       float64 // largest value
	First, Last int64   // Unix times; 0: unknown
	File        string  // file of the first statement
	Line        int
	Snapshot    bool
}

// Of returns the statements about a component in a time span, summed up by sign. Snapshots of any
// time count, because their counts are over the whole life of the drive.
func (r *Record) Of(c *topology.Component, from, to int64) []Account {
	return r.sum(from, to, func(s *Statement) bool { return s.of(c) })
}

// Around returns the statements on a server about devices that are not known components: paths
// below a multipath device, and hosts.
func (r *Record) Around(server string, known func(device string) bool, from, to int64) []Account {
	return r.sum(from, to, func(s *Statement) bool { return !s.FromSnapshot && s.Server == server && !known(s.Device) })
}

// of reports whether a statement is about a component: by serial number or WWN, or else by server
// and device name.
func (s *Statement) of(c *topology.Component) bool {
	if s.Serial != "" && c.Serial != "" {
		return strings.EqualFold(s.Serial, c.Serial)
	}
	if s.WWN != "" && c.WWN != "" {
		return s.WWN == c.WWN
	}
	if s.Server != "" && !sameServer(s.Server, c.Server) {
		return false
	}
	return s.Device != "" && s.Device == c.Device && s.Server != ""
}

// sameServer compares names with and without a domain.
func sameServer(a, b string) bool {
	shortA, _, _ := strings.Cut(a, ".")
	shortB, _, _ := strings.Cut(b, ".")
	return a == b || shortA == shortB && (a == shortA || b == shortB)
}

func (r *Record) sum(from, to int64, about func(*Statement) bool) []Account {
	var found [NumSigns]Account
	for i := range r.statements {
		s := &r.statements[i]
		if near := s.FromSnapshot || from <= s.At && s.At <= to; !near || !about(s) {
			continue
		}
		a := &found[s.Sign]
		if a.Times == 0 || s.At < a.First {
			a.First, a.File, a.Line = s.At, s.File, s.Line
		}
		a.Sign, a.Snapshot = s.Sign, s.FromSnapshot
		a.Times, a.Value, a.Last = a.Times+1, max(a.Value, s.Value), max(a.Last, s.At)
	}
	var list []Account
	for _, a := range found {
		if a.Times > 0 {
			list = append(list, a)
		}
	}
	return list
}

// Servers returns the servers of all statements and kernel logs, sorted.
func (r *Record) Servers() []string {
	var list []string
	for server := range r.covered {
		list = append(list, server)
	}
	for i := range r.statements {
		list = append(list, r.statements[i].Server)
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(topology.Compare(a, b), strings.Compare(a, b)) })
	return slices.DeleteFunc(slices.Compact(list), func(s string) bool { return s == "" })
}
