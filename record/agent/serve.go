package agent

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/limpet-storage/limpet/internal/listener"
)

// slowest is how long a scraper may take to ask, and to take its answer:
// Prometheus gives up after ten seconds by itself.
const slowest = 10 * time.Second

// mostScrapers may be connected at once. The recorder's descriptors are for
// counters and files.
const mostScrapers = 64

// A server serves the latest sample until it is closed.
type server struct {
	*Exporter
	http http.Server
	done chan struct{}
}

// serve begins to listen, for samples of a machine.
func serve(o Options, m *machine, log *slog.Logger) (*server, error) {
	l, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return nil, fmt.Errorf("%w: choose another address for --listen", err)
	}
	l = listener.New(l, listener.Options{Max: mostScrapers, Report: func(err error) { log.Warn("the recorder does not accept some connections of Prometheus", "error", err) }})
	s := &server{Exporter: NewExporter(o.Record.File.Hostname), done: make(chan struct{})}
	s.Custom = m.custom()
	s.Name, s.Completed, s.Cost = m.inventory.name, m.kernel.Completed, m.cost
	s.http = http.Server{
		Handler: s.Exporter, ReadTimeout: slowest, WriteTimeout: slowest,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(l) // until it is closed
	}()
	log.Info("serving", "address", l.Addr())
	return s, nil
}

func (s *server) close() {
	s.http.Close()
	<-s.done
}
