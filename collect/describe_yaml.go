package collect

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/topology"
)

// A yamlReader reads YAML nodes and collects every mistake with its line, so
// that one run shows all that is to be mended. Its methods take a nil node for
// a key that is not there.
type yamlReader struct {
	file  string
	lines []string
	errs  []*topology.LineError
}

// errorf notes a mistake: what; what to do.
func (r *yamlReader) errorf(n *yaml.Node, format string, args ...any) {
	r.errorAt(n.Line, n.Column, fmt.Sprintf(format, args...))
}

func (r *yamlReader) errorAt(line, column int, text string) {
	e := &topology.LineError{File: r.file, Line: max(line, 1), Column: max(column, 1), Text: text}
	if e.Line <= len(r.lines) {
		e.Source = strings.TrimRight(r.lines[e.Line-1], "\r")
	}
	r.errs = append(r.errs, e)
}

// mistakes joins the errors in the order of the file.
func (r *yamlReader) mistakes() error {
	slices.SortStableFunc(r.errs, func(a, b *topology.LineError) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	list := make([]error, len(r.errs))
	for i, e := range r.errs {
		list[i] = e
	}
	return errors.Join(list...)
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// maxYAML is more than anyone writes by hand.
const maxYAML = 1 << 20

// root returns the mapping of a file, nil where it cannot be read.
func (r *yamlReader) root(data []byte) *yaml.Node {
	if len(data) > maxYAML {
		r.errorAt(1, 1, fmt.Sprintf("the file has more than %d bytes; name the description, not a table", maxYAML))
		return nil
	}
	r.lines = strings.Split(string(data), "\n")
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		r.syntaxError(err.Error())
		return nil
	}
	if len(document.Content) == 0 {
		r.errorAt(1, 1, "the file is empty; begin with files:, time: and component:")
		return nil
	}
	if !r.plain(&document) {
		return nil
	}
	return document.Content[0]
}

// syntaxError notes what the YAML reader says, where it says so.
func (r *yamlReader) syntaxError(text string) {
	line := 1
	if at := yamlLine.FindStringSubmatch(text); at != nil && at[1] != "" {
		line, _ = strconv.Atoi(at[1])
	}
	r.errorAt(line, 1, yamlLine.ReplaceAllString(text, "")+"; check the indentation, and quote values that begin with {")
}

// plain refuses aliases anywhere in a tree: a line means what it says.
func (r *yamlReader) plain(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode {
		r.errorf(n, "alias *%s is not supported; write the value out", n.Value)
		return false
	}
	return !slices.ContainsFunc(n.Content, func(child *yaml.Node) bool { return !r.plain(child) })
}

type yamlPair struct {
	key       string
	at, value *yaml.Node
}

// pairs returns a mapping in the order of the file, keys that come twice once.
func (r *yamlReader) pairs(n *yaml.Node, what string) []yamlPair {
	if n.Kind != yaml.MappingNode {
		r.errorf(n, "%s is no list of key: value lines; write each key on a line of its own", what)
		return nil
	}
	var pairs []yamlPair
	for i := 0; i+1 < len(n.Content); i += 2 {
		at := n.Content[i]
		switch {
		case at.Kind != yaml.ScalarNode:
			r.errorf(at, "a key of %s is no plain word; write key: value", what)
		case slices.ContainsFunc(pairs, func(p yamlPair) bool { return p.key == at.Value }):
			r.errorf(at, "%s comes twice; keep one of them", at.Value)
		default:
			pairs = append(pairs, yamlPair{at.Value, at, n.Content[i+1]})
		}
	}
	return pairs
}

// fields returns a mapping by key and refuses keys that are not known or have
// no value.
func (r *yamlReader) fields(n *yaml.Node, what string, known ...string) map[string]*yaml.Node {
	fields := make(map[string]*yaml.Node)
	for _, p := range r.pairs(n, what) {
		switch {
		case !slices.Contains(known, p.key):
			r.errorf(p.at, "%s has no key %q; it takes %s", what, p.key, strings.Join(known, ", "))
		case p.value.Tag == "!!null":
			r.errorf(p.at, "%s has no value; write one or take it out", p.key)
		default:
			fields[p.key] = p.value
		}
	}
	return fields
}

// required reports whether a mapping has all of the keys.
func (r *yamlReader) required(at *yaml.Node, f map[string]*yaml.Node, keys ...string) bool {
	ok := true
	for _, key := range keys {
		if f[key] == nil {
			r.errorf(at, "%s: is missing; add it", key)
			ok = false
		}
	}
	return ok
}

// text returns a value of one word.
func (r *yamlReader) text(n *yaml.Node) string {
	switch {
	case n == nil:
		return ""
	case n.Kind != yaml.ScalarNode:
		r.errorf(n, "a single value belongs here; quote it if it begins with { or [")
		return ""
	}
	return n.Value
}

// texts returns a value or a list of them.
func (r *yamlReader) texts(n *yaml.Node) []string {
	if n.Kind != yaml.SequenceNode {
		return []string{r.text(n)}
	}
	if len(n.Content) == 0 {
		r.errorf(n, "the list is empty; name something or take the key out")
	}
	var texts []string
	for _, item := range n.Content {
		texts = append(texts, r.text(item))
	}
	return texts
}

// choice returns one of two words, the first where the key is not there.
func (r *yamlReader) choice(n *yaml.Node, usual, other string) string {
	text := r.text(n)
	if n != nil && text != usual && text != other {
		r.errorf(n, "%q is not known here; write %s or %s", text, usual, other)
	}
	if text == other {
		return other
	}
	return usual
}

// stem is the name of a file without directories and ending.
func stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }
