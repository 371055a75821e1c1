package activity

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/paths"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// hostFiles are the activity files of one host, and the properties that the
// headers and the first records of these files show.
type hostFiles struct {
	Name     string
	Paths    []string
	Interval int64 // seconds between records, in the file with the shortest interval; 0 if unknown, because the files have too few records
	Coarsest int64 // seconds between records, in the file with the longest interval
	Disks    bool  // true if the first records have disks
	// Interfaces is true if the first records have a network interface other
	// than the loopback interface.
	Interfaces bool
	Addresses  []netip.Addr // IP addresses of the host; before the first call of TakeCensus only the addresses at the start of the files
	Latencies  bool         // true if a file has request latencies
	Services   bool         // true if the files describe the services of a cluster, such as the OSDs of a Ceph cluster, and not a real server

	// Results of TakeCensus. They are empty before the first call of
	// TakeCensus.
	Seen []topology.Seen // devices and interfaces
	TCP  bool            // true if the files have TCP connections
	// Empty is true if the files have no record with data.
	Empty bool
	// Damage is the first damage in the files because of which data are missing; nil if there is
	// none.
	Damage error
}

// Join adds further files of the host, and combines their properties with the properties of h.
func (h *hostFiles) Join(f hostFiles) {
	h.Paths = append(h.Paths, f.Paths...)
	h.Addresses = append(h.Addresses, f.Addresses...)
	h.Disks, h.Interfaces, h.Latencies = h.Disks || f.Disks, h.Interfaces || f.Interfaces, h.Latencies || f.Latencies
	h.Services = h.Services || f.Services
	if f.Interval > 0 && (h.Interval == 0 || f.Interval < h.Interval) {
		h.Interval = f.Interval
	}
	h.Coarsest = max(h.Coarsest, f.Coarsest)
}

// listFiles returns the files at the given roots (files or directories), each file once, in natural
// order: sa2 before sa10.
func listFiles(roots []string) ([]string, error) {
	files, err := paths.List(roots)
	slices.SortFunc(files, topology.Compare)
	return slices.Compact(files), err
}

// groupByHost groups the activity files below the roots by host. It leaves out files in another
// format, and warns of them. There is no warning for two kinds of files: text reports of sar, and
// files in a directory that have the extension of another format (otherFormat).
//
// It returns an error if there is no activity file. It also returns an error if the user may not
// read one of the files. Without that file, the other servers would lack a peer.
func groupByHost(ctx context.Context, roots []string) ([]hostFiles, []ingest.Warning, error) {
	files, err := listFiles(roots)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%w; name activity files or a directory of them, such as /var/log/sysstat (on RHEL: /var/log/sa)", err)
	}
	if err != nil {
		return nil, nil, err
	}
	var refused, others []error
	var reports []string
	byHost := map[string]*hostFiles{}
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if isReport(path) {
			reports = append(reports, path)
			continue
		}
		f, err := identify(path, sysstat.Open)
		if err != nil && otherFormat[filepath.Ext(path)] && !slices.Contains(roots, path) && !errors.Is(err, fs.ErrPermission) {
			others = append(others, err)
			continue
		}
		if err != nil {
			refused = append(refused, err)
			continue
		}
		if h := byHost[f.Name]; h != nil {
			h.Join(f)
		} else {
			byHost[f.Name] = &f
		}
	}
	switch denied := permissionDenied(refused); {
	case len(denied) > 0:
		return nil, nil, unreadableError(roots, denied, len(files)-len(reports))
	case len(byHost) > 0:
		return sortedHosts(byHost), leftOutWarnings(refused), nil
	case len(refused)+len(others) == 0 && len(reports) > 0:
		return nil, nil, onlyReportsError(roots, reports)
	}
	return nil, nil, noActivity(roots, append(refused, others...))
}

// otherFormat has the extensions of other files that are often in the same directory as activity
// files: web pages, topology files, tables and other documents. If a file with such an extension is
// not an activity file, limpet does not warn of it.
var otherFormat = map[string]bool{".html": true, ".yaml": true, ".yml": true, ".json": true, ".csv": true, ".md": true, ".txt": true}

// permissionDenied returns the errors in `refused` that concern files that the user may not read.
func permissionDenied(refused []error) (denied []error) {
	for _, err := range refused {
		if errors.Is(err, fs.ErrPermission) {
			denied = append(denied, err)
		}
	}
	return denied
}

// unreadableError returns the error for files that the user may not read. The parameter `files` is
// the number of all files.
func unreadableError(roots []string, denied []error, files int) error {
	if files == 1 {
		return fmt.Errorf("%w; run limpet as a user who may read the file", denied[0])
	}
	return fmt.Errorf("%s: %d of %d files cannot be read (%w); run limpet as a user who may read these files, or name only files that you may read", strings.Join(roots, ", "), len(denied), files, denied[0])
}

// leftOutWarnings returns the warnings about files that are not activity files. A
// directory may hold many such files. So the warnings name only the first three files, and add the
// number of the other files.
func leftOutWarnings(refused []error) (warnings []ingest.Warning) {
	const few = 3
	for _, err := range refused[:min(len(refused), few)] {
		warnings = append(warnings, ingest.Warning{Text: err.Error() + " (limpet leaves out this file)"})
	}
	if more := len(refused) - few; more > 0 {
		warnings = append(warnings, ingest.Warning{Text: fmt.Sprintf("%s %s left out; name activity files, or another directory", english.Count(more, "more file"), english.Verb(more, "is not an activity file and is", "are not activity files and are"))})
	}
	return warnings
}

// onlyReportsError returns the error for directories that hold only text reports of
// sar.
func onlyReportsError(roots, reports []string) error {
	return fmt.Errorf("%s: the directory has only text reports of sar, such as %s; sa2 makes these reports from activity files. Name the activity files (sa*), which hold more data, or read the reports with --tables sar", strings.Join(roots, ", "), reports[0])
}

// isReport reports whether a file has the name of a text report of sar. sa2
// writes such reports into the directory of the activity files.
func isReport(path string) bool {
	day, ok := strings.CutPrefix(filepath.Base(path), "sar")
	return ok && strings.Trim(day, "0123456789.gxzb") == ""
}

func noActivity(roots []string, refused []error) error {
	where := strings.Join(roots, ", ")
	if allErrors(refused, isEmpty) {
		return noFilesFound(where, refused)
	}
	if len(refused) == 1 && len(roots) == 1 && strings.HasPrefix(refused[0].Error(), roots[0]+": ") {
		return refused[0] // the user named this file and not a directory, so the error of the file is enough
	}
	return fmt.Errorf("%s: none of %d files is an activity file: %w", where, len(refused), refused[0])
}

// noFilesFound returns the error for directories without files, and for empty
// files.
func noFilesFound(where string, empty []error) error {
	switch len(empty) {
	case 0:
		return ingest.Nothing("%s: there are no files. If sysstat should write its files there, enable sysstat (systemctl enable --now sysstat). Otherwise name a directory with activity files (sa*), or record with limpet record", where)
	case 1:
		return ingest.Nothing("%w", empty[0])
	}
	return ingest.Nothing("%s: none of %d files has a record: %w", where, len(empty), empty[0])
}

// isEmpty reports whether a file was refused because it is empty.
func isEmpty(refused error) bool {
	f, ok := errors.AsType[*sysstat.FormatError](refused)
	return ok && f.Empty
}

func allErrors(errs []error, is func(error) bool) bool {
	return !slices.ContainsFunc(errs, func(err error) bool { return !is(err) })
}

func sortedHosts(byHost map[string]*hostFiles) []hostFiles {
	var hosts []hostFiles
	for _, h := range byHost {
		hosts = append(hosts, *h)
	}
	slices.SortFunc(hosts, func(a, b hostFiles) int { return topology.Compare(a.Name, b.Name) })
	return mergeHosts(hosts)
}

// mergeHosts joins the files of a host that appears under two names: its short name, such as oss1,
// and its full name, such as oss1.example.org.
func mergeHosts(hosts []hostFiles) []hostFiles {
	var merged []hostFiles
	for _, h := range hosts {
		same := slices.IndexFunc(merged, func(m hostFiles) bool { return sysstat.SameHost(m.Name, h.Name) })
		if same < 0 {
			merged = append(merged, h)
			continue
		}
		merged[same].Join(h)
	}
	return merged
}

// HostOf returns the host name in the header of a file.
func HostOf(path string) (string, error) {
	r, err := sysstat.Open(path)
	if err != nil {
		return "", paths.FileFirst(err)
	}
	defer r.Close()
	return r.Header().Hostname, nil
}

// identify reads the host name of a file, the interval between its first
// records, and the addresses at the start of the file.
func identify(path string, open func(string) (*sysstat.Reader, error)) (hostFiles, error) {
	r, err := open(path)
	if err != nil {
		return hostFiles{}, paths.FileFirst(err)
	}
	defer r.Close()
	f := hostFiles{Name: r.Header().Hostname, Paths: []string{path}}
	f.Latencies = slices.ContainsFunc(r.Header().Activities, func(a sysstat.Activity) bool { return a.ID == blklat.ID })
	f.firstRecords(r)
	f.Addresses = addressesOf(r.Inventory())
	f.Services = slices.ContainsFunc(r.Inventory().Devices(), func(d sysstat.Device) bool { return d.Major == sysstat.ServiceMajor })
	return f, nil
}

// firstRecords finds the usual interval between the first records of a file (medianGap), and whether
// these records have disks and interfaces.
func (h *hostFiles) firstRecords(r *sysstat.Reader) {
	var gaps []int64
	for last := int64(0); len(gaps) < enoughIntervals; {
		rec, err := r.Next()
		if err != nil {
			break
		}
		if rec.Type != sysstat.Stats {
			last = 0
			continue
		}
		h.Disks, h.Interfaces = h.Disks || len(rec.Disks(nil)) > 0, h.Interfaces || hasInterfaces(rec)
		if last != 0 && rec.Time > last {
			gaps = append(gaps, rec.Time-last)
		}
		last = rec.Time
	}
	h.Interval = medianGap(gaps)
	h.Coarsest = h.Interval
}

func hasInterfaces(rec *sysstat.Record) bool {
	return slices.ContainsFunc(rec.Interfaces(nil), func(i sysstat.Interface) bool { return i.Name != "lo" })
}

// serverName returns the name that the topology has for a host. The two names may differ, such as
// oss1 and oss1.example.org. If the topology does not have the host, serverName returns the given
// name.
func serverName(host string, system *topology.System) string {
	if slices.Contains(system.Servers, host) {
		return host
	}
	for _, server := range system.Servers {
		if sysstat.SameHost(host, server) {
			return server
		}
	}
	return host
}
