package main

import (
	"encoding/pem"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/handler"
	"github.com/limpet-storage/limpet/server/sitetest"
)

// wallClock is the clock that the command has, too.
func wallClock(o *handler.Options) { o.Now = time.Now }

// nineDaysLater is the clock of a server whose data have long ended.
func nineDaysLater(o *handler.Options) {
	o.Now = func() time.Time { return time.Unix(sitetest.Now, 0).Add(9 * 24 * time.Hour) }
}

// serveSite [users]: serve a made-up site in this process, at $SERVER. With users it
// is encrypted: $CA is its authority, and $VIEWER and $OPERATOR hold tokens.
func serveSite(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 1 {
		ts.Fatalf("usage: site [users]")
	}
	tb, dir := ts.Value(testKey{}).(testing.TB), ts.MkAbs(".")
	if len(args) == 0 {
		s := httptest.NewServer(sitetest.NewHandler(tb, sitetest.New(), "", nineDaysLater))
		tb.Cleanup(s.Close)
		ts.Setenv("SERVER", s.URL)
		return
	}
	s := httptest.NewTLSServer(sitetest.NewHandler(tb, sitetest.New(), sitetest.Users(tb), wallClock))
	tb.Cleanup(s.Close)
	ts.Setenv("SERVER", s.URL)
	write := func(variable, name, text string) {
		path := filepath.Join(dir, name)
		ts.Check(os.WriteFile(path, []byte(text), 0o600))
		ts.Setenv(variable, path)
	}
	write("CA", "ca.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})))
	write("VIEWER", "viewer.token", sitetest.Token(access.Viewer)+"\n")
	write("OPERATOR", "operator.token", sitetest.Token(access.Operator)+"\n")
}
