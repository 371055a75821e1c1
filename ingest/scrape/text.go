package scrape

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// maxLabels is the largest number of labels of a series.
const maxLabels = 64

var nameLabel = []byte("__name__")

// A parser parses the text format of Prometheus into a batch. It reuses its memory
// for the next text. The format has one line for each series, and comments:
//
//	# HELP node_disk_read_bytes_total The total number of bytes read successfully.
//	# TYPE node_disk_read_bytes_total counter
//	node_disk_read_bytes_total{device="sda"} 9.45716224e+08
//	node_boot_time_seconds 1.7e+09
//
// A time in ms may follow the value. The parser ignores this time, because all samples of a scrape have
// the time of the request.
//
// limpet uses only about one of ten series. In the line of any other series, the
// parser reads only the name. Tests compare the result with the parser of
// prometheus/common.
type parser struct {
	Batch exporter.Batch // result of Read; it refers to the bytes of the parsed text

	labels []exporter.Label
	extra  []exporter.Label // labels of the target; a label in the text with the same name is ignored
	text   []byte           // memory for label values after their escape sequences were replaced
	time   int64            // time of the request, in ms since 1970
}

// Read parses the answer to a request. The caller passes the labels of the target, the
// name of the label that contains the server, and the time of the request.
func (p *parser) Read(text []byte, labels map[string]string, serverLabel string, at time.Time) error {
	p.Batch.Reset(serverLabel)
	p.Batch.Whole = true
	p.text, p.extra, p.time = p.text[:0], p.extra[:0], at.UnixMilli()
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		p.extra = append(p.extra, exporter.Label{Name: []byte(name), Value: []byte(labels[name])})
	}
	for n := 1; len(text) > 0; n++ {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte{'\n'})
		if err := p.line(line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return nil
}

// Parse parses an answer of an endpoint that was recorded at the given time. The caller passes the
// labels of the target and the name of the label that contains the server. The batch refers to the
// memory of the text.
func Parse(text []byte, labels map[string]string, serverLabel string, at time.Time) (*exporter.Batch, error) {
	var p parser
	err := p.Read(text, labels, serverLabel, at)
	return &p.Batch, err
}

func (p *parser) line(line []byte) error {
	line = bytes.TrimLeft(bytes.TrimSuffix(line, []byte{'\r'}), " \t")
	if len(line) == 0 || line[0] == '#' {
		return nil
	}
	end := bytes.IndexAny(line, "{ \t")
	if end <= 0 {
		return fmt.Errorf("%q is not a series with a value", shortened(line))
	}
	if !exporter.Wanted(line[:end]) {
		p.Batch.Unused++
		return nil
	}
	p.labels = append(p.labels[:0], exporter.Label{Name: nameLabel, Value: line[:end]})
	rest, err := p.series(line[end:])
	if err != nil {
		return fmt.Errorf("%q: %w", shortened(line), err)
	}
	value, err := number(rest)
	if err != nil {
		return fmt.Errorf("%q: %w", shortened(line), err)
	}
	p.labels = append(p.labels, p.extra...)
	if !p.Batch.Begin(p.labels) {
		p.Batch.Unused++
		return nil
	}
	p.Batch.Sample(p.time, value)
	return nil
}

// series reads the labels of a line. The parameter `b` is the line after the name of the series.
// series returns the rest of the line.
func (p *parser) series(b []byte) (rest []byte, err error) {
	b = bytes.TrimLeft(b, " \t")
	if len(b) == 0 || b[0] != '{' {
		return b, nil
	}
	b = bytes.TrimLeft(b[1:], " \t")
	for len(b) > 0 && b[0] != '}' {
		if b, err = p.label(b); err != nil {
			return nil, err
		}
		b = bytes.TrimLeft(b, " \t")
		if len(b) > 0 && b[0] == ',' {
			b = bytes.TrimLeft(b[1:], " \t")
		} else if len(b) > 0 && b[0] != '}' {
			return nil, errLabels
		}
	}
	if len(b) == 0 {
		return nil, errLabels
	}
	return b[1:], nil
}

var errLabels = fmt.Errorf("labels are not written as {name=\"value\",…}")

func (p *parser) label(b []byte) (rest []byte, err error) {
	name, b, ok := bytes.Cut(b, []byte{'='})
	name, b = bytes.TrimRight(name, " \t"), bytes.TrimLeft(b, " \t")
	if !ok || len(name) == 0 || bytes.ContainsAny(name, "\"{},\\ \t") || len(b) == 0 || b[0] != '"' {
		return nil, errLabels
	}
	value, rest, err := p.quoted(b[1:])
	if err != nil {
		return nil, err
	}
	if p.overridden(name) {
		return rest, nil
	}
	if len(p.labels) >= maxLabels {
		return nil, fmt.Errorf("the series has more than %d labels", maxLabels)
	}
	p.labels = append(p.labels, exporter.Label{Name: name, Value: value})
	return rest, nil
}

// overridden reports whether the target has a label with this name. That label replaces the label
// in the text.
func (p *parser) overridden(name []byte) bool {
	for _, l := range p.extra {
		if bytes.Equal(l.Name, name) {
			return true
		}
	}
	return false
}

// quoted returns the text up to the closing quote, with its escape sequences
// replaced, and the rest of the line.
func (p *parser) quoted(b []byte) (value, rest []byte, err error) {
	end := bytes.IndexAny(b, `"\`)
	if end < 0 {
		return nil, nil, errLabels
	}
	if b[end] == '"' {
		return checked(b[:end], b[end+1:])
	}
	start := len(p.text)
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			return checked(p.text[start:len(p.text):len(p.text)], b[i+1:])
		case c != '\\':
			p.text = append(p.text, c)
		case i+1 < len(b):
			i++
			p.text = append(p.text, unescape(b[i])...)
		}
	}
	return nil, nil, errLabels
}

func checked(value, rest []byte) ([]byte, []byte, error) {
	if !utf8.Valid(value) {
		return nil, nil, fmt.Errorf("the value of a label is not UTF-8")
	}
	return value, rest, nil
}

// unescape returns the character that a backslash and the given byte represent.
func unescape(c byte) string {
	switch c {
	case 'n':
		return "\n"
	case '"':
		return `"`
	case '\\':
		return `\`
	}
	return `\` + string(rune(c))
}

// number parses the value at the end of a line. It ignores a time after the value.
func number(b []byte) (float64, error) {
	b = bytes.Trim(b, " \t")
	if end := bytes.IndexAny(b, " \t"); end >= 0 {
		stamp := bytes.Trim(b[end:], " \t")
		if _, err := strconv.ParseInt(view(stamp), 10, 64); err != nil {
			return 0, fmt.Errorf("the text after the value is not a time")
		}
		b = b[:end]
	}
	v, err := strconv.ParseFloat(view(b), 64)
	if err != nil || bytes.ContainsAny(b, "_xXpP") {
		return 0, fmt.Errorf("the value is not a number")
	}
	return v, nil
}

// view returns bytes as a string without a copy. The string is valid while the
// bytes do not change.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func shortened(b []byte) []byte { return b[:min(len(b), 60)] }
