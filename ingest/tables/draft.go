// This file drafts the description of a table that someone has, from its header
// and its first rows.
//
// It stands beside presets, which are descriptions of what tools print. A draft is a
// guess: it says what it took each column for, leaves out what it does not know, and
// names what is to be checked. It is read by a person before it is used.

package tables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/ingest/tabular"
)

// sampledRows are looked at: enough to have several components and times.
const sampledRows = 2000

// A draftTable is what was seen of a file.
type draftTable struct {
	path    string
	columns []seen
	pairs   map[[2]string]bool // what stands in the columns of server and device, together
}

// A seen column is its name and which texts it has in the first rows, each once.
type seen struct {
	name  string
	texts []string
}

// Describe drafts the description of a table, CSV or Parquet, as YAML.
func Describe(path string) (string, error) {
	t, err := look(path)
	if err != nil {
		return "", err
	}
	return t.draft()
}

// look reads the header and the first rows.
func look(path string) (*draftTable, error) {
	file, err := tabular.Open(path, tabular.Options{Ragged: true})
	if err != nil {
		return nil, err
	}
	defer file.Close()
	t := &draftTable{path: path, pairs: map[[2]string]bool{}}
	words := make([]tabular.Lexicon, len(file.Names()))
	var wants []tabular.Want
	for i, name := range file.Names() {
		t.columns = append(t.columns, seen{name: name})
		wants = append(wants, tabular.Want{Column: name, As: tabular.Text, Words: &words[i]})
	}
	// Columns of Parquet that are no texts are known by their names alone.
	if r, err := file.Read(0, wants, nil, nil); err == nil {
		defer r.Close()
		block := tabular.Block{Limit: sampledRows}
		if r.Next(&block) == nil {
			t.pair(&block, words)
		}
	}
	for i := range words {
		t.columns[i].texts = words[i].Texts()
	}
	return t, nil
}

// pair notes which devices stand beside which server.
func (t *draftTable) pair(b *tabular.Block, words []tabular.Lexicon) {
	server, device := t.find(serverWords), t.find(deviceWords)
	if server < 0 || device < 0 {
		return
	}
	text := func(of, row int) string {
		if code := b.Columns[of].Codes[row]; code >= 0 {
			return words[of].Texts()[code]
		}
		return ""
	}
	for row := range b.Rows {
		t.pairs[[2]string{text(server, row), text(device, row)}] = true
	}
}

// draft writes the description.
func (t *draftTable) draft() (string, error) {
	at := t.timeColumn()
	if at < 0 {
		return "", fmt.Errorf("%s: no column is a time, of %s; a description needs one (limpet help tables)", t.path, t.names())
	}
	server, device := t.find(serverWords), t.find(deviceWords)
	if server < 0 && device < 0 {
		return "", fmt.Errorf("%s: no column names a drive or a server, of %s; say which in a description: component: (limpet help tables)", t.path, t.names())
	}
	metrics, others := t.metrics(at, server, device)
	if len(metrics) == 0 {
		return "", fmt.Errorf("%s: no column is a latency, a rate or a load by its name, of %s; say which in a description: metrics: (limpet help tables)", t.path, t.names())
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Drafted from the header and the first rows of %s. To check:\n", comment(t.path))
	t.check(&b, at, server, metrics, others)
	fmt.Fprintf(&b, "\ntime: %s\n", t.time(at))
	t.component(&b, server, device)
	fmt.Fprintln(&b, "metrics:")
	for _, m := range metrics {
		fmt.Fprintln(&b, "  "+m.String())
	}
	return b.String(), nil
}

// names lists the columns.
func (t *draftTable) names() string {
	var names []string
	for _, c := range t.columns {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}

// find is the column whose name is the first of words that one has, -1: none.
func (t *draftTable) find(words []string) int {
	for _, w := range words {
		if i := slices.IndexFunc(t.columns, func(c seen) bool { return normal(c.name) == w }); i >= 0 {
			return i
		}
	}
	return -1
}

// timeColumn is the one that is called so, or else the first that holds times.
func (t *draftTable) timeColumn() int {
	if i := t.find(timeWords); i >= 0 {
		return i
	}
	return slices.IndexFunc(t.columns, func(c seen) bool {
		return len(c.texts) > 0 && strings.ContainsAny(c.texts[0], ":-/") && formatOf(c.texts) != unknownFormat
	})
}

// unknownFormat is that of texts which are no times.
const unknownFormat = "?"

// formatOf is the format of times; it is empty where it needs not be stated.
func formatOf(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	for _, format := range []string{"", "unix_ms", "unix_us", "unix_ns"} {
		if c, err := tabular.NewClock(format, ""); err == nil && allTimes(c, texts) {
			return format
		}
	}
	for _, format := range tabular.GuessFormats(texts[0]) {
		if c, err := tabular.NewClock(format, ""); err == nil && allTimes(c, texts) {
			return format
		}
	}
	return unknownFormat
}

func allTimes(c *tabular.Clock, texts []string) bool {
	return !slices.ContainsFunc(texts, func(text string) bool {
		ns, _ := c.Parse([]byte(text))
		return ns < 0
	})
}

// namesZone says whether times are of all places.
func namesZone(format string, texts []string) bool {
	c, err := tabular.NewClock(format, "")
	if err != nil || len(texts) == 0 {
		return true
	}
	c.Parse([]byte(texts[0]))
	return !c.AssumesUTC()
}
