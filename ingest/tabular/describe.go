// This file reads the parts that all descriptions of tables have in
// common, which people write as YAML:
//
//	files: "{cluster}/{host}/*.csv"    # the ends of the paths to read; or a list of such
//	                                   #   {host} takes a field from the path, * is anything without a /
//	                                   #   .gz, .zst or .xz may follow; default: *.csv and *.parquet
//	separator: ","                     # or ";" or tab; default: what the header has most of
//	time:                              # or the column alone
//	  column: ts
//	  format: unix                     # unix, unix_ms, unix_us, unix_ns, rfc3339, or a layout,
//	                                   #   "2006-01-02 15:04:05" or "%Y-%m-%d %H:%M:%S";
//	                                   #   default: Unix seconds, RFC 3339 or a day
//	  zone: Europe/Berlin              # of times that name none; default: UTC
//	  marks: end                       # of what the row tells, or begin
//	group: host                        # a word is a field: of the path, or else a column
//	group: "{cluster}/{host}"          # text with fields in it
//	group: {text: all}                 # text that is the same for all rows
//
// Every mistake is named with its line. It stands between tabular and the
// descriptions of collect/tables and study/source, and knows neither.

package tabular

import (
	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/internal/paths"
	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// A Decoder reads a description and collects every mistake with its line. Its
// methods take a nil node for a key that is not there.
type Decoder struct{ *yamlfile.Decoder }

// NewDecoder returns a decoder of the description called name.
func NewDecoder(name string) Decoder { return Decoder{yamlfile.New(name)} }

// ReadFiles reads which files there are.
func (d Decoder) ReadFiles(n *yaml.Node) paths.Patterns {
	texts := []string{"*.csv", "*.parquet"}
	if n != nil {
		texts = d.Texts(n)
	}
	var patterns paths.Patterns
	for _, text := range texts {
		p, err := paths.Parse(text)
		if err != nil {
			d.Errorf(n, "%v", err)
		}
		patterns = append(patterns, p)
	}
	return patterns
}

// ReadSeparator reads what fields stand between; 0: to be found out.
func (d Decoder) ReadSeparator(n *yaml.Node) byte {
	switch text := d.Text(n); {
	case n == nil:
	case text == "," || text == ";" || text == "\t":
		return text[0]
	case text == "tab":
		return '\t'
	default:
		d.Errorf(n, "separator %q is not known; write \",\", \";\" or tab, or leave it out", text)
	}
	return 0
}

// A TimeColumn is the column of times and how they are written.
type TimeColumn struct {
	Column string
	Clock  *Clock
	// Marks is what of the row's span a time is: begin, end, or empty where
	// nothing is said.
	Marks string
}

// ReadTime reads the column alone as well; usual is its name where nothing is said.
func (d Decoder) ReadTime(n *yaml.Node, usual string) TimeColumn {
	t := TimeColumn{Column: usual}
	var f map[string]*yaml.Node
	switch {
	case n == nil:
	case n.Kind == yaml.ScalarNode:
		t.Column = d.Text(n)
	default:
		f = d.Fields(n, "time", "column", "format", "zone", "marks")
	}
	switch {
	case f["column"] != nil:
		t.Column = d.Text(f["column"])
	case f != nil && usual == "":
		d.Required(n, f, "column")
	}
	if f["marks"] != nil {
		t.Marks = d.Choice(f["marks"], "begin", "end")
	}
	t.Clock = d.ReadClock(n, d.Text(f["format"]), d.Text(f["zone"]))
	return t
}

// ReadClock makes a clock of its format and zone.
func (d Decoder) ReadClock(at *yaml.Node, format, zone string) *Clock {
	c, err := NewClock(format, zone)
	if err != nil {
		d.Errorf(at, "%v", err)
	}
	return c
}

// ReadTemplate reads a name. Where it is the same for all rows it must be written
// as a text, so that a column is not taken for a word, nor a word for a column.
func (d Decoder) ReadTemplate(n *yaml.Node) Template {
	if n.Kind == yaml.MappingNode && len(n.Content) > 0 && n.Content[0].Value == "text" {
		f := d.Fields(n, "a name", "text")
		return Template{{text: d.Text(f["text"])}}
	}
	t, err := parseTemplate(d.Text(n))
	if err != nil {
		d.Errorf(n, "%v", err)
	}
	return t
}

// ReadVarying reads a name that must not be the same for all rows.
func (d Decoder) ReadVarying(n *yaml.Node) Template {
	t := d.ReadTemplate(n)
	if len(t) > 0 && len(t.Fields()) == 0 {
		d.Errorf(n, "%q is the same for all; write a column, or a {field} of a column or the path", t.Fill(nil))
	}
	return t
}
