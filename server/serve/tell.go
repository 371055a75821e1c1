package serve

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/ingest/intake"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/cluster"
	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/serve/config"
)

// tell begins to deliver to all receivers of a configuration.
func (s *Service) tell(ctx context.Context, a *config.Alerts) (*alert.Outbox, error) {
	var to []alert.Address
	add := func(r alert.Receiver, receiver alert.Sender, err error) error {
		if err != nil {
			return fmt.Errorf("alerts: receiver %s: %w", r.Name, err)
		}
		to = append(to, alert.Address{Receiver: r, Sender: receiver})
		return nil
	}
	for _, m := range a.Alertmanagers {
		m.Options.Now = s.o.Now
		receiver, err := alert.NewAlertmanager(m.Options)
		if err := add(m.Receiver, receiver, err); err != nil {
			return nil, err
		}
	}
	for _, w := range a.Webhooks {
		w.Options.Now = s.o.Now
		receiver, err := alert.NewWebhook(w.Options)
		if err := add(w.Receiver, receiver, err); err != nil {
			return nil, err
		}
	}
	for _, l := range a.Logs {
		receiver, err := s.logTo(l.To)
		if err := add(l.Receiver, receiver, err); err != nil {
			return nil, err
		}
	}
	o := alert.DefaultDeliveryOptions()
	o.Now = s.o.Now
	if node, ok := s.watch.(*cluster.Node); ok {
		o.Turns = node.Turns()
	}
	return alert.StartOutbox(context.WithoutCancel(ctx), s.watch.Ledger(), to, o)
}

func (s *Service) logTo(name string) (alert.Sender, error) {
	switch name {
	case config.Stdout:
		return alert.NewStream(s.o.Stdout), nil
	case config.Journal:
		return alert.NewJournal(s.o.Stderr), nil
	}
	return alert.NewFile(name)
}

// linker makes the addresses of incidents' pages; nil where nobody knows how the server
// is reached.
func linker(c *config.Config) func(id string) string {
	base := c.Address
	if base == "" {
		if strings.HasPrefix(c.Listen, "unix:") || strings.HasSuffix(c.Listen, ":0") {
			return nil
		}
		base = "http://" + c.Listen
		if c.Access.TLS.On() {
			base = "https://" + c.Listen
		}
	}
	return func(id string) string { return strings.TrimSuffix(base, "/") + "/#/incident/" + url.PathEscape(id) }
}

// receivers are who is told, and how they do.
func (s *Service) receivers() []alert.ReceiverStatus {
	s.mu.Lock()
	out := s.outbox
	s.mu.Unlock()
	if out == nil {
		return nil
	}
	list, err := out.Status(context.Background())
	if err != nil {
		return []alert.ReceiverStatus{{Receiver: "outbox", Trouble: err.Error()}}
	}
	return list
}

// intakeStatus is how those do who push or are pulled.
func (s *Service) intakeStatus() []intake.SourceStatus {
	if s.intake == nil {
		return nil
	}
	return s.intake.Status()
}

// senderOf names who pushes: the user, or the address, with the address.
func senderOf(r *http.Request) exporter.Sender {
	address := access.Address(r)
	return exporter.Sender{Name: cmp.Or(access.From(r.Context()).Name, address), Address: address}
}
