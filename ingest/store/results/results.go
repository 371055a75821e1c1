package results

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/ingest/remotewrite"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/internal/post"
)

// Options set the store that limpet's metrics are written to, and the interval.
type Options struct {
	Post     post.Options // its URL is the whole address of the receiver, such as https://host:port/api/v1/write
	Tenant   string
	Interval time.Duration     `name:"interval" least:"1s" most:"1h"`
	Labels   map[string]string // labels that are added to every series
}

// DefaultOptions returns the default options. The caller must set the address.
func DefaultOptions() Options {
	return Options{Interval: 15 * time.Second, Labels: map[string]string{"job": "limpet"}}
}

// Validate returns an error if an option is wrong.
func (o *Options) Validate() error {
	if o.Post.URL == "" {
		return errors.New("the address for the results is missing; write the setting \"url\", such as url: https://host:port/api/v1/write")
	}
	return bounds.Check(*o)
}

// mostWaiting is the largest number of intervals for which results are kept while the store accepts
// no samples. At an interval of 15 s, 240 intervals are one hour.
const mostWaiting = 240

// A Sender writes limpet's own metrics, the results, to a store.
type Sender struct {
	o      Options
	gather prometheus.Gatherer
	now    func() time.Time
	writer remotewrite.Writer

	waiting [][]remotewrite.Series         // results that were not sent yet, one element for each interval
	shown   map[string][]remotewrite.Label // labels of the series of the last interval, by key (see keyOf)

	mu      sync.Mutex
	trouble string // result of the method Trouble
	lost    uint64 // number of intervals whose results were dropped
}

// New returns a sender of the metrics that the given Gatherer collects.
func New(o Options, gather prometheus.Gatherer, now func() time.Time) (*Sender, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	client, err := post.New(o.Post)
	if err != nil {
		return nil, err
	}
	s := &Sender{o: o, gather: gather, now: now, writer: remotewrite.Writer{Client: client, Header: http.Header{}}}
	if o.Tenant != "" {
		s.writer.Header.Set("X-Scope-OrgID", o.Tenant)
		s.writer.Header.Set("THANOS-TENANT", o.Tenant)
	}
	return s, nil
}

// Run sends the metrics once in every interval, until the context ends.
func (s *Sender) Run(ctx context.Context) {
	every := time.NewTicker(s.o.Interval)
	defer every.Stop()
	for {
		s.Send(ctx)
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
	}
}

// Trouble returns the reason why results were not sent yet. It returns an empty text if
// all results were sent.
func (s *Sender) Trouble() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trouble
}

// Send collects the current results, and sends all results that were not sent yet, in
// order.
func (s *Sender) Send(ctx context.Context) {
	list, err := s.collect()
	if len(list) > 0 {
		s.waiting = append(s.waiting, list)
	}
	for err == nil && len(s.waiting) > 0 {
		if err = s.writer.Write(ctx, s.waiting[0]); isRefused(err) {
			err, s.lost = nil, s.lost+1 // drop these results, because the store would never accept them
		}
		if err == nil {
			s.waiting = s.waiting[1:]
		}
	}
	if more := len(s.waiting) - mostWaiting; more > 0 {
		s.waiting, s.lost = s.waiting[more:], s.lost+uint64(more)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trouble = ""; err != nil && ctx.Err() == nil {
		s.trouble = fmt.Sprintf("the results of %d time steps could not be sent yet, and the results of %d older time steps were dropped: %v", len(s.waiting), s.lost, err)
	}
}

// isRefused reports whether the store will never accept the request.
func isRefused(err error) bool {
	f, ok := errors.AsType[*post.Failure](err)
	return ok && f.Refuses()
}

// stale is the value of the staleness marker, which ends a series.
var stale = math.Float64frombits(0x7ff0000000000002)

// collect returns the current samples, and a staleness marker for each series that has
// ended.
func (s *Sender) collect() ([]remotewrite.Series, error) {
	families, err := s.gather.Gather()
	if err != nil {
		return nil, err
	}
	c := collector{at: s.now().UnixMilli(), labels: s.o.Labels}
	for _, f := range families {
		if strings.HasPrefix(f.GetName(), "limpet_") {
			c.family(f)
		}
	}
	shown := map[string][]remotewrite.Label{}
	for _, one := range c.list {
		shown[keyOf(one.Labels)] = one.Labels
	}
	for _, key := range slices.Sorted(maps.Keys(s.shown)) {
		if shown[key] == nil {
			c.list = append(c.list, remotewrite.Series{Labels: s.shown[key], Samples: []exporter.Sample{{Time: c.at, Value: stale}}})
		}
	}
	s.shown = shown
	return c.list, nil
}

func keyOf(labels []remotewrite.Label) string {
	var b strings.Builder
	for _, l := range labels {
		fmt.Fprintf(&b, "%s\xff%s\xff", l.Name, l.Value)
	}
	return b.String()
}

// collector converts metrics to series.
type collector struct {
	at     int64
	labels map[string]string
	list   []remotewrite.Series
}

func (c *collector) family(f *dto.MetricFamily) {
	for _, m := range f.GetMetric() {
		switch {
		case m.Counter != nil:
			c.add(f.GetName(), m, m.GetCounter().GetValue())
		case m.Gauge != nil:
			c.add(f.GetName(), m, m.GetGauge().GetValue())
		case m.Untyped != nil:
			c.add(f.GetName(), m, m.GetUntyped().GetValue())
		case m.Histogram != nil:
			c.histogram(f.GetName(), m)
		}
	}
}

func (c *collector) histogram(name string, m *dto.Metric) {
	h := m.GetHistogram()
	for _, b := range h.GetBucket() {
		c.add(name+"_bucket", m, float64(b.GetCumulativeCount()), remotewrite.Label{Name: "le", Value: strconv.FormatFloat(b.GetUpperBound(), 'g', -1, 64)})
	}
	c.add(name+"_bucket", m, float64(h.GetSampleCount()), remotewrite.Label{Name: "le", Value: "+Inf"})
	c.add(name+"_sum", m, h.GetSampleSum())
	c.add(name+"_count", m, float64(h.GetSampleCount()))
}

// add adds a sample. If a label of the metric and a label of Options.Labels have the same name, add
// uses the label of the metric.
func (c *collector) add(name string, m *dto.Metric, v float64, more ...remotewrite.Label) {
	labels := append([]remotewrite.Label{{Name: "__name__", Value: name}}, more...)
	for _, l := range m.GetLabel() {
		if l.GetValue() != "" {
			labels = append(labels, remotewrite.Label{Name: l.GetName(), Value: l.GetValue()})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.labels)) {
		if !slices.ContainsFunc(labels, func(l remotewrite.Label) bool { return l.Name == key }) {
			labels = append(labels, remotewrite.Label{Name: key, Value: c.labels[key]})
		}
	}
	c.list = append(c.list, remotewrite.Series{Labels: labels, Samples: []exporter.Sample{{Time: c.at, Value: v}}})
}
