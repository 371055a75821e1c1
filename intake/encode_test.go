package intake

import (
	"bytes"
	"encoding/binary"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/klauspost/compress/snappy"
)

// What senders send, written by hand and apart from what reads it.

type pair struct{ name, value string }

type sent struct {
	labels []pair
	time   int64 // ms
	value  float64
}

func varint(b []byte, n uint64) []byte { return binary.AppendUvarint(b, n) }

func bytesField(b []byte, number int, value []byte) []byte {
	b = varint(b, uint64(number)<<3|2)
	b = varint(b, uint64(len(value)))
	return append(b, value...)
}

func sampleOf(s sent) []byte {
	b := binary.LittleEndian.AppendUint64([]byte{1<<3 | 1}, math.Float64bits(s.value))
	return varint(append(b, 2<<3), uint64(s.time))
}

// version1 is a prometheus.WriteRequest.
func version1(series []sent) (request []byte) {
	for _, s := range series {
		var one []byte
		for _, l := range s.labels {
			label := bytesField(bytesField(nil, 1, []byte(l.name)), 2, []byte(l.value))
			one = bytesField(one, 1, label)
		}
		request = bytesField(request, 1, bytesField(one, 2, sampleOf(s)))
	}
	return request
}

// version2 is an io.prometheus.write.v2.Request.
func version2(series []sent) (request []byte) {
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
		for _, l := range s.labels {
			refs = varint(varint(refs, ref(l.name)), ref(l.value))
		}
		body = bytesField(body, 5, bytesField(bytesField(nil, 1, refs), 2, sampleOf(s)))
	}
	for _, text := range symbols {
		request = bytesField(request, 4, []byte(text))
	}
	return append(request, body...)
}

// post sends a request and returns the answer.
func post(t testing.TB, h http.Handler, version int, series []sent) *httptest.ResponseRecorder {
	t.Helper()
	body, contentType := version1(series), "application/x-protobuf"
	if version == 2 {
		body, contentType = version2(series), "application/x-protobuf;proto=io.prometheus.write.v2.Request"
	}
	r := httptest.NewRequest(http.MethodPost, "/api/v1/write", bytes.NewReader(snappy.Encode(nil, body)))
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Content-Encoding", "snappy")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
