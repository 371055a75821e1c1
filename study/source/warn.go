package source

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/topology"
)

// A Warning is a problem that makes the drive hours less reliable. Its text says how to solve
// the problem.
type Warning = topology.Warning

// report adds the faults that a reader found.
func (s *Source) report(r *reader) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrong.Merge(&r.faults)
	s.broken = append(s.broken, r.broken...)
	s.merged += r.merged
}

// fold adds the counts of a stream's folded records.
func (s *Source) fold(n Folding) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.folding.Add(n)
}

// Faults counts the faults of records. It is complete after all streams have been read to their
// ends.
type Faults struct {
	Rows     int64     // rows that are left out: without time or drive, or with too few fields
	Values   int64     // values that are taken as missing: negative, infinite, not a number
	Repeated int64     // rows that are left out: the drive already has a record at this time
	First    []Warning // the first few faults
	Broken   []Warning // files that cannot be read to their ends
	// Unreadable lists files of which no row could be read. Their records are
	// missing from the study.
	Unreadable []string
}

// Faults returns the faults of the rows read so far.
func (s *Source) Faults() Faults {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := Faults{Rows: s.wrong.Rows(), Values: s.wrong.Values(), Repeated: s.folding.Repeated}
	f.Unreadable = s.unreadableFiles()
	f.Broken = slices.SortedFunc(slices.Values(s.broken), func(a, b Warning) int { return strings.Compare(a.Text, b.Text) })
	first := slices.Clone(s.wrong.First)
	slices.SortFunc(first, func(a, b tabular.Found) int { return cmp.Or(cmp.Compare(a.Part, b.Part), cmp.Compare(a.Row, b.Row)) })
	for _, fault := range first[:min(len(first), tabular.Shown)] {
		f.First = append(f.First, s.placed(s.readUnits(), fault))
	}
	return f
}

// unreadableFiles returns the damaged files without a good row.
func (s *Source) unreadableFiles() []string {
	good, broken := make([]bool, len(s.files)), make([]bool, len(s.files))
	for _, u := range s.surveyed.units {
		good[u.File], broken[u.File] = good[u.File] || u.Good > 0, broken[u.File] || u.Broken
	}
	list := slices.Clone(s.unreadable)
	for i := range s.files {
		if broken[i] && !good[i] {
			list = append(list, s.files[i].Path)
		}
	}
	return list
}

// readUnits returns the units in the order in which they are read.
func (s *Source) readUnits() []unit {
	if s.sorter == nil {
		return s.surveyed.byTime
	}
	return s.surveyed.units
}

// placed returns a fault as a warning with its file and line. It adds the lines of the earlier
// parts of the file.
func (s *Source) placed(list []unit, f tabular.Found) Warning {
	u := &list[f.Part]
	line := f.Row + 1
	for i := range list {
		if list[i].File == u.File && list[i].Part < u.Part {
			line += list[i].Rows
		}
	}
	return Warning{File: s.files[u.File].Path, Line: int(line), Text: f.String()}
}

// Warnings returns the warnings about the files as a whole. It is complete after all streams
// have been read to their ends.
func (s *Source) Warnings() []Warning {
	out := slices.Clone(s.warned)
	s.mu.Lock()
	merged := s.merged
	s.mu.Unlock()
	if merged > 0 {
		out = append(out, warnMerged(merged))
	}
	return append(out, s.warnUneven(s.Folding())...)
}

// A note is a warning about several files or drives: their number and the first.
type note struct {
	list []string // names
	noun string
	text string // format for the number with the noun, and for the first name
}

func (s *Source) warn(v *sourceSurvey, inventory *driveInventory, log *log) {
	notes := []note{
		{s.found.Strange, "file", "limpet left out %s, because no pattern matches; the first file is %s. If a pattern should match, correct the setting \"files\" in the description file"},
		{s.found.Double, "file", "limpet left out %s, because the same table exists as a Parquet file; the first file is %s. If this is another table, move the file to another directory"},
		{unlisted(v, inventory), "drive", "the records name %s that the inventory does not list; the first drive is %s. Add these drives to the inventory"},
		{inventory.Twice, "drive", "the inventory lists %s more than once; the first drive is %s. Only the first line of a drive counts: remove the other lines"},
		{inventory.Strange, "drive", "the inventory has %s of unknown kind; the first unknown kind is %s. Write disk or ssd"},
		{log.Nobody, "event", "limpet left out %s, because the drive is unknown; the first unknown drive is %s. Correct the setting \"drive\" under \"events\" in the description file"},
		{mixedRoles(v, inventory), "drive", "some rows give %s the role data, and other rows the role parity; the first drive is %s. limpet counts these drives as data drives: give an inventory with roles"},
	}
	for _, n := range notes {
		if len(n.list) > 0 {
			s.warned = append(s.warned, Warning{Text: fmt.Sprintf(n.text, english.Count(len(n.list), n.noun), n.list[0])})
		}
	}
	s.warnRows("inventory", &inventory.Faults)
	s.warnRows("table of events", &log.Faults)
}

// warnRows adds a warning about the faults in an inventory or a table of events.
func (s *Source) warnRows(what string, f *tabular.Faults) {
	if n := f.Rows() + f.Values(); n > 0 {
		s.warned = append(s.warned, Warning{Text: fmt.Sprintf("the %s has %s with errors: correct the rows; the first error is in line %d: %s", what, english.Count(int(n), "row"), f.First[0].Row+1, f.First[0])})
	}
}

// unlisted returns the drives with records that are not in the inventory, if there is one.
func unlisted(v *sourceSurvey, inventory *driveInventory) []string {
	if len(inventory.Drives) == 0 {
		return nil
	}
	var names []string
	for _, name := range sortedKeys(v.drives) {
		if _, ok := inventory.Drives[name]; !ok {
			names = append(names, name)
		}
	}
	return names
}

// mixedRoles returns the drives whose records have different roles.
func mixedRoles(v *sourceSurvey, inventory *driveInventory) []string {
	if inventory.HasRoles {
		return nil
	}
	var names []string
	for _, name := range sortedKeys(v.drives) {
		if v.drives[name] == asData|asParity {
			names = append(names, name)
		}
	}
	return names
}
