package config

import (
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// reader reads values of a configuration. A key that is missing leaves the value unchanged.
type reader struct {
	*yamlfile.Decoder
	dir string // directory of relative paths
}

// setter parses a value from text. The values of package bounded are setters.
type setter interface{ Set(string) error }

// value reads one value within its bounds.
func (r *reader) value(n *yaml.Node, to setter) {
	text := r.Text(n)
	if n == nil || text == "" {
		return
	}
	if err := to.Set(text); err != nil {
		r.Errorf(n, "%v", err)
	}
}

// text reads a text.
func (r *reader) text(n *yaml.Node, to *string) {
	if n != nil {
		*to = r.Text(n)
	}
}

// boolean reads a boolean.
func (r *reader) boolean(n *yaml.Node, to *bool) {
	if n != nil {
		*to = r.Choice(n, "true", "false") == "true"
	}
}

// path reads the name of a file. A relative path starts at the directory of the configuration.
func (r *reader) path(n *yaml.Node, to *string) {
	if n != nil {
		*to = r.resolve(r.Text(n))
	}
}

// paths reads the name of one file, or a list of names.
func (r *reader) paths(n *yaml.Node, to *[]string) {
	for _, one := range r.Texts(n) {
		*to = append(*to, r.resolve(one))
	}
}

func (r *reader) resolve(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(r.dir, path)
}

// check records an error of the options of a section.
func (r *reader) check(at *yaml.Node, err error) {
	if err != nil && at != nil {
		r.Errorf(at, "%v", err)
	}
}

// labels reads a mapping of texts.
func (r *reader) labels(n *yaml.Node, what string) map[string]string {
	if n == nil {
		return nil
	}
	all := map[string]string{}
	for _, p := range r.Pairs(n, what) {
		all[p.Key] = r.Text(p.Value)
	}
	return all
}
