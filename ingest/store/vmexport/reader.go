package vmexport

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"

	"github.com/limpet-storage/limpet/ingest/intake/series"
	"github.com/limpet-storage/limpet/ingest/store"
	"github.com/limpet-storage/limpet/ingest/store/jsontext"
	"github.com/limpet-storage/limpet/internal/post"
)

// Path is where VictoriaMetrics exports, below its address.
const Path = "api/v1/export"

// Reader asks one store.
type Reader struct {
	Client *post.Client
	Header http.Header
}

// Read asks for the samples of series.
func (r *Reader) Read(ctx context.Context, a store.Ask, each store.Each) ([]string, error) {
	query := url.Values{
		"match[]":          {a.Selector()},
		"start":            {seconds(a.From)},
		"end":              {seconds(a.To - 1)},
		"reduce_mem_usage": {"1"},
	}
	answer, err := r.Client.Ask(ctx, http.MethodGet, Path, query, nil, r.Header)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return nil, read(answer.Body, a, each)
}

func seconds(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'f', 3, 64) }

// ended is the NaN that says that a series has ended.
var ended = math.Float64frombits(0x7ff0000000000002)

// line is one of an answer, in memory that is used again.
type line struct {
	labels []series.Label
	values []float64
	times  []int64
	merged []series.Sample
}

func read(body io.Reader, a store.Ask, each store.Each) error {
	s := jsontext.New(body)
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

func (l *line) read(s *jsontext.Scanner) error {
	l.labels, l.values, l.times, l.merged = l.labels[:0], l.values[:0], l.times[:0], l.merged[:0]
	s.Object(func(key []byte) {
		switch string(key) {
		case "metric":
			s.Object(func(name []byte) {
				l.labels = append(l.labels, series.Label{Name: name, Value: []byte(string(s.String()))})
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
		return errors.New("a series of the answer has not as many values as times")
	}
	for i, t := range l.times {
		l.merged = append(l.merged, series.Sample{Time: t, Value: l.values[i]})
	}
	return nil
}

func (l *line) value(v float64, ok bool) {
	if !ok {
		v = ended
	}
	l.values = append(l.values, v)
}
