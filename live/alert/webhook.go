// This file tells alerts to an HTTP receiver, one notification a request, in
// order, each until it is acknowledged with 2xx.
//
// The body is the JSON of a notification. Three headers come with it: the key of
// the notification, which is the same whenever the same one is sent again; a
// timestamp; and a signature of timestamp and body with a secret that both sides
// know, so that nobody else can make up an alert or send an old one again.

package alert

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

// WebhookOptions are how it is told.
type WebhookOptions struct {
	post.Options
	SecretFile string // of the signature; empty where nothing is signed
	Now        func() time.Time
}

// leastSecret is how long a secret has to be: shorter ones can be guessed.
const leastSecret = 16

// NewWebhook returns a receiver.
func NewWebhook(o WebhookOptions) (*Webhook, error) {
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
func (w *Webhook) Manner() Manner { return Manner{AtOnce: 1} }

// Send posts notifications, one after the other.
func (w *Webhook) Send(ctx context.Context, b Batch) error {
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
			return &Refusal{Err: err}
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
		h.Set(SignatureHeader, "sha256="+sign(secret, at, body))
	}
	return h
}

// sign is the signature of a body sent at a timestamp: HMAC-SHA256 of the timestamp,
// a full stop and the body, in hexadecimal.
func sign(secret []byte, timestamp string, body []byte) string {
	sum := hmac.New(sha256.New, secret)
	sum.Write([]byte(timestamp + "."))
	sum.Write(body)
	return hex.EncodeToString(sum.Sum(nil))
}
