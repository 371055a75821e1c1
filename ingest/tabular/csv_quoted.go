package tabular

import (
	"bytes"
	"io"
)

// nextQuoted reads a record by all rules of CSV. Two quotes within a quoted field are one quote, and
// a quoted field may have several lines. If the quotes are unbalanced, nextQuoted leaves out
// the first line. The caller passes the number of bytes of that line.
func (r *reader) nextQuoted(first int) error {
	n := first
	for lines := 1; lines <= maxQuotedLines; lines++ {
		state := r.cutQuoted(r.buf[r.pos : r.pos+n])
		if state == quotesClosed {
			r.Record = trimEnd(r.buf[r.pos : r.pos+n])
			r.take(n, lines)
			return nil
		}
		if state == quotesBroken {
			break
		}
		more, err := r.find(n)
		if err == io.EOF || err == errLong {
			break
		}
		if err != nil {
			return err
		}
		n = more
	}
	r.Record = trimEnd(r.buf[r.pos : r.pos+first])
	r.take(first, 1)
	return errQuotes
}

type quotes uint8

const (
	quotesClosed quotes = iota
	quotesOpen          // the record may continue on the next line
	quotesBroken        // a character other than the separator follows a quoted field
)

// cutQuoted splits a record into fields. The record may have several lines.
func (r *reader) cutQuoted(record []byte) quotes {
	r.fields, r.joined = r.fields[:0], r.joined[:0]
	for {
		field, rest, state := r.cutField(record)
		if state != quotesClosed {
			return state
		}
		r.fields = append(r.fields, span{len(r.joined), len(r.joined) + len(field)})
		r.joined = append(r.joined, field...)
		if len(rest) == 0 || rest[0] != r.sep {
			break
		}
		record = rest[1:]
	}
	r.text = r.joined
	return quotesClosed
}

// cutField cuts off the first field of a record. The rest is empty, or begins with a
// separator.
func (r *reader) cutField(record []byte) (field, rest []byte, state quotes) {
	if len(record) == 0 || record[0] != '"' {
		line := trimEnd(record)
		if i := bytes.IndexByte(line, r.sep); i >= 0 {
			return line[:i], record[i:], quotesClosed
		}
		return line, nil, quotesClosed
	}
	rest = record[1:]
	for {
		i := bytes.IndexByte(rest, '"')
		if i < 0 {
			return nil, nil, quotesOpen
		}
		field = append(field, bytes.ReplaceAll(rest[:i], []byte("\r\n"), []byte("\n"))...)
		rest = rest[i+1:]
		switch {
		case len(trimEnd(rest)) == 0:
			return field, nil, quotesClosed
		case rest[0] == r.sep:
			return field, rest, quotesClosed
		case rest[0] != '"':
			return nil, nil, quotesBroken
		}
		field = append(field, '"')
		rest = rest[1:]
	}
}
