package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/limpet-storage/limpet/internal/post"
	"github.com/limpet-storage/limpet/live/alert/outbox"
)

// The headers of a request.
const (
	KeyHeader       = "Idempotency-Key"    // of the notification
	TimestampHeader = "X-Limpet-Timestamp" // Unix seconds when it was sent
	SignatureHeader = "X-Limpet-Signature" // sha256= and the HMAC in hexadecimal
)

// Webhook is a receiver.
type Webhook struct {
	client *post.Client
	secret string // file
	now    func() time.Time
}

// Options are how it is told.
type Options struct {
	post.Options
	SecretFile string // of the signature; empty where nothing is signed
	Now        func() time.Time
}

// leastSecret is how long a secret has to be: shorter ones can be guessed.
const leastSecret = 16

// New returns a receiver.
func New(o Options) (*Webhook, error) {
	if o.Now == nil {
		return nil, errors.New("a webhook needs a clock")
	}
	client, err := post.New(o.Options)
	if err != nil {
		return nil, err
	}
	w := &Webhook{client, o.SecretFile, o.Now}
	_, err = w.key()
	return w, err
}

func (w *Webhook) key() ([]byte, error) {
	if w.secret == "" {
		return nil, nil
	}
	secret, err := post.Secret(w.secret)
	if err == nil && len(secret) < leastSecret {
		err = fmt.Errorf("%s: the secret has %d characters; %d or more are needed", w.secret, len(secret), leastSecret)
	}
	return []byte(secret), err
}

// Manner says how it wants to be told.
func (w *Webhook) Manner() outbox.Manner { return outbox.Manner{AtOnce: 1} }

// Send posts notifications, one after the other.
func (w *Webhook) Send(ctx context.Context, b outbox.Batch) error {
	for i := range b.New {
		body, err := json.Marshal(&b.New[i])
		if err != nil {
			return err
		}
		key, err := w.key()
		if err != nil {
			return err
		}
		err = w.client.Post(ctx, "", body, header(b.New[i].Key, w.now(), key, body))
		var failure *post.Failure
		if errors.As(err, &failure) && failure.Refuses() {
			return &outbox.Refusal{Err: err}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// header names a notification and signs it.
func header(key string, now time.Time, secret, body []byte) http.Header {
	at := strconv.FormatInt(now.Unix(), 10)
	h := http.Header{}
	h.Set(KeyHeader, key)
	h.Set(TimestampHeader, at)
	if len(secret) > 0 {
		h.Set(SignatureHeader, "sha256="+Sign(secret, at, body))
	}
	return h
}

// Sign is the signature of a body sent at a timestamp: HMAC-SHA256 of the timestamp,
// a full stop and the body, in hexadecimal.
func Sign(secret []byte, timestamp string, body []byte) string {
	sum := hmac.New(sha256.New, secret)
	sum.Write([]byte(timestamp + "."))
	sum.Write(body)
	return hex.EncodeToString(sum.Sum(nil))
}
