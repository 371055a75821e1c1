// The type Webhook posts notifications to an HTTP receiver, in order, one notification in each
// request. A request is repeated until the receiver answers with a status 2xx, or has refused the
// request for DeliveryOptions.SetAside.
//
// The body is the JSON of a notification. A request has up to three headers. The first is the key
// of the notification. The key stays the same when the notification is sent again. The second is a
// timestamp. The third is a signature of timestamp and body with a shared secret. With the
// signature, the receiver can detect a request that limpet did not send. With the signed timestamp,
// the receiver can detect an old request that somebody sends again.

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
	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// The headers of a request.
const (
	KeyHeader       = "Idempotency-Key"    // key of the notification
	TimestampHeader = "X-Limpet-Timestamp" // Unix time at which the request was sent
	SignatureHeader = "X-Limpet-Signature" // the text sha256=, followed by the HMAC in hexadecimal
)

// Webhook is the [Sender] that delivers to an HTTP receiver.
type Webhook struct {
	client *post.Client
	secret string // name of the file with the secret
	now    func() time.Time
}

// WebhookOptions are the address of a webhook, the file with the secret, and the clock.
type WebhookOptions struct {
	post.Options
	SecretFile string // name of the file with the secret of the signature; empty means no signature
	Now        func() time.Time
}

// minSecretBytes is the smallest length of a secret, in bytes. A shorter secret can be guessed.
const minSecretBytes = 16

// NewWebhook returns the sender that delivers to an HTTP receiver.
func NewWebhook(o WebhookOptions) (*Webhook, error) {
	if o.Now == nil {
		return nil, errors.New("internal error: the webhook receiver has no source of the current time")
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
	if err == nil && len(secret) < minSecretBytes {
		err = fmt.Errorf("the secret in file %s has %d characters: write a secret of at least %d characters", w.secret, len(secret), minSecretBytes)
	}
	return []byte(secret), yamlfile.InSetting("secret_file", err)
}

// Policy returns a batch size of 1, because a request has one notification.
func (w *Webhook) Policy() Policy { return Policy{MaxBatch: 1} }

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

// header returns the headers of a request: key, timestamp and signature.
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

// sign returns the signature of a body: HMAC-SHA256 of the timestamp, a full stop and the
// body, in hexadecimal.
func sign(secret []byte, timestamp string, body []byte) string {
	sum := hmac.New(sha256.New, secret)
	sum.Write([]byte(timestamp + "."))
	sum.Write(body)
	return hex.EncodeToString(sum.Sum(nil))
}
