package symptom

import (
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
)

// strengths are the signs of one server in a window, by symptom.
type strengths map[finding.Symptom]float64

var metricOf = [finding.NumSymptoms]string{
	finding.Waits: "await", finding.Loaded: "rd_sec", finding.Asked: "wr_sec", finding.Receives: "rxbyt", finding.Sends: "txbyt",
	finding.LosesIn: "retr_in", finding.LosesOut: "retr_out",
}

// pushAll passes windows of the first server, whose signs are odd and suspect from a
// strength of 1 on, and returns the last findings of each episode.
func pushAll(t *testing.T, windows []strengths) []finding.Finding {
	t.Helper()
	d := fresh(t, plain(5))
	var last []finding.Finding
	calm := d.opts.memory()
	for i, of := range windows {
		var list []Sign
		for symptom := range finding.NumSymptoms {
			strength, ok := of[symptom]
			if !ok {
				continue
			}
			from := begin + int64(i)*32
			list = append(list, Sign{Symptom: symptom, Anomalous: strength >= 1, Suspect: strength >= 1, Evidence: finding.Evidence{
				Metric: metricOf[symptom], Score: 2 * strength, Threshold: 2, From: from, To: from + 64,
			}})
		}
		found := d.update(list, nil, noneIdle)
		switch {
		case len(found) == 0:
			calm++
			continue
		case calm >= d.opts.memory():
			last = append(last, finding.Finding{})
		}
		calm = 0
		last[len(last)-1] = found[0]
	}
	return last
}

func TestFault(t *testing.T) {
	const slow, loaded, asked, receives, sends, in, out = finding.Waits, finding.Loaded, finding.Asked, finding.Receives, finding.Sends, finding.LosesIn, finding.LosesOut
	type all []strengths
	tests := map[string]struct {
		windows    all
		kind, next finding.Kind
		reason     finding.Reason
	}{
		"nothing":              {all{{slow: 0.9, loaded: 0.5}, {in: 0.99}}, "", "", ""},
		"waiting alone":        {all{{slow: 9, loaded: 0.1, in: 0.4}}, finding.DiskBusy, finding.PacketLoss, finding.Below},
		"load makes wait":      {all{{slow: 100, loaded: 1.5}}, finding.DiskHog, finding.DiskBusy, finding.Outweighed},
		"made up for":          {all{{slow: 9, loaded: -3}, {slow: 9, loaded: -2}, {slow: 3, loaded: 2}}, finding.DiskBusy, finding.DiskHog, finding.Outweighed},
		"load without waiting": {all{{slow: 0.8, loaded: 1.2}}, finding.DiskHog, finding.DiskBusy, finding.Below},
		"a hog loses":          {all{{receives: 8, in: 2, slow: 0.7}}, finding.NetworkHog, finding.PacketLoss, finding.Outweighed},
		"loss is stronger":     {all{{slow: 1.1, out: 5}}, finding.PacketLoss, finding.DiskBusy, finding.Outweighed},
		"asked for more":       {all{{asked: 2, slow: 0.9, loaded: 0.2}}, finding.WorkloadImbalance, finding.DiskBusy, finding.Below},
		"asked, and loses":     {all{{asked: 9, in: 2}}, finding.PacketLoss, finding.WorkloadImbalance, finding.Outweighed},
		"asked, then hogged":   {all{{asked: 9}, {asked: 9}, {asked: 9}, {asked: 2, slow: 9, loaded: 1.1}}, finding.DiskHog, finding.DiskBusy, finding.Outweighed},
		"calm windows":         {all{{slow: 5}, {slow: 0.9, sends: 0.9}, {slow: 5, sends: 0.5}}, finding.DiskBusy, finding.NetworkHog, finding.Below},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			list := pushAll(t, tt.windows)
			if tt.kind == "" {
				if len(list) > 0 {
					t.Errorf("found: %+v", list)
				}
				return
			}
			if len(list) != 1 || list[0].Place != (blame.Place{Tier: blame.Server, Name: "ios1"}) || list[0].Kind != tt.kind {
				t.Fatalf("%+v, want %s", list, tt.kind)
			}
			if r := list[0].RuledOut; len(r) != 1 || r[0].Kind != tt.next || r[0].Reason != tt.reason {
				t.Errorf("ruled out: %+v, want %s, %s", r, tt.next, tt.reason)
			}
		})
	}
}

// TestEvidenceOfSuspectsOnly: a sign that is not odd is no evidence, even while the
// filter still holds earlier windows.
func TestEvidenceOfSuspectsOnly(t *testing.T) {
	list := pushAll(t, []strengths{{finding.Waits: 5, finding.Sends: 0.5}, {finding.Waits: 7, finding.Sends: 0.2}})
	if len(list) != 1 || len(list[0].Evidence) != 1 {
		t.Fatalf("%+v", list)
	}
	if e := list[0].Evidence[0]; e.Metric != "await" || e.Score != 14 || e.From != begin || e.To != begin+96 || !e.Decides {
		t.Errorf("%+v", e)
	}
	want := finding.Member{Role: finding.AtFault, Odd: true, Windows: 2, Worst: 7, Since: begin}
	if m := list[0].Members; len(m) != 1 || m[0] != want {
		t.Errorf("%+v, want %+v", m, want)
	}
}

// TestEpisodes: a server that was calm for as many windows as the filter holds begins a
// new episode; until then all is one.
func TestEpisodes(t *testing.T) {
	hog, loss, calm := strengths{finding.Waits: 9, finding.Loaded: 3}, strengths{finding.LosesIn: 4}, strengths{finding.Waits: 0.5}
	list := pushAll(t, []strengths{hog, hog, calm, calm, calm, calm, calm, loss, loss})
	if len(list) != 2 || list[0].Kind != finding.DiskHog || list[1].Kind != finding.PacketLoss || len(list[1].Evidence) != 1 {
		t.Fatalf("%+v, want a hog, then loss", list)
	}
	if list[0].Evidence[0].To != begin+32+64 || list[1].Evidence[0].From != begin+7*32 {
		t.Errorf("hog until %d, loss from %d", list[0].Evidence[0].To-begin, list[1].Evidence[0].From-begin)
	}
	if list := pushAll(t, []strengths{hog, hog, calm, calm, calm, calm, loss, loss}); len(list) != 1 || len(list[0].Evidence) != 3 {
		t.Errorf("%+v, want one spell", list)
	}
}

// shows returns a sign that makes a component suspect, or one that is not odd.
func shows(kind finding.Symptom, component int, score float64, suspect bool) Sign {
	return Sign{Symptom: kind, Anomalous: suspect, Suspect: suspect, Evidence: finding.Evidence{
		Metric: metricOf[kind], Component: component, Score: score, Threshold: 1, From: 32, To: 96,
	}}
}

// TestNextBest: another suspect fault comes before a stronger one with a doubt.
func TestNextBest(t *testing.T) {
	for _, tt := range []struct {
		slow, receives, loses float64
		loss                  bool
		next                  finding.Kind
	}{{9, 2, 3, false, finding.NetworkHog}, {9, 2, 3, true, finding.PacketLoss}, {2, 9, 3, false, finding.DiskBusy}} {
		w := []Sign{shows(finding.Waits, 0, tt.slow, true), shows(finding.Receives, 0, tt.receives, true), shows(finding.LosesIn, 0, tt.loses, tt.loss)}
		list := fresh(t, plain(5)).update(w, nil, noneIdle)
		if len(list) != 1 || len(list[0].RuledOut) != 1 || list[0].RuledOut[0].Kind != tt.next || list[0].RuledOut[0].Reason != finding.Outweighed {
			t.Errorf("%+v, want next %s", list, tt.next)
		}
	}
}

// TestDoubted: the finding carries the doubt about the next explanation, from the window
// in which it was strongest.
func TestDoubted(t *testing.T) {
	d := fresh(t, plain(5))
	var found []finding.Finding
	for i, doubt := range []finding.Doubt{finding.FewLost, finding.InBursts, finding.FewSent} {
		loses := shows(finding.LosesIn, 10, []float64{2, 4, 3}[i], false)
		loses.Doubt = doubt
		found = d.update([]Sign{shows(finding.Waits, 0, 9, true), loses}, nil, noneIdle)
	}
	if r := found[0].RuledOut[0]; r.Kind != finding.PacketLoss || r.Reason != finding.Doubted || r.Doubt != finding.InBursts || r.Evidence.Score != 4 {
		t.Errorf("%+v", r)
	}
}

// TestWorstDrive: the strongest drive of a server counts: a suspect before an odd one,
// that before a normal one.
func TestWorstDrive(t *testing.T) {
	now := shows(finding.Waits, 0, 9, true)
	now.Suspect = false
	for name, other := range map[string]Sign{
		"stronger": shows(finding.Waits, 0, 2, true), "odd": shows(finding.Waits, 0, 9, false), "suspect": now,
	} {
		worst := shows(finding.Waits, 1, 3, true)
		for _, order := range [][]Sign{{worst, other}, {other, worst}} {
			list := fresh(t, shape{Servers: 5, Drives: 2, Interfaces: 1, Hosts: 1, Sets: 1}).update(order, nil, noneIdle)
			if len(list) != 1 || list[0].Evidence[0].Component != 1 || list[0].Evidence[0].Score != 3 {
				t.Errorf("%s: %+v, want the second drive", name, list)
			}
		}
	}
}

// TestTallies: a finding counts the compared components, its own and the others', once
// each.
func TestTallies(t *testing.T) {
	d := fresh(t, plain(5)) // drives 0-4, interfaces 5-9, hosts 10-14
	w := []Sign{
		shows(finding.Waits, 0, 2, true), shows(finding.Loaded, 0, 3, true), shows(finding.Waits, 1, 0.5, false), shows(finding.Loaded, 1, 0.1, false),
		shows(finding.Receives, 5, 0.3, false), shows(finding.Sends, 5, 0.1, false), shows(finding.Receives, 7, 4, true), shows(finding.Sends, 7, 4, true),
	}
	found := d.update(w, nil, noneIdle)
	if len(found) != 2 || found[0].Place.Name != "ios3" || found[1].Place.Name != "ios1" {
		t.Fatalf("%+v, want the stronger first", found)
	}
	if f := found[1]; f.Judged != 2 || f.Elsewhere != (finding.Tally{Odd: 1, Judged: 2}) {
		t.Errorf("compared %d, elsewhere %+v", f.Judged, f.Elsewhere)
	}
	if f := found[0]; len(f.Members) != 1 || f.Members[0].Component != 7 || len(f.Evidence) != 2 {
		t.Errorf("%+v, want one member that shows two metrics", f)
	}
	for server, want := range []bool{true, true, true, false, false} {
		if d.Judged(server) != want {
			t.Errorf("server %d is compared: %t", server, !want)
		}
	}
	if got := d.Known(); !slices.Equal(got, []finding.Symptom{finding.Waits, finding.Loaded, finding.Receives, finding.Sends}) {
		t.Errorf("known are %v", got)
	}
}

// TestIdleServersAreSkipped: an idle server is not compared.
func TestIdleServersAreSkipped(t *testing.T) {
	d := fresh(t, plain(5))
	w := []Sign{shows(finding.Waits, 0, 9, true)}
	if found := d.update(w, nil, func(server int) bool { return server == 0 }); len(found) > 0 || d.Judged(0) {
		t.Errorf("compared %t, found %+v", d.Judged(0), found)
	}
	if found := d.update(w, nil, noneIdle); len(found) != 1 || !d.Judged(0) || d.Examined() != 2 {
		t.Errorf("compared %t, found %+v in %d windows", d.Judged(0), found, d.Examined())
	}
}

// TestForgotten: after an operator's command a fault must last again.
func TestForgotten(t *testing.T) {
	d := fresh(t, plain(7))
	row := rowOf(d.places.System, broken())
	var found []int
	for i := range int64(64 + 9*32) {
		row.End = begin + i + 1
		d.Push(row, noneIdle, func(end int64, list []finding.Finding) {
			if found = append(found, len(list)); len(found) == 5 {
				d.Forget(0)
			}
		})
	}
	if want := []int{0, 0, 1, 1, 1, 0, 0, 1, 1, 1}; !slices.Equal(found, want) {
		t.Errorf("findings by window: %v, want %v", found, want)
	}
}

// TestWidespread: a symptom that half of the servers show for KWindows windows is
// listed, and makes no finding.
func TestWidespread(t *testing.T) {
	machines := broken()
	machines[1], machines[2] = machines[0], machines[0]
	machines = append(machines[:3], alike(3)...)
	for windows, want := range map[int]int{2: 0, 3: 2} {
		d := fresh(t, plain(len(machines)))
		row := rowOf(d.places.System, machines)
		for i := range int64(32 + 32*windows) {
			row.End = begin + i + 1
			d.Push(row, noneIdle, func(_ int64, list []finding.Finding) {
				for _, f := range list {
					t.Errorf("%+v", f)
				}
			})
		}
		if got := d.Widespread(); len(got) < want || want == 0 && len(got) > 0 {
			t.Errorf("%d windows: %v", windows, got)
		}
	}
}
