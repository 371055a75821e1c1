package presets

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed *.yaml
var files embed.FS

// A Preset is a description that is shipped.
type Preset struct {
	Name  string
	Title string // one line: what it is for
	Text  []byte // the description
}

const ending = ".yaml"

// All are the presets by name.
func All() []Preset {
	entries, _ := files.ReadDir(".") // it is embedded
	var all []Preset
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ending)
		p, _ := Lookup(name)
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b Preset) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Lookup is the preset of a name.
func Lookup(name string) (Preset, bool) {
	text, err := files.ReadFile(name + ending)
	if err != nil {
		return Preset{}, false
	}
	title, _, _ := strings.Cut(string(text), "\n")
	return Preset{Name: name, Title: strings.TrimPrefix(title, "# "), Text: text}, true
}

// List is one line for each preset.
func List() string {
	var b strings.Builder
	for _, p := range All() {
		fmt.Fprintf(&b, "  %-10s %s\n", p.Name, p.Title)
	}
	return b.String()
}
