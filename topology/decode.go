package topology

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A decoder reads YAML nodes and collects every mistake with its line, so that
// one run shows all that is to be mended. Its methods take a nil node for a key
// that is not there and return nothing of it.
type decoder struct {
	file  string
	lines []string
	errs  []*LineError
}

// errorf notes a mistake: what; what to do.
func (d *decoder) errorf(n *yaml.Node, format string, args ...any) {
	d.errorAt(n.Line, n.Column, format, args...)
}

// errorAt notes a mistake on a line; column 0 is where its text begins.
func (d *decoder) errorAt(line, column int, format string, args ...any) {
	e := &LineError{File: d.file, Line: max(line, 1), Column: column, Text: fmt.Sprintf(format, args...)}
	if e.Line <= len(d.lines) {
		e.Source = strings.TrimRight(d.lines[e.Line-1], "\r")
	}
	if column == 0 {
		e.Column = 1 + len(e.Source) - len(strings.TrimLeft(e.Source, " \t"))
	}
	d.errs = append(d.errs, e)
}

// root returns the one document of a file, nil where there is none to read.
func (d *decoder) root(data []byte) *yaml.Node {
	d.lines = strings.Split(string(data), "\n")
	documents, read, err := readDocuments(d.lines)
	switch {
	case err != nil:
		d.syntaxError(err, read)
		return nil
	case len(documents) == 0:
		d.errorAt(1, 0, "the file is empty; begin with servers: and arrays: or drives:")
		return nil
	case len(documents) > 1:
		d.errorf(documents[1], "a second document begins here; keep one system to a file")
	}
	if !d.plain(documents[0]) {
		return nil
	}
	return documents[0].Content[0]
}

// plain refuses aliases anywhere in a tree: ranges are shorter, and a line
// means what it says.
func (d *decoder) plain(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode {
		d.errorf(n, "alias *%s is not supported; write the value out", n.Value)
		return false
	}
	ok := true
	for _, child := range n.Content {
		ok = d.plain(child) && ok
	}
	return ok
}

// fields returns the values of a mapping by key and refuses keys that are not
// known, that come twice, or that have no value.
func (d *decoder) fields(n *yaml.Node, what string, known ...string) map[string]*yaml.Node {
	fields := make(map[string]*yaml.Node)
	for _, p := range d.pairs(n, what) {
		switch {
		case !slices.Contains(known, p.key):
			d.errorf(p.at, "%s has no key %q; %s", what, p.key, suggest(p.key, known))
		case p.value.Tag == "!!null":
			d.errorf(p.at, "%s has no value; write one or take it out", p.key)
		default:
			fields[p.key] = p.value
		}
	}
	return fields
}

type pair struct {
	key       string
	at, value *yaml.Node
}

// pairs returns a mapping in the order of the file, keys that come twice once.
func (d *decoder) pairs(n *yaml.Node, what string) []pair {
	if n.Kind != yaml.MappingNode {
		d.errorf(n, "%s is no list of key: value lines; write each key on a line of its own", what)
		return nil
	}
	var pairs []pair
	lines := make(map[string]int)
	for i := 0; i+1 < len(n.Content); i += 2 {
		at := n.Content[i]
		if at.Kind != yaml.ScalarNode {
			d.errorf(at, "a key of %s is no plain word; write key: value", what)
			continue
		}
		if first := lines[at.Value]; first != 0 {
			d.errorf(at, "%s comes twice, first on line %d; keep one of them", at.Value, first)
			continue
		}
		lines[at.Value] = at.Line
		pairs = append(pairs, pair{at.Value, at, n.Content[i+1]})
	}
	return pairs
}

// entries returns the items of a section such as arrays.
func (d *decoder) entries(n *yaml.Node, section string) []*yaml.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind != yaml.SequenceNode:
		d.errorf(n, "%s is no list; begin each of its entries with a dash", section)
		return nil
	}
	return n.Content
}

// text returns a value of one word.
func (d *decoder) text(n *yaml.Node) string {
	switch {
	case n == nil:
		return ""
	case n.Kind != yaml.ScalarNode:
		d.errorf(n, "a single value belongs here; quote it if it begins with { or [")
		return ""
	}
	return n.Value
}

// names expands a pattern or a list of patterns. An unquoted [00-71] is to YAML
// a list of the one item 00-71, and reads the same.
func (d *decoder) names(n *yaml.Node) []string {
	switch {
	case n == nil:
		return nil
	case n.Kind == yaml.MappingNode:
		d.errorf(n, "names belong here; quote a value that begins with {")
		return nil
	case n.Kind == yaml.SequenceNode:
		return d.listed(n)
	}
	names, err := Expand(n.Value)
	if err != nil {
		d.errorf(n, "%v", err)
	}
	return names
}

func (d *decoder) listed(n *yaml.Node) []string {
	var names []string
	for _, item := range n.Content {
		if item.Kind != yaml.ScalarNode {
			d.errorf(item, "a name belongs here; quote one with brackets or braces within a list")
			continue
		}
		names = append(names, d.names(item)...)
	}
	if name, ok := firstTwice(names); ok {
		d.errorf(n, "%s comes twice; name it once", name)
	}
	if len(n.Content) == 0 {
		d.errorf(n, "the list is empty; name something or take the key out")
	}
	return names
}

// number returns a whole number from 1, or 0 where there is none.
func (d *decoder) number(n *yaml.Node) int {
	number, err := strconv.Atoi(n.Value)
	if err != nil || number < 1 || number > maxNames {
		d.errorf(n, "%q is no number from 1 to %d; write one", n.Value, maxNames)
		return 0
	}
	return number
}

// suggest names the nearest known key, or all of them.
func suggest(key string, known []string) string {
	nearest := slices.MinFunc(known, func(a, b string) int { return distance(key, a) - distance(key, b) })
	if distance(key, nearest) <= 2 {
		return fmt.Sprintf("did you mean %s?", nearest)
	}
	return "it takes " + strings.Join(known, ", ")
}

// distance is Levenshtein's: how many letters to change, add or take out.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
