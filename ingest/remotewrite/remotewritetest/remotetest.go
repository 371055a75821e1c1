package remotewritetest

import (
	"bytes"
	"encoding/binary"
	"math"
	"net/http"
	"net/http/httptest"

	"github.com/klauspost/compress/snappy"
)

// A Label is a name and a value.
type Label struct{ Name, Value string }

// A Series has one sample.
type Series struct {
	Labels []Label
	Time   int64 // in ms since 1970
	Value  float64
}

// Stale is the NaN with which senders mark the end of a series.
var Stale = math.Float64frombits(0x7ff0000000000002)

func varint(b []byte, n uint64) []byte { return binary.AppendUvarint(b, n) }

// Field appends a protobuf field that contains bytes.
func Field(b []byte, number int, value []byte) []byte {
	b = varint(b, uint64(number)<<3|2)
	b = varint(b, uint64(len(value)))
	return append(b, value...)
}

func sample(s Series) []byte {
	b := binary.LittleEndian.AppendUint64([]byte{1<<3 | 1}, math.Float64bits(s.Value))
	return varint(append(b, 2<<3), uint64(s.Time))
}

// Version1 returns the series as a request of version 1.0: an encoded prometheus.WriteRequest.
func Version1(series []Series) (request []byte) {
	for _, s := range series {
		var one []byte
		for _, l := range s.Labels {
			one = Field(one, 1, Field(Field(nil, 1, []byte(l.Name)), 2, []byte(l.Value)))
		}
		request = Field(request, 1, Field(one, 2, sample(s)))
	}
	return request
}

// Version2 returns the series as a request of version 2.0: an encoded
// io.prometheus.write.v2.Request.
func Version2(series []Series) (request []byte) {
	number := map[string]uint64{"": 0}
	symbols := []string{""}
	ref := func(text string) uint64 {
		n, ok := number[text]
		if !ok {
			n = uint64(len(symbols))
			number[text] = n
			symbols = append(symbols, text)
		}
		return n
	}
	var body []byte
	for _, s := range series {
		var refs []byte
		for _, l := range s.Labels {
			refs = varint(varint(refs, ref(l.Name)), ref(l.Value))
		}
		body = Field(body, 5, Field(Field(nil, 1, refs), 2, sample(s)))
	}
	for _, text := range symbols {
		request = Field(request, 4, []byte(text))
	}
	return append(request, body...)
}

// ContentType returns the Content-Type header of requests of a version of remote write.
func ContentType(version int) string {
	if version == 2 {
		return "application/x-protobuf;proto=io.prometheus.write.v2.Request"
	}
	return "application/x-protobuf"
}

// Request returns an HTTP request. The caller passes a compressed body.
func Request(version int, body []byte) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/api/v1/write", bytes.NewReader(body))
	r.Header.Set("Content-Type", ContentType(version))
	r.Header.Set("Content-Encoding", "snappy")
	return r
}

// Post sends series to a handler, and returns the answer.
func Post(h http.Handler, version int, series []Series) *httptest.ResponseRecorder {
	body := Version1(series)
	if version == 2 {
		body = Version2(series)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, Request(version, snappy.Encode(nil, body)))
	return w
}
