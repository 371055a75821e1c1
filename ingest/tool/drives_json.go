package tool

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A take takes what a host measured at a time, which comes so far down its
// list, from 0.
type take func(host string, at int, raw json.RawMessage, rows *Rows) error

// driveStatistics is the source of the JSON that tools of sysstat print: of every
// host its name and, one by one, what was measured at a time.
//
//	{"sysstat": {"hosts": [{"nodename": "store-1", "statistics": [{…}, {…}]}]}}
func driveStatistics(src *bufio.Reader, take take) Source {
	return &statistics{dec: json.NewDecoder(src), take: take}
}

type statistics struct {
	dec    *json.Decoder
	take   take
	host   string
	inside bool // of a list of statistics
	depth  int
	at     int // in that list
}

var errCut = errors.New("the text breaks off")

func (s *statistics) Next(rows *Rows) error {
	if s.inside && s.dec.More() {
		var raw json.RawMessage
		if err := s.dec.Decode(&raw); err != nil {
			return s.broken(err)
		}
		s.at++
		if err := s.take(s.host, s.at-1, raw, rows); err != nil {
			return s.broken(err)
		}
		return nil
	}
	s.inside = false
	return s.token()
}

// token goes one token on.
func (s *statistics) token() error {
	t, err := s.dec.Token()
	if err == io.EOF && s.depth == 0 {
		return io.EOF
	}
	if err != nil {
		return s.broken(err)
	}
	switch t {
	case json.Delim('{'), json.Delim('['):
		s.depth++
	case json.Delim('}'), json.Delim(']'):
		s.depth--
	case "nodename":
		t, err = s.dec.Token()
		s.host, _ = t.(string)
	case "statistics":
		if t, err = s.dec.Token(); t == json.Delim('[') {
			s.depth++
			s.inside, s.at = true, 0
		}
	}
	if err != nil {
		return s.broken(err)
	}
	return nil
}

func (s *statistics) broken(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errCut
	}
	return fmt.Errorf("report %d: %w", s.at, err)
}

// numbers are the numbers among the members of an object.
func numbers(object map[string]any) values {
	v := values{}
	for name, value := range object {
		if n, ok := value.(float64); ok {
			v[name] = n
		}
	}
	return v
}
