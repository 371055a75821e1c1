package ownwork

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/internal/state"
)

// Detector finds servers that do own work: they read or write for themselves, not for clients.
type Detector struct {
	certainSeconds int64 // a finding is certain after this time of own work, in seconds (SameCauseSeconds)
	facts          *window.Facts
	k              int
	episodes       []bool    // by server: whether it has own work in this window
	servers        []episode // by server: its own work in past windows
}

// episode is the record of a server's own work over several windows.
type episode struct {
	filter  persistence.Filter
	windows int
	onset   finding.Onset
}

// New returns a detector before its first window. The detector reports a server that had own work
// in k of the last 2k−1 windows.
func New(c criteria.Options, f *window.Facts, k int) *Detector {
	n := len(f.System.Servers)
	return &Detector{certainSeconds: c.SameCauseSeconds, facts: f, k: k, episodes: make([]bool, n), servers: make([]episode, n)}
}

// Mark finds the servers with own work, and marks the standby paths that carry own work as
// window.Working. The caller calls Mark before it calls the path detector. For path c, lost(c)
// reports whether the path was lost in k of the last 2k−1 windows before this window.
func (d *Detector) Mark(lost func(c int) bool) {
	n := len(d.episodes)
	standby, used, rates := make([]int, n), make([]int, n), make([][]float64, n)
	for _, c := range d.facts.Attachments {
		server := d.facts.ServerOf[c]
		if server < 0 || !d.facts.IsStandby(c) || !d.facts.Conditions[c].IsPresent() || d.onlyMutePathsBefore(c) {
			continue
		}
		standby[server]++
		if d.facts.Conditions[c] == window.Serving && d.bypassesBetterPath(c, lost) {
			used[server]++
			rates[server] = append(rates[server], d.facts.Rate(c))
		}
	}
	for s := range d.episodes {
		enough := standby[s] > 0 && 2*used[s] >= standby[s]
		d.episodes[s] = enough && d.facts.IsNoise(quantile.Median(rates[s]))
	}
	for _, c := range d.facts.Attachments {
		if s := d.facts.ServerOf[c]; s >= 0 && d.episodes[s] && d.facts.IsStandby(c) && d.facts.Conditions[c] == window.Serving && d.facts.HasLightWork(c) {
			d.facts.Conditions[c] = window.Working
		}
	}
}

// onlyMutePathsBefore reports whether the servers of all better paths to the LUN of path c sent no
// data. A better path has a higher priority. The data then do not show whether requests through c
// bypass a better path, or replace a lost path. So Mark does not count c, neither as used nor as
// unused. If c counted as unused, Mark would miss the own work of a server whenever several other
// servers send no data. The own work would then look as if the server had taken over their load.
func (d *Detector) onlyMutePathsBefore(c int) bool {
	if d.facts.LUNOf[c] < 0 {
		return false
	}
	for _, other := range d.facts.Paths[d.facts.LUNOf[c]] {
		if other == c {
			return true
		}
		if d.facts.Conditions[other] != window.Mute {
			return false
		}
	}
	return false
}

// bypassesBetterPath reports whether the requests of path c bypass a better path. A better path is
// another path to the same LUN. It has a higher priority, is present and is not lost, so it could
// serve the LUN.
func (d *Detector) bypassesBetterPath(c int, lost func(c int) bool) bool {
	if d.facts.LUNOf[c] < 0 {
		return false
	}
	for _, other := range d.facts.Paths[d.facts.LUNOf[c]] {
		if other == c {
			return false
		}
		if now := d.facts.Conditions[other]; (now == window.Serving || now == window.Resting) && !lost(other) {
			return true
		}
	}
	return false
}

// Findings returns one finding for each server that had own work in k of the last 2k−1
// windows.
func (d *Detector) Findings(end int64) []finding.Finding {
	var found []finding.Finding
	for s := range d.servers {
		w := &d.servers[s]
		if d.episodes[s] && w.windows == 0 && w.filter == 0 {
			w.onset = finding.Onset{At: end, Early: end - d.facts.WindowSeconds(), Late: end}
		}
		if !w.filter.Push(d.episodes[s], d.k) {
			w.windows = max(w.windows-1, 0)
			continue
		}
		w.windows++
		found = append(found, d.finding(s))
	}
	return found
}

func (d *Detector) finding(s int) finding.Finding {
	w := &d.servers[s]
	f := finding.Finding{
		Class: finding.OwnWork, Kind: finding.ServerIssued, Place: blame.Place{Tier: blame.Server, Name: d.facts.System.Servers[s]},
		Onset: w.onset, Certain: int64(w.windows)*d.facts.ShiftSeconds >= d.certainSeconds,
	}
	for _, c := range d.facts.Attachments {
		if d.facts.ServerOf[c] == s && d.facts.IsStandby(c) {
			f.Members = append(f.Members, finding.Member{
				Component: c, Role: finding.Working, Odd: d.facts.Conditions[c] == window.Working, Windows: w.windows, Ratio: 1, Worst: 1, Since: w.onset.At,
			})
		}
	}
	f.Judged = len(f.Members)
	return f
}

// State writes or reads the episode of every server.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.By(c, axes.Servers, d.servers, func(c *state.Codec, w *episode) {
		state.Uint(c, &w.filter)
		state.Int(c, &w.windows)
		w.onset.State(c)
	})
}
