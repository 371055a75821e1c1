package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/paths"
	"github.com/limpet-storage/limpet/study"
)

// A sourceSurvey is the result of the first reading: the times of all records, and the names of
// groups and drives.
type sourceSurvey struct {
	units    []unit // by file and part
	byTime   []unit // in the order of time; nil if the records are not in order
	quarters quarterRows
	hours    map[int32]int64  // number of rows, by hour
	groups   map[string]roles // by name
	drives   map[string]roles // by name
	faults   tabular.Faults
	refused  error // error of the first file that cannot be read
}

// roles is the set of roles in a drive's records.
type roles uint8

const (
	asData roles = 1 << iota
	asParity
)

// A surveyor surveys some of the units.
type surveyor struct {
	sourceSurvey
	*Source
	file      file
	group     *tabular.Keys
	drive     *tabular.Keys
	role      tabular.Lexicon
	roleAt    int // index of the role among the wants; 0: roles are not read
	withRoles bool
	driveSeen []roles     // by drive, in the order of first occurrence
	names     [2][]string // of groups and of drives, in the order of first occurrence
	block     tabular.Block
	row       []int32
}

// cutFiles returns the parts of all files as units.
func (s *Source) cutFiles() ([]unit, error) {
	var list []unit
	var refused error
	s.sizes = make([]int64, len(s.files))
	for i, f := range s.files {
		file, err := tabular.Open(f.Path, s.written(i))
		if isBroken(err) {
			refused = cmp.Or(refused, err)
			s.unreadable = append(s.unreadable, f.Path)
			s.warned = append(s.warned, Warning{Text: err.Error()})
			continue
		}
		if err != nil {
			return nil, err
		}
		s.sizes[i] = file.Size
		for part := range file.Parts() {
			list = append(list, unit{File: i, Part: part, Bytes: file.PartBytes(part)})
		}
		err = s.checkMeasures(file)
		file.Close()
		if err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		return nil, cmp.Or(refused, fmt.Errorf("%s: the file has no records; name other files", s.files[0].Path))
	}
	return list, nil
}

// windowShare is the divisor for the memory of decompressors: they may use 1/windowShare of
// Options.MemoryBytes together.
const windowShare = 4

// written returns the options to read a file. They limit the file to its size in the survey:
// rows that were appended since are not read.
func (s *Source) written(file int) tabular.Options {
	window := s.options.MemoryBytes / windowShare / int64(s.options.Workers)
	return tabular.Options{Separator: s.description.Separator, Comma: s.description.Comma, Size: s.sizes[file], WindowBytes: window}
}

// isBroken reports whether an error means a damaged file. The readable part of a damaged file is
// used.
func isBroken(err error) bool {
	_, broken := errors.AsType[*tabular.BrokenError](err)
	return broken
}

// checkMeasures returns an error if a column of the description is missing. The column of the
// latency must exist even if it is a default.
func (s *Source) checkMeasures(file *tabular.File) error {
	for _, m := range s.description.Measures {
		if m == nil {
			continue
		}
		for _, q := range []Quantity{m.IOs, m.Latency, m.Size} {
			if q.Column == "" || q.Assumed && q != m.Latency {
				continue
			}
			if err := file.Require(q.Column); err != nil {
				return err
			}
		}
	}
	return nil
}

// surveyAll reads all units once.
func (s *Source) surveyAll(ctx context.Context, withRoles bool) (*sourceSurvey, error) {
	list, err := s.cutFiles()
	if err != nil {
		return nil, err
	}
	s.progress.begin(Surveying, list)
	spans := share(list, s.options.Workers)
	surveyors := make([]*surveyor, len(spans))
	err = parallel(ctx, len(spans), func(ctx context.Context, i int) error {
		surveyors[i] = s.newSurveyor(withRoles)
		return surveyors[i].run(ctx, list, spans[i])
	})
	if err != nil {
		return nil, err
	}
	return joined(list, surveyors), nil
}

func (s *Source) newSurveyor(withRoles bool) *surveyor {
	v := &surveyor{Source: s, withRoles: withRoles}
	v.quarters = quarterRows{}
	v.group = keysOf(s.description.Group, func(name string) int32 { return v.list(0, name) })
	v.drive = keysOf(s.description.Drive, func(name string) int32 { return v.list(1, name) })
	return v
}

// list adds the name of a group (of = 0) or drive (of = 1) and returns its number.
func (v *surveyor) list(of int, name string) int32 {
	v.names[of] = append(v.names[of], name)
	if of == 1 {
		v.driveSeen = append(v.driveSeen, 0)
	}
	return int32(len(v.names[of]) - 1)
}

func (v *surveyor) run(ctx context.Context, list []unit, span unitSpan) error {
	defer v.file.Close()
	for i := span.From; i < span.To; i++ {
		if err := v.unit(ctx, &list[i], i); err != nil {
			return err
		}
		v.progress.finish(&list[i])
	}
	return nil
}

func (v *surveyor) unit(ctx context.Context, u *unit, index int) error {
	f := &v.files[u.File]
	if err := v.file.Open(u.File, f.Path, v.written(u.File)); err != nil {
		return err
	}
	wants, err := v.wants(f)
	if err != nil {
		return err
	}
	v.faults.Part = index
	r, err := v.file.Read(u.Part, wants, v.description.Time.Clock.Copy(), &v.faults)
	if isBroken(err) {
		u.Broken, v.refused = true, cmp.Or(v.refused, err)
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		switch err := r.Next(&v.block); {
		case err == io.EOF:
			u.Rows = r.Lines()
			return nil
		case isBroken(err):
			u.Broken, u.Rows, v.refused = true, r.Lines(), cmp.Or(v.refused, err)
			return nil
		case err != nil:
			return err
		}
		v.progress.rows.Add(int64(v.block.Rows))
		v.note(u)
		if err := v.bound(f.Path); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

const (
	// nameBytes is the memory for a drive or a group, in maps, slots and counts.
	nameBytes = 512
	// maxQuarters is sixty years in quarters of an hour. A column with more is not
	// a column of times.
	maxQuarters = 1 << 21
)

// bound returns an error if there are too many names or times for a fleet of drives.
func (v *surveyor) bound(path string) error {
	most := int(v.options.MemoryBytes / nameBytes)
	for of, what := range []string{"groups", "drives"} {
		if names := v.names[of]; len(names) > most {
			return fmt.Errorf("%s: the file has more than %d %s, such as %s; correct the setting %q in the description file, or raise --max-memory", path, most, what, names[0], what[:len(what)-1])
		}
	}
	if len(v.quarters) > maxQuarters {
		return fmt.Errorf("%s: the times of the records span more than sixty years, which is the limit; correct the setting \"time\" in the description file", path)
	}
	return nil
}

// wants returns the columns of times, names and roles. If roles are not read, it asks for names
// in the cheapest form of the file.
func (v *surveyor) wants(f *paths.File) ([]tabular.Want, error) {
	for _, n := range []*tabular.Keys{v.group, v.drive} {
		if err := n.Begin(f.Fields); err != nil {
			return nil, err
		}
	}
	wants := []tabular.Want{{Column: v.description.Time.Column, Type: tabular.Time, Required: true}}
	wants = v.group.AppendWants(wants, tabular.Names)
	role := v.description.RoleColumn(v.file.Names())
	v.roleAt = 0
	if !v.withRoles || role == "" {
		return v.drive.AppendWants(wants, tabular.Names), nil
	}
	wants = v.drive.AppendWants(wants, tabular.Text)
	v.roleAt = len(wants)
	return append(wants, tabular.Want{Column: role, Type: tabular.Text, Words: &v.role}), nil
}

// note adds the times, roles and names of a block to the survey.
func (v *surveyor) note(u *unit) {
	times := &v.block.Columns[0]
	if v.description.Time.AtEnd() {
		for i := range times.Times {
			times.Times[i]--
		}
	}
	u.Ambiguous = u.Ambiguous || times.LaterTimes != nil
	u.Note(times.Times[:v.block.Rows], v.quarters)
	if v.group.DependsOnSeveral() {
		v.row = v.group.Numbers(v.row[:0], &v.block)
	}
	if v.roleAt > 0 {
		v.noteRoles()
	} else if v.drive.DependsOnSeveral() {
		v.row = v.drive.Numbers(v.row[:0], &v.block)
	}
}

func (v *surveyor) noteRoles() {
	v.row = v.drive.Numbers(v.row[:0], &v.block)
	words := v.role.Texts()
	for i, code := range v.block.Columns[v.roleAt].Codes[:v.block.Rows] {
		seen := asData
		if code != tabular.NoText && v.description.RoleOf(words[code]) == study.Parity {
			seen = asParity
		}
		v.driveSeen[v.row[i]] |= seen
	}
}

// joined merges the results of all surveyors.
func joined(list []unit, surveyors []*surveyor) *sourceSurvey {
	s := &sourceSurvey{units: list, quarters: quarterRows{}, groups: make(map[string]roles), drives: make(map[string]roles)}
	for _, v := range surveyors {
		for q, n := range v.quarters {
			s.quarters[q] += n
		}
		s.refused = cmp.Or(s.refused, v.refused)
		for _, name := range v.names[0] {
			s.groups[name] = 0
		}
		for i, name := range v.names[1] {
			s.drives[name] |= v.driveSeen[i]
		}
		s.faults.Merge(&v.faults)
	}
	return s
}

// nothing returns the error for files without a record.
func (s *Source) nothing(v *sourceSurvey) error {
	switch others := len(s.files) - 1; {
	case v.refused != nil:
		return v.refused
	case len(v.faults.First) == 0 && others == 0:
		return fmt.Errorf("%s: the file has no records; name another file", s.files[0].Path)
	case len(v.faults.First) == 0:
		return fmt.Errorf("%s: this file and %s have no records; name other files", s.files[0].Path, english.Count(others, "other file"))
	}
	first := v.faults.First[0]
	return fmt.Errorf("none of the %d rows can be read; the first error is %s; describe the columns of the files in a description file", v.faults.Rows(), s.placed(v.units, first))
}
