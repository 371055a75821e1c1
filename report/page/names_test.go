package page

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

var hostile = []string{
	`</script><script>alert(1)</script>`,
	`<!--<script>`,
	`]]><img src=x onerror=alert(1)>`,
	`"' onmouseover='alert(1)' x="`,
	`javascript:alert(1)`,
	"a\x00b\xff\u2028\u2029\u202e",
	`{{.Title}} \u003c/script\u003e &lt;b&gt; &amp;`,
	"`${alert(1)}`",
	"line\n\n</style>",
}

func TestHostileNames(t *testing.T) {
	for _, name := range hostile {
		checkName(t, name)
	}
}

func FuzzNames(f *testing.F) {
	for _, name := range hostile {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) { checkName(t, name) })
}

// checkName holds a page full of a name against one full of an innocent name that
// is as long, for which there is as much room: with the same elements and attributes, they have the same number of opening
// brackets and, outside data, of quotes. What the script is given is the name.
func checkName(t *testing.T, name string) {
	t.Helper()
	name = strings.Join(strings.Fields(name), " ") // a blank line would part a paragraph
	got, innocent := written(t, small(t, name)), written(t, small(t, strings.Repeat("x", utf8.RuneCountInString(name))))
	if g, w := strings.Count(got, "<"), strings.Count(innocent, "<"); g != w {
		t.Errorf("name %q makes a page of %d brackets, not %d", name, g, w)
	}
	if g, w := quotes(got), quotes(innocent); g != w {
		t.Errorf("name %q makes a page of %d quotes, not %d", name, g, w)
	}
	plots := sheets(t, got)
	if len(plots) != 4 {
		t.Fatalf("name %q makes a page of %d plots, not 4", name, len(plots))
	}
	if got, want := plots[2].Heat.Rows[1], throughJSON(t, "row "+name); got != want {
		t.Errorf("name %q reaches the script as %q", want, got)
	}
}

func quotes(html string) int {
	return strings.Count(dataBlock.ReplaceAllString(html, ""), `"`)
}

func throughJSON(t *testing.T, text string) string {
	t.Helper()
	data, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	var back string
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	return back
}
