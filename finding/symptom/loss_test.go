package symptom

import (
	"math/rand/v2"
	"testing"

	"github.com/limpet-storage/limpet/table"
)

// loses makes a percentage of the segments be sent again, each way, over
// connections with the given congestion windows.
func loses(percent, cwnd float64) func(*machine) {
	return func(m *machine) {
		m[retrIn], m[retrOut] = m[dlvIn]*percent/(100-percent), m[dlvOut]*percent/(100-percent)
		m[cwndIn], m[cwndOut] = cwnd, cwnd
	}
}

// few makes a server exchange so many segments in a window.
func few(segments float64) func(*machine) {
	return func(m *machine) { m[dlvIn], m[dlvOut] = segments/64, segments/64 }
}

func both(a, b func(*machine)) func(*machine) {
	return func(m *machine) { a(m); b(m) }
}

func TestLosses(t *testing.T) {
	const (
		peersToo   = "its peers lose nearly as much"
		tooFew     = "too few segments were sent to tell that from chance"
		tooFewLost = "too few segments were lost to tell that from chance"
		tooLarge   = "its congestion windows are too large for that"
		untold     = "it is too little where congestion windows say nothing"
		noWindows  = 0.0
	)
	for name, tt := range map[string]bound{
		"like its peers":                     {score: 0},
		"steadily":                           {own: loses(5, 5.4), score: 5, odd: true},
		"with open windows":                  {own: loses(5, 28), score: 5, doubt: tooLarge},
		"more than half the peers' window":   {peers: all(loses(0, 8)), own: loses(2, 4.1), score: 2, doubt: tooLarge},
		"up to half the peers' window":       {peers: all(loses(0, 8)), own: loses(2, 3.9), score: 2, odd: true},
		"hardly any":                         {own: loses(0.9, 3), score: 0.9},
		"peers lose nearly as much":          {peers: all(loses(3, 20)), own: loses(5, 5), score: 2, doubt: peersToo},
		"peers lose less than half as much":  {peers: all(loses(2, 20)), own: loses(5, 5), score: 3, odd: true},
		"windows that never open, a little":  {peers: all(loses(0, 5.9)), own: loses(2.9, 3), score: 2.9, doubt: untold},
		"windows that never open, a lot":     {peers: all(loses(0, 5.9)), own: loses(3.1, 3), score: 3.1, odd: true},
		"peers' windows just open, a lot":    {peers: all(loses(0, 6)), own: loses(3.1, 3.1), score: 3.1, doubt: tooLarge},
		"windows not measured, a little":     {own: loses(2.9, table.Missing), score: 2.9, doubt: untold},
		"windows not measured, a lot":        {own: loses(3.1, table.Missing), score: 3.1, odd: true},
		"fifteen segments":                   {own: both(few(285), loses(5, 4)), score: 5, doubt: tooFewLost},
		"seventeen segments":                 {own: both(few(323), loses(5, 4)), score: 5, odd: true},
		"seventeen of what peers lose often": {peers: all(both(few(1e6), loses(2, 20))), own: both(few(400), loses(4.1, 4)), score: 2.1, doubt: tooFew},
		"no segment at all":                  {own: both(few(noWindows), loses(0, 30)), score: table.Missing},
		"peers without a segment":            {peers: all(few(noWindows)), own: func(m *machine) { m[retrIn], m[retrOut] = 9, 9 }, score: table.Missing},
		"nothing comes through":              {own: func(m *machine) { few(noWindows)(m); m[retrIn], m[retrOut], m[cwndIn], m[cwndOut] = 9, 9, 1, 1 }, score: 100, odd: true},
		"fewer than three tell of delivered": {peers: all(func(m *machine) { m[dlvIn], m[dlvOut] = table.Missing, table.Missing }), own: both(few(6400), loses(5, 5)), score: table.Missing},
	} {
		for kind, other := range map[Kind]Kind{LosesIn: LosesOut, LosesOut: LosesIn} {
			tt.kind = kind
			if tt.odd {
				tt.also = []Kind{other}
			}
			t.Run(name, tt.hold)
		}
	}
}

// TestLossHasADirection: what one way loses says nothing of the other.
func TestLossHasADirection(t *testing.T) {
	in := bound{own: func(m *machine) { m[retrIn], m[cwndIn] = m[dlvIn]/19, 5 }, kind: LosesIn, score: 5, odd: true}
	t.Run("in", in.hold)
	out := bound{own: func(m *machine) { m[retrOut], m[cwndOut] = m[dlvOut]/19, 5 }, kind: LosesOut, score: 5, odd: true}
	t.Run("out", out.hold)
	crossed := bound{own: func(m *machine) { m[retrOut], m[cwndIn] = m[dlvOut]/19, 5 }, kind: LosesOut, score: 5, doubt: "its congestion windows are too large for that"}
	t.Run("crossed", crossed.hold)
}

// TestBursts: segments that are lost by chance make a symptom, as many that are
// lost together none.
func TestBursts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for name, tt := range map[string]struct {
		share func(second int) float64 // of the segments, that is lost
		odd   bool
	}{
		"all alike":            {func(int) float64 { return 0.05 }, true},
		"by chance":            {func(int) float64 { return chanced(rng, 700, 0.05) }, true},
		"every other second":   {func(i int) float64 { return 0.1 * float64(i%2) }, false},
		"every eighth second":  {func(i int) float64 { return 0.4 * float64(i%8/7) }, false},
		"once in the window":   {func(i int) float64 { return map[int]float64{40: 1}[i] }, false},
		"for half of the time": {func(i int) float64 { return 0.1 * float64(i/32) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			seconds := make([][]machine, 64)
			for i := range seconds {
				seconds[i] = peers(7)
				m, share := &seconds[i][0], tt.share(i)
				m[retrIn], m[dlvIn], m[cwndIn] = 700*share, 700*(1-share), 5
			}
			s := of(examineEvery(t, seconds, 1)[0], 7, 0, LosesIn)
			doubt := "segments are lost in bursts, as where a switch overflows"
			if tt.odd {
				doubt = ""
			}
			if s.Score < 1 || s.odd != tt.odd || s.doubt != doubt {
				t.Errorf("%+v, want odd %t", *s, tt.odd)
			}
		})
	}
}

// chanced is the part of some segments that is lost where each may be.
func chanced(rng *rand.Rand, segments int, share float64) float64 {
	lost := 0
	for range segments {
		if rng.Float64() < share {
			lost++
		}
	}
	return float64(lost) / float64(segments)
}
