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

// A Sink takes what was sent. Its methods are called by several goroutines at a
// time.
type Sink interface {
	// Ready says why nothing can be taken now, nil where it can. Senders send
	// again later.
	Ready() error
	// Take takes the samples of a request. With an error the sender sends all of
	// them again.
	Take(sender string, b *exporter.Batch) (exporter.Counts, error)
	// Refused hears of a request that was not taken, and why.
	Refused(sender, why string)
}

// A Handler takes remote write requests.
type Handler struct {
	o        Options
	label    string
	sink     Sink
	held     held
	unpacked chan struct{}
	bodies   sync.Pool // of *[]byte
	decoders sync.Pool // of *work
}

// work is the memory that taking a request apart needs.
type work struct {
	plain []byte
	decoder
}

// NewHandler makes a Handler of machines that a label names.
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

// ServeHTTP answers a request: 204 where it was taken, 4xx where it never can
// be, 503 where it may be later.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	got, err := h.take(w, r)
	if err != nil {
		h.answer(w, r, err)
		return
	}
	for kind, n := range map[string]int{"Samples": got.samples, "Histograms": got.histograms, "Exemplars": got.exemplars} {
		w.Header().Set("X-Prometheus-Remote-Write-"+kind+"-Written", strconv.Itoa(n))
	}
	w.WriteHeader(http.StatusNoContent)
}

// answer says why a request was not taken.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusServiceUnavailable
	if no, ok := errors.AsType[*refusal](err); ok {
		status = no.status
	}
	for _, kind := range []string{"Samples", "Histograms", "Exemplars"} {
		w.Header().Set("X-Prometheus-Remote-Write-"+kind+"-Written", "0")
	}
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	if status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", http.MethodPost)
	}
	// vmagent asks in this way whether its own protocol is known, and sends
	// Prometheus's next: that is no trouble.
	if asks := r.Header.Get("X-VictoriaMetrics-Remote-Write-Version") != ""; !asks || status != http.StatusUnsupportedMediaType {
		h.sink.Refused(h.o.senderOf(r), err.Error())
	}
	http.Error(w, err.Error(), status)
}

// written is what the sender is told of. Samples that are of no use here are
// among them: they need not be sent again.
type written = counts

func (h *Handler) take(w http.ResponseWriter, r *http.Request) (written, error) {
	version, err := negotiate(r)
	if err != nil {
		return written{}, err
	}
	if err := h.sink.Ready(); err != nil {
		return written{}, err
	}
	_ = http.NewResponseController(w).SetReadDeadline(deadline(h.o.RequestTimeout)) // not every server can
	buf := h.bodies.Get().(*[]byte)
	body, release, err := h.body(r, *buf)
	defer func() {
		release()
		if cap(body) <= pooled {
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
		return written{}, refuse(http.StatusServiceUnavailable, "the sender has gone")
	}
	return h.decode(h.o.senderOf(r), version, body)
}

// pooled: larger memory is not kept.
const pooled = 4 << 20

func deadline(d time.Duration) time.Time {
	return time.Now().Add(d) //nolint:forbidigo // the deadline of a connection
}

// decode takes a body apart and hands it on.
func (h *Handler) decode(sender string, version int, body []byte) (got written, err error) {
	d := h.decoders.Get().(*work)
	defer func() {
		if cap(d.plain) <= pooled {
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
	c, err := h.sink.Take(sender, &d.batch)
	if err != nil {
		return written{}, err
	}
	got = d.got
	got.samples -= int(c.Late + c.Refused)
	return got, nil
}

// Names of the two versions in Content-Type.
const (
	proto1 = "prometheus.WriteRequest"
	proto2 = "io.prometheus.write.v2.Request"
)

// negotiate is the version of a request that can be taken.
func negotiate(r *http.Request) (version int, err error) {
	if r.Method != http.MethodPost {
		return 0, refuse(http.StatusMethodNotAllowed, "this is where Prometheus remote write requests are sent: use it as the url of remote_write")
	}
	media, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/x-protobuf" {
		return 0, refuse(http.StatusUnsupportedMediaType, "Content-Type %q is none of remote write: send application/x-protobuf", short(r.Header.Get("Content-Type")))
	}
	if e := r.Header.Get("Content-Encoding"); !strings.EqualFold(e, "snappy") {
		return 0, refuse(http.StatusUnsupportedMediaType, "Content-Encoding %q is none of remote write: compress with snappy", short(e))
	}
	switch proto := parameters["proto"]; proto {
	case "", proto1:
		return 1, nil
	case proto2:
		return 2, nil
	default:
		return 0, refuse(http.StatusUnsupportedMediaType, "%q is no message that is known: send %s or %s", short(proto), proto1, proto2)
	}
}

func short(s string) string {
	if len(s) > 60 {
		return fmt.Sprint(s[:60], "…")
	}
	return s
}
