package render

import (
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/study"
)

// A renaming is a second name of a column, a row, a curve or a vertical axis. Programs find
// numbers by these names, so CSV and JSON keep the old name if text and pages get a better one.
type renaming struct {
	of    string // prefix of the names of its tables and charts; empty: all
	kept  string // name in CSV and JSON
	shown string // name in text and pages
}

var renamings = []renaming{
	{"", "not on file", "not in the inventory"},
	{"degradation", "slow from", "smallest slowdown of a slow drive"},
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
	{"cut-", "as many as the group has parity drives", "as many of the slowest drives as the group has parity drives"},
	{"months", "tail hours", "hours with a slow drive"},
	{"hazard-since-", "hours at work since", "busy hours since the last slow hour"},
	{"hazard-", "hours at risk", "hours counted"},
	{"replacement-", "replaced at slow hour", "replaced after this many slow hours"},
	{"replacement-", "slow hours saved", "slow hours avoided"},
	{"replacement-", "a drive", "avoided per replaced drive"},
	{"replacement-", "net of the new drive's", "slow hours avoided, minus slow hours of the new drive"},
	{"replacement-", "tail hours saved", "avoided hours with a slow drive"},
	{"imbalance-in-slow-", "share of slow hours with a lower value", "share of slow hours with a smaller value"},
	{"slow-in-imbalance", "share of imbalanced hours below", "share of hours with a smaller value"},
	{"", "share of hours below", "share of hours with a smaller value"},
	{"", "share of drive hours below", "share of drive hours with a slowdown below this value"},
	{"", "slowdown at 95 %", "95th percentile of the slowdown"},
	{"", "at 99 %", "99th percentile of the slowdown"},
	{"", "at 99.9 %", "99.9th percentile of the slowdown"},
	{"nines", "of the hours", "percentile"},
}

// keptName returns the name in CSV and JSON for a shown name; of is the name of the table or
// chart.
func keptName(of, shown string) string {
	for _, n := range renamings {
		if n.shown == shown && strings.HasPrefix(of, n.of) {
			return n.kept
		}
	}
	return shown
}

// shownName returns the shown name for a name in CSV and JSON; of is the name of the table or
// chart.
func shownName(of, kept string) string {
	for _, n := range renamings {
		if n.kept == kept && strings.HasPrefix(of, n.of) {
			return n.shown
		}
	}
	return kept
}

// renamedTable returns a copy of a table with renamed columns and rows.
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

// renamedChart returns a copy of a chart with renamed curves and vertical axis.
func renamedChart(c study.Chart, rename func(of, name string) string) study.Chart {
	c.Y.Title, c.Curves = rename(c.Name, c.Y.Title), slices.Clone(c.Curves)
	for i, curve := range c.Curves {
		c.Curves[i].Name = rename(c.Name, curve.Name)
	}
	return c
}
