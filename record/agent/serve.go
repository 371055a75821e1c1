package agent

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/limpet-storage/limpet/internal/listener"
)

// scrapeTimeout is the longest time in which a scraper must send its request, and must read its
// answer. The default timeout of Prometheus is ten seconds.
const scrapeTimeout = 10 * time.Second

// mostScrapers is the largest number of connections at a time. It is limited, because the recorder
// needs its file descriptors for counters and files.
const mostScrapers = 64

// A server serves the latest sample until it is closed.
type server struct {
	*Exporter
	http http.Server
	done chan struct{}
}

// serve begins to listen and returns a server for the samples of a machine.
func serve(o Options, m *machine, log *slog.Logger) (*server, error) {
	l, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return nil, fmt.Errorf("%w: choose another address for --listen", err)
	}
	l = listener.New(l, listener.Options{Max: mostScrapers, Report: func(err error) { log.Warn("the recorder refuses some connections of Prometheus", "error", err) }})
	s := &server{Exporter: NewExporter(o.Record.File.Hostname), done: make(chan struct{})}
	s.Custom = m.custom()
	s.Name, s.Completed, s.Cost = m.inventory.name, m.kernel.Completed, m.cost
	s.http = http.Server{
		Handler: s.Exporter, ReadTimeout: scrapeTimeout, WriteTimeout: scrapeTimeout,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(l) // returns when the server is closed
	}()
	log.Info("serving", "address", l.Addr())
	return s, nil
}

func (s *server) close() {
	s.http.Close()
	<-s.done
}
