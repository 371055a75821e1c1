package tool

import (
	"cmp"
	"slices"
	"strings"
)

// A Tool is a program whose output limpet reads as a table, as histograms of latencies,
// or as both.
type Tool struct {
	Name       string
	Table      *TableFormat     // nil if the tool prints no table
	Histograms *HistogramFormat // nil if the tool prints no histograms
}

// tools lists all tools. If a text has the signs of two tools, the text counts as the output of the
// first tool in this list.
var tools = []Tool{
	{Name: "sar", Table: &sarTable},
	{Name: "iostat", Table: &iostatTable},
	{Name: "zpool", Table: &zpoolTable, Histograms: &zpoolHistograms},
	{Name: "ceph", Table: &cephTable, Histograms: &cephHistograms},
	{Name: "ceph-perf", Table: &cephPerfTable},
	{Name: "collectl", Table: &collectlTable},
	{Name: "darshan", Table: &darshanTable},
	{Name: "ddn", Histograms: &ddnHistograms},
	{Name: "fio", Histograms: &fioHistograms},
	{Name: "netdata", Histograms: &netdataHistograms},
	{Name: "prometheus", Histograms: &prometheusHistograms},
}

// A Sign is a list of texts that occur together only in the output of one tool.
type Sign struct {
	Texts []string
	Name  string // a name of the output for messages, such as "JSON of iostat"
}

func (s *Sign) matches(text string) bool {
	for _, part := range s.Texts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return len(s.Texts) > 0
}

// TableNames returns the names of the table formats, sorted.
func TableNames() (names []string) {
	for _, t := range tools {
		if t.Table != nil {
			names = append(names, t.Table.Name)
		}
	}
	slices.Sort(names)
	return names
}

// LookupTable returns the table format with the given name, or nil.
func LookupTable(name string) *TableFormat {
	for _, t := range tools {
		if t.Table != nil && t.Table.Name == name {
			return t.Table
		}
	}
	return nil
}

// Histograms returns the histogram formats, sorted by name.
func Histograms() (formats []*HistogramFormat) {
	for _, t := range tools {
		if t.Histograms != nil {
			formats = append(formats, t.Histograms)
		}
	}
	slices.SortFunc(formats, func(a, b *HistogramFormat) int { return cmp.Compare(a.Name, b.Name) })
	return formats
}

// LookupHistogram returns the histogram format with the given name, or nil.
func LookupHistogram(name string) *HistogramFormat {
	for _, f := range Histograms() {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// RecogniseTable returns the table format of the output of a tool, and a name of the
// output for messages. The parameter `head` is the beginning of the output. The format is
// nil if no tool is recognised.
func RecogniseTable(head string) (format *TableFormat, what string) {
	for _, t := range tools {
		if t.Table == nil {
			continue
		}
		for _, sign := range t.Table.Signs {
			if sign.matches(head) {
				return t.Table, sign.Name
			}
		}
	}
	return nil, ""
}

// RecogniseHistogram returns the histogram format of the output of a tool, or nil. The
// parameter head is the beginning of the output. RecogniseHistogram never returns the
// format of fio, because fio's logs contain no text that would identify them.
func RecogniseHistogram(head string) *HistogramFormat {
	for _, f := range Histograms() {
		if f.Sign.matches(head) {
			return f
		}
	}
	return nil
}
