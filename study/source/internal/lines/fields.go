package lines

import "bytes"

// Separator is what a header has most of.
func Separator(header []byte) byte {
	best := byte(',')
	for _, c := range []byte(";\t") {
		if bytes.Count(header, []byte{c}) > bytes.Count(header, []byte{best}) {
			best = c
		}
	}
	return best
}

// Cut appends the fields of a line, or reports that its quotes do not add
// up. A quote within a field that does not begin with one is a letter.
func Cut(fields [][]byte, line []byte, separator byte) ([][]byte, bool) {
	for {
		if len(line) > 0 && line[0] == '"' {
			field, rest, ok := cutQuoted(line[1:])
			if !ok || len(rest) > 0 && rest[0] != separator {
				return fields, false
			}
			fields = append(fields, field)
			if len(rest) == 0 {
				return fields, true
			}
			line = rest[1:]
			continue
		}
		i := bytes.IndexByte(line, separator)
		if i < 0 {
			return append(fields, line), true
		}
		fields = append(fields, line[:i])
		line = line[i+1:]
	}
}

// cutQuoted cuts a field up to its closing quote; "" within is one quote.
func cutQuoted(text []byte) (field, rest []byte, ok bool) {
	i := bytes.IndexByte(text, '"')
	if i < 0 {
		return nil, nil, false
	}
	if i+1 == len(text) || text[i+1] != '"' {
		return text[:i], text[i+1:], true
	}
	more, rest, ok := cutQuoted(text[i+2:])
	return append(append(bytes.Clone(text[:i]), '"'), more...), rest, ok
}
