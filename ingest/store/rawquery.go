package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/internal/post"
)

// rawQueryPath is the path of instant queries, relative to the address of a store.
const rawQueryPath = "api/v1/query"

// queryReader reads raw samples from every store with PromQL, for example Thanos. It sends an
// instant query with a range selector, because the answer then has the samples as they were
// scraped. The answer of query_range would have values at fixed intervals.
//
//	query={instance="fs1:9100"}[3600000ms]&time=1549891472.009
//	{"status":"success","data":{"resultType":"matrix","result":[
//	  {"metric":{"__name__":"up"},"values":[[1549891457.01,"1"],[1549891472.01,"1"]]}]}}
//
// The answer has no staleness markers, which would show that a device was removed. So a device
// counts as removed only after two successive scrapes without the device. The first of these scrapes
// is not used, because its samples of the device may have been lost.
type queryReader struct {
	Client *post.Client
	Header http.Header
}

// Read reads the samples that the request selects (see Reader).
func (r *queryReader) Read(ctx context.Context, a Request, each SeriesFunc) ([]string, error) {
	// In Prometheus 2 a range includes both ends. In Prometheus 3 a range includes only the later
	// end. A range of the length To-From with the end To-1 begins at From-1. So both versions
	// include From.
	query := url.Values{
		"query": {fmt.Sprintf("%s[%dms]", a.Selector(), a.To-a.From)},
		"time":  {strconv.FormatFloat(float64(a.To-1)/1000, 'f', 3, 64)},
	}
	header := r.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := r.Client.Ask(ctx, http.MethodPost, rawQueryPath, nil, []byte(query.Encode()), header)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	p := &parser{scanner: newScanner(answer.Body), request: a, add: each}
	return p.read()
}

// parser decodes one answer of a store while the answer is being received.
type parser struct {
	*scanner
	request  Request
	add      SeriesFunc
	err      error  // error that parser.add has returned
	failed   string // error message of the store
	partial  bool   // true if some nodes of the store did not answer
	warnings []string
	labels   []exporter.Label
	samples  []exporter.Sample
}

func (p *parser) read() ([]string, error) {
	p.Object(func(key []byte) {
		switch string(key) {
		case "data":
			p.data()
		case "error":
			p.failed = string(p.String())
		case "isPartial": // VictoriaMetrics
			p.partial = string(p.Word()) == "true"
		case "warnings":
			p.Array(func() { p.warnings = append(p.warnings, string(p.String())) })
		default:
			p.Skip()
		}
	})
	if p.partial {
		p.warnings = append(p.warnings, "some nodes of the store did not answer, so data may be missing")
	}
	switch {
	case p.err != nil:
		return p.warnings, p.err
	case p.failed != "":
		return p.warnings, errors.New(p.failed)
	}
	return p.warnings, p.Err()
}

func (p *parser) data() {
	p.Object(func(key []byte) {
		if string(key) != "result" {
			p.Skip()
			return
		}
		p.Array(p.series)
	})
}

func (p *parser) series() {
	p.labels, p.samples = p.labels[:0], p.samples[:0]
	p.Object(func(key []byte) {
		switch string(key) {
		case "metric":
			p.Object(func(name []byte) {
				p.labels = append(p.labels, exporter.Label{Name: name, Value: []byte(string(p.String()))})
			})
		case "values":
			p.Array(p.sample)
		default:
			p.Skip()
		}
	})
	if p.Err() != nil || p.err != nil {
		return
	}
	if within := p.request.Within(p.samples); len(within) > 0 {
		p.err = p.add(p.labels, within)
	}
	if p.err != nil {
		p.Stop(io.ErrClosedPipe)
	}
}

func (p *parser) sample() {
	var pair [2]float64
	i := 0
	p.Array(func() {
		if v, ok := p.Number(); ok && i < len(pair) {
			pair[i] = v
		}
		i++
	})
	p.samples = append(p.samples, exporter.Sample{Time: int64(math.Round(pair[0] * 1000)), Value: pair[1]})
}
