package handler

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/limpet-storage/limpet/server/access"
)

// problem is an error whose text is sent unchanged to the client: one plain sentence.
type problem struct {
	Status int
	Text   string
}

func (p *problem) Error() string { return p.Text }

// badf returns the error for a request that is wrong.
func badf(format string, args ...any) error {
	return &problem{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

// missingf returns the error for an object that does not exist.
func missingf(format string, args ...any) error {
	return &problem{http.StatusNotFound, fmt.Sprintf(format, args...)}
}

// busyf returns the error for a request that the client may soon try again.
func busyf(format string, args ...any) error {
	return &problem{http.StatusServiceUnavailable, fmt.Sprintf(format, args...)}
}

// unanswered is the text of errors whose reason the client must not see.
const unanswered = "the server could not answer the request; the log of the server shows the cause"

// fail answers with an error. If a part of the answer was already sent, fail closes the connection,
// so that the client does not take the part for the whole answer.
func (t *router) fail(w *Response, r *http.Request, err error) {
	if w.code != 0 {
		t.Report(fmt.Errorf("%s %s: %w", r.Method, r.URL.Path, err))
		panic(http.ErrAbortHandler)
	}
	if t.Translate != nil {
		err = t.Translate(err)
	}
	status, text := t.explain(w.Header(), r, err)
	writeError(w, status, text)
}

// explain returns the status and the sentence of an error.
func (t *router) explain(header http.Header, r *http.Request, err error) (int, string) {
	if told, ok := errors.AsType[*problem](err); ok {
		if told.Status == http.StatusServiceUnavailable {
			header.Set("Retry-After", "1")
		}
		return told.Status, told.Text
	}
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return http.StatusRequestEntityTooLarge, fmt.Sprintf("the body of the request has more than %d bytes, which is the limit: send a smaller body", large.Limit)
	}
	if soon, ok := errors.AsType[*access.TooSoon](err); ok {
		header.Set("Retry-After", strconv.Itoa(soon.Seconds()))
		return http.StatusTooManyRequests, soon.Error()
	}
	switch {
	case errors.Is(err, access.ErrNobody), errors.Is(err, access.ErrWrong):
		header.Set("WWW-Authenticate", `Basic realm="limpet", charset="UTF-8"`)
		return http.StatusUnauthorized, err.Error()
	case errors.Is(err, access.ErrHost):
		return http.StatusForbidden, err.Error()
	case errors.Is(err, access.ErrBusy):
		header.Set("Retry-After", "1")
		return http.StatusServiceUnavailable, err.Error()
	case r.Context().Err() != nil:
		return http.StatusServiceUnavailable, "the server is stopping, or the client has disconnected"
	}
	t.Report(fmt.Errorf("%s %s: %w", r.Method, r.URL.Path, err))
	return http.StatusInternalServerError, unanswered
}
