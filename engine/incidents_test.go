package engine_test

import "testing"

// Each case has the faults that happen, and the incidents that must be found: all of them
// and no others.
func TestIncidents(t *testing.T) {
	tests := []struct {
		name  string
		hours int
		acts  []act
		want  string
	}{
		{"nothing", 12, nil, ""},
		{"a slow LUN", 12, []act{{2 * hour, func(w *world) { w.slow["2.5"] = 2 }}}, "single LUN 2.5 active"},
		{"a LUN half an hour", 6, []act{{2 * hour, func(w *world) { w.slow["2.5"] = 2 }}, {5 * hour / 2, (*world).calm}}, ""},
		{"a rebuild", 14, []act{{2 * hour, func(w *world) { w.slow["2.5"] = 1.25 }}, {10 * hour, (*world).calm}}, ""},
		{"a LUN 1.3 times slow for a day", 30, []act{{2 * hour, func(w *world) { w.slow["2.5"] = 1.3 }}}, "single LUN 2.5 active"},
		{"a busy LUN", 12, []act{{2 * hour, func(w *world) { w.busier["2.5"] = 3 }}}, "workload imbalance 2.5 active"},
		{"a failed controller", 4, []act{{2 * hour, func(w *world) { w.gone["ddn2a"] = true }}}, "lost attachment ddn2a active"},
		{"a failed array", 4, []act{{2 * hour, func(w *world) { w.gone["ddn2"] = true }}}, "lost attachment ddn2 active"},
		{"a server without its devices", 4, []act{{2 * hour, func(w *world) { w.gone["fs6"] = true }}}, "lost attachment fs6 active"},
		{"two servers of both controllers without devices", 4, []act{{2 * hour, func(w *world) { w.gone["fs6"], w.gone["fs7"] = true, true }}}, "lost attachment ddn2 active"},
		{"one attachment is gone", 6, []act{{2 * hour, func(w *world) { w.gone["2.5.6"] = true }}}, "lost attachment 2.5.6 active"},
		{"a server without its service", 4, []act{{2 * hour, func(w *world) { w.unused["fs6"] = true }}}, "lost attachment fs6 active"},
		{"two servers that give LUNs up", 4, []act{{2 * hour, func(w *world) {
			w.unused["2.1.6"], w.unused["2.5.6"], w.unused["2.2.7"], w.unused["2.6.7"] = true, true, true, true
		}}}, "lost attachment fs6 active; lost attachment fs7 active"},
		{"a controller that serves nobody", 4, []act{{2 * hour, func(w *world) { w.unused["ddn2a"] = true }}}, "lost attachment ddn2a active"},
		{"a silent server", 4, []act{{2 * hour, func(w *world) { w.silent["fs6"] = true }}}, "silent server fs6 active"},
		{"a reboot", 8, []act{{2 * hour, func(w *world) { w.silent["fs6"] = true }}, {2*hour + 40, (*world).calm}}, "silent server fs6 cleared"},
		{"a reboot without service", 6, []act{{2 * hour, func(w *world) { w.silent["fs6"] = true }}, {2*hour + 40, func(w *world) { w.calm(); w.unused["fs6"] = true }}}, "lost attachment fs6 active"},
		{"a server that was never heard", 4, []act{{0, func(w *world) { w.silent["fs6"] = true }}}, "silent server fs6 active"},
		{"a server that was never heard, and then no load", 8, []act{
			{0, func(w *world) { w.silent["fs6"] = true }}, {2 * hour, func(w *world) { w.idle = true }},
		}, "silent server fs6 active"},
		{"a drawer", 8, []act{{2 * hour, func(w *world) { drawer(w, "3", 2.5) }}}, "drawer error ddn3 active"},
		{"an array that is busier for three hours", 8, []act{{2 * hour, func(w *world) { w.slow["ddn3"] = 1.3 }}, {5 * hour, (*world).calm}}, ""},
		{"an array 1.3 times slow for a day", 26, []act{{2 * hour, func(w *world) { w.slow["ddn3"] = 1.3 }}}, "drawer error ddn3 active"},
		{"a slow server", 8, []act{{2 * hour, func(w *world) { w.slow["fs6"] = 2.5 }}}, "shared slowness fs6 active"},
		{"a stall of two minutes", 4, []act{{2 * hour, func(w *world) { w.stall["ddn2"] = 60_000 }}, {2*hour + 8, (*world).calm}}, "stalled requests ddn2 recovering"},
		{"two minutes in which requests take 15 s", 4, []act{{2 * hour, func(w *world) { w.stall["ddn2"] = 15_000 }}, {2*hour + 8, (*world).calm}}, "stalled requests ddn2 recovering"},
		{"two minutes in which requests of a LUN take 15 s", 4, []act{{2 * hour, func(w *world) { w.stall["2.5"] = 15_000 }}, {2*hour + 8, (*world).calm}}, "single LUN 2.5 recovering"},
		{"a stall long ago", 8, []act{{2 * hour, func(w *world) { w.stall["ddn2"] = 60_000 }}, {2*hour + 8, (*world).calm}}, "stalled requests ddn2 cleared"},
		{"a server that works for itself", 6, []act{{2 * hour, func(w *world) { w.work["fs6"] = true }}}, "server-issued workload fs6 active"},
		{"it works while the clients do not", 6, []act{{2 * hour, func(w *world) { w.work["fs6"], w.idle = true, true }}}, "server-issued workload fs6 active"},
		{"it works while the clients do not, and two servers were never heard", 6, []act{
			{0, func(w *world) { w.silent["fs5"], w.silent["fs6"], w.idle = true, true, true }}, {2 * hour, func(w *world) { w.work["fs7"] = true }},
		}, "server-issued workload fs7 active"},
		{"a standby path that is slow by itself", 6, []act{{2 * hour, func(w *world) { w.slow["2.5.7"] = 3 }}}, ""},
		{"a LUN that is taken out of service", 8, []act{{2 * hour, func(w *world) {
			for _, s := range []string{"5", "6", "7", "8"} {
				w.unused["2.5."+s] = true
			}
		}}}, ""},
		{"nobody does anything", 6, []act{{2 * hour, func(w *world) { w.idle = true }}}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, site, 1)
			got := tell(incidents(w.run(t, test.hours, test.acts...)))
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestAnyLatency: a LUN and an array are named whatever the latency of their requests is. Between the
// latencies of a slow component and of stalled requests there is none that nobody reports.
func TestAnyLatency(t *testing.T) {
	for _, ms := range []float64{100, 1000, 9_999, 10_000, 29_999, 30_000, 1e6} {
		for _, tt := range []struct{ who, slow string }{{"2.5", "single LUN 2.5"}, {"ddn2", "drawer error ddn2"}} {
			w := newWorld(t, site, 1)
			got := tell(incidents(w.run(t, 4, act{2 * hour, func(w *world) { w.stall[tt.who] = ms }})))
			if got != tt.slow+" active" && got != "stalled requests "+tt.who+" active" {
				t.Errorf("%s with %g ms: got %q", tt.who, ms, got)
			}
		}
	}
}

// drawer slows five of eight LUNs of an array.
func drawer(w *world, array string, factor float64) {
	for _, lun := range []string{"0", "1", "3", "4", "6", "8", "9", "11", "13", "14"} {
		w.slow[array+"."+lun] = factor
	}
}

// TestSecondProblems: no incident hides another.
func TestSecondProblems(t *testing.T) {
	tests := []struct {
		name  string
		hours int
		acts  []act
		want  string
	}{
		{"a slow LUN, then a drawer of its array", 12, []act{
			{1 * hour, func(w *world) { w.slow["3.2"] = 2 }},
			{5 * hour, func(w *world) { drawer(w, "3", 2.5) }},
		}, "drawer error ddn3 active; single LUN 3.2 active"},
		{"a LUN of the drawer that was slow before", 12, []act{
			{1 * hour, func(w *world) { w.slow["3.1"] = 2 }},
			{5 * hour, func(w *world) { drawer(w, "3", 2.5) }},
		}, "drawer error ddn3 active; single LUN 3.1 active"},
		{"a drawer, and a LUN of it that is far slower", 12, []act{
			{1 * hour, func(w *world) { drawer(w, "3", 1.6); w.slow["3.1"] = 30 }},
		}, "drawer error ddn3 active; single LUN 3.1 active"},
		{"a controller and a drawer of one array", 8, []act{
			{2 * hour, func(w *world) { w.gone["ddn2a"] = true }},
			{3 * hour, func(w *world) { drawer(w, "2", 2.5) }},
		}, "drawer error ddn2 active; lost attachment ddn2a active"},
		{"both controllers of an array, one after the other", 9, []act{
			{2 * hour, func(w *world) { w.gone["ddn2a"] = true }},
			{5 * hour, func(w *world) { w.gone["ddn2b"] = true }},
		}, "lost attachment ddn2a active; lost attachment ddn2b active"},
		{"an attachment long ago, then its whole server", 14, []act{
			{2 * hour, func(w *world) { w.gone["2.5.6"] = true }},
			{8 * hour, func(w *world) { w.silent["fs6"] = true }},
			{9 * hour, func(w *world) { w.silent["fs6"] = false; delete(w.silent, "fs6") }},
		}, "lost attachment 2.5.6 active; silent server fs6 cleared"},
		{"a slow LUN, then one stall", 12, []act{
			{1 * hour, func(w *world) { w.slow["2.5"] = 3 }},
			{9 * hour, func(w *world) { w.stall["2.5"] = 60_000 }},
			{9*hour + 8, func(w *world) { delete(w.stall, "2.5") }},
		}, "single LUN 2.5 active; stalled requests 2.5 cleared"},
		{"devices gone and others unused", 5, []act{
			{2 * hour, func(w *world) {
				w.gone["2.1.6"], w.gone["2.5.6"], w.unused["2.9.6"], w.unused["2.13.6"] = true, true, true, true
			}},
		}, "lost attachment fs6 active"},
		{"a drawer, and a server that works for itself", 12, []act{
			{2 * hour, func(w *world) { drawer(w, "2", 3); w.work["fs6"] = true }},
		}, "drawer error ddn2 active; server-issued workload fs6 active"},
		{"a LUN that is hardly slow, then a drawer that it is in", 14, []act{
			{1 * hour, func(w *world) { w.slow["3.1"] = 1.3 }},
			{8 * hour, func(w *world) { drawer(w, "3", 4) }},
		}, "drawer error ddn3 active"},
		{"two servers that give up, one long after the other", 9, []act{
			{2 * hour, func(w *world) { w.unused["fs7"] = true }},
			{5 * hour, func(w *world) { w.unused["fs6"] = true }},
		}, "lost attachment fs6 active; lost attachment fs7 active"},
		{"devices that come back to a server that works for itself", 9, []act{
			{2 * hour, func(w *world) { w.gone["fs6"] = true }},
			{4 * hour, func(w *world) { w.calm(); w.work["fs6"] = true }},
		}, "lost attachment fs6 cleared; server-issued workload fs6 active"},
		{"devices that are gone from a server that works for itself", 9, []act{
			{2 * hour, func(w *world) { w.work["fs6"] = true }},
			{5 * hour, func(w *world) {
				for _, lun := range []string{"0", "1", "2", "3", "4", "5", "6", "7"} {
					w.gone["2."+lun+".6"] = true
				}
			}},
		}, "lost attachment fs6 active; server-issued workload fs6 active"},
		{"a slow path of a server that works for itself", 9, []act{
			{2 * hour, func(w *world) { w.work["fs6"] = true }},
			{4 * hour, func(w *world) { w.slow["2.4.6"] = 15 }},
		}, "server-issued workload fs6 active; single LUN 2.4.6 active"},
		{"a server down, and a drawer of its array", 12, []act{
			{1 * hour, func(w *world) { w.silent["fs10"] = true }},
			{3 * hour, func(w *world) { drawer(w, "3", 3) }},
			{8 * hour, func(w *world) { delete(w.silent, "fs10") }},
		}, "drawer error ddn3 active; silent server fs10 cleared"},
		{"controllers of two arrays at once", 4, []act{
			{2 * hour, func(w *world) { w.gone["ddn2a"], w.gone["ddn4b"] = true, true }},
		}, "lost attachment ddn2a active; lost attachment ddn4b active"},
		{"a server down and a controller of its array", 6, []act{
			{2 * hour, func(w *world) { w.silent["fs8"] = true }},
			{3 * hour, func(w *world) { w.gone["ddn2a"] = true }},
		}, "lost attachment ddn2a active; silent server fs8 active"},
		{"a slow LUN that shows when the drawer is repaired", 20, []act{
			{2 * hour, func(w *world) { drawer(w, "3", 2.5) }},
			{6 * hour, func(w *world) { w.calm(); w.slow["3.1"] = 2.5 }},
		}, "drawer error ddn3 cleared; single LUN 3.1 active"},
		{"a slow LUN while another winds down", 14, []act{
			{1 * hour, func(w *world) { w.slow["3.1"] = 2.5 }},
			{7 * hour, func(w *world) { w.calm(); w.slow["3.2"] = 2.5 }},
		}, "single LUN 3.1 cleared; single LUN 3.2 active"},
		{"a slow LUN behind a path that took over", 12, []act{
			{2 * hour, func(w *world) { w.gone["ddn2a"] = true }},
			{3 * hour, func(w *world) { w.slow["2.1"] = 4 }},
		}, "lost attachment ddn2a active; single LUN 2.1 active"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, site, 2)
			got := tell(incidents(w.run(t, test.hours, test.acts...)))
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}
