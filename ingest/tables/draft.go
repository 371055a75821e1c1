package tables

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/internal/paths"
)

// A draft is a description that limpet proposes for an unknown table. sampledRows is the number of
// rows from which a draft is made. This number of rows usually contains several components and times.
const sampledRows = 2000

// A draftTable holds the names of the columns and the first rows of a table, from which a draft is
// made.
type draftTable struct {
	path    string
	columns []draftColumn
	pairs   map[[2]string]bool // set of all pairs of server and device in the rows
	// rows has the values of each row. The key is made from the time, the server and the device of the
	// row (see keepRows).
	rows map[string]string
	// mixed is true if several rows have the same name and time, and other values: another column has
	// the names of drives.
	mixed bool
	// place has the fields that the draft takes from the path of the table.
	place placeFields
}

// draftColumn is a column of the table: its name, and the different texts of its first rows.
type draftColumn struct {
	name  string
	texts []string
}

// Describe drafts the description of a table from its header and first rows. The table is a CSV or
// Parquet file. The draft is YAML, and a person must check it. It gives a meaning to each column,
// or names the column as left out. It also lists the points to check.
func Describe(path string) (string, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return "", directoryError(path)
	}
	t, err := readDraft(path)
	if err != nil {
		return "", err
	}
	t.findPlace()
	return t.draft()
}

// directoryError returns the error for the case that the user gives a directory instead of a table. The
// error names a table in the directory.
func directoryError(dir string) error {
	files, err := paths.List([]string{dir})
	if err != nil {
		return err
	}
	for _, name := range files {
		if paths.Stem(name) != "" {
			return fmt.Errorf("%s: this is a directory; limpet drafts a description file from one table: name a table in this directory, such as %s", dir, name)
		}
	}
	return fmt.Errorf("%s: this is a directory without a CSV or Parquet table; limpet drafts a description file from one table: name a table", dir)
}

// readDraft reads the header and the first rows of a file.
func readDraft(path string) (*draftTable, error) {
	file, err := tabular.Open(path, tabular.Options{Ragged: true})
	if err != nil {
		return nil, err
	}
	defer file.Close()
	t := &draftTable{path: path, pairs: map[[2]string]bool{}, rows: map[string]string{}}
	words := make([]tabular.Lexicon, len(file.Names()))
	var wants []tabular.Want
	for i, name := range file.Names() {
		t.columns = append(t.columns, draftColumn{name: name})
		wants = append(wants, tabular.Want{Column: name, Type: tabular.Text, Words: &words[i]})
	}
	// If a column of Parquet cannot be read as text, the draft is made from the names of the
	// columns alone.
	if r, err := file.Read(0, wants, nil, nil); err == nil {
		defer r.Close()
		block := tabular.Block{Limit: sampledRows}
		if r.Next(&block) == nil {
			for i := range words {
				t.columns[i].texts = words[i].Texts()
			}
			t.pair(&block, words)
			t.keepRows(&block, words)
		}
	}
	return t, nil
}

// pair adds the server and the device of each row to t.pairs. If the table has no column with
// servers, the server is an empty text.
func (t *draftTable) pair(b *tabular.Block, words []tabular.Lexicon) {
	server, device := t.find(serverWords), t.find(deviceWords)
	if device < 0 {
		return
	}
	for row := range b.Rows {
		t.pairs[[2]string{textOf(b, words, server, row), textOf(b, words, device, row)}] = true
	}
}

// textOf returns the text of a column in a row. The text is empty if it is missing, or if the index
// of the column is -1.
func textOf(b *tabular.Block, words []tabular.Lexicon, column, row int) string {
	if column < 0 {
		return ""
	}
	if code := b.Columns[column].Codes[row]; code >= 0 {
		return words[column].Texts()[code]
	}
	return ""
}

// draft returns the draft: a description as YAML.
func (t *draftTable) draft() (string, error) {
	at := t.timeColumn()
	if len(t.columns) == 1 {
		if i := strings.IndexAny(t.columns[0].name, "|: "); i > 0 {
			return "", fmt.Errorf("%s: the header %q has one column. limpet recognises commas, semicolons and tabs between columns; if %q is between the columns, replace it, or write a description file with separator: %[3]q (limpet help tables)", t.path, t.columns[0].name, t.columns[0].name[i:i+1])
		}
	}
	if slices.ContainsFunc(t.columns, func(c draftColumn) bool { return isTime(c.name) }) {
		return "", fmt.Errorf("%s: the first line has values and no names of columns: %s; add a first line with names, such as ts,disk,await,tps", t.path, t.names())
	}
	if at < 0 {
		return "", fmt.Errorf("%s: none of the columns %s is a time; a description file needs a column with times (limpet help tables)", t.path, t.names())
	}
	server, device := t.find(serverWords), t.find(deviceWords)
	if server < 0 && device < 0 {
		return "", fmt.Errorf("%s: none of the columns %s contains names of drives or servers; write a description file whose setting \"component\" is the column with the names of drives or servers (limpet help tables)", t.path, t.names())
	}
	metrics, others := t.metrics(at, server, device)
	if len(metrics) == 0 {
		if c := t.notNumbers(at, server, device); c != nil {
			return "", fmt.Errorf("%s: the values of column %s are not numbers, such as %q; limpet needs numbers for a latency, a rate or a load", t.path, c.name, c.noNumber())
		}
		return "", fmt.Errorf("%s: none of the columns %s has the name of a latency, a rate or a load; write a description file, and write the names of these columns into its setting \"metrics\" (limpet help tables)", t.path, t.names())
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Drafted from the header and the first rows of %s. To check:\n", comment(t.path))
	t.check(&b, at, server, metrics, others)
	fmt.Fprintln(&b)
	if pattern := cmp.Or(t.place.pattern, t.otherFiles()); pattern != "" {
		fmt.Fprintf(&b, "files: %s\n", strconv.Quote(pattern))
	}
	if t.hasCommas(metrics) {
		fmt.Fprintln(&b, `decimal: ","`)
	}
	fmt.Fprintf(&b, "time: %s\n", t.time(at))
	t.component(&b, server, device)
	fmt.Fprintln(&b, "metrics:")
	for _, m := range metrics {
		fmt.Fprintln(&b, "  "+m.String())
	}
	return b.String(), nil
}

// otherFiles returns the pattern of files with the ending of the table, if limpet reads such files only
// when a description names them: "*.tsv". It returns an empty text for CSV and Parquet.
func (t *draftTable) otherFiles() string {
	base := filepath.Base(t.path)
	if ext := filepath.Ext(base); ext != "" && paths.Stem(base) == "" {
		return "*" + ext
	}
	return ""
}

// names returns the names of all columns, for messages.
func (t *draftTable) names() string {
	var names []string
	for _, c := range t.columns {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}

// find returns the index of a column that has one of the given names. If several columns have such
// a name, find uses the name that comes first in the list. The result is -1 if no column has one of
// these names.
func (t *draftTable) find(words []string) int {
	for _, w := range words {
		if i := slices.IndexFunc(t.columns, func(c draftColumn) bool { return normalName(c.name) == w }); i >= 0 {
			return i
		}
	}
	return -1
}

// timeColumn returns the index of the column with a usual name for times. If there is no
// such column, it returns the index of the first column that contains times, or -1.
func (t *draftTable) timeColumn() int {
	if i := t.find(timeWords); i >= 0 {
		return i
	}
	return slices.IndexFunc(t.columns, func(c draftColumn) bool {
		return len(c.texts) > 0 && strings.ContainsAny(c.texts[0], ":-/") && formatOf(c.texts) != unknownFormat
	})
}

// isTime reports whether a text is a time with a date, or a number of at least ten digits, such as a Unix
// time.
func isTime(text string) bool {
	if isNumber(text) {
		return len(text) >= 10
	}
	return strings.ContainsAny(text, ":-/") && strings.ContainsAny(text, "0123456789") && formatOf([]string{text}) != unknownFormat
}

// unknownFormat is used as the format of texts that are not times, or whose format limpet cannot
// guess.
const unknownFormat = "?"

// formatOf returns the format of times that fits all texts. It returns an empty text for the
// default format, and unknownFormat if no format fits.
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

// namesZone reports whether the first text is a time that needs no zone from the description. Such a
// time is a text with a time zone, or a number since the epoch. namesZone returns true if there is no
// text, or if the format is not valid.
func namesZone(format string, texts []string) bool {
	c, err := tabular.NewClock(format, "")
	if err != nil || len(texts) == 0 {
		return true
	}
	c.Parse([]byte(texts[0]))
	return !c.AssumesUTC()
}
