package topology

import (
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// A decoder is a YAML decoder with methods for names and numbers.
type decoder struct {
	*yamlfile.Decoder
}

// names expands a pattern or a list of patterns. In YAML an unquoted [00-71] is a list of the one
// item 00-71; names reads it as the pattern.
func (d *decoder) names(n *yaml.Node) []string {
	switch {
	case n == nil:
		return nil
	case n.Kind == yaml.MappingNode:
		d.Errorf(n, "a name or a list of names is needed here; if a name begins with {, put the name in quotes")
		return nil
	case n.Kind == yaml.SequenceNode:
		return d.listed(n)
	}
	names, err := Expand(n.Value)
	if err != nil {
		d.Errorf(n, "%v", err)
	}
	return names
}

func (d *decoder) listed(n *yaml.Node) []string {
	var names []string
	for _, item := range n.Content {
		if item.Kind != yaml.ScalarNode {
			d.Errorf(item, "a name is needed here; if a name has brackets or braces, put the name in quotes")
			continue
		}
		names = append(names, d.names(item)...)
	}
	if name, ok := firstTwice(names); ok {
		d.Errorf(n, "%s is listed twice; list the name once", name)
	}
	if len(n.Content) == 0 {
		d.Errorf(n, "the list is empty; add a name, or remove the setting")
	}
	return names
}

// number returns an integer from 1, or 0 if the value is none.
func (d *decoder) number(n *yaml.Node) int {
	number, err := strconv.Atoi(n.Value)
	if err != nil || number < 1 || number > maxNames {
		d.Errorf(n, "%q is not a number from 1 to %d; write a number in this range", n.Value, maxNames)
		return 0
	}
	return number
}
