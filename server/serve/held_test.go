package serve

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestNotSentBecauseOld: limpet notifies nobody of a recording from before its first start, and
// reports of which incidents.
func TestNotSentBecauseOld(t *testing.T) {
	hook := newHook(t)
	c := settings(recorded(t), filepath.Join(t.TempDir(), "state"), hook)
	once := func() string {
		t.Helper()
		var reports []string
		var out bytes.Buffer
		o := Options{Version: "1.2.3", Now: time.Now, Report: func(s string) { reports = append(reports, s) }, Stdout: io.Discard, Stderr: io.Discard}
		if err := Once(t.Context(), c, o, &out); err != nil {
			t.Fatal(err)
		}
		return strings.Join(reports, "\n")
	}
	for _, run := range []string{"first", "second"} {
		text := once()
		if n := len(hook.heard()); n > 0 || !strings.Contains(text, "no notification was sent about ") || !strings.Contains(text, "limpet sends none about data from before its first start with this saved state, 20") {
			t.Errorf("the %s run sent %d notifications and reported:\n%s", run, n, text)
		}
	}
	c.Alerts.To, c.State = nil, filepath.Join(t.TempDir(), "other")
	if text := once(); strings.Contains(text, "no notification was sent") {
		t.Errorf("without receivers it reported:\n%s", text)
	}
}
