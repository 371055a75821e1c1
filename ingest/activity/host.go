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

// A host is one machine and its files. It stays in Following.hosts after its files were removed.
type host struct {
	known
	files    []*file
	counted  int // value of Following.looks, the number of checks of the files, at the last call of TakeCensus; 0 if there was no call yet
	machine  *machine
	previous *machine // machine of the host in an earlier epoch (period with one system); nil if there was none, or after the files of the host were opened again
}

// A file is an activity file that is followed, or a file that may become an
// activity file.
type file struct {
	path      string
	info      hostFiles // properties that the first records of the file show
	host      *host     // host of the file; nil if unknown
	ends      int64     // Unix time of the last record; 0 if the file was not read to its end yet
	old       bool      // true if the file ends long before the first row
	waiting   bool      // true if the header of the file is incomplete
	refused   error     // reason why the file is left out; nil if it is used
	changedAt int       // value of Following.looks when the file last changed
}

// scanEvery is the number of checks after which all files are checked again. The checks in between
// cover only the open files, and files that could not be used (see pathsToPoll). A closed file may
// grow too, and its directory does not show this.
const scanEvery = 7

// findFiles finds the files that have appeared, changed or disappeared, and adds new
// files to their hosts.
func (f *Following) findFiles() {
	var changes []change
	f.scanDue = f.scanDue || f.latest == nil || f.looks%scanEvery == 0 || f.watch.DirsChanged()
	if began := f.follow.Now(); f.scanDue && f.mayScan(began) {
		f.scanDue = false
		changes, f.scanErr = f.watch.Scan()
		f.scanned = f.follow.Now()
		f.scanTook = min(f.scanned.Sub(began), longestScan)
	}
	if f.latest != nil {
		changes = append(changes, f.watch.Poll(f.pathsToPoll())...)
	}
	var unknown []*file
	if f.looks++; f.looks%scanEvery == 0 {
		unknown = f.failedFiles()
	}
	for _, c := range changes {
		if file := f.note(c); file != nil {
			unknown = append(unknown, file)
		}
	}
	workers.Each(f.ctx, unknown, (*file).identify)
	for _, file := range unknown {
		f.addFile(file)
	}
}

// scanRest is the shortest time between two scans (checks of all files), divided by the duration of
// a scan. For example, if a scan takes 1 s, the next scan begins at least 9 s later. So even with
// very many files, scans take at most a tenth of the time of one processor core.
const scanRest = 9

// longestScan is an upper bound for the measured duration of a scan. If the clock jumps during a
// scan, the measured duration is wrong. The bound limits the delay of the next scan to scanRest ×
// longestScan, which is nine minutes.
const longestScan = time.Minute

// mayScan reports whether the last scan was long enough ago (see scanRest). A clock that was set
// back does not delay a scan.
func (f *Following) mayScan(now time.Time) bool {
	since := now.Sub(f.scanned)
	return since < 0 || since >= scanRest*f.scanTook
}

// mostRetried is the largest number of unusable files that are tried again at every check. Further
// unusable files are checked only when all files are checked (scanEvery).
const mostRetried = 256

// failedFiles returns the files that could not be read, except damaged files. A failed file may
// become readable although its content stays the same, for example after a change of permissions.
func (f *Following) failedFiles() []*file {
	var list []*file
	for _, file := range f.files {
		if _, damaged := errors.AsType[*sysstat.FormatError](file.refused); file.refused != nil && !damaged {
			list = append(list, file)
		}
	}
	return list
}

// pathsToPoll returns the paths of the files that every check reads: the open files, the files with
// an incomplete header, and the files that failed. At most mostRetried of the paths are incomplete
// or failed.
func (f *Following) pathsToPoll() []string {
	var list []string
	for path, file := range f.files {
		if (file.waiting || file.refused != nil) && len(list) < mostRetried {
			list = append(list, path)
		}
	}
	for _, m := range f.latest.Machines {
		list = append(list, m.Records.Paths()...)
	}
	return list
}

// note updates the files and their hosts after a change of one file. It returns the file if the
// header of the file must be read to find its host.
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
		known.changedAt = f.looks
	}
	switch {
	case known == nil, known.old && c.Kind == appeared:
		return nil
	case known.host == nil && c.Info.Size() == 0: // the file is empty, so it need not be opened
		known.old = false
		known.setResult(sysstat.ErrMore)
		return nil
	case known.host == nil, f.latest == nil:
		known.old = false
		return known
	}
	known.ends = 0
	f.checkFile(known, c.Path, c.Info)
	return nil
}

// forget drops a removed file. A machine that has the file open can still read the file to its end.
func (f *Following) forget(path string) {
	file := f.files[path]
	f.checkFile(file, path, nil)
	delete(f.files, path)
	if file != nil && file.host != nil {
		file.host.files = slices.DeleteFunc(file.host.files, sameFile(file))
	}
}

func sameFile(one *file) func(*file) bool { return func(other *file) bool { return other == one } }

// move changes the path of a file that was renamed or compressed. It returns
// the file if the header of the file must be read to find its host.
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

// isOld reports whether a file ends more than walkedSeconds before the first
// new row (FollowOptions.After).
func (f *Following) isOld(c change) bool {
	if f.follow.After == 0 {
		return false
	}
	p := period.Period{Since: time.Unix(f.follow.After-walkedSeconds, 0)}
	return p.Outside(period.File{Path: c.Path, Written: c.Info.ModTime()})
}

// The records of the last walkedSeconds seconds before the first new row are read too. They are
// needed for two reasons: a clock counts as right only after some time, and a step needs the
// counters at the end of the previous step.
const walkedSeconds = 3600

// machine returns the machine that the file belongs to. It returns nil if the host of the file is
// unknown or has no machine yet.
func (file *file) machine() *machine {
	if file == nil || file.host == nil {
		return nil
	}
	return file.host.machine
}

// checkFile makes the machine of a file check the file for new records. The parameter `now` has the
// present size and modification time of the file; it is nil if they have to be read.
func (f *Following) checkFile(file *file, path string, now fs.FileInfo) {
	m := file.machine()
	if m == nil || f.follow.Once {
		return
	}
	m.Grow.Dry = false
	if err := m.Records.LookAt(path, now); file != nil {
		file.setResult(err)
	}
}

// setResult stores the result of a check of the file: the file is used, or it is refused, or it
// waits for the rest of its header.
func (file *file) setResult(err error) {
	file.waiting = errors.Is(err, sysstat.ErrMore)
	file.refused = nil
	if err != nil && !file.waiting {
		file.refused = err
	}
}

// identify reads the header and the first records of the file. The header
// contains the name of the host.
func (file *file) identify() {
	info, err := identify(file.path, sysstat.OpenGrowing)
	if file.setResult(err); err == nil {
		file.info = info
	}
}

func (f *Following) addFile(file *file) {
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
	f.checkFile(file, file.path, nil)
}

// filesFrom returns the files of the host that may have records at or after the given Unix time.
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

// gather updates the properties of all hosts (hostFiles) and returns them. It leaves out a host if
// its files are not open and all of them end before the given Unix time.
func (f *Following) gather(from int64) []hostFiles {
	var all []hostFiles
	for _, h := range f.hosts {
		list := h.filesFrom(from)
		if len(list) == 0 && h.machine == nil {
			continue
		}
		joined := hostFiles{Name: h.Name, Seen: h.Seen, TCP: h.TCP, Addresses: h.Addresses, Services: h.Services}
		for _, file := range list {
			joined.Join(file.info)
		}
		joined.Addresses = slices.Compact(slices.SortedFunc(slices.Values(joined.Addresses), netip.Addr.Compare))
		h.hostFiles = joined
		all = append(all, joined)
	}
	return all
}

// refusals returns the reasons why files are left out, but at most `most` reasons.
func (f *Following) refusals(most int) []string {
	var list []string
	for _, file := range f.files {
		if file.refused != nil {
			list = append(list, fmt.Sprintf("%v (limpet leaves out this file until it changes)", file.refused))
		}
	}
	slices.SortFunc(list, topology.Compare)
	return list[:min(len(list), most)]
}
