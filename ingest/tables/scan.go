package tables

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"sync/atomic"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/ingest/tool"
	"github.com/limpet-storage/limpet/topology"
)

// bounds limits the memory that is needed to read files.
type bounds struct {
	windowBytes int64         // largest window of the decompressor of each file, in bytes
	components  int           // largest number of components of one file, and of all files
	room        *atomic.Int64 // bytes of memory that are left for the samples of files (keptFile)
	buffers     *sync.Pool    // empty buffers for the samples of a file that is being read (samples)
}

const (
	windowShare     = 4       // all decompressors together may take 1/windowShare of the memory
	componentBytes  = 4 << 10 // approximate bytes of memory for a component, in lists and in the system
	leastComponents = 1 << 12 // this number of components is always allowed, even if they take more than the memory limit
	keptShare       = 4       // the samples of files (keptFile) may take 1/keptShare of the memory
)

func boundsOf(memoryBytes int64, files int) bounds {
	b := bounds{
		windowBytes: max(memoryBytes/windowShare/int64(files), 1),
		components:  int(max(memoryBytes/componentBytes, leastComponents)),
		room:        new(atomic.Int64),
		buffers:     &sync.Pool{New: func() any { return new(samples) }},
	}
	b.room.Store(memoryBytes / keptShare)
	return b
}

// checkNames returns an error if there are too many components. Their names are then
// probably made from a column that does not contain names, such as the time.
func (b bounds) checkNames(path string, names []topology.Listed) error {
	if len(names) <= b.components {
		return nil
	}
	return fmt.Errorf("%s: there are more than %d components, such as %s, and the memory limit allows no more; check the setting \"component\" in the description file, or increase --max-memory", path, b.components, names[0].Name)
}

// A tableScan has the results of the first reading of a file.
type tableScan struct {
	listed        []topology.Listed // components in the order of their first line
	contradictory []int32           // numbers of components whose lines disagree about a property, see roster
	seen          []sighting        // times of the lines of each component
	first, last   int64             // earliest and latest time of a sample, in ns
	disorder      int64             // longest time by which a sample is older than a sample before it, in ns
	samples       int
	badLines      int64          // number of lines that are left out
	badValues     int64          // number of values that are not plausible numbers, and count as missing
	measured      []bool         // for each metric: true if at least one sample has a value of the metric
	leftOut       []string       // devices that are not drives
	dates         tool.DateOrder // order of day and month in the dates of the file; empty if unknown
	unsureDate    string         // the first ambiguous date
	zones         timeZones
	warnings      []ingest.Warning
	err           error
}

// A sighting has the times of the first and the last line of a component, and the intervals between
// its lines.
type sighting struct {
	first, last int64 // times of the first and the last line of the component, in ns
	intervals   counts
}

// examine reads the whole file and sets f.scan. If some data of the file are broken, examine leaves
// out these data and all later data, and adds a warning. If the file does not match the
// description, f.scan.err is set.
func (f *tableFile) examine(ctx context.Context, d *Description, b bounds) {
	f.kept.drop(b.room)
	f.scan = tableScan{first: math.MaxInt64, last: math.MinInt64, measured: make([]bool, len(d.Columns))}
	r, err := f.open(d, b.windowBytes)
	switch {
	case isEnd(err):
		f.warn(endsHere(err))
		return
	case err != nil:
		f.scan.err = err
		return
	}
	defer r.Close()
	f.scan.err = f.scanSamples(ctx, r, len(d.Columns), b)
	f.scan.listed, f.scan.contradictory, f.scan.leftOut = r.roster.listed, r.roster.contradictory, r.table.LeftOut()
	f.scan.dates, f.scan.unsureDate = r.table.DateOrder()
	if r.clock != nil {
		r.zones.add(r.clock)
	}
	f.scan.zones = r.zones
	f.scan.badLines, f.scan.badValues = r.faults.Rows(), r.faults.Count(tabular.NotNumber, tabular.Negative, tabular.Infinite, tabular.Unbelievable)
	f.scan.warnings = append(r.warnings(f.Path), f.scan.warnings...)
}

func (f *tableFile) warn(text string) {
	f.scan.warnings = append(f.scan.warnings, ingest.Warning{File: f.Path, Text: text})
}

func (f *tableFile) scanSamples(ctx context.Context, r *reader, metrics int, b bounds) error {
	buffer := b.buffers.Get().(*samples)
	defer b.buffers.Put(buffer)
	k := keeper{samples: *buffer, room: b.room}
	k.metrics = metrics
	k.clear()
	defer func() { *buffer = k.samples }()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		from := k.begin()
		err := r.read(&k.samples)
		for i := from; i < k.Len(); i++ {
			f.scan.add(k.times[i], k.components[i])
			f.scan.noteMeasured(k.valuesOf(i))
		}
		if isEnd(err) {
			f.kept = k.end(r.roster.listed)
		}
		if err := b.checkNames(f.Path, r.roster.listed); err != nil {
			return err
		}
		switch {
		case err == io.EOF:
			return nil
		case isEnd(err) && f.scan.samples == 0 && isOther(err):
			return fmt.Errorf("%s: %s", f.Path, endsHere(err))
		case isEnd(err):
			f.warn(endsHere(err))
			return nil
		case err != nil:
			return err
		}
	}
}

// isOther reports whether an error means that the file is not the output of the tool in the
// description (Description.Format).
func isOther(err error) bool {
	_, other := errors.AsType[*tool.Error](err)
	return other
}

func (s *tableScan) add(ns int64, who int32) {
	s.samples++
	s.first, s.last = min(s.first, ns), max(s.last, ns)
	s.disorder = max(s.disorder, s.last-ns)
	if int(who) == len(s.seen) {
		s.seen = append(s.seen, sighting{first: ns, last: ns})
	}
	c := &s.seen[who]
	c.intervals.Between(c.last, ns)
	c.last = ns
}

func (s *tableScan) noteMeasured(values []float64) {
	for m, v := range values {
		if !table.IsMissing(v) {
			s.measured[m] = true
		}
	}
}
