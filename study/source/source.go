package source

import (
	"context"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/internal/paths"
	"github.com/limpet-storage/limpet/study"
)

// Options are the meaning of files, and how they are read.
type Options struct {
	// Description of the files; nil: the description of `limpet simulate fleet`.
	Description *Description
	// Inventory and Events are files in addition to those found in directories.
	Inventory, Events []string
	// Workers is the largest number of streams, and of files that are read in
	// parallel.
	Workers int `name:"workers" least:"1"`
	// MemoryBytes is roughly the memory for sorting.
	MemoryBytes int64 `name:"bytes of memory" least:"16777216"`
	// TempDir is the directory in which records are sorted if they are not in order.
	TempDir string
	// Progress receives the progress of the reading; may be nil.
	Progress *Progress
}

// DefaultOptions returns options that use all cores and half a gigabyte.
func DefaultOptions() Options {
	return Options{Workers: runtime.GOMAXPROCS(0), MemoryBytes: 512 << 20, TempDir: os.TempDir()}
}

// Validate reports all invalid options.
func (o Options) Validate() error {
	return bounds.Check(o)
}

// ParseDescription parses a description; name is its name in errors. The error joins all
// mistakes, each a [yamlfile.LineError], for [yamlfile.Explain].
func ParseDescription(name string, data []byte) (*Description, error) {
	return parse(name, data)
}

// A Source reads the records of a fleet.
type Source struct {
	options     Options
	description *Description
	progress    *Progress
	files       []paths.File
	sizes       []int64 // of the files, when the survey read them
	found       *Files
	directions  []study.Direction
	fleet       *study.Fleet
	events      []study.Event
	groupIndex  map[string]int32
	driveIndex  map[string]int32
	surveyed    *sourceSurvey
	finer       bool        // records have different offsets from the full hour
	shift       int64       // nanoseconds that are added to times around full hours
	sorter      *hourSorter // nil: records are in order
	warned      []Warning
	unreadable  []string // files that could not be opened

	mu      sync.Mutex // guards the fields below
	wrong   tabular.Faults
	broken  []Warning
	folding Folding
	merged  int64 // records whose ambiguous local time may be the later one
}

// Open surveys the files under paths, and sorts their records if they are not in the order of
// time. A path is one of these:
//
//   - a file of records;
//   - a directory of files of records;
//   - a directory with the names records, inventory and events in it.
func Open(ctx context.Context, paths []string, o Options) (*Source, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	s := &Source{options: o, description: o.Description, progress: o.Progress}
	if s.description == nil {
		s.description = defaultDescription()
	}
	if s.progress == nil {
		s.progress = &Progress{}
	}
	s.directions = s.description.Directions()
	if err := s.open(ctx, paths); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Source) open(ctx context.Context, paths []string) (err error) {
	if s.found, err = s.description.Find(paths); err != nil {
		return err
	}
	s.files = s.found.Files
	inventory, err := readInventories(slices.Concat(s.found.Inventory, s.options.Inventory), s.description)
	if err != nil {
		return err
	}
	v, err := s.surveyAll(ctx, !inventory.HasRoles)
	if err != nil {
		return err
	}
	if len(v.quarters) == 0 {
		return s.nothing(v)
	}
	s.surveyed, s.finer = v, isFiner(v.units)
	s.settleHours(v)
	s.list(v, inventory)
	if err := s.settleKinds(ctx, v); err != nil {
		return err
	}
	log, err := readLogs(slices.Concat(s.found.Events, s.options.Events), s.description, s.driveIndex)
	if err != nil {
		return err
	}
	s.events = log.Events
	s.warn(v, inventory, log)
	if !s.ordered() {
		s.sorter, err = s.sort(ctx, v)
	}
	return err
}

// ordered sorts the units by time, and reports whether their records are then in order. If they
// are not, the units stay as they are.
func (s *Source) ordered() bool {
	list := slices.Clone(s.surveyed.units)
	if !inOrder(list, s.finer, s.shift) {
		return false
	}
	s.surveyed.byTime = list
	return true
}

// list makes the fleet: the groups of the records, and the drives of records and inventory,
// sorted by name.
func (s *Source) list(v *sourceSurvey, inventory *driveInventory) {
	s.fleet = &study.Fleet{Groups: sortedKeys(v.groups)}
	s.groupIndex = make(map[string]int32, len(s.fleet.Groups))
	for i, name := range s.fleet.Groups {
		s.groupIndex[name] = int32(i)
	}
	all := make(map[string]roles, len(v.drives))
	for name := range inventory.Drives {
		all[name] = 0
	}
	maps.Copy(all, v.drives)
	s.driveIndex = make(map[string]int32, len(all))
	for i, name := range sortedKeys(all) {
		drive, ok := inventory.Drives[name]
		if !ok {
			drive = study.Drive{Name: name, Kind: s.description.Kind}
		}
		if all[name] == asParity && !inventory.HasRoles {
			drive.Role = study.Parity
		}
		s.driveIndex[name] = int32(i)
		s.fleet.Drives = append(s.fleet.Drives, drive)
	}
}

func sortedKeys[K int32 | string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// Fleet returns the groups and drives of the records. It does not change after Open.
func (s *Source) Fleet() *study.Fleet { return s.fleet }

// Events returns the events of the fleet's drives, in the order of time.
func (s *Source) Events() []study.Event { return s.events }

// Hours returns the first hour with records, and one past the last.
func (s *Source) Hours() (from, to int32) {
	hours := sortedKeys(s.surveyed.hours)
	return hours[0], hours[len(hours)-1] + 1
}

// Finer reports whether records are finer than hours, and are folded.
func (s *Source) Finer() bool { return s.finer }

// Sorted reports whether the records are in the order of time in the files, so that they need
// no sorting.
func (s *Source) Sorted() bool { return s.sorter == nil }

// Streams returns the drive hours as streams, one for each goroutine. The streams are ranges of
// time that do not overlap, in the order of time. Each stream can be read once. The streams end
// when the context ends.
func (s *Source) Streams(ctx context.Context) []study.Hours {
	if s.sorter == nil {
		return s.sortedStreams(ctx)
	}
	s.progress.start(Reading, s.rows())
	var streams []study.Hours
	for _, f := range s.sorter.Feeds(s.options.Workers, s.progress.take) {
		streams = append(streams, newStream(ctx, f, s.shape(), s.fold))
	}
	return streams
}

// sortedStreams returns streams with about the same number of rows, for records that are in
// order.
func (s *Source) sortedStreams(ctx context.Context) []study.Hours {
	s.progress.begin(Reading, s.surveyed.byTime)
	bounds := splitHours(s.surveyed.hours, s.options.Workers)
	_, end := s.Hours()
	var streams []study.Hours
	for i, to := range append(bounds[1:], end) {
		f := &sortedFeed{reader: s.newReader(), units: s.surveyed.byTime, from: bounds[i], to: to, isFirst: i == 0}
		done := func(n Folding) {
			f.close()
			s.report(f.reader)
			s.fold(n)
		}
		streams = append(streams, newStream(ctx, f, s.shape(), done))
	}
	return streams
}

// rows returns the number of rows that are not left out.
func (s *Source) rows() (n int64) {
	for _, rows := range s.surveyed.hours {
		n += rows
	}
	return n
}

// shape returns the shape of the streams. If all I/O is computed from reads and writes, it takes
// the flag Rate from reads.
func (s *Source) shape() shape {
	shape := shape{Groups: len(s.fleet.Groups), Drives: len(s.fleet.Drives), Directions: s.directions, Finer: s.finer, MaxHourRows: s.maxRows()}
	for _, d := range s.directions {
		m := s.description.Measures[d]
		if m == nil {
			m = s.description.Measures[study.Reads]
		}
		shape.Rates = append(shape.Rates, m.IOs.Rate)
	}
	return shape
}

// Close removes temporary files. No stream may be read afterwards.
func (s *Source) Close() error {
	if s.sorter == nil {
		return nil
	}
	return s.sorter.Close()
}
