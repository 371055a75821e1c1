package action

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"
)

// TestDocs: docs/act.md has every command and every reason.
func TestDocs(t *testing.T) {
	var table strings.Builder
	table.WriteString("<!-- drivers -->\n| storage, effect | for | commands |\n| --- | --- | --- |\n")
	for _, d := range Drivers() {
		var lines []string
		add := func(what string, c Command, wants string) {
			line := fmt.Sprintf("%s `%s`", what, c)
			if wants != "" {
				line += ": " + wants
			}
			lines = append(lines, line)
		}
		for _, g := range d.Guards {
			add("before:", g.Command, g.Wants)
		}
		add("**do:**", d.Do, "")
		add("after:", d.State.Command, d.State.Masked+"; before and after the undo: "+d.State.Normal)
		add("undo:", d.Undo, "")
		if d.Note != "" {
			lines = append(lines, d.Note)
		}
		fmt.Fprintf(&table, "| %s, %s | %s | %s |\n", d.Storage, d.Effect, d.For, strings.Join(lines, "<br>"))
	}
	var reasons strings.Builder
	reasons.WriteString("<!-- reasons -->\n| reason | meaning |\n| --- | --- |\n")
	for _, r := range Reasons() {
		if r.Meaning() == "" {
			t.Errorf("the reason %q has no meaning", r)
		}
		fmt.Fprintf(&reasons, "| `%s` | %s |\n", r, r.Meaning())
	}
	if len(meanings) != len(Reasons()) {
		t.Errorf("%d meanings of %d reasons", len(meanings), len(Reasons()))
	}
	page, err := os.ReadFile(checkout.Path(t, "docs/act.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{table.String() + "\n", reasons.String() + "\n"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("docs/act.md lacks:\n%s", want)
		}
	}
	for _, k := range Kinds() {
		if !strings.Contains(string(page), string(k)) {
			t.Errorf("docs/act.md does not name the kind %s", k)
		}
	}
}
