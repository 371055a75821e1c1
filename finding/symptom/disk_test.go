package symptom

import (
	"testing"

	"github.com/limpet-storage/limpet/table"
)

// all changes each of seven peers alike.
func all(change func(*machine)) []machine {
	list := peers(7)
	for i := range list {
		change(&list[i])
	}
	return list
}

func TestSlow(t *testing.T) {
	idle := func(m *machine) { m[tps], m[rd], m[wr], m[wait], m[util] = 0, 0, 0, 0, 0 }
	const noBusier = "the drive is no busier than its peers'"
	for name, tt := range map[string]bound{
		"like its peers":          {score: 1},
		"busier":                  {own: func(m *machine) { m[wait], m[util] = 40, 50 }, score: 2, odd: true},
		"hardly busier":           {own: func(m *machine) { m[wait], m[util] = 40, 49 }, score: 2, doubt: noBusier},
		"not slow, but busier":    {own: func(m *machine) { m[wait], m[util] = 29, 90 }, score: 1.45},
		"far beyond all":          {own: func(m *machine) { m[wait] = 110 }, score: 5.5, odd: true},
		"nearly far beyond all":   {own: func(m *machine) { m[wait] = 98 }, score: 4.9, doubt: noBusier},
		"too few requests":        {own: func(m *machine) { m[tps], m[wait], m[util] = 4.9/64, 400, 80 }, score: table.Missing},
		"just enough requests":    {own: func(m *machine) { m[tps], m[wait], m[util] = 5.1/64, 400, 80 }, score: 20, odd: true},
		"peers without a request": {peers: all(idle), own: func(m *machine) { m[tps], m[wait], m[util] = 9, 400, 80 }, score: table.Missing},
		"just slow":               {own: func(m *machine) { m[wait], m[util] = 30, 60 }, score: 1.5, odd: true},
		"just far beyond all":     {own: func(m *machine) { m[wait] = 100 }, score: 5, odd: true},
		"peers that never wait":   {peers: all(func(m *machine) { m[wait] = 0 }), own: func(m *machine) { m[wait], m[util] = 9, 80 }, score: table.Missing},
		"peers hardly used": {
			peers: all(func(m *machine) { m[tps], m[util] = 5, 4 }),
			own:   func(m *machine) { m[wait], m[util] = 40, 6 }, score: 2, odd: true,
		},
		"busier by less than half": {
			peers: all(func(m *machine) { m[tps], m[util] = 5, 4 }),
			own:   func(m *machine) { m[wait], m[util] = 40, 5.9 }, score: 2, doubt: noBusier,
		},
		"saturated peers that differ several-fold": {
			peers: waiting(99, 0, 10, 14, 20, 28, 40, 80),
			own:   func(m *machine) { m[wait] = 150 }, score: 150.0 / 28, doubt: noBusier,
		},
		"far beyond saturated peers": {
			peers: waiting(99, 0, 18, 19, 20, 21, 22, 23),
			own:   func(m *machine) { m[wait] = 150 }, score: 150.0 / 21, odd: true,
		},
		"far beyond what peers above differ by": { // only those below the median say how much is usual
			peers: waiting(99, 0, 20, 28, 29, 30, 60, 90),
			own:   func(m *machine) { m[wait] = 170 }, score: 170.0 / 30, odd: true,
		},
	} {
		t.Run(name, tt.hold)
	}
}

// waiting are peers of the same utilisation that wait differently.
func waiting(busy float64, awaits ...float64) []machine {
	list := peers(len(awaits))
	for i, await := range awaits {
		list[i][wait], list[i][util] = await, busy
	}
	return list
}

// At the peers a drive reads 20 and writes 10 MB/s in 40% of its time.
func TestLoaded(t *testing.T) {
	reads := func(m *machine, mb float64) { m[rd] += mb * megabyte / sector }
	writes := func(m *machine, mb float64) { m[wr] += mb * megabyte / sector }
	const cost = 40.0 / 30 // percent for a megabyte a second
	for name, tt := range map[string]bound{
		"like its peers": {score: 0},
		"reads uncalled": {own: func(m *machine) { reads(m, 15); m[util] = 60 }, score: 15 * cost, odd: true},
		"writes uncalled": {
			own: func(m *machine) { writes(m, 15); m[util] = 60 }, score: 15 * cost, odd: true,
		},
		"reads too little": {own: func(m *machine) { reads(m, 5) }, score: 5 * cost},
		"no more than its time": {
			own: func(m *machine) { reads(m, 90); m[util] = 70 }, score: 70, odd: true,
		},
		"reads what it sends": {
			own: func(m *machine) { reads(m, 15); carry(m, txByt, txPck, 15, fullFrame) }, score: 0,
		},
		"reads more than it sends": {
			own: func(m *machine) { reads(m, 15); carry(m, txByt, txPck, 12, fullFrame) }, score: 3 * cost,
		},
		"writes what it receives": {
			own: func(m *machine) { writes(m, 15); carry(m, rxByt, rxPck, 15, fullFrame) }, score: 0,
		},
		"many small requests": { // 3000 a second, of which each may read a block
			own:   func(m *machine) { reads(m, 10); carry(m, rxByt, rxPck, 0.6, 200) },
			score: (10 - 4.096*(3-0.6/1.448)) * cost,
		},
		"reads more than small requests ask for": {
			own:   func(m *machine) { reads(m, 20); carry(m, rxByt, rxPck, 0.6, 200) },
			score: (20 - 4.096*(3-0.6/1.448)) * cost, odd: true,
		},
		"full frames are no requests": {
			own: func(m *machine) { reads(m, 15); carry(m, rxByt, rxPck, 15, fullFrame) }, score: 15 * cost, odd: true, also: []Kind{Receives},
		},
		"the same on a drive that is slow as well": {
			own: func(m *machine) { reads(m, 15); m[util], m[wait] = 100, 60 }, score: 15 * cost, odd: true, also: []Kind{Slow},
		},
		"peers with nothing to do": {
			peers: all(func(m *machine) { m[tps], m[rd], m[wr], m[wait], m[util] = 0, 0, 0, 0, 0 }),
			own:   func(m *machine) { reads(m, 10); writes(m, 10); m[util] = 25 }, score: table.Missing,
		},
		"nobody has anything to do": {
			peers: all(func(m *machine) { m[tps], m[rd], m[wr], m[wait], m[util] = 0, 0, 0, 0, 0 }), score: table.Missing,
		},
	} {
		tt.kind = Loaded
		t.Run(name, tt.hold)
	}
}

// carry adds traffic in frames of a size.
func carry(m *machine, bytes, packets column, mb, frame float64) {
	m[bytes] += mb * megabyte
	m[packets] += mb * megabyte / frame
}

// TestWorkIsShared: what the network brings a server is the work of all its
// drives, and what they do is the traffic of all its interfaces.
func TestWorkIsShared(t *testing.T) {
	for name, tt := range map[string]struct {
		shape shape
		own   func(*machine)
		kind  Kind
		score float64
		odd   bool
	}{
		"two drives, all called": {
			shape{5, 2, 1, 1, 1}, func(m *machine) { m[rd] += 15 * megabyte / sector; carry(m, txByt, txPck, 30, fullFrame) }, Loaded, 0, false,
		},
		"two drives, half called": {
			shape{5, 2, 1, 1, 1}, func(m *machine) { m[rd] += 30 * megabyte / sector; carry(m, txByt, txPck, 30, fullFrame) }, Loaded, 20, true,
		},
		"two interfaces, all written": {
			shape{5, 1, 2, 1, 1},
			func(m *machine) { m[wr] += 30 * megabyte / sector; carry(m, rxByt, rxPck, 15, fullFrame) },
			Receives, -15 * smallFrame / 1448.0, false,
		},
		"two interfaces, half written": {
			shape{5, 1, 2, 1, 1},
			func(m *machine) { m[wr] += 30 * megabyte / sector; carry(m, rxByt, rxPck, 30, fullFrame) },
			Receives, 15 - 30*smallFrame/1448.0, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			machines := peers(5)
			tt.own(&machines[0])
			components, found := tt.shape.system().Components, 0
			for _, s := range stream(t, tt.shape, machines, 64)[0] {
				if s.kind != tt.kind || components[s.Component].Server != "ios1" {
					continue
				}
				if found++; !near(s.Score, tt.score) || s.odd != tt.odd {
					t.Errorf("%+v, want a score of %g, odd %t", s, tt.score, tt.odd)
				}
			}
			if found != 2 {
				t.Errorf("%d signs of its two components", found)
			}
		})
	}
}
