package alert_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/post"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/ledger/ledgertest"
)

const secret = "a secret that both sides know"

// hook is an HTTP receiver that keeps its requests.
type hook struct {
	header http.Header
	body   []byte
	answer int
}

func (h *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.header = r.Header
	h.body, _ = io.ReadAll(r.Body)
	w.WriteHeader(h.answer)
}

func newHook(t *testing.T, answer int) (*hook, *alert.Webhook) {
	t.Helper()
	h := &hook{answer: answer}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := alert.NewWebhook(alert.WebhookOptions{
		Options: post.Options{URL: server.URL}, SecretFile: file,
		Now: func() time.Time { return time.Unix(1300007760, 0) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return h, w
}

// notification returns a notification of a made-up incident, as the outbox has it.
func notification(t *testing.T) alert.Notification {
	t.Helper()
	l, v := ledgertest.Open(t), ledgertest.SentenceWriter()
	o := alert.DefaultOptions()
	o.FireSeconds, o.Receivers = 0, []alert.Receiver{{Name: "hook"}}
	o.Link = func(id string) string { return "https://limpet.example/#/incident/" + id }
	a, err := alert.New(o, v)
	if err != nil {
		t.Fatal(err)
	}
	e := ledgertest.Event(ledgertest.Began+3600, incident.Opened, ledgertest.Slow(v, 1, ledgertest.Began))
	if err := l.Step(t.Context(), func(tx *ledger.Tx) error { return a.Event(tx, 1, e) }); err != nil {
		t.Fatal(err)
	}
	queue, err := l.Queue(t.Context(), "hook", 1)
	if err != nil {
		t.Fatal(err)
	}
	var n alert.Notification
	if err := json.Unmarshal(queue[0].Payload, &n); err != nil {
		t.Fatal(err)
	}
	n.Key = strings.Replace(n.Key, l.Identity(), "LEDGER", 1)
	return n
}

// The signature equals that of openssl for the same bytes.
func TestTheSignatureIsThatOfOpenSSL(t *testing.T) {
	h, w := newHook(t, http.StatusNoContent)
	n := notification(t)
	if err := w.Send(t.Context(), alert.Batch{New: []alert.Notification{n}}); err != nil {
		t.Fatal(err)
	}
	if h.header.Get("Idempotency-Key") != n.Key || h.header.Get("Content-Type") != "application/json" || h.header.Get("X-Limpet-Timestamp") != "1300007760" {
		t.Errorf("headers: %v", h.header)
	}
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("openssl is not installed: the signature is not held against it")
	}
	c := exec.Command(openssl, "dgst", "-sha256", "-hmac", secret, "-hex")
	c.Stdin = strings.NewReader("1300007760." + string(h.body))
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	_, sum, _ := strings.Cut(strings.TrimSpace(string(out)), "= ")
	if got := h.header.Get("X-Limpet-Signature"); got != "sha256="+sum || len(sum) != 64 {
		t.Errorf("%s, openssl has %s", got, sum)
	}
}

// The body equals the sample in docs/alerts.md.
func TestTheBodyIsTheDocumentedOne(t *testing.T) {
	h, w := newHook(t, http.StatusOK)
	n := notification(t)
	n.Document = json.RawMessage(`{}`) // described elsewhere
	if err := w.Send(t.Context(), alert.Batch{New: []alert.Notification{n}}); err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := json.Indent(&got, h.body, "", "  "); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(checkout.Path(t, "docs/alerts.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), got.String()) {
		t.Errorf("docs/alerts.md does not show this notification:\n%s", &got)
	}
	for _, header := range []string{alert.KeyHeader, alert.TimestampHeader, alert.SignatureHeader} {
		if !strings.Contains(string(text), header) {
			t.Errorf("docs/alerts.md does not say what %s is", header)
		}
	}
}

func TestAnswers(t *testing.T) {
	for code, want := range map[int]string{200: "", 202: "", 204: "", 400: "refused", 404: "failed", 500: "failed", 302: "failed"} {
		_, w := newHook(t, code)
		got := ""
		switch err := w.Send(t.Context(), alert.Batch{New: []alert.Notification{{}}}).(type) {
		case nil:
		case *alert.Refusal:
			got = "refused"
		default:
			if got = "failed"; strings.Contains(err.Error(), secret) {
				t.Errorf("it tells the secret: %v", err)
			}
		}
		if got != want {
			t.Errorf("an answer of %d is %q, want %q", code, got, want)
		}
	}
}

func TestAShortSecretIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte("hunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := alert.NewWebhook(alert.WebhookOptions{Options: post.Options{URL: "https://a.example"}, SecretFile: file, Now: time.Now})
	if err == nil || !strings.Contains(err.Error(), "has 7 characters: write a secret of at least 16 characters") || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
}
