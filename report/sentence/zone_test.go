package sentence

import (
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
)

// utcVoice speaks without a system.
var utcVoice = &Writer{}

// TestZone: times are told in the zone that was asked for, each with its offset, and
// a day begins where it does there.
func TestZone(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("this machine has no time zones: ", err)
	}
	v := &Writer{Zone: zone}
	at := func(month time.Month, day, hour, minute int) int64 {
		return time.Date(2026, month, day, hour, minute, 0, 0, time.UTC).Unix()
	}
	for want, got := range map[string]string{
		"2026-03-01 09:00+01:00": v.Time(at(3, 1, 8, 0)),
		"2026-07-01 10:00+02:00": v.Time(at(7, 1, 8, 0)),
		"2026-03-01 08:00Z":      utcVoice.Time(at(3, 1, 8, 0)),
		"2026-03-01 23:30:00+01:00 to 2026-03-02 00:30:00+01:00":                                v.Span(at(3, 1, 22, 30), at(3, 1, 23, 30)),
		"2026-03-02 00:30:00+01:00 to 02:00:00+01:00":                                           v.Span(at(3, 1, 23, 30), at(3, 2, 1, 0)),
		"2026-10-25 02:30:00+02:00 to 02:30:00+01:00":                                           v.Span(at(10, 25, 0, 30), at(10, 25, 1, 30)), // clocks are put back
		"If the problem continues, this suspect becomes an incident at 2026-03-01 09:00+01:00.": v.Becomes(&engine.Suspect{ByTime: at(3, 1, 8, 0)}),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
