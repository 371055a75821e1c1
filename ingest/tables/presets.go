package tables

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed presets/*.yaml
var files embed.FS

// A Preset is a description of the output of a tool. It is embedded in the program, and
// users refer to it by its name. The first line of its file is its title. The next lines
// are comments with the command that prints the table. If users need another zone or
// other peer groups, they copy the preset and change the copy.
type Preset struct {
	Name  string
	Title string // first line of the description: the output that the preset is for
	Text  []byte // text of the description, in YAML
}

const ending = ".yaml"

// A Set is a set of presets: the files of an embedded directory with the name "presets".
type Set struct{ embed.FS }

var shipped = Set{files}

// All returns the presets, sorted by name.
func All() []Preset { return shipped.All() }

// Lookup returns the preset with the given name, and whether the preset exists.
func Lookup(name string) (Preset, bool) { return shipped.Lookup(name) }

// List returns a text with one line for each preset: its name and its title.
func List() string { return shipped.List() }

// All returns the presets, sorted by name.
func (s Set) All() []Preset {
	entries, _ := s.ReadDir("presets") // no error: the directory is embedded
	var all []Preset
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ending)
		p, _ := s.Lookup(name)
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b Preset) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Lookup returns the preset with the given name, and whether the preset exists.
func (s Set) Lookup(name string) (Preset, bool) {
	text, err := s.ReadFile("presets/" + name + ending)
	if err != nil {
		return Preset{}, false
	}
	title, _, _ := strings.Cut(string(text), "\n")
	return Preset{Name: name, Title: strings.TrimPrefix(title, "# "), Text: text}, true
}

// List returns a text with one line for each preset: its name and its title.
func (s Set) List() string {
	var b strings.Builder
	for _, p := range s.All() {
		fmt.Fprintf(&b, "  %-10s %s\n", p.Name, p.Title)
	}
	return b.String()
}
