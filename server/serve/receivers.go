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

// startDelivery starts the delivery to receivers.
func (s *Service) startDelivery(ctx context.Context, to []alert.Address) error {
	for _, a := range to {
		if file, ok := a.Sender.(*alert.File); ok {
			if err := file.Create(); err != nil {
				return fmt.Errorf("alerts: receiver %s: %w", a.Name, err)
			}
		}
	}
	o := alert.DefaultDeliveryOptions()
	o.Now = s.o.Now
	if node, ok := s.watch.(*cluster.Node); ok {
		o.Turns = node.Turns()
	}
	begun, err := alert.StartOutbox(context.WithoutCancel(ctx), s.watch.Ledger(), to, o)
	if err == nil {
		s.outbox, s.to = begun, to
	}
	return err
}

// linker returns a function that returns the address of the page of an incident; nil: the address
// of the server is unknown.
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

// receivers returns the status of all receivers of alerts.
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

// intakeStatus returns the status of all senders and of all endpoints that are scraped.
func (s *Service) intakeStatus() []intake.SourceStatus {
	if s.intake == nil {
		return nil
	}
	return s.intake.Status()
}

// senderOf returns the sender of pushed samples. Its name is the name of the user, or else its
// address.
func senderOf(r *http.Request) exporter.Sender {
	address := access.Address(r)
	return exporter.Sender{Name: cmp.Or(access.From(r.Context()).Name, address), Address: address}
}
