package tool

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A takeReport is a function that adds the values of a report to `rows`. A report has the
// measurements of one host at one time. The parameter `index` is the position of the report in the
// list of this host's reports. The first report has index 0.
type takeReport func(host string, index int, raw json.RawMessage, rows *csvRows) error

// newSysstatJSON returns a reader for the JSON that the tools of sysstat print. For each host, the
// JSON has the name of the host and a list of its reports.
//
//	{"sysstat": {"hosts": [{"nodename": "store-1", "statistics": [{…}, {…}]}]}}
func newSysstatJSON(src *bufio.Reader, take takeReport) rowSource {
	return &sysstatJSON{dec: json.NewDecoder(src), addReport: take}
}

type sysstatJSON struct {
	dec         *json.Decoder
	addReport   takeReport
	host        string
	inside      bool // true if the reader is inside a list of reports
	depth       int  // number of open braces and brackets
	readReports int  // number of reports of the current list that were read
}

var errCut = errors.New("the text is incomplete: its end is missing")

func (s *sysstatJSON) Next(rows *csvRows) error {
	if s.inside && s.dec.More() {
		var raw json.RawMessage
		if err := s.dec.Decode(&raw); err != nil {
			return s.broken(err)
		}
		s.readReports++
		if err := s.addReport(s.host, s.readReports-1, raw, rows); err != nil {
			return s.broken(err)
		}
		return nil
	}
	s.inside = false
	return s.token()
}

// token reads one token of JSON that is not in a list of reports.
func (s *sysstatJSON) token() error {
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
			s.inside, s.readReports = true, 0
		}
	}
	if err != nil {
		return s.broken(err)
	}
	return nil
}

func (s *sysstatJSON) broken(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errCut
	}
	return fmt.Errorf("report %d: %w", s.readReports, err)
}

// jsonNumbers returns the members of a JSON object that are numbers.
func jsonNumbers(object map[string]any) columnValues {
	v := columnValues{}
	for name, value := range object {
		if n, ok := value.(float64); ok {
			v[name] = n
		}
	}
	return v
}

// parseBanner parses the first line that the tools of sysstat print:
//
//	Linux 6.1.0-30-amd64 (store-1)  11/15/26  _x86_64_  (2 CPU)
func parseBanner(line string) (host, date string, ok bool) {
	f := strings.Fields(line)
	if len(f) < 4 || !strings.HasPrefix(f[2], "(") || !strings.HasSuffix(f[2], ")") {
		return "", "", false
	}
	return strings.Trim(f[2], "()"), f[3], true
}
