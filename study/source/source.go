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

// Options say what files hold and how they are read.
type Options struct {
	// Description of the files; nil: that of `limpet simulate fleet`.
	Description *Description
	// Inventory and Events are files beside those found in directories.
	Inventory, Events []string
	// Workers is how many streams there are at most, and how many files are
	// read side by side.
	Workers int `name:"workers" least:"1"`
	// MemoryBytes is about what sorting takes.
	MemoryBytes int64 `name:"bytes of memory" least:"16777216"`
	// TempDir is where records are sorted that are not in order.
	TempDir string
	// Progress is told how far reading is; nil: no one asks.
	Progress *Progress
}

// DefaultOptions use all cores and half a gigabyte.
func DefaultOptions() Options {
	return Options{Workers: runtime.GOMAXPROCS(0), MemoryBytes: 512 << 20, TempDir: os.TempDir()}
}

// Validate reports everything that cannot be done.
func (o Options) Validate() error {
	return bounds.Check(o)
}

// ParseDescription reads a description; name is what errors call it. The error joins all mistakes, each a
// [yamlfile.LineError], for [yamlfile.Explain].
func ParseDescription(name string, data []byte) (*Description, error) {
	return parse(name, data)
}

// A Source is the records of a fleet, ready to be read.
type Source struct {
	options     Options
	description *Description
	progress    *Progress
	files       []paths.File
	sizes       []int64 // of the files, as the survey found them
	found       *Files
	directions  []study.Direction
	fleet       *study.Fleet
	events      []study.Event
	groupIndex  map[string]int32
	driveIndex  map[string]int32
	surveyed    *sourceSurvey
	finer       bool        // than hourly, or not at full hours
	shift       int64       // nanoseconds that times are put forward, so that hours are whole
	sorter      *hourSorter // nil: records are in order
	warned      []Warning
	unreadable  []string // files of which nothing could be read

	mu      sync.Mutex // guards what follows
	wrong   tabular.Faults
	broken  []Warning
	folding Folding
	merged  int64 // records whose local time may be a later one
}

// Open surveys the files under paths, and sorts their records where these are
// not in the order of time. A path is a file of records or a directory: of
// such files, or with records, inventory and events by those names.
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

// ordered puts units into the order of time if that makes one of records.
func (s *Source) ordered() bool {
	list := slices.Clone(s.surveyed.units)
	if !inOrder(list, s.finer, s.shift) {
		return false
	}
	s.surveyed.byTime = list
	return true
}

// list makes the fleet: all groups of records, and all drives of records and
// inventory, by name.
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

// Fleet is who the records are about; it does not change any more.
func (s *Source) Fleet() *study.Fleet { return s.fleet }

// Events are those of the fleet's drives, in the order of time.
func (s *Source) Events() []study.Event { return s.events }

// Hours is the first hour that has records, and the first after the last.
func (s *Source) Hours() (from, to int32) {
	hours := sortedKeys(s.surveyed.hours)
	return hours[0], hours[len(hours)-1] + 1
}

// Finer says whether records were finer than hours, and are folded.
func (s *Source) Finer() bool { return s.finer }

// Sorted says whether the records were in the order of time.
func (s *Source) Sorted() bool { return s.sorter == nil }

// Streams returns the drive hours as streams of ranges of time that do not
// overlap, in their order, for as many goroutines. Each is read once; they end
// with the context.
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

// sortedStreams cut the hours so that each stream has about as many rows.
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

// rows counts all good ones.
func (s *Source) rows() (n int64) {
	for _, rows := range s.surveyed.hours {
		n += rows
	}
	return n
}

// shape says what the streams are of. All I/O that is made of reads and writes
// has rates if they have.
func (s *Source) shape() shape {
	shape := shape{Groups: len(s.fleet.Groups), Drives: len(s.fleet.Drives), Directions: s.directions, Finer: s.finer, MaxRows: s.maxRows()}
	for _, d := range s.directions {
		m := s.description.Measures[d]
		if m == nil {
			m = s.description.Measures[study.Reads]
		}
		shape.Rates = append(shape.Rates, m.IOs.Rate)
	}
	return shape
}

// Close removes temporary files. No stream may be read any more.
func (s *Source) Close() error {
	if s.sorter == nil {
		return nil
	}
	return s.sorter.Close()
}
