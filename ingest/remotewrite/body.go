package remotewrite

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/klauspost/compress/snappy"
)

// A refusal is the reason why a request is not accepted, with the HTTP status
// of the answer.
type refusal struct {
	status int
	text   string
}

func (r *refusal) Error() string { return r.text }

func refuse(status int, format string, args ...any) *refusal {
	return &refusal{status, fmt.Sprintf(format, args...)}
}

// held counts the bytes of all requests that are being read, and limits the sum of these bytes.
type held struct {
	now atomic.Int64
	max int64
}

// take reserves n more bytes. It returns false if the total would exceed the
// limit.
func (h *held) take(n int64) bool {
	if h.now.Add(n) <= h.max {
		return true
	}
	h.now.Add(-n)
	return false
}

// chunk is the number of bytes by which the buffer of a body grows. The buffer
// grows only as bytes arrive. So a request with a large Content-Length and few
// bytes uses little memory.
const chunk = 32 << 10

// body reads the body of a request. The bytes of the body count towards the limit of h.held until
// the caller calls `release`, the function that body returns.
func (h *Handler) body(r *http.Request, buf []byte) (body []byte, release func(), err error) {
	if r.ContentLength > int64(h.o.MaxBody) {
		return buf, func() {}, tooLarge(h.o.MaxBody)
	}
	taken := 0
	release = func() { h.held.now.Add(-int64(taken)) }
	for body = buf[:0]; ; {
		if len(body) == taken {
			if !h.held.take(chunk) {
				return body, release, refuse(http.StatusServiceUnavailable, "the receiver gets too much data at the same time: send this request again later")
			}
			taken += chunk
			body = slices.Grow(body, chunk)
		}
		n, err := r.Body.Read(body[len(body):taken])
		body = body[:len(body)+n]
		switch {
		case len(body) > h.o.MaxBody:
			return body, release, tooLarge(h.o.MaxBody)
		case errors.Is(err, io.EOF):
			return body, release, nil
		case err != nil:
			return body, release, refuse(http.StatusBadRequest, "the request ended early or took too long: check the network between sender and receiver")
		}
	}
}

func tooLarge(most int) *refusal {
	return refuse(http.StatusRequestEntityTooLarge, "the request has more than %d bytes: set a smaller max_samples_per_send at the sender", most)
}

// unpack decompresses a body. The first bytes of the body contain the decompressed size. unpack
// refuses a size of more than 64 times the size of the body. A valid body is never compressed so
// well: Snappy stores at most 64 bytes in 3 bytes, a ratio of about 21.
func (h *Handler) unpack(body, buf []byte) ([]byte, error) {
	n, err := snappy.DecodedLen(body)
	if err != nil {
		return buf, refuse(http.StatusBadRequest, "the request is not compressed with the block format of snappy: check that no program between sender and receiver changes the request")
	}
	const bestRatio = 64
	if n > h.o.MaxDecoded {
		return buf, refuse(http.StatusRequestEntityTooLarge, "the unpacked request has more than %d bytes: set a smaller max_samples_per_send at the sender", h.o.MaxDecoded)
	}
	if n > bestRatio*len(body) {
		return buf, refuse(http.StatusBadRequest, "the request states an impossible length: check that no program between sender and receiver changes the request")
	}
	plain, err := snappy.Decode(buf[:cap(buf)], body)
	if err != nil {
		return buf, refuse(http.StatusBadRequest, "the request cannot be unpacked with the block format of snappy: check that no program between sender and receiver changes the request")
	}
	return plain, nil
}
