package explain

import (
	"testing"

	"github.com/limpet-storage/limpet/symptom"
)

// signs are what one server shows in a window; strengths by kind.
type signs map[symptom.Kind]float64

// hear lets a ranking hear the windows of ios4, whose signs are odd and suspect
// from a strength of 1 on.
func hear(t *testing.T, windows []signs) []Indictment {
	t.Helper()
	system, schema := servers(t)
	r := NewRanking(system, schema, symptom.DefaultOptions())
	drive, _ := system.Lookup("ios4/sda")
	for i, w := range windows {
		out := symptom.Window{Start: begin + int64(i)*32, End: begin + int64(i)*32 + 64}
		for kind := range symptom.NumKinds {
			strength, ok := w[kind]
			if !ok {
				continue
			}
			out.Signs = append(out.Signs, symptom.Sign{
				Component: drive, Kind: kind, Metric: names[kind], Score: 2 * strength, Threshold: 2,
				Odd: strength >= 1, Suspect: strength >= 1,
			})
		}
		r.Window(&out, nobody)
	}
	return r.List()
}

var names = [symptom.NumKinds]string{"await", "rd_sec", "rxbyt", "txbyt", "retr_in", "retr_out"}

func TestRanking(t *testing.T) {
	const slow, loaded, receives, sends, in, out = symptom.Slow, symptom.Loaded, symptom.Receives, symptom.Sends, symptom.LosesIn, symptom.LosesOut
	tests := map[string]struct {
		windows     []signs
		cause, next Cause
		holds       bool
	}{
		"nothing":              {[]signs{{slow: 0.9, loaded: 0.5}, {in: 0.99}}, "", "", false},
		"waiting alone":        {[]signs{{slow: 9, loaded: 0.1, in: 0.4}}, DiskBusy, PacketLoss, false},
		"load makes wait":      {[]signs{{slow: 100, loaded: 1.5}}, DiskHog, DiskBusy, true},
		"made up for":          {[]signs{{slow: 9, loaded: -3}, {slow: 9, loaded: -2}, {slow: 3, loaded: 2}}, DiskBusy, DiskHog, true},
		"load without waiting": {[]signs{{slow: 0.8, loaded: 1.2}}, DiskHog, DiskBusy, false},
		"a hog loses":          {[]signs{{receives: 8, in: 2, slow: 0.7}}, NetworkHog, PacketLoss, true},
		"loss is stronger":     {[]signs{{slow: 1.1, out: 5}}, PacketLoss, DiskBusy, true},
		"calm windows":         {[]signs{{slow: 5}, {slow: 0.9, sends: 0.9}, {slow: 5, sends: 0.5}}, DiskBusy, NetworkHog, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			list := hear(t, tt.windows)
			if tt.cause == "" {
				if len(list) > 0 {
					t.Errorf("indicted: %+v", list)
				}
				return
			}
			if len(list) != 1 || list[0].Server != "ios4" || list[0].Cause != tt.cause {
				t.Fatalf("%+v, want %s", list, tt.cause)
			}
			if next := list[0].Next; next == nil || next.Cause != tt.next || next.Holds != tt.holds {
				t.Errorf("next is %+v, want %s", next, tt.next)
			}
		})
	}
}

// TestEvidenceOfSuspectsOnly: a sign that is not odd itself is no evidence,
// even while the filter still remembers.
func TestEvidenceOfSuspectsOnly(t *testing.T) {
	list := hear(t, []signs{{symptom.Slow: 5, symptom.Sends: 0.5}, {symptom.Slow: 7, symptom.Sends: 0.2}})
	if len(list) != 1 || len(list[0].Metrics) != 1 {
		t.Fatalf("%+v", list)
	}
	if e := list[0].Metrics[0]; e.Metric != "await" || e.Score != 14 || e.From != begin || e.To != begin+96 {
		t.Errorf("%+v", e)
	}
}

// TestEpisodes: a server that was calm for as long as the filter remembers is
// tried anew; until then all is one story.
func TestEpisodes(t *testing.T) {
	hog, loss, calm := signs{symptom.Slow: 9, symptom.Loaded: 3}, signs{symptom.LosesIn: 4}, signs{symptom.Slow: 0.5}
	list := hear(t, []signs{hog, hog, calm, calm, calm, calm, calm, loss, loss})
	if len(list) != 2 || list[0].Cause != PacketLoss || list[1].Cause != DiskHog {
		t.Fatalf("%+v, want loss, then the weaker hog", list)
	}
	if list[1].To != begin+32+64 || list[0].From != begin+7*32 {
		t.Errorf("hog until %d, loss from %d", list[1].To-begin, list[0].From-begin)
	}
	if list := hear(t, []signs{hog, hog, calm, calm, calm, calm, loss, loss}); len(list) != 1 {
		t.Errorf("%+v, want one story", list)
	}
}
