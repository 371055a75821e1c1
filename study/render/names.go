package render

import (
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/study"
)

// A renaming is of a column, a row, a curve or a vertical axis. Programs find numbers by these names, so
// CSV and JSON keep them when text and pages get other words.
type renaming struct {
	of    string // how the names of its tables and charts begin; empty for all
	kept  string // in CSV and JSON
	shown string // in text and pages
}

var renamings = []renaming{
	{"", "not on file", "not in the inventory"},
	{"degradation", "slow from", "slowdown of a slow drive, at least"},
	{"degradation", "stable to stable", "hours without a slow drive"},
	{"degradation", "stable to tail", "hours with a slow drive"},
	{"degradation", "share of steps below", "share of hours with a smaller value"},
	{"exact", "as longest tail", "hours in which the slowest drive has this slowdown"},
	{"percentile-hours-", "of hours", "hours counted"},
	{"percentile-runs-", "runs of at least", "slow periods of at least this length"},
	{"runs-", "runs of at least", "slow periods of at least this length"},
	{"runs-", "slow again within", "slow again within this time"},
	{"runs-", "share of runs that last no longer", "share of slow periods that are at most this long"},
	{"worst-drives", "of hours", "all hours"},
	{"cut-", "cut", "drives left out"},
	{"cut-", "tail hours", "hours with a slow drive"},
	{"cut-", "saved", "avoided"},
	{"cut-", "full-stripe slowdown, mean", "mean slowdown of full-stripe reads"},
	{"cut-", "the longest tail", "the slowest drive"},
	{"cut-", "the longest two", "the two slowest drives"},
	{"cut-", "as many as the group has parity drives", "as many drives as the group has parity drives"},
	{"months", "tail hours", "hours with a slow drive"},
	{"hazard-since-", "hours at work since", "busy hours since the last slow hour"},
	{"hazard-", "hours at risk", "hours counted"},
	{"replacement-", "replaced at slow hour", "replaced at slow hour number"},
	{"replacement-", "slow hours saved", "slow hours avoided"},
	{"replacement-", "a drive", "avoided per replaced drive"},
	{"replacement-", "net of the new drive's", "minus slow hours of the new drive"},
	{"replacement-", "tail hours saved", "hours with a slow drive avoided"},
	{"slow-in-imbalance", "share of imbalanced hours below", "share of hours with a smaller value"},
	{"", "share of hours below", "share of hours with a smaller value"},
	{"", "share of drive hours below", "share of drive hours with a slowdown below this value"},
	{"", "slowdown at 95 %", "95th percentile of the slowdown"},
	{"", "at 99 %", "99th percentile of the slowdown"},
	{"", "at 99.9 %", "99.9th percentile of the slowdown"},
	{"nines", "of the hours", "percentile"},
}

// keptName is the name in CSV and JSON of what a table or chart shows.
func keptName(of, shown string) string {
	for _, n := range renamings {
		if n.shown == shown && strings.HasPrefix(of, n.of) {
			return n.kept
		}
	}
	return shown
}

// shownName is what a table or chart shows for a name of CSV and JSON.
func shownName(of, kept string) string {
	for _, n := range renamings {
		if n.kept == kept && strings.HasPrefix(of, n.of) {
			return n.shown
		}
	}
	return kept
}

// renamedTable is a table with other names of columns and rows.
func renamedTable(t study.Table, rename func(of, name string) string) study.Table {
	t.Columns, t.Rows = slices.Clone(t.Columns), slices.Clone(t.Rows)
	for i, c := range t.Columns {
		t.Columns[i] = rename(t.Name, c)
	}
	for i, r := range t.Rows {
		t.Rows[i].Label = rename(t.Name, r.Label)
	}
	return t
}

// renamedChart is a chart with other names of its curves and its vertical axis.
func renamedChart(c study.Chart, rename func(of, name string) string) study.Chart {
	c.Y.Title, c.Curves = rename(c.Name, c.Y.Title), slices.Clone(c.Curves)
	for i, curve := range c.Curves {
		c.Curves[i].Name = rename(c.Name, curve.Name)
	}
	return c
}
