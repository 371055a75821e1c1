package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/server/serve"
	"github.com/limpet-storage/limpet/server/serve/config"
)

// TestProblemsAreWarnings: a reload that is refused, and a backup for which there is no directory,
// are warnings in the log, and name the file with the mistake.
func TestProblemsAreWarnings(t *testing.T) {
	dir := t.TempDir()
	c := config.Default()
	c.Directories, c.State, c.Listen, c.Address = []string{dir}, filepath.Join(dir, "state"), "127.0.0.1:0", "https://limpet.example"
	var log bytes.Buffer
	report, warn := reporter(&log)
	next := c
	next.Topology = filepath.Join(dir, "none.yaml")
	o := serve.Options{Version: "test", Now: time.Now, Report: report, Warn: warn, Stdout: io.Discard, Stderr: io.Discard, Load: func() (config.Config, error) { return next, nil }}
	s, err := serve.Open(t.Context(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if text := listens(&c, s); !strings.HasPrefix(text, ", and it listens at http://127.0.0.1:") {
		t.Errorf("the start line has %q", text)
	}
	hup := make(chan os.Signal, 1)
	hup <- os.Interrupt
	ctx, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	reload(ctx, s, hup, &o)
	if text := log.String(); !strings.Contains(text, `level=WARN msg="the new configuration cannot be used`) || !strings.Contains(text, "none.yaml") || strings.Contains(text, "level=INFO") {
		t.Errorf("the log has\n%s", text)
	}
}
