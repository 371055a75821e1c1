package tool

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// NumberTable is in the result of ReadTable in place of the name of a tool. ReadTable does not know
// the tool that has printed a table.
const NumberTable = "a table of names and numbers"

// ReadTable reads a table with a name and a number on each line. Commas, semicolons, tabs or spaces
// separate the columns:
//
//	drive,latency_ms,iops
//	d1,4.1,210
//
// The header shows the meaning of each column. Columns with an unknown meaning are not used. A
// table is compared only if at least one of its columns is a latency or an amount of work. If limpet
// compared sizes, for example, it would report large drives as slow drives. Without a header, only
// durations with a unit (12ms) are known to be latencies. If a table cannot be compared, a note
// contains the reason. If a text is not a table, the result has no looks and no notes.
func ReadTable(file string, data []byte) (p Print) {
	text := string(bytes.TrimPrefix(data, []byte("\ufeff")))
	if name, shows := OtherOutput(text); name != "" {
		p.Notes = append(p.Notes, Note{Text: fmt.Sprintf("the file is output of %s. This output shows %s and no latencies, so limpet look cannot find slow components in it; limpet help look lists the tools whose output limpet reads", name, shows)})
		return p
	}
	lines := numberedLines(text)
	separator := separatorOf(lines)
	if separator == "" {
		return p
	}
	t := numberTable{b: newPrintBuilder(NumberTable, file), separator: separator, seen: map[string]string{}, times: map[string]int{}}
	if !t.header(lines) {
		return p
	}
	if !t.isComparable() {
		p.Notes = append(p.Notes, Note{Line: lines[0].number, Text: t.refusal()})
		return p
	}
	for _, l := range lines {
		t.b.number = l.number
		t.b.note(t.line(l.text))
	}
	if len(t.b.looks) > 0 {
		t.b.finish(&p)
	}
	return p
}

// otherOutputs are outputs of common commands that have names and numbers, but no latencies of
// components.
var otherOutputs = []struct {
	name, shows string
	sign        *lazyregexp.Regexp
}{
	{"lfs df", "sizes and used space", lazyregexp.New(`(?m)^\s*UUID\s.*\bMounted on`)},
	{"df", "sizes and used space", lazyregexp.New(`(?m)^\s*Filesystem\s.*\bMounted on`)},
	{"/proc/meminfo", "the use of memory", lazyregexp.New(`(?m)^MemTotal:\s+\d+ kB`)},
	{"free", "the use of memory", lazyregexp.New(`(?m)^\s+total\s+used\s+free\b`)},
	{"lsblk", "the sizes and places of devices", lazyregexp.New(`(?m)^NAME\s.*\b(?:MAJ:MIN|FSTYPE|MOUNTPOINTS?|ALIGNMENT|PHY-SEC)\b|^NAME="`)},
	{"ps or top", "processes", lazyregexp.New(`(?m)^\s*(?:USER\s+|UID\s+)?PID\s.*\b(?:CMD|COMMAND)\b`)},
	{"vmstat", "sums of a whole server", lazyregexp.New(`(?m)^procs -+memory-`)},
}

// OtherOutput returns the name of the command that has printed a text. The result `shows` describes
// the values that this command prints. The name is empty if no command in the list otherOutputs has
// printed the text.
func OtherOutput(text string) (name, shows string) {
	for i := range otherOutputs {
		if o := &otherOutputs[i]; o.sign.MatchString(text) {
			return o.name, o.shows
		}
	}
	return "", ""
}

type numberedLine struct {
	number int
	text   string
}

// numberedLines returns the lines of a text, without empty lines and comments.
func numberedLines(text string) (lines []numberedLine) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if trimmed := strings.TrimSpace(line); trimmed != "" && !strings.HasPrefix(trimmed, "#") {
			lines = append(lines, numberedLine{number, line})
		}
	}
	return lines
}

// separatorOf returns the separator that occurs equally often in most of the first lines. The
// result is empty if the text is not a table.
func separatorOf(lines []numberedLine) string {
	lines = lines[:min(len(lines), 50)]
	if len(lines) < 2 {
		return ""
	}
	for _, s := range []string{"\t", ";", ",", " "} {
		counts := map[int]int{}
		for _, l := range lines {
			counts[len(cutFields(l.text, s))]++
		}
		for columns, n := range counts {
			if columns > 1 && 4*n > 3*len(lines) {
				return s
			}
		}
	}
	return ""
}

// cutFields cuts a line into its fields. Fields in quotes may contain the separator.
func cutFields(line, separator string) (fields []string) {
	if separator == " " {
		return strings.Fields(line)
	}
	for {
		line = strings.TrimLeft(line, " ")
		if rest, quoted := strings.CutPrefix(line, `"`); quoted {
			if text, after, ok := strings.Cut(rest, `"`); ok {
				fields = append(fields, strings.TrimSpace(text))
				_, line, ok = strings.Cut(after, separator)
				if !ok {
					return fields
				}
				continue
			}
		}
		field, rest, more := strings.Cut(line, separator)
		fields = append(fields, strings.TrimSpace(field))
		if !more {
			return fields
		}
		line = rest
	}
}

// A numberTable is the state of ReadTable while it reads a table.
type numberTable struct {
	b                *printBuilder
	separator        string
	skip             string // text of the header line, which is skipped; empty if there is no header
	name, host, time int    // indexes of the columns with the names, the hosts and the times; -1 if there is no such column
	clock            bool   // true if the column of times has the date, and the column after it has the time of day
	class            int
	metrics          map[int]look.Metric
	unknown          []string // names of the columns of numbers with an unknown meaning; empty names if there is no header
	scale            map[int]float64
	width            int
	seen             map[string]string // for each component of the current look: the line of the component
	times            map[string]int    // for each time: the index of its look
}

// These patterns recognise the meaning of a column by its name.
var (
	hostColumn  = lazyregexp.New(`(?i)^(host|hostname|server|node|instance)$`)
	classColumn = lazyregexp.New(`(?i)^(class|kind|type|model|group|peers|tier)$`)
	nameColumn  = lazyregexp.New(`(?i)^(name|device|dev|disk|drive|osd|ost|lun|component|target|id|serial|brick|nsd)$`)
	slowColumn  = lazyregexp.New(`(?i)(lat|await|wait|svctm|delay|response|rtt|duration|p50|p90|p95|p99|elapsed|time|_ms$|_us$|\(ms\)|\(us\)|^ms$)`)
	workColumn  = lazyregexp.New(`(?i)(iops|ops|tps|req|r/s|w/s|load|rate|count)`)
	bandColumn  = lazyregexp.New(`(?i)(bandwidth|throughput|bw|[kmg]i?b_?p?/?s|bytes)`)
	sizeColumn  = lazyregexp.New(`(?i)(size|rq-?sz|req-?sz)`)
	queueColumn = lazyregexp.New(`(?i)(queue|qu-sz|inflight|in_flight|depth)`)
	busyColumn  = lazyregexp.New(`(?i)(util|busy)`)
	errColumn   = lazyregexp.New(`(?i)(err|fail|realloc|timeout|retr)`)
	rateColumn  = lazyregexp.New(`(?i)(iops|tps|/s$|_ps$|per_?s|bandwidth|throughput|bw|rate)`)
	dateColumn  = lazyregexp.New(`(?i)(uptime|timestamp|lifetime|^[amc]time$|date|platform|start)`)
	unitOfName  = lazyregexp.New(`(?i)(?:[_( ])(ns|us|µs|ms|s|sec|seconds)\)?$`)
)

// header decides the meaning of each column. It reports whether the text is a table. A table has a
// column of names and a column of numbers.
func (t *numberTable) header(lines []numberedLine) bool {
	first, second := cutFields(lines[0].text, t.separator), cutFields(lines[1].text, t.separator)
	t.width = len(second)
	t.name, t.host, t.time, t.class = -1, -1, -1, -1
	t.metrics, t.scale = map[int]look.Metric{}, map[int]float64{}
	if len(first) == len(second) && !slices.ContainsFunc(first, isNumber) && slices.ContainsFunc(second, isNumber) {
		t.skip = lines[0].text
		t.findTimes(first, second, lines[1:])
		t.columns(first, second)
	} else {
		t.findTimes(nil, second, lines)
		t.guessColumns(second)
	}
	if t.name < 0 && t.host >= 0 { // the table has no components, so the servers themselves are compared
		t.name, t.host = t.host, -1
	}
	return t.name >= 0 && len(t.metrics)+len(t.unknown) > 0
}

// isComparable reports whether a column of the table is a latency or an amount of work.
func (t *numberTable) isComparable() bool {
	for _, m := range t.metrics {
		if m.Role == look.HighIsSlow || m.Role == look.LowIsSlow || m.Role == look.Work {
			return true
		}
	}
	return false
}

// refusal returns the reason why a table that is not comparable is refused, with advice.
func (t *numberTable) refusal() string {
	header := "name latency_ms"
	if s := strings.TrimSpace(t.separator); s != "" {
		header = "name" + s + "latency_ms"
	}
	if t.skip == "" {
		return fmt.Sprintf("limpet does not know what the numbers in this table are. If they are latencies, add a line with the names of the columns before the first line, such as %q; for rates, such as %q", header, strings.Replace(header, "latency_ms", "iops", 1))
	}
	columns := slices.Clone(t.unknown)
	for _, i := range sortedColumns(t.metrics) {
		columns = append(columns, t.metrics[i].Name)
	}
	for i, name := range columns {
		columns[i] = strconv.Quote(name)
	}
	return fmt.Sprintf("no column of this table is known to be a latency or a rate (the columns of numbers are: %s). If a column has latencies or rates, say so in its name in the first line, such as %q", fewNames(columns), header)
}

// parseCell parses the text of one cell of the table: a number, or a duration with its unit (12ms).
// The result `x` is the number, or the duration in ms. The result `duration` is true for a
// duration.
func parseCell(text string) (x float64, duration, ok bool) {
	if x, ok := parseNumber(text); ok {
		return x, false, true
	}
	ns, ok := parseDuration(strings.ReplaceAll(text, " ", ""))
	return ns / 1e6, ok, ok
}

func isNumber(text string) bool { _, _, ok := parseCell(text); return ok }

// guessColumns decides the meaning of each column from the values of a line. It chooses one column
// as the column of names, and the first column of durations as a latency.
func (t *numberTable) guessColumns(values []string) {
	for i, text := range values {
		_, duration, ok := parseCell(text)
		switch {
		case t.holdsTime(i), isTime(text):
		case !ok && t.name < 0:
			t.name = i
		case duration && len(t.metrics) == 0:
			t.metrics[i] = look.Latency
		case ok:
			t.unknown = append(t.unknown, "")
		}
	}
	if t.name < 0 && len(values) == 2 { // both columns are numbers, so the first column has the names
		t.name = 0
	}
}

// columns decides the meaning of each column from the names of the columns.
func (t *numberTable) columns(names, values []string) {
	for i, name := range names {
		number := isNumber(values[i])
		switch {
		case t.holdsTime(i):
		case t.host < 0 && hostColumn.MatchString(name):
			t.host = i
		case t.name < 0 && nameColumn.MatchString(name):
			t.name = i
		case t.class < 0 && !number && classColumn.MatchString(name):
			t.class = i
		case isTime(values[i]), epochColumn.MatchString(name) && isEpoch(values[i]): // limpet uses only one column of times
		case t.name < 0 && !number:
			t.name = i
		case number:
			t.metric(i, name)
		}
	}
	slow := slices.ContainsFunc(sortedColumns(t.metrics), func(i int) bool { return t.metrics[i].Role == look.HighIsSlow })
	if slow {
		return
	}
	for i, m := range t.metrics { // if the only metric is a rate, a component with a low rate is slow; a low count does not show this
		if m.Role == look.Work && len(t.metrics) == 1 && rateColumn.MatchString(m.Name) {
			m.Role = look.LowIsSlow
			t.metrics[i] = m
		}
	}
}

func sortedColumns(m map[int]look.Metric) (list []int) {
	for i := range m {
		list = append(list, i)
	}
	slices.Sort(list)
	return list
}

// metric decides which metric a column of numbers has. A column with an unknown meaning is not
// used.
func (t *numberTable) metric(i int, name string) {
	m := look.Metric{Name: name}
	t.scale[i] = 1
	switch {
	case errColumn.MatchString(name):
		m.Role = look.Errors
	case queueColumn.MatchString(name):
		m.Role = look.Queue
	case busyColumn.MatchString(name):
		m.Role, m.Unit = look.Busy, "%"
	case sizeColumn.MatchString(name):
		m.Role = look.Size
	case bandColumn.MatchString(name), workColumn.MatchString(name):
		m.Role = look.Work
	case slowColumn.MatchString(name) && !dateColumn.MatchString(name):
		if u := unitOfName.FindStringSubmatch(name); u != nil {
			m.Unit = "ms"
			t.scale[i] = map[string]float64{"ns": 1e-6, "us": 1e-3, "µs": 1e-3, "ms": 1}[strings.ToLower(u[1])]
			if t.scale[i] == 0 {
				t.scale[i] = 1e3
			}
		}
	default:
		t.unknown = append(t.unknown, name)
		return
	}
	t.metrics[i] = m
}

var errNoNumbers = errors.New("a line without a name or without a number is left out")

func (t *numberTable) line(line string) error {
	if line == t.skip {
		return nil
	}
	f := cutFields(line, t.separator)
	if len(f) < t.width || f[t.name] == "" {
		return fmt.Errorf("%w (the line has %d columns, and %d columns are needed)", errNoNumbers, len(f), t.width)
	}
	s := look.Sample{Component: f[t.name], Kind: "components"}
	if t.host >= 0 {
		s.Host = f[t.host]
		s.Component = s.Host + "/" + s.Component
	}
	if t.class >= 0 && f[t.class] != "" {
		s.Kind = f[t.class]
	}
	bad := ""
	for _, i := range sortedColumns(t.metrics) {
		x, duration, ok := parseCell(f[i])
		if !ok || math.IsNaN(x) || x < 0 {
			bad = f[i]
			continue
		}
		scale, m := t.scale[i], t.metrics[i]
		if scale == 0 {
			scale = 1
		}
		v := look.Value{Metric: m, X: x * scale, Step: decimalStep(f[i]) * scale}
		if duration {
			v.Metric.Unit, v.X, v.Step = "ms", x, 0
		}
		s.Values = append(s.Values, v)
	}
	t.place(s, line, f)
	if bad != "" {
		return fmt.Errorf("the value %q is not a number and is left out", bad)
	}
	return nil
}

// place adds a sample to the look of its time. If the table has no times, a new look begins when a
// name occurs again. A line that is repeated exactly is ignored.
func (t *numberTable) place(s look.Sample, line string, f []string) {
	if t.time >= 0 {
		text := t.timeOf(f)
		at, known := t.b.rows.Dates.Time(text)
		key := at
		if !known { // the text is not a known time, but lines with the same text belong to the same look
			key = text
		}
		n, known := t.times[key]
		if !known {
			n = len(t.b.looks)
			t.times[key] = n
			t.b.begin("", at, look.Interval)
		}
		s.Line = t.b.number
		t.b.looks[n].Samples = append(t.b.looks[n].Samples, s)
		t.b.found = true
		return
	}
	before, again := t.seen[s.Component]
	switch {
	case again && before == line:
		return
	case again || len(t.b.looks) == 0:
		clear(t.seen)
		t.b.begin("", "", look.Interval)
	}
	t.seen[s.Component] = line
	t.b.add(s)
}

// decimalStep returns the value of one unit of a number's last digit: 0.01 for 3.25, and 1 for 3.
func decimalStep(text string) float64 {
	if strings.ContainsAny(text, "eE") {
		return 0
	}
	_, digits, ok := strings.Cut(strings.Replace(text, ",", ".", 1), ".")
	if !ok {
		return 1
	}
	return math.Pow10(-len(digits))
}
