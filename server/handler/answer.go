// This file answers HTTP requests along a table of routes: it lets in who may,
// bounds what a request may take, and writes JSON, errors as one plain sentence
// among it.
//
// The stance: a route is a line of a table that says method, path, role and
// parameters, so that a description can be held against it. What a request sends
// beyond that is refused and named. A function that answers returns a value or an
// error, and writes nothing itself.
//
// It knows nothing of storage.

package handler

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"
)

// Response is an answer, which remembers its status.
type Response struct {
	http.ResponseWriter
	// Streams: the answer takes as long as the client likes.
	Streams bool
	router  *router
	code    int
}

// WriteHeader sends the status.
func (w *Response) WriteHeader(code int) {
	if w.code == 0 {
		w.code = code
	}
	w.ResponseWriter.WriteHeader(code)
}

// Write sends a part of the answer.
func (w *Response) Write(p []byte) (int, error) {
	if w.code == 0 {
		w.code = http.StatusOK
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (w *Response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *Response) status() int {
	if w.code == 0 {
		return http.StatusOK
	}
	return w.code
}

// answerJSON makes a route's function of one that returns a value for JSON, or bytes of
// it. Only so many are made at once; a client that takes its answer slowly keeps
// nobody from being answered.
func answerJSON(make func(*http.Request) (any, error)) func(*Response, *http.Request) error {
	return func(w *Response, r *http.Request) error {
		body, err := w.router.made(r, make)
		if err != nil {
			return err
		}
		return w.Body(r, "application/json", body)
	}
}

// made is an answer as bytes.
func (t *router) made(r *http.Request, make func(*http.Request) (any, error)) ([]byte, error) {
	if r.Method == http.MethodPost {
		receive(r)
	}
	done, err := t.begin(r.Context())
	if err != nil {
		return nil, err
	}
	defer done()
	ctx, cancel := context.WithTimeout(r.Context(), longestAnswer)
	defer cancel()
	v, err := make(r.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	if body, ok := v.([]byte); ok {
		return body, nil
	}
	return encode(v)
}

// receive reads the body of a request before an answer is begun. A client that sends its body
// slowly then keeps nobody from being answered. The route bounds the body. An error of reading
// comes after the bytes that were read.
func receive(r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = io.EOF
	}
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), failing{err}))
}

// failing is a reader that only returns an error.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// begin waits until an answer may be made.
func (t *router) begin(ctx context.Context) (done func(), err error) {
	timer := time.NewTimer(waitForAnswer)
	defer timer.Stop()
	select {
	case t.answering <- struct{}{}:
		return func() { <-t.answering }, nil
	case <-timer.C:
		return nil, busyf("the server is answering too many requests; try again in a second")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// encode writes a value as JSON. What would end a script in a page is escaped.
func encode(v any) ([]byte, error) {
	body, err := json.Marshal(v)
	return append(body, '\n'), err
}

// leastToPack is the size below which packing does not pay.
const leastToPack = 1 << 10

var packers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // a level that there is
	return w
}}

// Body writes an answer that clients may keep as long as they ask whether it is still
// the same. What answers a change is kept by nobody.
func (w *Response) Body(r *http.Request, kind string, body []byte) error {
	header := w.Header()
	if r.Method == http.MethodPost {
		header.Set("Content-Type", kind)
		header.Set("Cache-Control", "no-store")
		_, _ = w.Write(body) // who has gone is told nothing
		return nil
	}
	sum := sha256.Sum256(body)
	tag := `W/"` + hex.EncodeToString(sum[:12]) + `"`
	same := sameTag(r.Header.Get("If-None-Match"), tag)
	packed := !same && len(body) >= leastToPack && takesGzip(r.Header.Get("Accept-Encoding"))
	if packed {
		body = pack(body)
	}
	if !same {
		taken, err := w.router.hold(len(body))
		if err != nil {
			return err
		}
		defer taken()
	}
	header.Set("Content-Type", kind)
	header.Set("Cache-Control", "private, no-cache")
	header.Set("ETag", tag)
	header.Add("Vary", "Accept-Encoding, Authorization")
	if same {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	if packed {
		header.Set("Content-Encoding", "gzip")
	}
	_, _ = w.Write(body)
	return nil
}

// hold counts the bytes of an answer until its client has taken them. Small ones are
// always sent; large ones wait for room in memory no longer than it takes to say so.
func (t *router) hold(bytes int) (taken func(), err error) {
	if bytes < smallAnswer {
		return func() {}, nil
	}
	if t.held.Add(int64(bytes)) > maxHeldBytes {
		t.held.Add(-int64(bytes))
		return nil, busyf("too many clients read their answers slowly; try again in a second")
	}
	return func() { t.held.Add(-int64(bytes)) }, nil
}

func pack(body []byte) []byte {
	var out bytes.Buffer
	p := packers.Get().(*gzip.Writer)
	defer packers.Put(p)
	p.Reset(&out)
	_, _ = p.Write(body) // into memory
	_ = p.Close()
	return out.Bytes()
}

// sameTag says whether a client has the answer already.
func sameTag(list, tag string) bool {
	for have := range strings.SplitSeq(list, ",") {
		if have = strings.TrimSpace(have); have == "*" || strings.TrimPrefix(have, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// takesGzip says whether a client can unpack.
func takesGzip(list string) bool {
	for coding := range strings.SplitSeq(list, ",") {
		name, weight, _ := strings.Cut(coding, ";")
		if strings.TrimSpace(name) == "gzip" && strings.ReplaceAll(weight, " ", "") != "q=0" {
			return true
		}
	}
	return false
}

// writeError writes an error, which nobody keeps.
func writeError(w http.ResponseWriter, status int, text string) {
	body, _ := encode(map[string]string{"error": text})
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// isJSON says whether a request has a body of JSON. A form of another site's page
// cannot send one.
func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// Text writes a line for people, which nobody keeps.
func (w *Response) Text(status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	fmt.Fprintln(w, line)
}

// decode reads a body of JSON, which has one object and nothing that is unknown.
func decode(r *http.Request, to any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(to)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("the body has more text after the JSON object; send exactly one JSON object")
		}
	}
	if _, large := errors.AsType[*http.MaxBytesError](err); large || err == nil {
		return err
	}
	return badf("the body cannot be read: %s", strings.TrimPrefix(err.Error(), "json: "))
}
