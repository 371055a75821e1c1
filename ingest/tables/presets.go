// This file are descriptions of tables that people have: what iostat, sar
// and other tools print, ready to be used by name.
//
// A preset is a description like any other, in a file beside this one. Its
// first line says what it is for; the lines after it which command prints it.
// Whoever needs another zone or other peers copies it and changes it.

package tables

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed presets/*.yaml
var files embed.FS

// A Preset is a description that is shipped.
type Preset struct {
	Name  string
	Title string // one line: what it is for
	Text  []byte // the description
}

const ending = ".yaml"

// A Set is the presets in an embedded directory "presets", one file each.
type Set struct{ embed.FS }

var shipped = Set{files}

// All are the presets by name.
func All() []Preset { return shipped.All() }

// Lookup is the preset of a name.
func Lookup(name string) (Preset, bool) { return shipped.Lookup(name) }

// List is one line for each preset.
func List() string { return shipped.List() }

// All are the presets by name.
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

// Lookup is the preset of a name.
func (s Set) Lookup(name string) (Preset, bool) {
	text, err := s.ReadFile("presets/" + name + ending)
	if err != nil {
		return Preset{}, false
	}
	title, _, _ := strings.Cut(string(text), "\n")
	return Preset{Name: name, Title: strings.TrimPrefix(title, "# "), Text: text}, true
}

// List is one line for each preset.
func (s Set) List() string {
	var b strings.Builder
	for _, p := range s.All() {
		fmt.Fprintf(&b, "  %-10s %s\n", p.Name, p.Title)
	}
	return b.String()
}
