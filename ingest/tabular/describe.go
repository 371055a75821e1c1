package tabular

import (
	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/internal/paths"
	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// A Decoder reads the keys that all descriptions of tables have in common. Users write such
// descriptions in YAML:
//
//	files: "{cluster}/{host}/*.csv"    # pattern for the end of a path; or a list of patterns
//	                                   #   {host} takes a field from the path, * is anything without a /
//	                                   #   .gz, .zst or .xz may follow; default: *.csv and *.parquet
//	separator: ","                     # or ";" or tab; default: the separator that occurs most often in the header
//	decimal: ","                       # numbers are written as 3,5; default: "."
//	time:                              # or only the name of the column
//	  column: ts
//	  format: unix                     # unix, unix_ms, unix_us, unix_ns, rfc3339, or a layout,
//	                                   #   "2006-01-02 15:04:05" or "%Y-%m-%d %H:%M:%S";
//	                                   #   default: Unix seconds, RFC 3339 or a day
//	  zone: Europe/Berlin              # for times without a zone; default: UTC
//	  marks: end                       # end: a time is the end of the row's interval; begin: the beginning
//	group: host                        # a name is written in one of three ways: a field of the path, or else a column;
//	group: "{cluster}/{host}"          #   or a text that contains fields;
//	group: {text: all}                 #   or a text that is the same for all rows
//
// A Decoder collects every mistake with its line. In the methods for optional keys, a nil node
// means an absent key.
type Decoder struct{ *yamlfile.Decoder }

// NewDecoder returns a decoder of a description. Error messages contain the name of the
// description.
func NewDecoder(name string) Decoder { return Decoder{yamlfile.New(name)} }

// Common has the keys that all descriptions of tables have in common.
type Common struct {
	Files     paths.Patterns
	Separator byte // separator of fields; 0 means the character that occurs most often in the header
	Comma     bool // true if numbers have a decimal comma
	Time      TimeColumn
}

// ReadFiles reads the keys `files`, `separator` and `decimal`.
func (d Decoder) ReadFiles(f map[string]*yaml.Node) Common {
	c := Common{Files: d.readFiles(f["files"]), Separator: d.readSeparator(f["separator"])}
	if f["decimal"] != nil {
		c.Comma = d.Choice(f["decimal"], ".", ",") == ","
	}
	if c.Comma && c.Separator == ',' {
		d.Errorf(f["decimal"], "the settings \"decimal\" and \"separator\" are both a comma; change one of the two settings")
	}
	return c
}

// ReadColumn reads the name of a column. A description has this name either as a text, or as the
// key `column` of a mapping with other keys. ReadColumn returns the name of the column and the
// nodes of the mapping. The name is empty if the node is absent or wrong.
func (d Decoder) ReadColumn(n *yaml.Node, what string, keys ...string) (column string, f map[string]*yaml.Node) {
	if n == nil {
		return "", nil
	}
	if n.Kind == yaml.ScalarNode {
		return d.Text(n), nil
	}
	f = d.Fields(n, what, append([]string{"column"}, keys...)...)
	if d.Required(n, f, "column") {
		column = d.Text(f["column"])
	}
	return column, f
}

// readFiles reads the key `files`: patterns of the paths of tables. If the key is absent, the
// patterns match all CSV and Parquet files.
func (d Decoder) readFiles(n *yaml.Node) paths.Patterns {
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

// readSeparator reads the separator of fields. It returns 0 if the key is absent or
// wrong.
func (d Decoder) readSeparator(n *yaml.Node) byte {
	switch text := d.Text(n); {
	case n == nil:
	case text == "," || text == ";" || text == "\t":
		return text[0]
	case text == "tab":
		return '\t'
	default:
		d.Errorf(n, "separator %q is unknown; write \",\", \";\" or tab, or remove the setting", text)
	}
	return 0
}

// A TimeColumn is the column of times, with the clock that parses them.
type TimeColumn struct {
	Column string
	Clock  *Clock
	// Marks is "begin" if a time marks the beginning of the row's interval, and "end" if
	// it marks the end. Marks is empty if the description does not have this key.
	Marks string
}

// AtEnd reports whether a time marks the end of the row's interval.
func (t *TimeColumn) AtEnd() bool { return t.Marks == "end" }

// ReadTime reads the column of times: its name alone, or a mapping with its name and
// format. The caller passes the name of the default column. If this name is empty, the
// description must name the column.
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

// ReadClock returns the clock for a format and a zone. Mistakes are reported at the line of the
// node `at`.
func (d Decoder) ReadClock(at *yaml.Node, format, zone string) *Clock {
	c, err := NewClock(format, zone)
	if err != nil {
		d.Errorf(at, "%v", err)
	}
	return c
}

// ReadTemplate reads the template of a name. A text that is the same for all rows must be
// written as {text: …}, because a single word is always a field.
func (d Decoder) ReadTemplate(n *yaml.Node) Template {
	if n.Kind == yaml.MappingNode && len(n.Content) > 0 && n.Content[0].Value == "text" {
		f := d.Fields(n, "a name", "text")
		return Constant(d.Text(f["text"]))
	}
	t, err := parseTemplate(d.Text(n))
	if err != nil {
		d.Errorf(n, "%v", err)
	}
	return t
}

// ReadVarying reads the template of a name that differs between rows, such as the name of a
// component. A template without fields is a mistake.
func (d Decoder) ReadVarying(n *yaml.Node) Template {
	t := d.ReadTemplate(n)
	if len(t) > 0 && len(t.Fields()) == 0 {
		d.Errorf(n, "the text %q would be the same for all lines; "+aName, t.Fill(nil))
	}
	return t
}
