package manual

import (
	"regexp"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/ingest/tables"
	"github.com/limpet-storage/limpet/ingest/tool"
	"github.com/limpet-storage/limpet/internal/yamlfile"
	"github.com/limpet-storage/limpet/report/outcome"
	"github.com/limpet-storage/limpet/topology"
)

// example is the first block of a topic that is printed as it is, without its
// margin.
func example(t *testing.T, topic string) string {
	t.Helper()
	for _, b := range parsePage(Lookup(topic).Text) {
		if b.kind == verbatim {
			return strings.ReplaceAll("\n"+strings.Join(b.lines, "\n"), "\n  ", "\n") + "\n"
		}
	}
	t.Fatalf("%s has no example", topic)
	return ""
}

// keysOf are the keys that a reader takes at a place, as it lists them when it is
// given another one.
func keysOf(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		t.Fatal("a key that nobody knows is taken")
	}
	m := regexp.MustCompile(`the known settings are ([a-z_, ]+)`).FindStringSubmatch(yamlfile.Explain(err))
	if m == nil {
		t.Fatalf("no keys in %v", err)
	}
	return strings.Split(m[1], ", ")
}

func hasKeys(t *testing.T, topic string, keys []string) {
	t.Helper()
	text := Lookup(topic).Text
	for _, key := range keys {
		if !regexp.MustCompile(`(?m)\b` + regexp.QuoteMeta(key) + `\b`).MatchString(text) {
			t.Errorf("docs/%s does not have %s: the topic %s of limpet help lists every key and form", Lookup(topic).Page, key, topic)
		}
	}
}

// TestTopologyTopic: its file is one, and has every key that there is.
func TestTopologyTopic(t *testing.T) {
	if _, _, err := topology.Parse("topic", []byte(example(t, "topology"))); err != nil {
		t.Errorf("the example is wrong: %v", yamlfile.Explain(err))
	}
	for _, wrong := range []string{
		"zzzzzzzzzzz: 1\n", "servers: a\narrays:\n  - zzzzzzzzzzz: 1\n", "servers: a\ndrives:\n  - zzzzzzzzzzz: 1\n",
		"servers: a\ninterfaces:\n  - zzzzzzzzzzz: 1\n",
	} {
		_, _, err := topology.Parse("topic", []byte(wrong))
		hasKeys(t, "topology", keysOf(t, err))
	}
}

// TestTablesTopic likewise.
func TestTablesTopic(t *testing.T) {
	if _, err := tables.ParseDescription("topic", []byte(example(t, "tables"))); err != nil {
		t.Errorf("the example is wrong: %v", yamlfile.Explain(err))
	}
	const good = "files: a.csv\ncomponent: a\ngroup: b\n"
	for _, wrong := range []string{
		good + "time: t\nmetrics:\n  latency: {worse: higher}\nzzzzzzzzzzz: 1\n", good + "time: t\nmetrics:\n  latency: {worse: higher, zzzzzzzzzzz: 1}\n",
		good + "time: {column: t, zzzzzzzzzzz: 1}\nmetrics:\n  latency: {worse: higher}\n",
	} {
		_, err := tables.ParseDescription("topic", []byte(wrong))
		hasKeys(t, "tables", keysOf(t, err))
	}
	hasKeys(t, "tables", tool.TableNames())
}

// TestFeedbackTopic: its lines are good, and have every word.
func TestFeedbackTopic(t *testing.T) {
	system, _, err := topology.Parse("t", []byte("servers: fs[1-64]\narrays:\n  - names: ddn12\n    luns: 00-07\n    devices: sd[a-h]\n"))
	if err != nil {
		t.Fatal(err)
	}
	lines, _, _ := strings.Cut(example(t, "feedback"), "\n\n")
	said, err := command.Parse("topic", strings.NewReader(lines), system)
	if err != nil || len(said) < 4 {
		t.Errorf("%d of 4 lines: %v", len(said), err)
	}
}

// TestExitCodesTopic: every code with what it means.
func TestExitCodesTopic(t *testing.T) {
	text := Lookup("exit-codes").Text
	for _, o := range outcome.Outcomes() {
		if line := string(rune('0'+int(o))) + "  " + o.String(); !strings.Contains(text, line) {
			t.Errorf("there is no line %q", line)
		}
	}
}

// widestLine is the largest number of columns of a line that limpet help prints.
const widestLine = 96

// TestTopicsFitScreens: no line is wider than what a terminal shows unwrapped.
func TestTopicsFitScreens(t *testing.T) {
	for _, topic := range Topics() {
		for _, line := range strings.Split(topic.Plain(), "\n") {
			if n := len([]rune(line)); n > widestLine {
				t.Errorf("docs/%s has a line of %d columns, and a screen has %d; break the line, a comment goes on in the next one: %s", topic.Page, n, widestLine, line)
			}
		}
	}
}
