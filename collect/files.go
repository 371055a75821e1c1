package collect

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// hostFiles are the activity files of one host.
type hostFiles struct {
	host     string
	paths    []string
	interval int64 // seconds between its records, 0 where it has too few
}

// listFiles walks paths, which may be files and directories, in natural
// order. Hidden files in directories are passed over.
func listFiles(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
			hidden := p != path && strings.HasPrefix(filepath.Base(p), ".")
			switch {
			case err != nil:
				return err
			case hidden && d.IsDir():
				return filepath.SkipDir
			case !hidden && !d.IsDir():
				files = append(files, p)
			}
			return nil
		})
		if err != nil {
			return nil, plain(err)
		}
	}
	slices.SortFunc(files, topology.Compare)
	return slices.Compact(files), nil
}

// findActivity sorts the activity files among paths by host. A file that is
// none is left out with a warning, unless it was named itself and is the only
// one: then that is an error.
func findActivity(paths []string) ([]hostFiles, []Warning, error) {
	files, err := listFiles(paths)
	if err != nil {
		return nil, nil, err
	}
	var warnings []Warning
	var refused []error
	byHost := map[string]*hostFiles{}
	for _, path := range files {
		if isReport(path) {
			continue
		}
		host, interval, err := identify(path)
		if err != nil {
			refused = append(refused, err)
			continue
		}
		h := byHost[host]
		if h == nil {
			h = &hostFiles{host: host}
			byHost[host] = h
		}
		h.paths = append(h.paths, path)
		if interval > 0 && (h.interval == 0 || interval < h.interval) {
			h.interval = interval
		}
	}
	if len(byHost) == 0 {
		return nil, nil, noActivity(paths, refused)
	}
	for _, err := range refused {
		warnings = append(warnings, Warning{Text: err.Error() + " (the file is left out)"})
	}
	return sortedHosts(byHost), warnings, nil
}

// isReport says whether a file is one of the text reports that sa2 leaves
// beside activity files.
func isReport(path string) bool {
	day, ok := strings.CutPrefix(filepath.Base(path), "sar")
	return ok && strings.Trim(day, "0123456789.gxzb") == ""
}

func noActivity(paths []string, refused []error) error {
	where := strings.Join(paths, ", ")
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
		merged[same].paths = append(merged[same].paths, h.paths...)
	}
	return merged
}

// identify reads the host of a file, and how far apart its first records are.
func identify(path string) (host string, interval int64, err error) {
	r, err := sysstat.Open(path)
	if err != nil {
		return "", 0, plain(err)
	}
	defer r.Close()
	return r.Header().Hostname, commonInterval(r), nil
}

// plain makes the errors of the operating system name the file first, as all
// others do.
func plain(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return fmt.Errorf("%s: %w", p.Path, p.Err)
	}
	return err
}

// So many intervals, and no fewer, tell how often a file was sampled.
const (
	enoughIntervals = 9
	leastIntervals  = 3
)

// commonInterval is the median time between the first records of a file.
func commonInterval(r *sysstat.Reader) int64 {
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
		if last != 0 && rec.Time > last {
			gaps = append(gaps, rec.Time-last)
		}
		last = rec.Time
	}
	if len(gaps) < leastIntervals {
		return 0
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
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

// seenDevices lists the devices of all files, for a system without a topology
// file. Devices come and go, so every file is walked, and decoded now and then.
func seenDevices(files []hostFiles) ([]topology.Seen, error) {
	all := make([][]topology.Seen, len(files))
	errs := make([]error, len(files))
	numbers := make([]int, len(files))
	for i := range numbers {
		numbers[i] = i
	}
	inParallel(numbers, func(i int) { all[i], errs[i] = seenOn(files[i]) })
	return slices.Concat(all...), errors.Join(errs...)
}

// lookEvery is how many seconds may pass until devices are looked at again: a
// drive may be replaced without their number changing.
const lookEvery = 60

func seenOn(f hostFiles) ([]topology.Seen, error) {
	records, err := sysstat.OpenAll(f.paths)
	if err != nil {
		return nil, err
	}
	defer records.Close()
	devices := map[device]bool{}
	var disks []sysstat.Disk
	count, looked := -1, int64(0)
	for {
		rec, err := records.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		_, n, _ := rec.Items(sysstat.DiskActivity)
		if rec.Type != sysstat.Stats || n == count && !rec.Restarted && rec.Time < looked+lookEvery {
			continue
		}
		count, looked = n, rec.Time
		disks = rec.Disks(disks)
		for i := range disks {
			devices[deviceOf(&disks[i])] = true
		}
	}
	return sightings(f.host, devices, records.Inventory()), nil
}

func deviceOf(d *sysstat.Disk) device { return device{d.Major, d.Minor, d.WWN, d.Partition} }

// sightings says what is known of the devices of a host.
func sightings(host string, devices map[device]bool, inv *sysstat.Inventory) []topology.Seen {
	var seen []topology.Seen
	for d := range devices {
		s := topology.Seen{Kind: topology.Attachment, Server: host, Device: d.topology(inv)}
		if known, ok := inv.Device(d.major, d.minor); ok {
			s.Model, s.SizeBytes = known.Model, known.Size
		}
		seen = append(seen, s)
	}
	slices.SortFunc(seen, func(a, b topology.Seen) int { return topology.Compare(a.Device.String(), b.Device.String()) })
	return seen
}
