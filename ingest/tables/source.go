package tables

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/tool"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/workers"
	"github.com/limpet-storage/limpet/topology"
)

// A Source makes rows from long tables: CSV and Parquet files with a line for each component and
// time.
//
// A Source reads every file twice:
//
//   - The first reading finds the components, the times and the disorder of each file. The disorder
//     is the longest time by which a line is older than a line before it. The first reading also
//     keeps the samples of some files in memory (keptFile), up to a limit.
//   - The second reading makes rows. It reads only the files whose samples were not kept. A file is
//     open only while rows of its period are made. A [tableCursor] keeps only as many samples in
//     memory as the disorder requires. So a year of daily files takes the memory of one day.
type Source struct {
	options     Options
	maxSamples  int   // largest number of samples of a file in memory
	maxStep     int   // largest number of samples of a step
	windowBytes int64 // largest window of the decompressor of a file, in bytes
	description *Description
	system      *topology.System
	schema      table.Schema
	warnings    []ingest.Warning
	files       []*tableFile
	waiting     []*tableFile   // files that are not open yet, sorted by their earliest time
	active      []*tableCursor // cursors of the open files, in the order of Source.files
	step        *step          // the current step
	serverOf    []int          // for each component: index of its server; nil if the description lacks the key `room`
	row         *table.Row
}

// ParseDescription parses a description. The caller passes the name of the description's file, for
// error messages. The error joins all mistakes. Each mistake is a [yamlfile.LineError], which
// [yamlfile.Explain] prints with its line.
func ParseDescription(name string, data []byte) (*Description, error) {
	return parse(name, data)
}

// Options are the options of [Open].
type Options struct {
	// StepSeconds is the length of a step in seconds. The value 0 means the most frequent interval
	// between two samples of a component.
	StepSeconds int64
	// Dates is the order of day and month in ambiguous dates in the output of tools. If Dates is
	// empty, limpet finds the order from the other dates in the files. If no date shows the order,
	// limpet takes the first number as the month and adds a warning.
	Dates tool.DateOrder
	// MemoryBytes is the approximate memory for samples that are not in the order of time. The value 0
	// means DefaultMemoryBytes. Samples that do not fit into this memory are sorted on disk.
	MemoryBytes int64
	// TempDir is the directory of temporary files. If it is empty, the default directory of the system
	// is used.
	TempDir string

	readTwice bool // only for tests: all files are read twice, and no samples are kept in memory
}

// DefaultMemoryBytes is the default of Options.MemoryBytes: half a gigabyte.
const DefaultMemoryBytes = 512 << 20

// Open opens the tables that match the description. The paths are files and directories.
func Open(ctx context.Context, d *Description, paths []string, o Options) (*Source, error) {
	if o.StepSeconds < 0 {
		return nil, fmt.Errorf("a time step of %d s is not possible; give a positive number, or 0 to let limpet choose the time step from the samples", o.StepSeconds)
	}
	o.MemoryBytes = cmp.Or(o.MemoryBytes, DefaultMemoryBytes)
	files, warnings, err := findTables(d, paths)
	if err != nil {
		return nil, err
	}
	b := boundsOf(o.MemoryBytes, len(files))
	if o.readTwice {
		b.room.Store(0)
	}
	workers.Each(ctx, files, func(f *tableFile) {
		f.dates = o.Dates
		f.examine(ctx, d, b)
	})
	unsure := settleDates(files, o.Dates)
	workers.Each(ctx, unsure.reread, func(f *tableFile) { f.examine(ctx, d, b) })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all := files
	files, refused := readableFiles(all)
	if len(files) == 0 {
		earlier, changed := d.WithConstants(refused)
		if earlier == nil {
			return nil, noneReadable(refused)
		}
		workers.Each(ctx, all, func(f *tableFile) { f.examine(ctx, earlier, b) })
		d, warnings = earlier, append(warnings, changed...)
		if files, refused = readableFiles(all); len(files) == 0 {
			return nil, noneReadable(refused)
		}
	}
	for _, err := range refused {
		warnings = append(warnings, ingest.Warning{Text: fmt.Sprintf("%v (limpet leaves out this file)", err)})
	}
	if err := checkAnyRead(files); err != nil {
		return nil, err
	}
	s := newSurvey(d, files)
	if err := b.checkNames(files[0].Path, s.listed); err != nil {
		return nil, err
	}
	t := &Source{options: o, description: d, warnings: warnings, files: files, windowBytes: b.windowBytes}
	if err := t.begin(s, o.StepSeconds); err != nil {
		return nil, err
	}
	t.warnings = slices.Concat(t.warnings, unsure.warning(), assumedZone(files))
	return t, nil
}

const leastSamples = 1 << 12 // each open file may hold at least this number of samples in memory

// shareMemory sets the largest number of samples that each open file holds in memory, and
// the largest number of samples of a step.
func (t *Source) shareMemory() {
	const besides = 96 // approximate bytes of a sample without its values: its time, component and index, and memory for sorting
	all := t.options.MemoryBytes / int64(besides+16*len(t.description.Columns))
	t.maxSamples = int(max(all/int64(max(maxOverlap(t.files), 1)), leastSamples))
	t.maxStep = int(max(all, leastSamples))
}

// maxOverlap returns the largest number of files that cover the same moment. A file covers
// the time from its first sample to its last sample.
func maxOverlap(files []*tableFile) (most int) {
	type edge struct {
		at   int64
		step int
	}
	var edges []edge
	for _, f := range files {
		if f.scan.samples > 0 {
			edges = append(edges, edge{f.scan.first, 1}, edge{f.scan.last, -1})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.step, a.step)) })
	open := 0
	for _, e := range edges {
		open += e.step
		most = max(most, open)
	}
	return most
}

// readableFiles returns the files that can be read, and the errors of the other files.
func readableFiles(files []*tableFile) (good []*tableFile, refused []error) {
	for _, f := range files {
		if f.scan.err != nil {
			refused = append(refused, f.scan.err)
			continue
		}
		good = append(good, f)
	}
	return good, refused
}

// noneReadable returns the error for the case that none of the files can be read.
func noneReadable(refused []error) error {
	if len(refused) == 1 {
		return refused[0]
	}
	return fmt.Errorf("none of %d files can be read: %w", len(refused), refused[0])
}

// checkAnyRead returns an error in two cases: the files have lines, but no line can be read; or the
// files have values, but no value is a plausible number. The description then does not fit the
// files. If the files have no lines, or only empty fields, there is no error.
func checkAnyRead(files []*tableFile) error {
	what, isBad := "line", func(f *tableFile) bool { return f.scan.badLines > 0 }
	for _, f := range files {
		if slices.Contains(f.scan.measured, true) {
			return nil
		}
		if f.scan.samples > 0 {
			what, isBad = "value", func(f *tableFile) bool { return f.scan.badValues > 0 }
		}
	}
	at := slices.IndexFunc(files, isBad)
	if at < 0 {
		return nil
	}
	first := files[at]
	why := fmt.Sprintf("%s does not fit its description file; correct the description file, or leave this file out", first.Path)
	if len(first.scan.warnings) > 0 {
		why = first.scan.warnings[0].String()
	}
	return ingest.Nothing("no %s of %s can be read: %s", what, english.Count(len(files), "file"), why)
}

func (t *Source) begin(s *survey, stepSeconds int64) error {
	if stepSeconds == 0 {
		stepSeconds = s.commonInterval()
	}
	s.warnStep(stepSeconds)
	system, small, err := topology.List(t.description.Name, s.listed)
	if err != nil {
		return err
	}
	t.warnings = slices.Concat(t.warnings, s.warnings, small, t.description.warnOnlyLoads())
	t.system = system
	t.schema = table.Schema{
		StepSeconds: stepSeconds, Metrics: t.description.Metrics, Components: len(system.Components),
		Load: t.description.Load, Sparse: !t.description.AbsenceTells,
	}
	if len(t.description.room) > 0 {
		t.schema.Servers, t.serverOf = len(system.Servers), serversOf(system)
	}
	t.shareMemory()
	t.row = table.NewRow(t.schema)
	t.step = newStep(t.schema.Components, t.description.Load, t.description.Weighted)
	t.waiting = slices.DeleteFunc(slices.Clone(t.files), func(f *tableFile) bool { return f.scan.samples == 0 })
	slices.SortStableFunc(t.waiting, func(a, b *tableFile) int { return cmp.Compare(a.scan.first, b.scan.first) })
	return nil
}

// System returns the system that the rows describe.
func (t *Source) System() *topology.System { return t.system }

// Schema describes the rows.
func (t *Source) Schema() table.Schema { return t.schema }

// Close closes all open files.
func (t *Source) Close() error {
	for _, c := range t.active {
		c.Close()
	}
	t.active, t.waiting = nil, nil
	return nil
}

// Next returns the next row, or io.EOF at the end. The row is valid until the next call. Next
// returns the error of Check at the end instead of io.EOF, if there is one.
func (t *Source) Next(ctx context.Context) (*table.Row, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		step, ok := t.nextStep()
		if !ok {
			return nil, cmp.Or(t.Check(), io.EOF)
		}
		if err := t.openWaiting(ctx, step); err != nil {
			return nil, err
		}
		if err := t.gather(ctx, step); err != nil {
			return nil, err
		}
		t.row.Clear()
		t.row.End = step * t.schema.StepSeconds
		if t.step.Fold(t.row, t.addRoom) {
			return t.row, nil
		}
	}
}

// addRoom adds the space of a component's file system to the row, and records that the server of
// the component sent data. It does nothing if the description does not have the key `room`. The
// caller passes the values of the component.
func (t *Source) addRoom(who int32, values []float64) {
	if t.serverOf == nil || t.serverOf[who] < 0 {
		return
	}
	s := t.serverOf[who]
	t.row.Heard[s], t.row.Gauges[s].Known = true, true
	if room, ok := t.description.roomOf(int(who), values[len(t.schema.Metrics):]); ok {
		t.row.Gauges[s].Drives = append(t.row.Gauges[s].Drives, room)
	}
}

// nextStep returns the earliest step for which a file still has samples.
func (t *Source) nextStep() (step int64, ok bool) {
	if len(t.waiting) > 0 {
		step, ok = stepOf(t.waiting[0].scan.first, t.schema.StepSeconds), true
	}
	for _, c := range t.active {
		if !ok || c.step < step {
			step, ok = c.step, true
		}
	}
	return step, ok
}

// openWaiting opens the waiting files whose first sample is in the step, or in an earlier step.
func (t *Source) openWaiting(ctx context.Context, step int64) error {
	n := 0
	for n < len(t.waiting) && stepOf(t.waiting[n].scan.first, t.schema.StepSeconds) <= step {
		n++
	}
	if n == 0 {
		return nil
	}
	cursors, err := t.openCursors(ctx, t.waiting[:n])
	t.waiting = t.waiting[n:]
	t.active = append(t.active, cursors...)
	slices.SortFunc(t.active, func(a, b *tableCursor) int { return cmp.Compare(a.file.index, b.file.index) })
	return err
}

// openCursors opens files concurrently, because many files begin at the same time, such
// as the beginning of a day.
func (t *Source) openCursors(ctx context.Context, files []*tableFile) (cursors []*tableCursor, err error) {
	type opening struct {
		file   *tableFile
		cursor *tableCursor
		err    error
	}
	openings := make([]*opening, len(files))
	for i, f := range files {
		openings[i] = &opening{file: f}
	}
	workers.Each(ctx, openings, func(o *opening) { o.cursor, o.err = t.openCursor(ctx, o.file) })
	for _, o := range openings {
		if o.err == nil && o.cursor != nil {
			cursors = append(cursors, o.cursor)
		} else if err == nil {
			err = o.err
		}
	}
	return cursors, cmp.Or(err, ctx.Err())
}

// gather collects the samples of a step, and closes the files that have no more samples.
func (t *Source) gather(ctx context.Context, step int64) error {
	var err error
	t.active = slices.DeleteFunc(t.active, func(c *tableCursor) bool {
		for err == nil && !c.done && c.step == step {
			who, ns, values := c.sample()
			t.step.Add(c.file.index, who, ns, values)
			if err = c.advance(ctx); err == nil && t.step.Len() > t.maxStep {
				err = t.crowdedError(c, step)
			}
		}
		t.noteDuplicates(c)
		if c.done {
			err = cmp.Or(err, c.Close())
		}
		return c.done
	})
	return err
}

// crowdedError returns the error for a step with more samples than memory may hold.
func (t *Source) crowdedError(c *tableCursor, step int64) error {
	return fmt.Errorf("%s: there are more than %d samples in one time step of %d s that ends at %s; give a shorter --step, or increase --max-memory",
		c.file.Path, t.maxStep, t.schema.StepSeconds, time.Unix(step*t.schema.StepSeconds, 0).UTC().Format(time.RFC3339))
}

// noteDuplicates adds to t.step.Twice the duplicate values that the sorter of a file has counted.
func (t *Source) noteDuplicates(c *tableCursor) {
	if c.sorter != nil && c.sorter.duplicates.values > 0 {
		at, d := int32(c.file.index), &c.sorter.duplicates
		t.step.Twice.Note(c.components[d.component], at, at, d.values)
		if d.mixed > 0 {
			t.step.Mixed += d.mixed
			t.step.FirstMixed.Note(c.components[d.component], at, at, d.mixed)
		}
		d.values, d.mixed = 0, 0
	}
}

// Warnings lists the faults of the files, and the peer groups that are too small to
// compare. Duplicate values are found while rows are read. So the list contains only the
// duplicates of rows that were already read.
func (t *Source) Warnings() []ingest.Warning {
	return append(slices.Clone(t.warnings), t.warnTwice()...)
}

// Check returns an error if more than half of the samples contain different values of one metric from
// different lines. The description then gives the same name to different components, and the rows do
// not show real components.
func (t *Source) Check() error {
	if 2*t.step.Mixed <= t.step.Samples {
		return nil
	}
	first := &t.step.FirstMixed
	name, a, b := t.system.Components[first.Component].Name, t.files[first.Files[0]].Path, t.files[first.Files[1]].Path
	where := fmt.Sprintf("%s in %s and in %s", name, a, b)
	if a == b {
		where = fmt.Sprintf("%s, which has several lines of the same time in %s", name, a)
	}
	return fmt.Errorf("%d of %d samples have several values of the same metric, and these values differ: the description file gives several components the same name, such as %s. limpet cannot judge mixed components. Add a column or a field of the path to the setting \"component\", so that each component has its own name; the setting \"files\" takes fields from the path: files: \"{host}/*.csv\" (see limpet help tables)",
		t.step.Mixed, t.step.Samples, where)
}

func (t *Source) warnTwice() []ingest.Warning {
	twice := &t.step.Twice
	if twice.InFiles+twice.InLines == 0 || t.Check() != nil {
		return nil
	}
	before, after := t.files[twice.Files[0]].Path, t.files[twice.Files[1]].Path
	if before == after {
		before = "the same file"
	}
	return []ingest.Warning{{File: after, Text: fmt.Sprintf(
		"%s %s in the data twice, for the same component, metric and time (%d of these values in two files). The first is a value of %s, which is also in %s. limpet uses the value that it reads last. If these are two components, add a column or a field of the path to the setting \"component\"; otherwise remove the other value",
		english.Count(twice.InFiles+twice.InLines, "value"), english.Verb(twice.InFiles+twice.InLines, "is", "are"), twice.InFiles, t.system.Components[twice.Component].Name, before)}}
}
