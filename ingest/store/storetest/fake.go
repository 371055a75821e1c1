package storetest

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/snappy"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/ingest/remotewrite"
)

// A Failing is a store in memory whose failures a test can choose. The store supports remote read
// and lists of series.
type Failing struct {
	URL string

	mu     sync.Mutex
	series []*remotewrite.Series
	byName map[string]*remotewrite.Series
	// Now is the current time of the store, in ms since 1970. Samples after this time are hidden
	// from readers.
	Now int64
	// Hide reports whether a sample is hidden from readers. A hidden sample simulates a sample that
	// the store has not received yet. If Hide is nil, no sample is hidden.
	Hide func(labels map[string]string, t int64) bool
	// The store calls Fail before each read. The parameters are the number of the read, the
	// conditions on labels as a text, and the period. Fail returns the HTTP status and the text of
	// an error. The status 0 means that the read does not fail.
	Fail func(read int, labels string, from, to int64) (status int, text string)
	// Cut is the number of answers that the store will cut off. The next answers to remote reads are
	// cut off, so they are incomplete.
	Cut   int
	Reads int // number of reads so far
}

// NewFailing starts a store without samples. The store stops when the test ends.
func NewFailing(t testing.TB) *Failing {
	f := &Failing{Now: math.MaxInt64, byName: map[string]*remotewrite.Series{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/v1/read", f.read)
	mux.HandleFunc("GET /api/v1/series", f.list)
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	f.URL = s.URL
	return f
}

// Set calls a function while the store handles no request. The function may set the fields of the
// store.
func (f *Failing) Set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

// Add adds a sample to a series. The parameter `t` is the time of the sample, in ms since 1970. The
// parameter `pairs` has the labels of the series: name, value, name, value and so on.
func (f *Failing) Add(t int64, v float64, name string, pairs ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	labels := []remotewrite.Label{{Name: "__name__", Value: name}}
	for i := 0; i+1 < len(pairs); i += 2 {
		labels = append(labels, remotewrite.Label{Name: pairs[i], Value: pairs[i+1]})
	}
	key := name + "\xff" + strings.Join(pairs, "\xff")
	s := f.byName[key]
	if s == nil {
		s = &remotewrite.Series{Labels: labels}
		f.byName[key] = s
		f.series = append(f.series, s)
	}
	s.Samples = append(s.Samples, exporter.Sample{Time: t, Value: v})
}

type matcher struct {
	name  string
	value *regexp.Regexp
}

func (f *Failing) matching(matchers []matcher, from, to int64) (list []remotewrite.Series) {
	for _, s := range f.series {
		labels := map[string]string{}
		for _, l := range s.Labels {
			labels[l.Name] = l.Value
		}
		fits := true
		for _, m := range matchers {
			fits = fits && m.value.MatchString(labels[m.name])
		}
		if !fits {
			continue
		}
		one := remotewrite.Series{Labels: s.Labels}
		for _, x := range s.Samples {
			if x.Time >= from && x.Time <= to && x.Time <= f.Now && (f.Hide == nil || !f.Hide(labels, x.Time)) {
				one.Samples = append(one.Samples, x)
			}
		}
		if len(one.Samples) > 0 {
			list = append(list, one)
		}
	}
	return list
}

var selector = regexp.MustCompile(`(\w+)=(~?)"((?:[^"\\]|\\.)*)"`)

func (f *Failing) list(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var matchers []matcher
	for _, m := range selector.FindAllStringSubmatch(r.FormValue("match[]"), -1) {
		matchers = append(matchers, pattern(m[1], m[3], m[2] == "~"))
	}
	ms := func(name string) int64 {
		v, _ := strconv.ParseFloat(r.FormValue(name), 64)
		return int64(v * 1000)
	}
	data := []map[string]string{}
	for _, s := range f.matching(matchers, ms("start"), ms("end")) {
		one := map[string]string{}
		for _, l := range s.Labels {
			one[l.Name] = l.Value
		}
		data = append(data, one)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"status": "success", "data": data})
}

func pattern(name, value string, isRegexp bool) matcher {
	if !isRegexp {
		value = regexp.QuoteMeta(value)
	} else {
		value = strings.ReplaceAll(value, `\\`, `\`)
	}
	return matcher{name, regexp.MustCompile("^(?:" + value + ")$")}
}

// read answers a remote read with one message with samples, and not with a stream of frames. If Cut
// is above 0, the answer is instead the beginning of a stream whose first frame is incomplete.
func (f *Failing) read(w http.ResponseWriter, r *http.Request) {
	packed, _ := io.ReadAll(r.Body)
	body, err := snappy.Decode(nil, packed)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	from, to, matchers, text := parseRead(body)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Reads++
	if f.Fail != nil {
		if status, said := f.Fail(f.Reads, text, from, to); status != 0 {
			http.Error(w, said, status)
			return
		}
	}
	list := f.matching(matchers, from, to)
	result := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), remotewrite.Append(nil, list))
	if f.Cut > 0 {
		f.Cut--
		w.Header().Set("Content-Type", "application/x-streamed-protobuf; proto=prometheus.ChunkedReadResponse")
		_, _ = w.Write(Frame(result)[:6])
		return
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
	_, _ = w.Write(snappy.Encode(nil, result))
}

// Frame returns a message as a frame of a stream.
func Frame(message []byte) []byte {
	b := binary.AppendUvarint(nil, uint64(len(message)))
	b = binary.BigEndian.AppendUint32(b, crc32.Checksum(message, crc32.MakeTable(crc32.Castagnoli)))
	return append(b, message...)
}

// parseRead returns the period and the conditions of a remote read. The last result has the
// conditions as a text.
func parseRead(body []byte) (from, to int64, matchers []matcher, text string) {
	_, _, n := protowire.ConsumeTag(body)
	query, _ := protowire.ConsumeBytes(body[n:])
	for len(query) > 0 {
		field, kind, n := protowire.ConsumeTag(query)
		query = query[n:]
		if kind == protowire.VarintType {
			v, n := protowire.ConsumeVarint(query)
			query = query[n:]
			switch field {
			case 1:
				from = int64(v)
			case 2:
				to = int64(v)
			}
			continue
		}
		one, n := protowire.ConsumeBytes(query)
		query = query[n:]
		m, said := parseMatcher(one)
		matchers, text = append(matchers, m), text+said+" "
	}
	return from, to, matchers, text
}

func parseMatcher(b []byte) (matcher, string) {
	var isRegexp uint64
	var words [4]string
	for len(b) > 0 {
		field, kind, n := protowire.ConsumeTag(b)
		b = b[n:]
		if kind == protowire.VarintType {
			isRegexp, n = protowire.ConsumeVarint(b)
			b = b[n:]
			continue
		}
		v, n := protowire.ConsumeBytes(b)
		b = b[n:]
		words[field] = string(v)
	}
	m := pattern(words[2], words[3], false)
	if isRegexp == 2 {
		m.value = regexp.MustCompile("^(?:" + words[3] + ")$")
	}
	return m, words[2] + "=" + words[3]
}
