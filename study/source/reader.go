package source

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/internal/paths"
	"github.com/limpet-storage/limpet/study"
)

// A reader reads the records of units. It keeps the numbers of names from one unit to the next.
type reader struct {
	*Source
	file   file
	group  *tabular.Keys
	drive  *tabular.Keys
	lost   bool // a name occurred that the survey had not found
	part   tabular.Reader
	block  tabular.Block
	places [study.Directions]places
	faults tabular.Faults
	broken []Warning
	// listening is true if this reader counts the faults of the unit. If several readers
	// read a unit, only one counts them.
	listening bool
	unit      int            // index of the unit
	walls     *tabular.Walls // for local times that occur twice; nil: there are none
	folded    []int32        // by drive: hour of its last record with an ambiguous local time
	merged    int64          // records whose ambiguous local time may be the later one
}

// places holds the indexes of a direction's columns in a block; 0: none.
type places struct{ ios, latency, size int }

func (s *Source) newReader() *reader {
	r := &reader{Source: s}
	if slices.ContainsFunc(s.surveyed.units, func(u unit) bool { return u.Ambiguous }) {
		r.walls, r.folded = &tabular.Walls{}, make([]int32, len(s.fleet.Drives))
	}
	r.group = keysOf(s.description.Group, func(name string) int32 { return r.known(s.groupIndex, name) })
	r.drive = keysOf(s.description.Drive, func(name string) int32 { return r.known(s.driveIndex, name) })
	return r
}

// keysOf returns keys that number records by their names.
func keysOf(t tabular.Template, find func(name string) int32) *tabular.Keys {
	return tabular.NewKeys(t.Fields(), func(value func(string) string) int32 { return find(t.Fill(value)) })
}

func (r *reader) known(index map[string]int32, name string) int32 {
	i, ok := index[name]
	r.lost = r.lost || !ok
	return i
}

// begin begins a unit. It counts the faults of the unit if withFaults is true.
func (r *reader) begin(u *unit, index int, withFaults bool) error {
	r.endPart()
	f := &r.files[u.File]
	if err := r.file.Open(u.File, f.Path, r.written(u.File)); err != nil {
		return err
	}
	r.unit = index
	if r.walls != nil && !u.Ambiguous {
		r.walls.Forget()
	}
	wants, err := r.allColumns(f)
	if err != nil {
		return err
	}
	var faults *tabular.Faults
	if withFaults {
		faults, r.faults.Part = &r.faults, index
	}
	r.listening = withFaults
	r.part, err = r.file.Read(u.Part, wants, r.description.Time.Clock.Copy(), faults)
	if isBroken(err) {
		r.giveUp(err)
		return nil
	}
	return err
}

// giveUp ends a damaged unit.
func (r *reader) giveUp(err error) {
	if r.listening {
		r.broken = append(r.broken, Warning{Text: err.Error()})
	}
	r.endPart()
}

func (r *reader) endPart() {
	if r.part != nil {
		r.part.Close()
		r.part = nil
	}
}

func (r *reader) close() {
	r.endPart()
	r.file.Close()
}

// nameColumns returns the columns of times and of the names of groups and drives.
func (r *reader) nameColumns(f *paths.File) ([]tabular.Want, error) {
	wants := []tabular.Want{{Column: r.description.Time.Column, Type: tabular.Time, Required: true}}
	for _, n := range []*tabular.Keys{r.group, r.drive} {
		if err := n.Begin(f.Fields); err != nil {
			return nil, err
		}
		wants = n.AppendWants(wants, tabular.Text)
	}
	return wants, nil
}

// allColumns returns all columns of a record.
func (r *reader) allColumns(f *paths.File) ([]tabular.Want, error) {
	wants, err := r.nameColumns(f)
	if err != nil {
		return nil, err
	}
	names := r.file.Names()
	for d, m := range r.description.Measures {
		if m == nil {
			continue
		}
		at := &r.places[d]
		wants, at.ios = addColumn(wants, &m.IOs, names)
		wants, at.size = addColumn(wants, &m.Size, names)
		wants, at.latency = addColumn(wants, &m.Latency, nil)
	}
	return wants, nil
}

// addColumn adds a column to wants and returns its index. It adds nothing and returns 0 if q has
// no column, or if the column is a default that is not in names. If names is nil, it adds the
// default, too.
func addColumn(wants []tabular.Want, q *Quantity, names []string) ([]tabular.Want, int) {
	if q.Column == "" || q.Assumed && names != nil && !slices.Contains(names, q.Column) {
		return wants, 0
	}
	return append(wants, tabular.Want{Column: q.Column, Type: tabular.Number, Scale: q.Scale}), len(wants)
}

// read appends some records of the unit, or returns io.EOF.
func (r *reader) read(ctx context.Context, out *records) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.part == nil {
		return io.EOF
	}
	if err := r.part.Next(&r.block); isBroken(err) {
		r.giveUp(err)
		return io.EOF
	} else if err != nil {
		return err
	}
	from := out.Len()
	out.Group = r.group.Numbers(out.Group, &r.block)
	out.Drive = r.drive.Numbers(out.Drive, &r.block)
	if r.lost {
		return fmt.Errorf("%s: the file was changed while limpet was reading; run the command again", r.files[r.file.Index].Path)
	}
	r.times(out, from)
	r.measures(out, from)
	r.progress.rows.Add(int64(r.block.Rows))
	return nil
}

// times appends the hours of the records. If records are finer than hours, it also appends the
// microseconds since the full hour.
func (r *reader) times(out *records, from int) {
	c := &r.block.Columns[0]
	if r.walls != nil {
		r.tellApart(c, out.Drive[from:])
	}
	shift := r.into()
	last, hour := int64(-1), int32(0)
	for _, ns := range c.Times[:r.block.Rows] {
		if ns != last {
			last, hour = ns, hourOf(ns+shift)
		}
		out.Hour = append(out.Hour, hour)
	}
	if !r.finer {
		return
	}
	for _, ns := range c.Times[:r.block.Rows] {
		out.Micro = append(out.Micro, uint32((ns+shift)%nsPerHour/1000))
	}
}

// into returns the nanoseconds to add to a time, so that the result lies in the hour of its
// record.
func (r *reader) into() int64 {
	if r.description.Time.AtEnd() {
		return r.shift - 1
	}
	return r.shift
}

// measures appends the values of all directions that the data have.
func (r *reader) measures(out *records, from int) {
	for i, d := range r.directions {
		if r.description.Measures[d] == nil {
			continue
		}
		at, m := &r.places[d], &out.Measure[i]
		m.IOs = r.values(m.IOs, at.ios)
		m.Latency = r.values(m.Latency, at.latency)
		m.Size = r.values(m.Size, at.size)
	}
	if r.description.Measures[study.All] == nil {
		combine(&out.Measure[0], &out.Measure[1], &out.Measure[2], from)
	}
}

func (r *reader) values(out []float32, at int) []float32 {
	from := len(out)
	out = slices.Grow(out, r.block.Rows)[:from+r.block.Rows]
	if at == 0 {
		for i := range out[from:] {
			out[from+i] = missing
		}
		return out
	}
	for i, v := range r.block.Columns[at].Numbers[:r.block.Rows] {
		out[from+i] = float32(v)
	}
	return out
}
