package history

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/history/segment"
	"github.com/limpet-storage/limpet/topology"
)

// Store is an open history. Only one goroutine may call Begin, Row, Window, Flush and Close.
// Several goroutines may call the other methods at the same time.
type Store struct {
	dir    string
	opts   Options
	reader *segment.Reader
	writer *segment.Writer

	mu       sync.RWMutex // guards the fields from steps to verdicts; only the goroutine that calls Row changes these fields, and this goroutine needs no lock to read them
	steps    *fileTier
	quarters *fileTier
	windows  *fileTier
	rows     *rows // steps that are not on disk yet; nil before Begin
	verdicts *rows // windows that are not on disk yet

	metrics []string // names of the metrics of the schema
	order   []int32  // by position in the layout: index of the component
	places  []int32  // by component: position of the component in the layout
	retryAt int      // 0 if the last write succeeded; otherwise the store tries again when it has this number of rows in memory

	cache    sync.Mutex
	opened   map[string]*segment.Segment
	troubles map[string]string // by path: reason why the file cannot be read
	failing  error             // error of the last write; nil if the last write succeeded, or if there was no write yet
}

// Open opens the history in a directory, or creates it.
func Open(dir string, o Options) (*Store, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	s := &Store{dir: dir, opts: o, opened: map[string]*segment.Segment{}, troubles: map[string]string{}}
	if err := s.open(); err != nil {
		return nil, fmt.Errorf("the history in %s cannot be opened: %w", dir, withoutPath(err))
	}
	return s, nil
}

func (s *Store) open() (err error) {
	if s.reader, err = segment.NewReader(); err != nil {
		return err
	}
	if s.writer, err = segment.NewWriter(); err != nil {
		return err
	}
	for _, t := range []struct {
		at   **fileTier
		name string
		keep Retention
	}{{&s.steps, stepsTier, s.opts.Steps}, {&s.quarters, quartersTier, s.opts.Quarters}, {&s.windows, windowsTier, s.opts.Windows}} {
		if *t.at, err = open(s.dir, t.name, t.keep); err != nil {
			return err
		}
		s.remove(*t.at, (*t.at).Contained())
		for _, e := range (*t.at).Entries {
			if err := segment.Check(e.Path); err != nil {
				_ = s.addTrouble(e, err) // go on, because the other files can be read; Store.Troubles reports this file
			}
		}
	}
	return nil
}

// withoutPath returns an error without the path of the file, because the caller adds a path.
func withoutPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}

// Begin sets the system and the schema of the following rows and windows. The caller must call it
// before the first row, and whenever the system or the schema changes.
func (s *Store) Begin(system *topology.System, schema table.Schema) error {
	layout, order := layoutOf(system)
	metrics := make([]string, len(schema.Metrics))
	for i, m := range schema.Metrics {
		metrics[i] = m.Name
	}
	if s.rows != nil && s.rows.Layout.Hash() == layout.Hash() && slices.Equal(order, s.order) && slices.Equal(metrics, s.metrics) && s.rows.Seconds == schema.StepSeconds {
		return nil
	}
	err := s.flushOrLose()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.metrics, s.order, s.places = metrics, order, make([]int32, len(order))
	for place, c := range order {
		s.places[c] = int32(place)
	}
	s.rows = newWaiting(layout, metrics, schema.StepSeconds)
	s.rows.Seen = make([]segment.Seen, len(metrics)*len(order))
	s.verdicts = newWaiting(layout, windowColumns(metrics), 0)
	return err
}

// layoutOf returns a layout in which peers are next to each other. The second result maps each
// position in the layout to the index of its component in the system.
func layoutOf(system *topology.System) (*segment.Layout, []int32) {
	l := &segment.Layout{}
	var order []int32
	for _, g := range system.Groups {
		l.Groups = append(l.Groups, segment.Group{Name: g.Name, Members: len(g.Members)})
		for _, c := range g.Members {
			order = append(order, int32(c))
			l.Components = append(l.Components, system.Components[c].Name)
		}
	}
	return l, order
}

// errNoSystem is returned if Row or Window is called before Begin.
var errNoSystem = errors.New("internal error: the history has no storage system yet; call Begin first")

// Row stores a row. It ignores a row that is already on disk or in memory. An error means that rows
// could not be written to disk or were lost. Even after an error, the store accepts the next row.
func (s *Store) Row(r *table.Row) error {
	if s.rows == nil {
		return errNoSystem
	}
	if len(r.Values) != len(s.metrics) || len(r.Values) > 0 && len(r.Values[0]) != len(s.order) {
		return errors.New("internal error: the row belongs to another storage system than the history; call Begin when the storage system changes")
	}
	from, to := s.rows.Span()
	if r.End <= max(min(s.steps.End(), s.quarters.End()), to) {
		return nil
	}
	var err error
	if from > 0 && End(from, segmentSeconds) != End(r.End, segmentSeconds) {
		err = s.tryFlush()
	}
	s.mu.Lock()
	row := s.rows.Add(r.End)
	for m, values := range r.Values {
		segment.RoundAll(row[m*len(values):], values, s.places, s.rows.Seen[m*len(values):])
	}
	s.mu.Unlock()
	if r.End%segmentSeconds == 0 || s.mustWrite(r.End) {
		err = s.tryFlush()
	}
	return err
}

// mustWrite reports whether the rows in memory should be written now. The parameter `end` is the end
// time of the last row. Rows are usually written at the end of a quarter hour. A write within a
// quarter hour would divide the quarter hour into two parts.
func (s *Store) mustWrite(end int64) bool {
	const torn = 4 // rows that take 4 times BufferBytes are written even within a quarter hour
	bytes, most := s.rows.Bytes(), s.opts.BufferBytes
	return bytes >= most && end%quarterOf(s.rows.Seconds) == 0 || bytes >= torn*most
}

// segmentSeconds is the longest time that a file of steps covers. When a row ends at a multiple of
// segmentSeconds, the store writes all rows that are not on disk yet.
const segmentSeconds = 3600

// tryFlush writes the waiting rows, which are not on disk yet. After a failed write it does nothing
// until the number of waiting rows reaches s.retryAt.
func (s *Store) tryFlush() error {
	if len(s.rows.Rows) < s.retryAt {
		return nil
	}
	return s.Flush()
}

// Flush writes all rows that are not on disk yet, so that the caller's journal may discard these
// rows. If writing fails, the rows stay in memory. But if the rows need more than five times
// Options.BufferBytes, Flush drops them, and the error contains the time range of the lost rows.
func (s *Store) Flush() error {
	wrote := s.rows != nil && len(s.rows.Times)+len(s.verdicts.Times) > 0
	err := s.flush()
	if err == nil {
		s.retryAt = 0
		if wrote {
			s.setFailing(nil)
		}
		return nil
	}
	const again, most = 20, 5 // a failed write is repeated after 20 more rows (five minutes at steps of 15 s); rows above 5 times BufferBytes are dropped
	s.retryAt = len(s.rows.Rows) + again
	err = fmt.Errorf("the history in %s cannot be written: %w", s.dir, withoutPath(err))
	s.setFailing(err)
	if s.rows.Bytes()+s.verdicts.Bytes() > most*s.opts.BufferBytes {
		return s.lose(err)
	}
	return err
}

// flushOrLose writes all rows that are not on disk yet. If writing fails, it drops these rows.
func (s *Store) flushOrLose() error {
	if s.rows == nil {
		return nil
	}
	if err := s.Flush(); err != nil {
		return s.lose(err)
	}
	return nil
}

// lose drops all rows that are not on disk yet. It adds the time range of the lost rows to the
// error.
func (s *Store) lose(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if from, to := s.rows.Span(); from > 0 {
		err = fmt.Errorf("%w; the history lacks the data from %v", err, Range{From: from, To: to})
	}
	s.rows.Drop()
	s.verdicts.Drop()
	s.retryAt = 0
	s.setFailing(err)
	return err
}

// Failing returns the error of the last write. It returns nil if the last write succeeded.
func (s *Store) Failing() error {
	s.cache.Lock()
	defer s.cache.Unlock()
	return s.failing
}

func (s *Store) setFailing(err error) {
	s.cache.Lock()
	defer s.cache.Unlock()
	s.failing = err
}

// flush writes the rows in memory to each tier (steps, quarter hours, windows). It leaves out rows
// that the tier already has on disk.
func (s *Store) flush() error {
	if s.rows == nil {
		return nil
	}
	fresh := s.rows.RowsAfter(s.quarters.End())
	errs := []error{s.write(s.quarters, quarters(fresh)), s.write(s.steps, s.rows.RowsAfter(s.steps.End())), s.write(s.windows, s.verdicts.RowsAfter(s.windows.End()))}
	if err := errors.Join(errs...); err != nil {
		return errs[slices.IndexFunc(errs, func(err error) bool { return err != nil })]
	}
	s.mu.Lock()
	s.rows.Drop()
	s.verdicts.Drop()
	s.mu.Unlock()
	now := s.steps.End()
	for _, t := range []*fileTier{s.quarters, s.windows} {
		s.joinDays(t)
	}
	for _, t := range s.tiers() {
		s.remove(t, t.Expired(now))
	}
	return nil
}

func (s *Store) tiers() []*fileTier { return []*fileTier{s.steps, s.quarters, s.windows} }

// write writes rows as a segment (file) of the tier t (a directory). It writes nothing if the rows
// have no values.
func (s *Store) write(t *fileTier, rows *rows) error {
	if rows.Seen == nil {
		rows.FindKinds()
	}
	columns := rows.FullColumns()
	if len(columns) == 0 {
		return nil
	}
	h := segment.Head{Layout: rows.Layout, Times: rows.Times, Seconds: rows.Seconds}
	for _, c := range columns {
		h.Columns = append(h.Columns, rows.Columns[c])
	}
	return s.place(t, h, func(column int) (segment.Fill, error) { return rows.Fill(columns[column]), nil })
}

// place writes a segment (file), and adds the segment to the list of the tier t.
func (s *Store) place(t *fileTier, h segment.Head, columns func(int) (segment.Fill, error)) error {
	e, err := t.Place(h.Times[0], h.Times[len(h.Times)-1], func(f *os.File) error {
		out := bufio.NewWriterSize(f, 1<<18)
		if err := s.writer.Write(out, h, columns); err != nil {
			return err
		}
		return out.Flush()
	})
	if e == nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t.Entries = append(slices.Clone(t.Entries), e) // change a copy, because queries may be reading the old list
	t.Sort()
	return err
}

// remove removes segments (files) from the list of a tier and from disk.
func (s *Store) remove(t *fileTier, entries []*entry) {
	if len(entries) == 0 {
		return
	}
	s.mu.Lock()
	t.Entries = difference(t.Entries, entries)
	s.mu.Unlock()
	s.cache.Lock()
	defer s.cache.Unlock()
	for _, e := range entries {
		delete(s.opened, e.Path)
		delete(s.troubles, e.Path)
		os.Remove(e.Path)
	}
}

// Close writes all rows that are not on disk yet. It drops rows that cannot be written.
func (s *Store) Close() error { return s.flushOrLose() }

// Window stores the scores and verdicts of a window. It ignores a window that is already on disk.
// w.Metric is an index into the schema's metrics.
func (s *Store) Window(w *persistence.Window) error {
	if s.verdicts == nil {
		return errNoSystem
	}
	t := s.verdicts
	if w.End <= s.windows.End() || w.Metric >= len(s.metrics) || len(w.Verdicts) == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	at, found := slices.BinarySearch(t.Times, w.End)
	if !found {
		if at < len(t.Times) {
			return nil // the window is earlier than a known window: ignore it (detectors make windows in order of time)
		}
		row := t.Add(w.End)
		for i := range row {
			row[i] = segment.Missing
		}
	}
	putWindow(t.Rows[at], w, s.places)
	return nil
}
