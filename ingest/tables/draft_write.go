package tables

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/ingest/tabular"
)

// measured is a column that becomes a metric of the draft.
type measured struct {
	key, name string // name in the description, and name of the column
	unit      string
	kind      *kind
	isNamed   bool // true if the name of the column includes the unit
	load      bool
}

func (m measured) String() string {
	load := ""
	if m.load {
		load = ", load: true"
	}
	if m.key != m.name {
		return fmt.Sprintf("%s: {column: %s, unit: %s, worse: %s%s}", m.key, quoteYAML(m.name), m.unit, m.kind.worse, load)
	}
	return fmt.Sprintf("%s: {unit: %s, worse: %s%s}", m.name, m.unit, m.kind.worse, load)
}

// metrics returns the columns that become metrics. A column becomes a metric if its name has a word
// that belongs to a kind of metric, and if most of its texts are numbers. The second result has the names
// of the columns that are not used. The parameter `taken` has the indexes of columns that already
// have another meaning. If several metrics are loads, such as rates of requests and of bytes, only
// the first of them is marked as the load.
func (t *draftTable) metrics(taken ...int) (list []measured, others []string) {
	loaded, keys := false, map[string]bool{}
	for i, c := range t.columns {
		if slices.Contains(taken, i) || i == t.find(modelWords) {
			continue
		}
		k, unit, sure := kindOf(c.name)
		if k == nil || !areNumbers(c.texts) {
			others = append(others, c.name)
			continue
		}
		key := keyOf(c.name, k, keys)
		keys[key] = true
		list = append(list, measured{key: key, name: c.name, unit: unit, kind: k, isNamed: sure, load: k.load && !loaded})
		loaded = loaded || k.load
	}
	return list, others
}

// notNumbers returns the first column that has the name of a metric and values that are not numbers;
// nil if there is none.
func (t *draftTable) notNumbers(taken ...int) *draftColumn {
	for i := range t.columns {
		c := &t.columns[i]
		if k, _, _ := kindOf(c.name); k != nil && !slices.Contains(taken, i) && !areNumbers(c.texts) {
			return c
		}
	}
	return nil
}

// keyOf returns the name of a metric in the draft: the name of its column without the unit. If
// another metric has this name, keyOf keeps the unit.
func keyOf(name string, k *kind, taken map[string]bool) string {
	words := split(name)
	short := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return k.units[w] != "" })
	key := strings.Join(short, "_")
	if key == "" || taken[key] {
		key = strings.Join(words, "_")
	}
	for taken[key] {
		key += "_again"
	}
	return key
}

// hasCommas reports whether a metric has numbers with a decimal comma.
func (t *draftTable) hasCommas(metrics []measured) bool {
	for _, c := range t.columns {
		isMetric := slices.ContainsFunc(metrics, func(m measured) bool { return m.name == c.name })
		if isMetric && slices.ContainsFunc(c.texts, func(text string) bool { return strings.Contains(text, ",") }) {
			return true
		}
	}
	return false
}

// areNumbers reports whether at least half of the texts are numbers (isNumber). Texts that mean a missing
// value do not count. So a word such as "timeout" in a few lines does not make a latency useless.
func areNumbers(texts []string) bool {
	numbers, others := 0, 0
	for _, text := range texts {
		switch {
		case isNumber(text):
			numbers++
		case !tabular.IsMissing(text):
			others++
		}
	}
	return numbers >= others
}

// isNumber reports whether a text is a number, with a decimal point or a decimal comma.
func isNumber(text string) bool {
	_, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	return err == nil
}

// noNumber returns the first text of a column that is neither a number nor a missing value; an empty text
// if there is none.
func (c *draftColumn) noNumber() string {
	at := slices.IndexFunc(c.texts, func(text string) bool { return !isNumber(text) && !tabular.IsMissing(text) })
	if at < 0 {
		return ""
	}
	return c.texts[at]
}

// check writes the list of points that a person must check.
func (t *draftTable) check(w *strings.Builder, at, server int, metrics []measured, others []string) {
	texts := t.columns[at].texts
	switch format := formatOf(texts); {
	case format == unknownFormat:
		fmt.Fprintf(w, "# - column %s has times such as %q: write the format of the times (limpet help tables)\n", comment(t.columns[at].name), texts[0])
	case !namesZone(format, texts):
		fmt.Fprintln(w, "# - the times name no time zone: correct the time zone if the times are not in UTC")
	}
	if other := otherOrder(texts); other != "" {
		fmt.Fprintf(w, "# - the files do not show whether the month or the day is first; if the format is wrong, write %q\n", other)
	}
	fmt.Fprintln(w, "# - the time of a line is read as the end of its interval; if the time is the start of the interval, write marks: begin")
	if t.place.pattern != "" {
		fmt.Fprintf(w, "# - %s has components with the same names at the same times, but other values: so the name of a component begins with %s, which is a part of the path; correct files and component if this is wrong\n", comment(t.place.sister), t.place.prefix())
	}
	if t.place.dated != "" {
		fmt.Fprintf(w, "# - %s has components with the same names at the same times, but other values: if the names of the files name servers, take the server from the path with the setting files, and write it into component (limpet help tables)\n", comment(t.place.dated))
	}
	if t.mixed {
		fmt.Fprintln(w, "# - several lines have the same component and time: write the column with the names of drives into component, such as \"{SERVER}/{DRIVE}\"")
	}
	switch {
	case !t.hasServers(server) || !t.hasManyDevices():
		fmt.Fprintln(w, "# - all components are in one peer group: write a group if some components are of a different kind")
	case server < 0:
		fmt.Fprintf(w, "# - components with the same %s are peers: write another group if these components are of different kinds\n", t.place.prefix())
	default:
		fmt.Fprintf(w, "# - components with the same %s are peers: write another group if these components are of different kinds\n", comment(t.columns[server].name))
	}
	for _, m := range metrics {
		if !m.isNamed {
			fmt.Fprintf(w, "# - the unit of %s is a guess: correct the unit if it is wrong\n", comment(m.name))
		}
	}
	for i := range t.columns {
		c := &t.columns[i]
		text := c.noNumber()
		switch k, _, _ := kindOf(c.name); {
		case text == "" || k == nil:
		case slices.ContainsFunc(metrics, func(m measured) bool { return m.name == c.name }):
			fmt.Fprintf(w, "# - column %s has values that are not numbers, such as %q: they count as missing\n", comment(c.name), text)
		case slices.Contains(others, c.name):
			fmt.Fprintf(w, "# - column %s is not used, because most of its values are not numbers, such as %q\n", comment(c.name), text)
		}
	}
	if len(others) > 0 {
		fmt.Fprintf(w, "# - columns that are not used: %s\n", comment(strings.Join(others, ", ")))
		fmt.Fprintf(w, "#   If such a column is a latency, a rate or a load, add a metric with its unit, such as x: {column: %s, unit: ms, worse: higher}.\n", comment(quoteYAML(others[len(others)-1])))
		fmt.Fprintln(w, "#   If such a column has names of drives or servers, write this column into component.")
	}
}

// otherOrder returns the format of times in the draft, with day and month exchanged. If the
// exchanged format does not fit all texts, the order is certain, and otherOrder returns an empty
// text.
func otherOrder(texts []string) string {
	if len(texts) == 0 || formatOf(texts) == "" {
		return ""
	}
	if formats := tabular.GuessFormats(texts[0]); len(formats) > 1 && formatOf(texts) == formats[0] {
		if c, err := tabular.NewClock(formats[1], ""); err == nil && allTimes(c, texts) {
			return formats[1]
		}
	}
	return ""
}

// time returns the text after "time:" in the draft: the column of times, with its format and zone.
func (t *draftTable) time(at int) string {
	c := t.columns[at]
	format := formatOf(c.texts)
	text := "{column: " + quoteYAML(c.name)
	if format != "" && format != unknownFormat {
		text += ", format: " + strconv.Quote(format)
	}
	if format != unknownFormat && !namesZone(format, c.texts) {
		text += ", zone: UTC"
	}
	return text + "}"
}

// component writes the keys `component`, `group`, `server`, `device` and `model`. If sister files have
// components with the same names, these names begin with the fields of the path.
func (t *draftTable) component(w *strings.Builder, server, device int) {
	field := func(at int) string { return "{" + t.columns[at].name + "}" }
	join := func(parts ...string) string {
		return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "/")
	}
	host, drive := t.place.prefix(), ""
	if server >= 0 {
		host = join(host, field(server))
	}
	if device >= 0 {
		drive = field(device)
	}
	fmt.Fprintf(w, "component: %s\n", strconv.Quote(join(host, drive)))
	if t.hasServers(server) && t.hasManyDevices() {
		fmt.Fprintf(w, "group: %s\n", strconv.Quote(host))
	} else {
		fmt.Fprintln(w, "group: {text: all}")
	}
	if host != "" {
		fmt.Fprintf(w, "server: %s\n", strconv.Quote(host))
	}
	if drive != "" {
		fmt.Fprintf(w, "device: %s\n", strconv.Quote(drive))
	}
	if model := t.find(modelWords); model >= 0 {
		fmt.Fprintf(w, "model: %s\n", strconv.Quote(field(model)))
	}
}

// hasServers reports whether the draft names servers: by a column, whose index the caller passes, or
// by fields of the path.
func (t *draftTable) hasServers(server int) bool { return server >= 0 || len(t.place.fields) > 0 }

// hasManyDevices reports whether servers have at least three devices on average, so that
// the devices of one server can be peers.
func (t *draftTable) hasManyDevices() bool {
	const leastPeers = 3
	devices := map[string]int{}
	for pair := range t.pairs {
		devices[pair[0]]++
	}
	return len(t.pairs) > 0 && len(t.pairs) >= leastPeers*len(devices)
}

// quoteYAML returns a text as YAML. It adds quotes if YAML would read the text without quotes as
// another text, or as a value that is not a text.
func quoteYAML(text string) string {
	plain := normalName(strings.ReplaceAll(text, "_", "")) == strings.ToLower(strings.ReplaceAll(text, "_", ""))
	var read any // a column may have the name null, yes or 1, which YAML does not read as a text
	if err := yaml.Unmarshal([]byte(text), &read); plain && err == nil && read == any(text) {
		return text
	}
	return strconv.Quote(text)
}

// comment returns a text without line ends, for a comment in the draft.
func comment(text string) string { return strings.NewReplacer("\n", " ", "\r", " ").Replace(text) }
