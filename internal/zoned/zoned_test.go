package zoned

import (
	"testing"
	"time"
)

// TestForms: all forms mean the same time, and a time without a zone is refused.
func TestForms(t *testing.T) {
	want := time.Date(2026, 5, 9, 8, 0, 0, 0, time.UTC)
	for _, text := range []string{"2026-05-09T08:00:00Z", "2026-05-09T08:00Z", "2026-05-09 08:00Z", "2026-05-09 08:00:00Z", "2026-05-09T10:00+02:00", "2026-05-09T08:00:00.0Z"} {
		if got, err := Parse(text); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "2026-05-09", "2026-05-09T08:00", "08:00Z", "2026-05-09T08Z"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}
