package symptom

import "testing"

// At the peers an interface receives 10 and sends 20 MB/s.
func TestTraffic(t *testing.T) {
	const perFrame = smallFrame / 1448.0 // of a byte in full frames, what might be requests
	for name, tt := range map[string]bound{
		"like its peers": {kind: Receives, score: 0},
		"receives bulk, and acknowledges it": {
			own:  func(m *machine) { carry(m, rxByt, rxPck, 10, fullFrame); carry(m, txByt, txPck, 0.2, 66) },
			kind: Receives, score: 10 * (1 - perFrame), odd: true,
		},
		"sends bulk, and hears it acknowledged": {
			own:  func(m *machine) { carry(m, txByt, txPck, 10, fullFrame); carry(m, rxByt, rxPck, 0.2, 66) },
			kind: Sends, score: 10 * (1 - perFrame), odd: true,
		},
		"is asked for names, many times its peers": {
			own:  func(m *machine) { carry(m, rxByt, rxPck, 40, 250); carry(m, txByt, txPck, 40, 250) },
			kind: Receives, score: 40 * (1 - smallFrame/250.0),
		},
		"answers, many times its peers": {
			own:  func(m *machine) { carry(m, rxByt, rxPck, 40, 250); carry(m, txByt, txPck, 40, 250) },
			kind: Sends, score: 40 * (1 - smallFrame/250.0),
		},
		"acknowledges twice as much": {
			own:  func(m *machine) { carry(m, txByt, txPck, 5, 66) },
			kind: Sends, score: 5 * (1 - smallFrame/66.0),
		},
		"receives what it writes": {
			own:  func(m *machine) { carry(m, rxByt, rxPck, 10, fullFrame); m[wr] += 10 * megabyte / sector },
			kind: Receives, score: -10 * perFrame,
		},
		"receives more than it writes": {
			own:  func(m *machine) { carry(m, rxByt, rxPck, 20, fullFrame); m[wr] += 10 * megabyte / sector },
			kind: Receives, score: 10 - 20*perFrame, odd: true,
		},
		"sends what it reads": {
			own:  func(m *machine) { carry(m, txByt, txPck, 10, fullFrame); m[rd] += 10 * megabyte / sector },
			kind: Sends, score: -10 * perFrame,
		},
		"writes do not explain what is sent": {
			own:  func(m *machine) { carry(m, txByt, txPck, 10, fullFrame); m[wr] += 5 * megabyte / sector },
			kind: Sends, score: 10 * (1 - perFrame), odd: true,
		},
		"reads less than its peers, and sends as much": { // a cache is no fault
			own: func(m *machine) { m[rd] = 0 }, kind: Sends, score: 0,
		},
		"less than a fifth beyond busy peers": {
			peers: all(func(m *machine) { carry(m, txByt, txPck, 80, fullFrame) }),
			own:   func(m *machine) { carry(m, txByt, txPck, 30, fullFrame) }, kind: Sends, score: 30 * (1 - perFrame),
		},
		"more than a fifth beyond busy peers": {
			peers: all(func(m *machine) { carry(m, txByt, txPck, 80, fullFrame) }),
			own:   func(m *machine) { carry(m, txByt, txPck, 32, fullFrame) }, kind: Sends, score: 32 * (1 - perFrame), odd: true,
		},
		"less than a megabyte": {
			peers: all(func(m *machine) { m[rxByt], m[rxPck] = 0, 0 }),
			own:   func(m *machine) { carry(m, rxByt, rxPck, 1.5, fullFrame) }, kind: Receives, score: 1.5 * (1 - perFrame),
		},
		"more than a megabyte": {
			peers: all(func(m *machine) { m[rxByt], m[rxPck] = 0, 0 }),
			own:   func(m *machine) { carry(m, rxByt, rxPck, 1.6, fullFrame) }, kind: Receives, score: 1.6 * (1 - perFrame), odd: true,
		},
	} {
		t.Run(name, tt.hold)
	}
}
