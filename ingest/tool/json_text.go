package tool

import "strings"

// A jsonText is the part of a JSON object or array that was read so far. The text is read line by
// line. On the last line of the JSON, other text may follow.
type jsonText struct {
	text     strings.Builder
	depth    int  // number of open braces and brackets
	quoted   bool // true within a string
	reversed bool // true after a backslash within a string
}

// take adds a line. It returns the offset after the closing brace or bracket of the JSON. If the
// JSON does not end in the line, take returns the length of the line.
func (o *jsonText) take(line string) (end int) {
	for end < len(line) {
		ended := o.step(line[end])
		end++
		if ended {
			break
		}
	}
	o.text.WriteString(line[:end])
	o.text.WriteByte('\n')
	return end
}

// step adds a byte, and reports whether the JSON ends with this byte.
func (o *jsonText) step(b byte) (ended bool) {
	switch {
	case o.reversed:
		o.reversed = false
	case o.quoted:
		o.quoted, o.reversed = b != '"', b == '\\'
	case b == '"':
		o.quoted = true
	case b == '{' || b == '[':
		o.depth++
	case b == '}' || b == ']':
		o.depth--
		return o.depth <= 0
	}
	return false
}
