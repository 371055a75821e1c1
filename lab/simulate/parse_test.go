package simulate

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"
)

func hours(h int) time.Time { return time.Date(2026, time.March, 1, h, 0, 5, 0, time.UTC) }

func someTruth() *Truth {
	t := &Truth{System: "demo", Seed: 1 << 63, From: hours(0), To: hours(8)}
	t.Add(Fault{SingleLUN, "1.07", hours(2), hours(8), "LUN 1.07 is slow: 1.4 times", []string{"1.07.4", "1.07.1"}})
	t.Add(Fault{DiskHog, "ios3", hours(2), hours(3), "a hog", nil})
	t.Add(Fault{ServerIssued, "fs3", hours(1), hours(2), "", []string{"1.00.3"}})
	t.Add(Fault{Transient, "1.20", hours(1), hours(2), "a file on one LUN", nil})
	return t
}

func TestTruthComesBack(t *testing.T) {
	for _, want := range []*Truth{someTruth(), {System: "healthy", From: hours(0), To: hours(1)}} {
		text, err := want.YAML()
		if err != nil {
			t.Fatal(err)
		}
		got, err := ParseTruth(TruthFile, text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v\nwant %+v", got, want)
		}
	}
	if truth := someTruth(); len(truth.Faults) != 2 || len(truth.Harmless) != 2 {
		t.Errorf("%d faults and %d harmless events", len(truth.Faults), len(truth.Harmless))
	}
}

func TestTruthMistakes(t *testing.T) {
	head := "system: demo\nfrom: 2026-03-01T00:00:05Z\nto: 2026-03-01T08:00:00Z\n"
	event := "  - kind: disk-hog\n    component: ios3\n    from: 2026-03-01T02:00:00Z\n    to: 2026-03-01T03:00:00Z\n"
	if _, err := ParseTruth("t", []byte(head+"faults:\n"+event)); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ text, want string }{
		"empty":         {"", "t:1: the file is empty; write at least system:"},
		"key":           {head + "fault:\n" + event, `t:4: the setting "fault" is unknown in a truth file; did you mean faults?`},
		"missing":       {"system: demo\nfrom: 2026-03-01T00:00:05Z\n", `t:1: the setting "to" is missing; add this setting`},
		"time":          {strings.Replace(head, "T08:00:00Z", "", 1), `t:3: "2026-03-01" is not a time`},
		"order":         {strings.Replace(head, "T08", "T07", 1) + "seed: -1\n", `t:4: "-1" is not a seed`},
		"kind":          {head + "faults:\n" + strings.Replace(event, "disk-hog", "hog", 1), `t:5: "hog" is not a kind of event: write one of single LUN,`},
		"section":       {head + "harmless:\n" + event, `t:5: an event of the kind "disk-hog" must not be in the list "harmless": move the event to the list "faults"`},
		"backwards":     {head + "faults:\n" + strings.Replace(event, "T03", "T01", 1), "t:8: the end of the event (\"to\") is before its start (\"from\"): exchange the two times"},
		"no list":       {head + "faults: none\n", "t:4: faults must be a list; begin each entry with a dash"},
		"event missing": {head + "faults:\n  - kind: disk-hog\n", `t:5: the setting "component" is missing; add this setting`},
	} {
		t.Run(name, func(t *testing.T) {
			truth, err := ParseTruth("t", []byte(tt.text))
			if truth != nil || err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func FuzzParseTruth(f *testing.F) {
	text, err := someTruth().YAML()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("system: a\nfrom: 2026-03-01T00:00:05Z\nto: 2026-03-01T00:00:05.5+01:00\nfaults: []\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		truth, err := ParseTruth("t", data)
		if err != nil {
			return
		}
		text, err := truth.YAML()
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseTruth("t", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		twice, err := again.YAML()
		if err != nil || !bytes.Equal(text, twice) {
			t.Errorf("%v: written again it is\n%s\nafter\n%s", err, twice, text)
		}
	})
}
