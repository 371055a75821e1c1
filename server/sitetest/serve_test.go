package sitetest

import (
	"net/http"
	"os"
	"testing"
	"time"
)

// Sites are the made-up ones by name.
var sites = map[string]func(int64) *Site{"small": Small, "calm": Calm, "intrepid": Intrepid, "fleet": Fleet}

// TestServe serves a made-up site for whoever works on the console:
//
//	LIMPET_CONSOLE=small go test -run TestServe -timeout 0 ./server/sitetest
func TestServe(t *testing.T) {
	name := os.Getenv("LIMPET_CONSOLE")
	if name == "" {
		t.Skip("LIMPET_CONSOLE names no made-up site: none is served")
	}
	s, err := Serve(sites[name](time.Now().Unix()/15*15), time.Now, func(err error) { t.Log(err) })
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	go func() {
		for range time.Tick(15 * time.Second) {
			s.Tick()
		}
	}()
	address := os.Getenv("LIMPET_CONSOLE_ADDRESS")
	if address == "" {
		address = "127.0.0.1:9714"
	}
	t.Fatal(http.ListenAndServe(address, s))
}
