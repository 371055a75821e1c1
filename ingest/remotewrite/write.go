package remotewrite

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"slices"

	"github.com/klauspost/compress/snappy"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/internal/post"
)

// A Label is a name and a value.
type Label struct{ Name, Value string }

// A Series is a list of labels, with samples in time order.
type Series struct {
	Labels  []Label
	Samples []exporter.Sample
}

// Path is the usual path for remote write, relative to the address of a store.
const Path = "api/v1/write"

// A Writer sends samples to one store. It uses remote write 1.0, which every
// store accepts. VictoriaMetrics answers version 2.0 with success, but does not
// store the samples.
type Writer struct {
	Client *post.Client
	Header http.Header // headers of every request, for example the tenant
	Path   string      // path for remote write, relative to the address of Client; empty if the address is already complete
	buf    []byte
	packed []byte
}

// Write sends samples. Only one goroutine at a time may call it.
func (w *Writer) Write(ctx context.Context, list []Series) error {
	w.buf = Append(w.buf[:0], list)
	w.packed = snappy.Encode(w.packed[:cap(w.packed)], w.buf)
	header := w.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set("Content-Type", "application/x-protobuf")
	header.Set("Content-Encoding", "snappy")
	header.Set("X-Prometheus-Remote-Write-Version", "0.1.0")
	answer, err := w.Client.Ask(ctx, http.MethodPost, w.Path, nil, w.packed, header)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// Append appends a prometheus.WriteRequest to dst. It sorts labels by name, as
// the protocol requires.
func Append(dst []byte, list []Series) []byte {
	var one, part []byte
	for _, s := range list {
		one = one[:0]
		for _, l := range slices.SortedFunc(slices.Values(s.Labels), func(a, b Label) int { return cmp.Compare(a.Name, b.Name) }) {
			part = appendBytes(part[:0], 1, []byte(l.Name))
			part = appendBytes(part, 2, []byte(l.Value))
			one = appendBytes(one, 1, part)
		}
		for _, x := range s.Samples {
			part = protowire.AppendFixed64(protowire.AppendTag(part[:0], 1, protowire.Fixed64Type), math.Float64bits(x.Value))
			part = protowire.AppendVarint(protowire.AppendTag(part, 2, protowire.VarintType), uint64(x.Time))
			one = appendBytes(one, 2, part)
		}
		dst = appendBytes(dst, 1, one)
	}
	return dst
}

func appendBytes(b []byte, field protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), v)
}
