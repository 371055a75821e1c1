package remotewrite

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// A Sink stores the samples of requests. Several goroutines may call it at the
// same time.
type Sink interface {
	// Ready returns an error while nothing can be accepted. Senders then send
	// their requests again later.
	Ready() error
	// Take stores the samples of a request. If the error is a *LeftOut, some
	// samples were not stored, and the sender must not send them again. After
	// any other error, the sender sends the whole request again.
	Take(from exporter.Sender, b *exporter.Batch) (exporter.Counts, error)
	// The Handler calls Refused, with the reason, for each request that it does not accept
	// completely. It does not call Refused for a request in vmagent's own protocol (see
	// Handler.answer).
	Refused(sender, why string)
}

// LeftOut is the error of a request if some of its samples were not stored, and
// will never be stored.
type LeftOut struct {
	Samples uint64 // number of samples that were not stored
	Why     string // reason for the first sample that was not stored
}

func (e *LeftOut) Error() string {
	return fmt.Sprintf("%d samples were left out, and all other samples were accepted: %s", e.Samples, e.Why)
}

// A Handler answers remote write requests.
type Handler struct {
	o        Options
	label    string // name of the label that contains the server
	sink     Sink
	held     held
	unpacked chan struct{} // limits the number of requests that are decompressed at the same time
	bodies   sync.Pool     // buffers for bodies, of type *[]byte
	decoders sync.Pool     // memory for decoding, of type *work
}

// work holds the memory that is needed to decode one request.
type work struct {
	plain []byte
	decoder
}

// NewHandler returns a Handler. The parameter `serverLabel` is the name of the label that contains
// the server of a series.
func NewHandler(s Sink, serverLabel string, o Options) (*Handler, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	h := &Handler{o: o, label: serverLabel, sink: s, unpacked: make(chan struct{}, o.MaxUnpacked)}
	h.held.max = o.MaxHeld
	h.bodies.New = func() any { return new([]byte) }
	h.decoders.New = func() any { return &work{decoder: decoder{o: &h.o}} }
	return h, nil
}

// ServeHTTP answers a request with one of these statuses:
//
//   - 204: all samples are accepted.
//   - 4xx: some samples can never be accepted.
//   - 503: the request may be accepted later.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	got, err := h.take(w, r)
	for kind, n := range map[string]int{"Samples": got.samples, "Histograms": got.histograms, "Exemplars": got.exemplars} {
		w.Header().Set("X-Prometheus-Remote-Write-"+kind+"-Written", strconv.Itoa(n))
	}
	if err != nil {
		h.answer(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// answer sends the reason why a request was not accepted.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusServiceUnavailable
	if no, ok := errors.AsType[*refusal](err); ok {
		status = no.status
	}
	if _, ok := errors.AsType[*LeftOut](err); ok {
		// Some samples were left out, and they would be left out again if the request were
		// repeated. So the status is 400, not 503: after 503 a sender would repeat the request, and
		// all later samples would wait. vmagent drops a request after the status 400 or 409, and
		// repeats it after other statuses, such as 422.
		status = http.StatusBadRequest
	}
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	if status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", http.MethodPost)
	}
	// vmagent first sends a request in its own protocol. If this request is refused, vmagent uses
	// the protocol of Prometheus. So this refusal is not reported to the sink.
	if asks := r.Header.Get("X-VictoriaMetrics-Remote-Write-Version") != ""; !asks || status != http.StatusUnsupportedMediaType {
		h.sink.Refused(h.o.senderOf(r).Name, err.Error())
	}
	http.Error(w, err.Error(), status)
}

// written has the numbers of samples, histograms and exemplars in the answer to the sender. They
// include the samples that limpet does not use. So the sender does not send these samples again.
type written = counts

func (h *Handler) take(w http.ResponseWriter, r *http.Request) (written, error) {
	version, err := negotiate(r)
	if err != nil {
		return written{}, err
	}
	if err := h.sink.Ready(); err != nil {
		return written{}, err
	}
	_ = http.NewResponseController(w).SetReadDeadline(deadline(h.o.RequestTimeout)) // not every HTTP server supports deadlines
	buf := h.bodies.Get().(*[]byte)
	body, release, err := h.body(r, *buf)
	defer func() {
		release()
		if cap(body) <= maxPooledBytes {
			*buf = body[:0]
			h.bodies.Put(buf)
		}
	}()
	if err != nil {
		return written{}, err
	}
	select {
	case h.unpacked <- struct{}{}:
		defer func() { <-h.unpacked }()
	case <-r.Context().Done():
		return written{}, refuse(http.StatusServiceUnavailable, "the sender has closed the connection")
	}
	return h.decode(h.o.senderOf(r), version, body)
}

// maxPooledBytes is the largest size, in bytes, of a buffer that is kept for later requests.
const maxPooledBytes = 4 << 20

func deadline(d time.Duration) time.Time {
	return time.Now().Add(d) //nolint:forbidigo // the deadline of a connection
}

// decode decodes a body and passes its samples to the sink.
func (h *Handler) decode(from exporter.Sender, version int, body []byte) (got written, err error) {
	d := h.decoders.Get().(*work)
	defer func() {
		if cap(d.plain) <= maxPooledBytes {
			h.decoders.Put(d)
		}
	}()
	plain, err := h.unpack(body, d.plain)
	if err != nil {
		return written{}, err
	}
	d.plain = plain
	d.reset(h.label)
	read := d.version1
	if version == 2 {
		read = d.version2
	}
	if err := read(plain); err != nil {
		return written{}, refuse(http.StatusBadRequest, "%v", err)
	}
	c, err := h.sink.Take(from, &d.batch)
	if _, ok := errors.AsType[*LeftOut](err); err != nil && !ok {
		return written{}, err
	}
	got = d.counts
	got.samples -= int(c.Late + c.Refused)
	return got, err
}

// Names of versions 1.0 and 2.0 in the Content-Type header.
const (
	proto1 = "prometheus.WriteRequest"
	proto2 = "io.prometheus.write.v2.Request"
)

// negotiate returns the version of a request. It returns an error if the
// version or the encoding is not supported.
func negotiate(r *http.Request) (version int, err error) {
	if r.Method != http.MethodPost {
		return 0, refuse(http.StatusMethodNotAllowed, "this address is for Prometheus remote write requests: use this address as the \"url\" of \"remote_write\" in Prometheus")
	}
	media, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/x-protobuf" {
		return 0, refuse(http.StatusUnsupportedMediaType, "Content-Type %q is wrong for remote write: send application/x-protobuf", short(r.Header.Get("Content-Type")))
	}
	if e := r.Header.Get("Content-Encoding"); !strings.EqualFold(e, "snappy") {
		return 0, refuse(http.StatusUnsupportedMediaType, "Content-Encoding %q is wrong for remote write: compress with snappy", short(e))
	}
	switch proto := parameters["proto"]; proto {
	case "", proto1:
		return 1, nil
	case proto2:
		return 2, nil
	default:
		return 0, refuse(http.StatusUnsupportedMediaType, "the message type %q is unknown: send %s or %s", short(proto), proto1, proto2)
	}
}

func short(s string) string {
	if len(s) > 60 {
		return fmt.Sprint(s[:60], "…")
	}
	return s
}
