package phrases

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// source has one of each: what is a phrase, and what is not.
const source = `package report

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

const hint = "look at its cable"

var (
	pattern = regexp.MustCompile("not a phrase")
	later   = lazyregexp.New("not a phrase either")
	causes  = map[string]string{"no phrase": "the drive is worn"}
	plain   = []struct{ said, means string }{{said: "no phrase", means: "the file is cut off"}}
)

type column struct {
	Title string ` + "`json:\"no phrase\"`" + `
}

func Headline(name string, n int, path string, err error, past bool) (string, error) {
	if name == "no phrase" || strings.Contains(path, "no phrase") {
		return "", fmt.Errorf("%s: %d of 8 files cannot be read: %w", path, n, err)
	}
	does := "answers"
	if past {
		does = "answered"
	}
	text := fmt.Sprintf("%s %s slower than its peers", name, does)
	text = "; " + hint + " of " + text + place(n)
	_ = column{Title: "Drives"}
	_ = "SELECT value FROM meta"
	if n < 0 {
		panic("no phrase either")
	}
	return text, errors.New("nothing was read")
}

func place(n int) string {
	if n > 3 {
		return " in the enclosure"
	}
	return " in the rack"
}
`

// collect returns the phrases of files, without their places.
func collect(t *testing.T, files map[string]string) []string {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	c := newCollector(tree, "limpet.example")
	list, err := c.collect([]Room{{Name: "report"}})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, p := range list {
		var b strings.Builder
		p.write(&b)
		texts = append(texts, strings.TrimSuffix(b.String(), "\n"))
	}
	return texts
}

func compare(t *testing.T, have, want []string) {
	t.Helper()
	if !slices.Equal(have, want) {
		t.Errorf("phrases are\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

// TestGo collects the phrases of a Go file, with its parts, and nothing that nobody reads.
func TestGo(t *testing.T) {
	compare(t, collect(t, map[string]string{"report/a.go": source, "report/a_test.go": source}), []string{
		"- look at its cable",
		"- the drive is worn",
		"- the file is cut off",
		"- */var/log/sysstat/sa05*: *3* of 8 files cannot be read: *permission denied*",
		"- *fs1* *answers* slower than its peers\n  - does: answers · answered",
		"- ; *look at its cable* of *fs1 answers slower than its peers* *in the enclosure*\n  - text: fs1 answers slower than its peers · ; look at its cable of … in the enclosure\n  - place: in the enclosure · in the rack",
		"- Drives",
		"- nothing was read",
		"- in the enclosure",
		"- in the rack",
	})
}

// TestMarkup collects the phrases of templates and of the console.
func TestMarkup(t *testing.T) {
	compare(t, collect(t, map[string]string{
		"report/a.tmpl": `{{define "a b"}}<p class="no phrase">Drag across {{.Title}} to <b>zoom</b>.</p>{{if .X}}<th>when</th>{{else}}<th>{{or .Y "not known"}} yet</th>{{end}}{{end}}`,
		"report/b.svelte": `<script lang="ts">
  import { a } from "../no/phrase"; // "no phrase"
  const text = n > 3 ? "many drives" : ` + "`${count(n)} drives of ${name}`" + `;
  const words = { "no phrase": "is checked now", other: state === "no phrase" ? "first try" : "second try" };
</script>
<h1>Fleet</h1>
<p>It {role === "no phrase" ? "begins at" : "ends at"} noon, after {plural(days, "day")}.</p>
{#if trouble}<p title="what is wrong">The server <i>{name}</i> does not answer.</p>{/if}
<style>.a { b: "no phrase" }</style>`,
	}), []string{
		"- Drag across *What limps* to zoom.",
		"- when",
		"- *not known* yet",
		"- many drives",
		"- *12* drives of *fs1*",
		"- is checked now",
		"- first try",
		"- second try",
		"- Fleet",
		"- It *begins at* noon, after *3 days*.\n  - role: begins at · ends at",
		"- what is wrong",
		"- The server *fs1* does not answer.",
	})
}

// TestLayout collects texts that are laid out: columns, lines that continue the line before, a line
// behind a value, entries of a legend, several values with the same example, and a text behind a
// number that another function prints.
func TestLayout(t *testing.T) {
	compare(t, collect(t, map[string]string{
		"report/a.go": `package report

import "fmt"

const example = "  limpet demo        see limpet work\n  events   the events of a paper, each from a day before its onset to\n           two days after its onset"

func tell(path string, n, all int, low, high float64) {
	fmt.Printf("Open %s\nCtrl-C ends the demo.", path)
	fmt.Printf("%d of %d files; %g to %g times", n, all, low, high)
	fmt.Printf("%s  name of the file", path)
}`,
		"report/b.svelte": `<p>await: <span><i></i>range of the peers</span> <span><i></i>median</span></p>`,
	}), []string{
		"- limpet demo │ see limpet work",
		"- events │ the events of a paper, each from a day before its onset to two days after its onset",
		"- Open */var/log/sysstat/sa05*",
		"- Ctrl-C ends the demo.",
		"- *3* of *8* files; *24.1* to *41* times",
		"- */var/log/sysstat/sa05* │ name of the file",
		"- await: range of the peers │ median",
	})
	p := Phrase{Package: "study/survey", File: "spread.go", Text: []Segment{{Text: "of the drive hours are slow"}}}
	if p.complete(); p.Example() != "2.4 % of the drive hours are slow" {
		t.Errorf("%q lacks the number before it", p.Example())
	}
	for _, values := range [][]string{{"3", "8"}, {"24.1", "41"}} {
		text := distinct([]Segment{{Example: values[0]}, {Text: " to "}, {Example: values[0]}})
		if text[2].Example != values[1] {
			t.Errorf("%s is followed by %s, want %s", values[0], text[2].Example, values[1])
		}
	}
}

// TestInnerExamples: a text that is a value of another phrase has the examples of its place, as it
// has them where it is a phrase itself.
func TestInnerExamples(t *testing.T) {
	texts := collect(t, map[string]string{"report/sentence/look.go": `package sentence

import (
	"fmt"
	"strings"
)

func LookSplit(slow []string) string { return fmt.Sprintf("these components are slow: %s", shortList(slow)) }

func shortList(names []string) string {
	if len(names) > 4 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), len(names)-3)
	}
	return "one or two of " + names[0]
}`})
	if want := "  - shortList: osd.1, osd.4, osd.7 and 9 more · one or two of osd.1"; !strings.Contains(strings.Join(texts, "\n"), want) {
		t.Errorf("phrases are\n%s\nwant in them\n%s", strings.Join(texts, "\n"), want)
	}
}
