package store

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/internal/post"
)

// vmExportPath is the path of the export, relative to the address of VictoriaMetrics.
const vmExportPath = "api/v1/export"

// exportReader reads raw samples from VictoriaMetrics. The answer of /api/v1/export has one
// line of JSON for each series, or for a part of a series.
//
//	{"metric":{"__name__":"up","instance":"fs1:9100"},"values":[1,1,null],"timestamps":[1549891472010,1549891487010,1549891502010]}
//
// A null represents a NaN. Counters are never NaN, so a null is always the staleness marker, which ends
// a series.
type exportReader struct {
	Client *post.Client
	Header http.Header
}

// Read reads the samples that the request selects (see Reader).
func (r *exportReader) Read(ctx context.Context, a Request, each SeriesFunc) ([]string, error) {
	query := url.Values{
		"match[]":          {a.Selector()},
		"start":            {unixSeconds(a.From)},
		"end":              {unixSeconds(a.To - 1)},
		"reduce_mem_usage": {"1"},
	}
	answer, err := r.Client.Ask(ctx, http.MethodGet, vmExportPath, query, nil, r.Header)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return nil, read(answer.Body, a, each)
}

func unixSeconds(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'f', 3, 64) }

// ended is the value of the staleness marker, which ends a series.
var ended = math.Float64frombits(0x7ff0000000000002)

// line is one line of an answer. Its memory is used again for the next line.
type line struct {
	labels []exporter.Label
	values []float64
	times  []int64
	merged []exporter.Sample
}

func read(body io.Reader, a Request, each SeriesFunc) error {
	s := newScanner(body)
	var l line
	for s.More() {
		if err := l.read(s); err != nil {
			return err
		}
		if within := a.Within(l.merged); len(within) > 0 {
			if err := each(l.labels, within); err != nil {
				return err
			}
		}
	}
	return s.Err()
}

func (l *line) read(s *scanner) error {
	l.labels, l.values, l.times, l.merged = l.labels[:0], l.values[:0], l.times[:0], l.merged[:0]
	s.Object(func(key []byte) {
		switch string(key) {
		case "metric":
			s.Object(func(name []byte) {
				l.labels = append(l.labels, exporter.Label{Name: name, Value: []byte(string(s.String()))})
			})
		case "values":
			s.Numbers(l.value)
		case "timestamps":
			s.Numbers(func(ms float64, _ bool) { l.times = append(l.times, int64(ms)) })
		default:
			s.Skip()
		}
	})
	if s.Err() != nil {
		return s.Err()
	}
	if len(l.values) != len(l.times) {
		return errors.New("a series of the answer does not have one time for each value")
	}
	for i, t := range l.times {
		l.merged = append(l.merged, exporter.Sample{Time: t, Value: l.values[i]})
	}
	return nil
}

func (l *line) value(v float64, ok bool) {
	if !ok {
		v = ended
	}
	l.values = append(l.values, v)
}
