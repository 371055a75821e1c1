package console_test

import (
	"testing"

	"github.com/limpet-storage/limpet/report/page/pagetest"
	"github.com/limpet-storage/limpet/server/sitetest"
)

// requestsAreShown: an incident shows how long requests took, its suspect above its
// peers, by day, at night and on a phone.
func requestsAreShown(t *testing.T, b *pagetest.Browser) {
	w := serve(t, sitetest.Small(now()))
	views := map[string]pagetest.View{"requests-day": desk}
	if thorough() {
		views["requests-night"], views["requests-phone"] = night, phone
	}
	for name, view := range views {
		tab := w.visit(t, b, view, "/")
		tab.Click("article h3 a")
		has(t, tab, "main", "How long requests of", "peers took in the device", "Share of requests that took longer than the time on the axis", "Share of requests that took at most the time on the axis")
		tab.Shoot(name)
	}
}
