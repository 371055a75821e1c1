package yamlfile

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Decoder reads YAML nodes and collects every mistake with its line, so that one run shows all
// mistakes. If the node is nil, because a key is missing, its methods return the zero value.
type Decoder struct {
	file  string
	lines []string
	errs  []*LineError

	sections  map[string][]string    // setting → sections that know it
	unknown   map[*LineError]unknown // settings in sections that do not know them
	valueless map[valueless]bool     // settings without a value
}

// unknown is a setting in a section that does not know it.
type unknown struct{ key, section string }

// valueless is a setting without a value in a mapping.
type valueless struct {
	in  *yaml.Node
	key string
}

// Errorf notes a mistake at a node. The text has the form "what is wrong; what to do".
func (d *Decoder) Errorf(n *yaml.Node, format string, args ...any) {
	d.ErrorAt(n.Line, n.Column, format, args...)
}

// ErrorAt notes a mistake on a line. Column 0 means the column where the text of the line begins.
func (d *Decoder) ErrorAt(line, column int, format string, args ...any) {
	d.errs = append(d.errs, d.mistake(line, column, fmt.Sprintf(format, args...)))
}

// Mistake returns an error as a mistake at a node, and does not note it.
func (d *Decoder) Mistake(n *yaml.Node, err error) *LineError {
	e := d.mistake(n.Line, n.Column, err.Error())
	e.Cause = err
	return e
}

func (d *Decoder) mistake(line, column int, text string) *LineError {
	e := &LineError{File: d.file, Line: max(line, 1), Column: column, Text: text}
	if e.Line <= len(d.lines) {
		e.Source = strings.TrimRight(d.lines[e.Line-1], "\r")
	}
	if column == 0 {
		e.Column = 1 + len(e.Source) - len(strings.TrimLeft(e.Source, " \t"))
	}
	return e
}

// New returns a decoder of the file called name.
func New(name string) *Decoder {
	return &Decoder{file: name, sections: map[string][]string{}, unknown: map[*LineError]unknown{}, valueless: map[valueless]bool{}}
}

// Mistakes returns the number of mistakes so far.
func (d *Decoder) Mistakes() int { return len(d.errs) }

// Err returns all mistakes as one error, each a [LineError], in the order of the file; nil if there
// are none.
func (d *Decoder) Err() error {
	if len(d.errs) == 0 {
		return nil
	}
	d.nameSections()
	return joined(d.errs)
}

// maxSize is the largest size of a file in bytes. Nobody writes so much by hand.
const maxSize = 4 << 20

// Root returns the only document of a file; nil if it cannot be read. The error for an empty file
// shows begin as an example of the first lines.
func (d *Decoder) Root(data []byte, begin string) *yaml.Node {
	if len(data) > maxSize {
		d.ErrorAt(1, 1, "the file has more than %d bytes; name the YAML file, not the data", maxSize)
		return nil
	}
	d.lines = strings.Split(string(data), "\n")
	documents, read, err := readDocuments(d.lines)
	switch {
	case err != nil:
		d.syntaxError(err, read)
		return nil
	case len(documents) == 0:
		d.ErrorAt(1, 0, "the file is empty; write at least %s", begin)
		return nil
	case len(documents) > 1:
		d.Errorf(documents[1], "a second YAML document begins here; write only one document in a file")
	}
	if !d.plain(documents[0]) {
		return nil
	}
	return documents[0].Content[0]
}

// plain reports whether a tree has no aliases, and notes each alias as a mistake. Without aliases,
// each line can be understood alone.
func (d *Decoder) plain(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode {
		d.Errorf(n, "alias *%s is not supported; write the value itself", n.Value)
		return false
	}
	ok := true
	for _, child := range n.Content {
		ok = d.plain(child) && ok
	}
	return ok
}

// Fields returns the values of a mapping by key. Keys that are unknown, repeated or without a value
// are mistakes.
func (d *Decoder) Fields(n *yaml.Node, what string, known ...string) map[string]*yaml.Node {
	fields := make(map[string]*yaml.Node)
	for _, key := range known {
		if !slices.Contains(d.sections[key], what) {
			d.sections[key] = append(d.sections[key], what)
		}
	}
	for _, p := range d.Pairs(n, what) {
		switch {
		case !slices.Contains(known, p.Key):
			d.Errorf(p.At, "the setting %q is unknown in %s; %s", p.Key, what, suggest(p.Key, known))
			if _, near := Nearest(p.Key, known); !near {
				d.unknown[d.errs[len(d.errs)-1]] = unknown{p.Key, what}
			}
		case p.Value.Tag == "!!null":
			d.Errorf(p.At, "the setting \"%s\" has no value; write a value, or remove the setting", p.Key)
			d.valueless[valueless{n, p.Key}] = true
		default:
			fields[p.Key] = p.Value
		}
	}
	return fields
}

// nameSections changes the mistakes about unknown settings that another section knows: they name this
// section. It is called when all sections have been read.
func (d *Decoder) nameSections() {
	for mistake, u := range d.unknown {
		if sections := d.sections[u.key]; len(sections) > 0 {
			var into []string
			for _, section := range sections[:min(len(sections), mostSections)] {
				if !strings.Contains(section, " ") {
					section = "the section " + section
				}
				into = append(into, section)
			}
			mistake.Text = fmt.Sprintf("the setting %q is unknown in %s; write it into %s", u.key, u.section, strings.Join(into, ", or into "))
		}
	}
}

// mostSections is the largest number of sections that a mistake names.
const mostSections = 3

// HasNoValue reports whether a mapping has a setting without a value, which is noted as a mistake.
func (d *Decoder) HasNoValue(in *yaml.Node, key string) bool { return d.valueless[valueless{in, key}] }

// A Pair is a key with its value.
type Pair struct {
	Key       string
	At, Value *yaml.Node
}

// Pairs returns the pairs of a mapping in the order of the file. A repeated key is returned once.
func (d *Decoder) Pairs(n *yaml.Node, what string) []Pair {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		d.Errorf(n, "%s must have lines of the form \"key: value\"; write each key on its own line", what)
		return nil
	}
	var pairs []Pair
	lines := make(map[string]int)
	for i := 0; i+1 < len(n.Content); i += 2 {
		at := n.Content[i]
		if at.Kind != yaml.ScalarNode {
			d.Errorf(at, "a key of %s is not a plain word; write \"key: value\"", what)
			continue
		}
		if first := lines[at.Value]; first != 0 {
			d.Errorf(at, "the key %q is listed twice, first in line %d; remove one of the two lines", at.Value, first)
			continue
		}
		lines[at.Value] = at.Line
		pairs = append(pairs, Pair{at.Value, at, n.Content[i+1]})
	}
	return pairs
}

// Entries returns the items of a section such as arrays.
func (d *Decoder) Entries(n *yaml.Node, section string) []*yaml.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind != yaml.SequenceNode:
		d.Errorf(n, "%s must be a list; begin each entry with a dash", section)
		return nil
	}
	return n.Content
}

// Text returns a single value.
func (d *Decoder) Text(n *yaml.Node) string {
	switch {
	case n == nil:
		return ""
	case n.Kind != yaml.ScalarNode:
		d.Errorf(n, "a single value is needed here; put the value in quotes if it begins with { or [")
		return ""
	}
	return n.Value
}

// Texts returns a list of values. A single value is a list of one value.
func (d *Decoder) Texts(n *yaml.Node) []string {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		return []string{d.Text(n)}
	}
	if len(n.Content) == 0 {
		d.Errorf(n, "the list is empty; add a name, or remove the setting")
	}
	var texts []string
	for _, item := range n.Content {
		texts = append(texts, d.Text(item))
	}
	return texts
}

// Choice returns one of two words; usual if the key is missing.
func (d *Decoder) Choice(n *yaml.Node, usual, other string) string {
	text := d.Text(n)
	if n != nil && text != usual && text != other {
		d.Errorf(n, "%q is not possible here; write %s or %s", text, usual, other)
	}
	if text == other {
		return other
	}
	return usual
}

// Required reports whether a mapping has all keys. A missing key is a mistake; a key without a value
// already is one.
func (d *Decoder) Required(at *yaml.Node, f map[string]*yaml.Node, keys ...string) bool {
	ok := true
	for _, key := range keys {
		if f[key] == nil {
			ok = false
			if !d.HasNoValue(at, key) {
				d.Errorf(at, "the setting \"%s\" is missing; add this setting", key)
			}
		}
	}
	return ok
}
