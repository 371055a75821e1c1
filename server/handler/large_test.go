package handler_test

import (
	"net/http"
	"testing"

	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/sitetest"
)

// BenchmarkLarge asks a system of 100,000 drives.
func BenchmarkLarge(b *testing.B) {
	site := sitetest.New()
	large(site, 100_000)
	h := sitetest.NewHandler(b, site, "", nil)
	for _, path := range []string{"/components?find=host77", "/components?limit=1000", "/map", "/map?names=false", "/groups/1"} {
		b.Run(path, func(b *testing.B) {
			for b.Loop() {
				if w := ask(h, "", http.MethodGet, api.Base+path, ""); w.Code != http.StatusOK {
					b.Fatalf("%d %s", w.Code, w.Body)
				}
			}
		})
	}
}
