package collect

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A binding ties a description to the columns of one file.
type binding struct {
	*Description
	roster *roster
	faults faults

	time    int
	keys    []int // the columns that the roster asks for
	metrics []int // by metric; none in a tidy table
	name    int   // of a tidy table: what was measured
	value   int
	width   int // of the header
}

// bind finds the columns that the description names.
func (d *Description) bind(f *tableFile, header []string) (*binding, error) {
	b := &binding{Description: d, roster: newRoster(d, f.fields), width: len(header)}
	var absent, twice []string
	column := func(name string) int {
		i := slices.Index(header, name)
		switch {
		case i < 0:
			absent = append(absent, name)
		case slices.Contains(header[i+1:], name):
			twice = append(twice, name)
		}
		return i
	}
	b.time = column(d.clock.column)
	for _, key := range b.roster.keys {
		b.keys = append(b.keys, column(key))
	}
	if d.tidy {
		b.name, b.value = column(d.nameColumn), column(d.valueColumn)
	} else {
		for _, name := range d.columns {
			b.metrics = append(b.metrics, column(name))
		}
	}
	switch {
	case len(absent) > 0:
		return nil, fmt.Errorf("%s: no column %s; the file has %s: correct the description or leave the file out",
			f.path, strings.Join(absent, ", "), listed(header))
	case len(twice) > 0:
		return nil, fmt.Errorf("%s: column %s comes twice; rename one of them", f.path, strings.Join(twice, ", "))
	}
	return b, nil
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
		b.faults.note(nameless, line, nil)
	}
	return id
}

// when checks a time that was read.
func (b *binding) when(ns int64, ok bool, line int, text []byte) bool {
	switch {
	case !ok:
		b.faults.note(badTime, line, text)
	case !inRange(ns):
		b.faults.note(strangeTime, line, text)
	default:
		return true
	}
	return false
}
