package activity

import (
	"context"
	"fmt"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/blklat"
	"github.com/limpet-storage/limpet/collect"
	"github.com/limpet-storage/limpet/sysstat"
	"github.com/limpet-storage/limpet/tabular/paths"
	"github.com/limpet-storage/limpet/topology"
)

// hostFiles are the activity files of one host.
type hostFiles struct {
	host     string
	paths    []string
	interval int64 // seconds between records of its finest file, 0 where it has too few
	coarsest int64 // likewise of its coarsest
	disks    bool  // its first records hold some
	// interfaces says whether its first records hold any but the loopback.
	interfaces bool
	addresses  []netip.Addr // that it has, at least those that files begin with
	latencies  bool         // its files have an activity of them

	// What a census found, where one was taken.
	seen []topology.Seen // devices and interfaces
	tcp  bool            // connections are recorded
}

// join takes further files of the host.
func (h *hostFiles) join(f hostFiles) {
	h.paths = append(h.paths, f.paths...)
	h.addresses = append(h.addresses, f.addresses...)
	h.disks, h.interfaces, h.latencies = h.disks || f.disks, h.interfaces || f.interfaces, h.latencies || f.latencies
	if f.interval > 0 && (h.interval == 0 || f.interval < h.interval) {
		h.interval = f.interval
	}
	h.coarsest = max(h.coarsest, f.coarsest)
}

// listFiles lists the files under paths in natural order, each once.
func listFiles(roots []string) ([]string, error) {
	files, err := paths.List(roots)
	slices.SortFunc(files, topology.Compare)
	return slices.Compact(files), err
}

// findActivity sorts the activity files among roots by host. A file that is
// none is left out with a warning, unless it was named itself and is the only
// one: then that is an error.
func findActivity(ctx context.Context, roots []string) ([]hostFiles, []collect.Warning, error) {
	files, err := listFiles(roots)
	if err != nil {
		return nil, nil, err
	}
	var warnings []collect.Warning
	var refused []error
	byHost := map[string]*hostFiles{}
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if isReport(path) {
			continue
		}
		f, err := identify(path, sysstat.Open)
		if err != nil {
			refused = append(refused, err)
			continue
		}
		if h := byHost[f.host]; h != nil {
			h.join(f)
		} else {
			byHost[f.host] = &f
		}
	}
	if len(byHost) == 0 {
		return nil, nil, noActivity(roots, refused)
	}
	for _, err := range refused {
		warnings = append(warnings, collect.Warning{Text: err.Error() + " (the file is left out)"})
	}
	return sortedHosts(byHost), warnings, nil
}

// isReport says whether a file is one of the text reports that sa2 leaves
// beside activity files.
func isReport(path string) bool {
	day, ok := strings.CutPrefix(filepath.Base(path), "sar")
	return ok && strings.Trim(day, "0123456789.gxzb") == ""
}

func noActivity(roots []string, refused []error) error {
	where := strings.Join(roots, ", ")
	if len(refused) == 1 && len(roots) == 1 && strings.HasPrefix(refused[0].Error(), roots[0]+": ") {
		return refused[0] // it was named itself
	}
	if len(refused) == 0 {
		return fmt.Errorf("%s: no files there; name activity files of sysstat (sa*) or a directory of them", where)
	}
	return fmt.Errorf("%s: none of %d files is an activity file: %w", where, len(refused), refused[0])
}

func sortedHosts(byHost map[string]*hostFiles) []hostFiles {
	var hosts []hostFiles
	for _, h := range byHost {
		hosts = append(hosts, *h)
	}
	slices.SortFunc(hosts, func(a, b hostFiles) int { return topology.Compare(a.host, b.host) })
	return mergeHosts(hosts)
}

// mergeHosts joins the files of a host that was called by its short name at
// one time and by its full name at another.
func mergeHosts(hosts []hostFiles) []hostFiles {
	var merged []hostFiles
	for _, h := range hosts {
		same := slices.IndexFunc(merged, func(m hostFiles) bool { return sysstat.SameHost(m.host, h.host) })
		if same < 0 {
			merged = append(merged, h)
			continue
		}
		merged[same].join(h)
	}
	return merged
}

// HostOf reads whose a file is.
func HostOf(path string) (string, error) {
	r, err := sysstat.Open(path)
	if err != nil {
		return "", paths.FileFirst(err)
	}
	defer r.Close()
	return r.Header().Hostname, nil
}

// identify reads the host of a file, how far apart its first records are, and
// which addresses stand ahead of them.
func identify(path string, open func(string) (*sysstat.Reader, error)) (hostFiles, error) {
	r, err := open(path)
	if err != nil {
		return hostFiles{}, paths.FileFirst(err)
	}
	defer r.Close()
	f := hostFiles{host: r.Header().Hostname, paths: []string{path}}
	f.latencies = slices.ContainsFunc(r.Header().Activities, func(a sysstat.Activity) bool { return a.ID == blklat.ID })
	f.firstRecords(r)
	f.addresses = addressesOf(r.Inventory())
	return f, nil
}

// So many intervals, and no fewer, tell how often a file was sampled.
const (
	enoughIntervals = 9
	leastIntervals  = 3
)

// firstRecords finds the median time between the first records of a file, and
// whether they hold disks and interfaces.
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
		h.disks, h.interfaces = h.disks || len(rec.Disks(nil)) > 0, h.interfaces || hasInterfaces(rec)
		if last != 0 && rec.Time > last {
			gaps = append(gaps, rec.Time-last)
		}
		last = rec.Time
	}
	if len(gaps) >= leastIntervals {
		slices.Sort(gaps)
		h.interval = gaps[len(gaps)/2]
		h.coarsest = h.interval
	}
}

func hasInterfaces(rec *sysstat.Record) bool {
	return slices.ContainsFunc(rec.Interfaces(nil), func(i sysstat.Interface) bool { return i.Name != "lo" })
}

// serverName finds a host's name in the topology: as it is, or where either
// has its domain and the other has not.
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
