package arrays

import (
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// IntrepidOptions are the size of a system like Intrepid, and the days to simulate.
type IntrepidOptions struct {
	Days       int
	Arrays     int
	Servers    int // number of servers of all arrays
	LUNs       int // number of LUNs of all arrays
	Seed       uint64
	Start      time.Time     // time of the first record
	Interval   time.Duration // between records
	Priorities int           // rows have attachments up to this priority; 0: all
	Quiet      bool          // days as one chooses them for training (L13 §4.2.1): no asymmetry that an operator would see
	Compressed bool          // activity files are compressed
}

// DefaultIntrepidOptions returns options for a day of the whole of Intrepid (L13 §3.3), with the
// interval of L13's analysis. L13 §4.5 measures its own cost on such a day.
func DefaultIntrepidOptions() IntrepidOptions {
	return IntrepidOptions{
		Days: 1, Arrays: 16, Servers: 128, LUNs: 1152, Seed: 1,
		Start:    time.Date(2011, time.May, 9, 0, 0, 5, 0, time.UTC),
		Interval: 15 * time.Second, Compressed: true,
	}
}

// The bounds of a system. An array has few servers; its LUNs are bounded by the device names of sd.
const (
	MaxServersPerArray = 16
	MinLUNsPerArray    = 3
	MaxLUNsPerArray    = 240
	MaxDays            = 1000
	MaxArrays          = 1000
)

// Validate returns an error that names every invalid option.
func (o *IntrepidOptions) Validate() error {
	var errs bounds.Errors
	errs.Need(o.Days >= 1 && o.Days <= MaxDays, "%d days are not possible: choose 1 to %d days", o.Days, MaxDays)
	errs.Need(o.Interval >= time.Second && o.Interval%time.Second == 0 && o.Interval <= time.Hour,
		"a record every %v is not possible: choose whole seconds, up to an hour", o.Interval)
	errs.Need(!o.Start.IsZero() && o.Start.Equal(o.Start.Truncate(time.Second)), "a start at %v is not possible: choose a whole second", o.Start)
	if errs.Need(o.Arrays >= 1 && o.Arrays <= MaxArrays, "%d arrays are not possible: choose 1 to %d arrays", o.Arrays, MaxArrays); len(errs) > 0 {
		return errs.Join()
	}
	servers, luns := o.Servers/o.Arrays, o.LUNs/o.Arrays
	errs.Need(servers*o.Arrays == o.Servers && servers%2 == 0 && servers >= 2 && servers <= MaxServersPerArray,
		"%d servers cannot be divided over %d arrays: each array needs the same even number of servers, up to %d. With 8 servers per array, as in the supercomputer Intrepid, choose %d servers",
		o.Servers, o.Arrays, MaxServersPerArray, 8*o.Arrays)
	errs.Need(luns*o.Arrays == o.LUNs && luns >= MinLUNsPerArray && luns <= MaxLUNsPerArray,
		"%d LUNs cannot be divided over %d arrays: each array needs the same number of LUNs, %d to %d. With 72 LUNs per array, as in the supercomputer Intrepid, choose %d LUNs",
		o.LUNs, o.Arrays, MinLUNsPerArray, MaxLUNsPerArray, 72*o.Arrays)
	errs.Need(o.Priorities >= 0 && o.Priorities <= servers, "%d priorities are not possible: choose at most %d, the number of paths to a LUN", o.Priorities, servers)
	return errs.Join()
}

// Intrepid returns a scenario of the storage of an IBM Blue Gene/P with normal work and without
// faults (L13 §3.3, §4.3, §5.3.2, §6). The caller adds faults, with [Scenario.ParseEvents] or
// directly.
//
// A seed stands for a system: on other days, the system has the same LUNs and other work.
func Intrepid(o IntrepidOptions) (*Scenario, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	s := &Scenario{
		Topology: o.topology(0),
		Seed:     o.Seed,
		Start:    o.Start.UTC(),
		End:      o.Start.UTC().Add(time.Duration(o.Days)*24*time.Hour - o.Interval),
		Interval: o.Interval,
		Service:  intrepidService,
		Busiest:  0.85,
		Closed:   true,
		Shares:   map[string]Share{"new": {Reads: 0.5, Writes: 1.4}}, // emptier: fewer reads, more writes (L13 §3.3.1)
		Clocks:   Clocks{Steps: 0.5, Misses: 2},                      // no figures are known; both are "occasional" (L13 §6)
		days:     o.Start.UTC().Format(time.RFC3339) + " ",
		coarse:   true,
	}
	if o.Priorities > 0 {
		s.Watched = o.topology(o.Priorities)
	}
	system, err := s.System()
	if err != nil {
		return nil, err
	}
	if o.Compressed {
		s.Compressed = system.Servers
	}
	s.Jobs = intrepidJobs(s)
	s.Events = passing(s, system, o.Quiet)
	return s, nil
}

// intrepidService is a tier of an S2A9900: 8+2 SATA drives behind a controller that reads ahead and
// writes back. A large request takes all drives at once, so few requests are in service at a time.
// The 5.6 GB/s of an array are 78 MB/s for a LUN. A LUN reaches this speed well before it is fully
// busy.
var intrepidService = Service{ReadMs: 8, WriteMs: 2, KiBPerMs: 60, Drives: 3}

// topology returns the topology file of such a system, with the attachments of each LUN up to a
// priority; 0: all attachments. It has the names of Intrepid: arrays are counted from ddn6 on, and
// two thirds of the LUNs are old.
func (o *IntrepidOptions) topology(priorities int) []byte {
	servers, luns := o.Servers/o.Arrays, o.LUNs/o.Arrays
	width := max(2, len(fmt.Sprint(luns-1)))
	lun := func(i int) string { return fmt.Sprintf("%0*d", width, i) }
	priority := "rotate"
	if priorities > 0 && priorities < servers {
		priority = ""
		for first := range min(servers, luns) {
			priority += fmt.Sprintf("\n      \"[%s-%s/%d]\": [%s]", lun(first), lun(luns-1), servers, places(first, priorities, servers))
		}
	}
	old := luns * 2 / 3
	return fmt.Appendf(nil, `# A storage system like the storage of the supercomputer Intrepid (paper L13, section 3.3):
# %d GPFS file servers, and %d arrays with two controllers and %d LUNs each. The servers
# of an array are attached to all of its LUNs, in a fixed order of priority.

name: intrepid
servers: fs[1-%d]

arrays:
  - names: ddn[6-%d]
    servers_per_array: %d
    luns: %s-%s
    priority: %s
    controllers: {a: 1-%d, b: %d-%d}
    sets: {old: %s-%s, new: %s-%s}
    models: S2A9900
    devices: sd[b-%s]
`, o.Servers, o.Arrays, luns, o.Servers, 5+o.Arrays, servers, lun(0), lun(luns-1), priority,
		servers/2, servers/2+1, servers, lun(0), lun(old-1), lun(old), lun(luns-1), sdLetters(luns))
}

// places lists the numbers, from 1, of n servers of an array from the server first on. After the
// last server comes the first.
func places(first, n, servers int) string {
	list := ""
	for i := range n {
		list += fmt.Sprintf(", %d", 1+(first+i)%servers)
	}
	return list[2:]
}

// sdLetters returns the letters of the disk with an index: a for sda.
func sdLetters(index int) string {
	if index < 26 {
		return string(rune('a' + index))
	}
	return sdLetters(index/26-1) + sdLetters(index%26)
}
