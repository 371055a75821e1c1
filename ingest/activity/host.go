package activity

import (
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/ingest/period"
	"github.com/limpet-storage/limpet/internal/workers"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// A host is what is known of a machine, whether or not it has files now.
type host struct {
	known
	files   []*file
	counted int // the look after which a census was taken of its files, 0: none
	machine *server
	before  *server // of the epoch before
}

// A file is one that is followed, or may be.
type file struct {
	path    string
	info    hostFiles // of its first records
	host    *host     // nil where that is not known
	ends    int64     // time of its last record, once it was read and closed
	old     bool      // it certainly ends before the first row that is wanted
	waiting bool      // its header is not whole yet
	refused error     // why it is left out
	looked  int       // the look that last showed a change
}

// scanEvery is how many looks at open files there are to one at all files,
// where no directory tells that files came or went: closed files may grow.
const scanEvery = 7

// look finds out which files have come, changed and gone.
func (f *Following) look() {
	var changes []change
	if f.latest == nil || f.looks%scanEvery == 0 || f.watch.Stirred() {
		changes, f.scanErr = f.watch.Scan()
	}
	if f.latest != nil {
		changes = append(changes, f.watch.Poll(f.polled())...)
	}
	var unknown []*file
	if f.looks++; f.looks%scanEvery == 0 {
		unknown = f.failed()
	}
	for _, c := range changes {
		if file := f.note(c); file != nil {
			unknown = append(unknown, file)
		}
	}
	workers.Each(f.ctx, unknown, (*file).identify)
	for _, file := range unknown {
		f.enlist(file)
	}
}

// mostHopeful is how many files that cannot be used are looked at as often as
// those that are read.
const mostHopeful = 256

// failed are the files that may be readable by now though they did not change:
// permissions and servers of files are no part of them.
func (f *Following) failed() []*file {
	var list []*file
	for _, file := range f.files {
		if _, damaged := errors.AsType[*sysstat.FormatError](file.refused); file.refused != nil && !damaged {
			list = append(list, file)
		}
	}
	return list
}

// polled are the files that are expected to change.
func (f *Following) polled() []string {
	var list []string
	for path, file := range f.files {
		if (file.waiting || file.refused != nil) && len(list) < mostHopeful {
			list = append(list, path)
		}
	}
	for _, m := range f.latest.Machines {
		list = append(list, m.Records.Paths()...)
	}
	return list
}

// note takes a change of a file; it returns the file where it is to be
// identified.
func (f *Following) note(c change) *file {
	switch c.Kind {
	case Gone:
		f.forget(c.Path)
		return nil
	case movedFile:
		return f.move(c)
	case appeared:
		if isReport(c.Path) {
			return nil
		}
		f.files[c.Path] = &file{path: c.Path, old: f.isOld(c)}
	}
	known := f.files[c.Path]
	if known != nil {
		known.looked = f.looks
	}
	switch {
	case known == nil, known.old && c.Kind == appeared:
		return nil
	case known.host == nil, f.latest == nil:
		known.old = false
		return known
	}
	known.ends = 0
	f.tell(known, c.Path, c.Info)
	return nil
}

// forget takes leave of a file that was removed: what is open of it is read.
func (f *Following) forget(path string) {
	file := f.files[path]
	f.tell(file, path, nil)
	delete(f.files, path)
	if file != nil && file.host != nil {
		file.host.files = slices.DeleteFunc(file.host.files, isIt(file))
	}
}

// isIt tells one file from others.
func isIt(one *file) func(*file) bool { return func(other *file) bool { return other == one } }

// move takes a file that was renamed or compressed.
func (f *Following) move(c change) *file {
	known := f.files[c.From]
	if known == nil {
		return f.note(change{Kind: appeared, Path: c.Path, Info: c.Info})
	}
	delete(f.files, c.From)
	known.path, known.info.Paths, f.files[c.Path] = c.Path, []string{c.Path}, known
	if known.host == nil && !known.old {
		return known
	}
	if m := known.machine(); m != nil {
		m.Records.Moved(c.From, c.Path)
		m.Grow.Dry = false
	}
	return nil
}

// isOld says whether a file certainly ends well before the first row.
func (f *Following) isOld(c change) bool {
	if f.follow.After == 0 {
		return false
	}
	p := period.Period{Since: time.Unix(f.follow.After-walkedSeconds, 0)}
	return p.Outside(period.File{Path: c.Path, Written: c.Info.ModTime()})
}

// walkedSeconds is how long before the first row files are walked: clocks are
// believed once they have run for a while, and steps are differenced.
const walkedSeconds = 3600

// machine is whose the file is, nil where there is none.
func (file *file) machine() *server {
	if file == nil || file.host == nil {
		return nil
	}
	return file.host.machine
}

// tell makes a machine look at one of its files, as it was seen just now; nil asks.
func (f *Following) tell(file *file, path string, now fs.FileInfo) {
	m := file.machine()
	if m == nil || f.follow.Once {
		return
	}
	m.Grow.Dry = false
	if err := m.Records.LookAt(path, now); file != nil {
		file.take(err)
	}
}

// take notes what a look at the file came to.
func (file *file) take(err error) {
	file.waiting = errors.Is(err, sysstat.ErrMore)
	file.refused = nil
	if err != nil && !file.waiting {
		file.refused = err
	}
}

// identify finds out whose the file is.
func (file *file) identify() {
	info, err := identify(file.path, sysstat.OpenGrowing)
	if file.take(err); err == nil {
		file.info = info
	}
}

// enlist gives a file to its host.
func (f *Following) enlist(file *file) {
	if file.info.Name == "" {
		return
	}
	at := slices.IndexFunc(f.hosts, func(h *host) bool { return sysstat.SameHost(h.Name, file.info.Name) })
	if at < 0 {
		h := &host{known: known{hostFiles: hostFiles{Name: file.info.Name}}}
		at, _ = slices.BinarySearchFunc(f.hosts, h, func(a, b *host) int { return topology.Compare(a.Name, b.Name) })
		f.hosts = slices.Insert(f.hosts, at, h)
	}
	if file.host = f.hosts[at]; !slices.Contains(file.host.files, file) {
		file.host.files = append(file.host.files, file)
	}
	if file.host.machine == nil {
		f.stale = true
		return
	}
	f.tell(file, file.path, nil)
}

// filesFrom are the files of a host that may have records from a time on.
func (h *host) filesFrom(from int64) []*file {
	var list []*file
	for _, file := range h.files {
		if file.ends == 0 || file.ends >= from {
			list = append(list, file)
		}
	}
	slices.SortFunc(list, func(a, b *file) int { return topology.Compare(a.path, b.path) })
	return list
}

// gather brings what is known of the hosts that have files up to date.
func (f *Following) gather(from int64) []hostFiles {
	var all []hostFiles
	for _, h := range f.hosts {
		list := h.filesFrom(from)
		if len(list) == 0 && h.machine == nil {
			continue
		}
		joined := hostFiles{Name: h.Name, Seen: h.Seen, TCP: h.TCP, Addresses: h.Addresses}
		for _, file := range list {
			joined.Join(file.info)
		}
		joined.Addresses = slices.Compact(slices.SortedFunc(slices.Values(joined.Addresses), netip.Addr.Compare))
		h.hostFiles = joined
		all = append(all, joined)
	}
	return all
}

// refusals says which files are left out, at the most so many.
func (f *Following) refusals(most int) []string {
	var list []string
	for _, file := range f.files {
		if file.refused != nil {
			list = append(list, fmt.Sprintf("%v (the file is left out until it changes)", file.refused))
		}
	}
	slices.SortFunc(list, topology.Compare)
	return list[:min(len(list), most)]
}
