package tables

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A binding ties a description to the columns of one file.
type binding struct {
	*Description
	header []string
	width  int // of the header
	roster *roster
	faults faults

	time    int
	keys    []int // the columns that the roster asks for
	metrics []int // by metric; none in a tidy table
	name    int   // of a tidy table: what was measured
	value   int
}

// bind finds the columns that the description names.
func (d *Description) bind(f *tableFile, header []string) (*binding, error) {
	b := &binding{Description: d, header: header, width: len(header), roster: newRoster(d, f.fields)}
	look := lookup{header: header}
	b.time = look.up(d.clock.column)
	for _, key := range b.roster.keys {
		b.keys = append(b.keys, look.up(key))
	}
	if d.tidy {
		b.name, b.value = look.up(d.nameColumn), look.up(d.valueColumn)
		return b, look.err(f)
	}
	for _, name := range d.columns {
		b.metrics = append(b.metrics, look.up(name))
	}
	return b, look.err(f)
}

// A lookup finds columns by their names, and notes those that it cannot.
type lookup struct {
	header        []string
	absent, twice []string
}

func (l *lookup) up(name string) int {
	i := slices.Index(l.header, name)
	switch {
	case i < 0:
		l.absent = append(l.absent, name)
	case slices.Contains(l.header[i+1:], name):
		l.twice = append(l.twice, name)
	}
	return i
}

func (l *lookup) err(f *tableFile) error {
	switch {
	case len(l.absent) > 0:
		return fmt.Errorf("%s: no column %s; the file has %s: correct the description or leave the file out",
			f.path, strings.Join(l.absent, ", "), listed(l.header))
	case len(l.twice) > 0:
		return fmt.Errorf("%s: column %s comes twice; rename one of them", f.path, strings.Join(l.twice, ", "))
	}
	return nil
}

// listed prints the names of columns, the first of very many.
func listed(header []string) string {
	const many = 20
	names := make([]string, 0, many+1)
	for i, name := range header {
		if i == many {
			names = append(names, fmt.Sprintf("and %d more", len(header)-many))
			break
		}
		if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
			name = excerpt([]byte(name))
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// metricCalled gives the metric that a tidy table calls so, or -1.
func (b *binding) metricCalled(name []byte) int {
	for m, called := range b.columns {
		if string(name) == called {
			return m
		}
	}
	return -1
}

// who finds the component of a line.
func (b *binding) who(key [][]byte, line int) int32 {
	id := b.roster.find(key)
	if id == nobody {
		b.faults.note(nameless, line, nil, "")
	}
	return id
}

// when checks a time that was read.
func (b *binding) when(ns int64, ok bool, line int, text []byte) bool {
	switch {
	case !ok:
		b.faults.note(badTime, line, text, "")
	case !inRange(ns):
		b.faults.note(strangeTime, line, text, "")
	default:
		return true
	}
	return false
}
