// This file answers HTTP requests along a table of routes. It checks permissions, limits the
// resources that a request may use, and writes answers and errors as JSON. An error is one plain
// sentence.
//
// A route is a line of a table with method, path, role and parameters, so that a test can compare
// the table with the description of the API. A request with anything else is refused with an error
// that names it. A function that answers returns a value or an error, and writes nothing itself.
//
// The file knows nothing of storage.

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

// Response is an answer that remembers its status.
type Response struct {
	http.ResponseWriter
	// Streams is true if the answer has no time limit.
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

// answerJSON makes the function of a route from a function that returns a value for JSON, or JSON
// as bytes. The number of answers that are made at the same time is limited. A client that reads
// its answer slowly does not block other answers.
func answerJSON(make func(*http.Request) (any, error)) func(*Response, *http.Request) error {
	return func(w *Response, r *http.Request) error {
		body, err := w.router.made(r, make)
		if err != nil {
			return err
		}
		return w.Body(r, "application/json", body)
	}
}

// made returns an answer as bytes.
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

// receive reads the body of a request before the answer is made, so that a client that sends its
// body slowly does not block other answers. The route limits the size of the body. If reading
// fails, the new body returns the bytes that were read, and then the error.
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

// encode writes a value as JSON. It escapes characters that could end a script in a page.
func encode(v any) ([]byte, error) {
	body, err := json.Marshal(v)
	return append(body, '\n'), err
}

// leastToPack is the size from which on compression is worth its cost.
const leastToPack = 1 << 10

var packers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
	return w
}}

// Body writes an answer that clients may cache but must revalidate. The answer to a POST request is
// never cached.
func (w *Response) Body(r *http.Request, kind string, body []byte) error {
	header := w.Header()
	if r.Method == http.MethodPost {
		header.Set("Content-Type", kind)
		header.Set("Cache-Control", "no-store")
		_, _ = w.Write(body) // an error means that the client has disconnected
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

// hold counts the bytes of an answer until its client has read them. A small answer is not counted.
// If the answers in memory are too large, hold refuses a large answer at once.
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
	_, _ = p.Write(body) // writing to memory does not fail
	_ = p.Close()
	return out.Bytes()
}

// sameTag reports whether the client already has the answer.
func sameTag(list, tag string) bool {
	for have := range strings.SplitSeq(list, ",") {
		if have = strings.TrimSpace(have); have == "*" || strings.TrimPrefix(have, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// takesGzip reports whether the client accepts gzip.
func takesGzip(list string) bool {
	for coding := range strings.SplitSeq(list, ",") {
		name, weight, _ := strings.Cut(coding, ";")
		if strings.TrimSpace(name) == "gzip" && strings.ReplaceAll(weight, " ", "") != "q=0" {
			return true
		}
	}
	return false
}

// writeError writes an error, which clients may not cache.
func writeError(w http.ResponseWriter, status int, text string) {
	body, _ := encode(map[string]string{"error": text})
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// isJSON reports whether the body of a request is JSON. A form in a page of another site cannot
// send JSON.
func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// Text writes a line of plain text, which clients may not cache.
func (w *Response) Text(status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	fmt.Fprintln(w, line)
}

// decode reads a JSON body. The body must hold one object, without unknown fields.
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
