package config

import (
	"cmp"
	"io"
	"path/filepath"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/post"
	"github.com/limpet-storage/limpet/internal/yamlfile"
	"github.com/limpet-storage/limpet/live/alert"
)

// A Receiver is one entry of a list of receivers: an [Alertmanager], a [Webhook] or a [Log].
type Receiver interface {
	// Notified returns the name of the receiver, and which notifications it gets.
	Notified() alert.Receiver
	// Sender returns the sender that delivers to the receiver.
	Sender(Process) (alert.Sender, error)
}

// A Process is what senders use of the process in which they run.
type Process struct {
	Now            func() time.Time
	Stdout, Stderr io.Writer
	State          string // directory of the saved state, which may not exist yet
}

// list is a list of receivers in the file: its key, and the reader of an entry.
type list struct {
	key  string
	read func(*reader, *yaml.Node) Receiver
}

// lists returns the lists of receivers.
func lists() []list {
	return []list{
		{"alertmanagers", (*reader).alertmanager},
		{"webhooks", (*reader).webhook},
		{"logs", (*reader).log},
	}
}

// Alertmanager is an Alertmanager of Prometheus that receives notifications.
type Alertmanager struct {
	Receiver alert.Receiver
	Options  alert.AlertmanagerOptions
}

func (r *reader) alertmanager(n *yaml.Node) Receiver {
	var m Alertmanager
	f := r.Fields(n, "a receiver in the list alertmanagers", append([]string{"labels", "remind"}, reached...)...)
	r.reached(f, n, &m.Options.Options)
	r.receiver(f, nameOf(&m.Options.Options), &m.Receiver)
	m.Receiver.Groups = true
	m.Options.Labels = r.labels(f["labels"], "labels")
	r.value(f["remind"], bounded.Duration(&m.Options.Remind, 10*time.Second, time.Hour))
	return m
}

// Notified returns the name of the receiver, and which notifications it gets.
func (m Alertmanager) Notified() alert.Receiver { return m.Receiver }

// Sender returns the sender that delivers to the receiver.
func (m Alertmanager) Sender(p Process) (alert.Sender, error) {
	m.Options.Now = p.Now
	return alert.NewAlertmanager(m.Options)
}

// Webhook is an HTTP server that receives notifications.
type Webhook struct {
	Receiver alert.Receiver
	Options  alert.WebhookOptions
}

func (r *reader) webhook(n *yaml.Node) Receiver {
	var w Webhook
	f := r.Fields(n, "a receiver in the list webhooks", append([]string{"secret_file"}, reached...)...)
	r.reached(f, n, &w.Options.Options)
	r.receiver(f, nameOf(&w.Options.Options), &w.Receiver)
	r.path(f["secret_file"], &w.Options.SecretFile)
	return w
}

// Notified returns the name of the receiver, and which notifications it gets.
func (w Webhook) Notified() alert.Receiver { return w.Receiver }

// Sender returns the sender that delivers to the receiver.
func (w Webhook) Sender(p Process) (alert.Sender, error) {
	w.Options.Now = p.Now
	return alert.NewWebhook(w.Options)
}

// Log is a file, or a stream of the process, to which notifications are written.
type Log struct {
	Receiver alert.Receiver
	To       string // name of a file, or Stdout or Journal
}

// The logs that are not files.
const (
	Stdout  = "stdout"
	Journal = "journal" // standard error, with the priorities that journald reads
)

func (r *reader) log(n *yaml.Node) Receiver {
	var l Log
	f := r.Fields(n, "a receiver in the list logs", append([]string{"to"}, receiver...)...)
	r.Required(n, f, "to")
	r.text(f["to"], &l.To)
	if l.To != Stdout && l.To != Journal {
		l.To = r.resolve(l.To)
	}
	r.receiver(f, "log "+l.To, &l.Receiver)
	return l
}

// Notified returns the name of the receiver, and which notifications it gets.
func (l Log) Notified() alert.Receiver { return l.Receiver }

// Sender returns the sender that writes to the log.
func (l Log) Sender(p Process) (alert.Sender, error) {
	switch l.To {
	case Stdout:
		return alert.NewStream(p.Stdout), nil
	case Journal:
		return alert.NewJournal(p.Stderr), nil
	}
	file, err := alert.NewFile(l.To, p.State)
	return file, yamlfile.InSetting("to", err)
}

// nameOf returns the name of a receiver without the key name. The address in a file is a secret, so
// the name contains only the name of the file.
func nameOf(o *post.Options) string { return cmp.Or(o.URL, "the address in "+filepath.Base(o.URLFile)) }
