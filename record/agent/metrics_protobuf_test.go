package agent

import (
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"sort"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"

	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// asPrometheus is what Prometheus accepts where native histograms are switched on.
const asPrometheus = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited,application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"

// families are what a form of the exporter says to Prometheus's own parsers.
func families(t *testing.T, e *Exporter, accept string) map[string]*dto.MetricFamily {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
	r.Header.Set("Accept", accept)
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	all := map[string]*dto.MetricFamily{}
	decoder := expfmt.NewDecoder(w.Body, expfmt.ResponseFormat(w.Header()))
	for {
		var f dto.MetricFamily
		if err := decoder.Decode(&f); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all[f.GetName()] = &f
	}
}

// whole is an exporter with everything: disks, interfaces, connections, latencies.
func whole() *Exporter {
	e := NewExporter("fs1")
	s := fullSample()
	e.Name, e.Custom = names, append(e.Custom, sysstat.CustomActivity{ID: blklat.ID, Size: blklat.Size})
	s.Custom = append(s.Custom, latencySample(1, 10, blklat.Bucket(1e6)).Custom[0])
	e.Hear(noon, 100, s)
	return e
}

// TestProtobuf: it says what the text says, family by family.
func TestProtobuf(t *testing.T) {
	e := whole()
	text, proto := families(t, e, "text/plain"), families(t, e, asPrometheus)
	if len(text) == 0 || len(proto) != len(text) {
		t.Fatalf("%d families as protobuf, %d as text", len(proto), len(text))
	}
	for name, want := range text {
		got := proto[name]
		if got == nil || got.GetType() != want.GetType() || got.GetHelp() != want.GetHelp() || len(got.Metric) != len(want.Metric) {
			t.Errorf("%s is %v, as text %v", name, got, want)
			continue
		}
		for i, m := range got.Metric {
			if g, w := classic(m), classic(want.Metric[i]); g != w {
				t.Errorf("%s is %s, as text %s", name, g, w)
			}
		}
	}
}

// classic is a metric without its native part and its labels in order.
func classic(m *dto.Metric) string {
	sort.Slice(m.Label, func(i, j int) bool { return m.Label[i].GetName() < m.Label[j].GetName() })
	if h := m.Histogram; h != nil {
		m.Histogram = &dto.Histogram{SampleCount: h.SampleCount, SampleSum: h.SampleSum, Bucket: h.Bucket}
	}
	return m.String()
}

// nativeCounts are the counts of a native histogram by the upper bounds of its buckets.
func nativeCounts(h *dto.Histogram) map[float64]int64 {
	counts, index, delta, at := map[float64]int64{}, int32(0), 0, int64(0)
	for _, span := range h.PositiveSpan {
		index += span.GetOffset()
		for range span.GetLength() {
			at += h.PositiveDelta[delta]
			delta++
			counts[math.Exp2(float64(index)*math.Exp2(-float64(h.GetSchema())))] += at
			index++
		}
	}
	return counts
}

// TestNative: every request stands in a native bucket that its time lies in, or
// nearly so, and none is lost.
func TestNative(t *testing.T) {
	if got := nativeOf[blklat.Buckets-1]; got != nativeBuckets-1 {
		t.Fatalf("the last native bucket is %d, %d are kept", got, nativeBuckets)
	}
	for b := range blklat.Buckets {
		e := NewExporter("fs1")
		e.Custom = []sysstat.CustomActivity{{ID: blklat.ID, Size: blklat.Size}}
		e.Hear(time.Unix(1, 0), 1, latencySample(1, 10, b))
		h := families(t, e, asPrometheus)["limpet_disk_request_device_seconds"].Metric[0].Histogram
		counts := nativeCounts(h)
		if b == 0 {
			if h.GetZeroCount() != 10 || len(counts) != 0 {
				t.Errorf("requests below %g s: %v, zero bucket %d", h.GetZeroThreshold(), counts, h.GetZeroCount())
			}
			continue
		}
		low, high := float64(blklat.LowerNs(b))/1e9, float64(blklat.LowerNs(min(b+1, blklat.Buckets-1)))/1e9
		for bound, n := range counts {
			const off = 1.032
			if n != 10 || h.GetZeroCount() != 0 || bound*off < low || bound*math.Exp2(-0.125)/off > high {
				t.Errorf("10 requests from %g to %g s: %d up to %g s, zero bucket %d", low, high, n, bound, h.GetZeroCount())
			}
		}
		if len(counts) != 1 {
			t.Errorf("bucket %d: %v", b, counts)
		}
	}
}

// TestTextForAllOthers: protobuf is for whoever names it.
func TestTextForAllOthers(t *testing.T) {
	e := whole()
	for _, accept := range []string{"", "*/*", "text/html", "application/openmetrics-text", "application/vnd.google.protobuf", strings.ReplaceAll(asPrometheus, "delimited", "text")} {
		r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if got := w.Header().Get("Content-Type"); got != (*text)(nil).contentType() {
			t.Errorf("accepting %q: %s", accept, got)
		}
	}
}
