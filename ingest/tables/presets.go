package tables

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed presets/*.yaml
var files embed.FS

// A Preset is a description of the output of a tool, embedded in the program and used
// by its name. The first line of its file is its title; the lines after it have the
// command that prints the table. A user copies it to change the zone or the peers.
type Preset struct {
	Name  string
	Title string // one line
	Text  []byte // the description
}

const ending = ".yaml"

// A Set is the presets in an embedded directory "presets", one file each.
type Set struct{ embed.FS }

var shipped = Set{files}

// All returns the presets, sorted by name.
func All() []Preset { return shipped.All() }

// Lookup returns the preset of a name.
func Lookup(name string) (Preset, bool) { return shipped.Lookup(name) }

// List returns a line for each preset.
func List() string { return shipped.List() }

// All returns the presets, sorted by name.
func (s Set) All() []Preset {
	entries, _ := s.ReadDir("presets") // it is embedded
	var all []Preset
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ending)
		p, _ := s.Lookup(name)
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b Preset) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Lookup returns the preset of a name.
func (s Set) Lookup(name string) (Preset, bool) {
	text, err := s.ReadFile("presets/" + name + ending)
	if err != nil {
		return Preset{}, false
	}
	title, _, _ := strings.Cut(string(text), "\n")
	return Preset{Name: name, Title: strings.TrimPrefix(title, "# "), Text: text}, true
}

// List returns a line for each preset.
func (s Set) List() string {
	var b strings.Builder
	for _, p := range s.All() {
		fmt.Fprintf(&b, "  %-10s %s\n", p.Name, p.Title)
	}
	return b.String()
}
