package record

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestTicker: ticks of a second, and what is done between them.
func TestTicker(t *testing.T) {
	type want struct {
		wall       string // after 12:00
		late, step time.Duration
	}
	const ms = time.Millisecond
	cases := []struct {
		name  string
		use   []time.Duration // of the tick before
		steps []time.Duration // of the clock, half a second before the deadline
		want  []want
	}{
		{
			"on time",
			[]time.Duration{0, 0, 900 * ms},
			nil,
			[]want{{"00:01", 0, 0}, {"00:02", 0, 0}, {"00:03", 0, 0}},
		},
		{
			"late ones are taken at once, missed ones are missing",
			[]time.Duration{0, 2300 * ms, 0, 0},
			nil,
			[]want{{"00:01", 0, 0}, {"00:03.3", 1300 * ms, 0}, {"00:04", 0, 0}, {"00:05", 0, 0}},
		},
		{
			"a deadline just ahead is not waited for",
			[]time.Duration{0, 1950 * ms, 0},
			nil,
			[]want{{"00:01", 0, 0}, {"00:02.95", 950 * ms, 0}, {"00:04", 0, 0}},
		},
		{
			"stepped forward",
			[]time.Duration{0, 0, 0},
			[]time.Duration{0, 37200 * ms, 0},
			[]want{{"00:01", 0, 0}, {"00:39.2", 0, 37200 * ms}, {"00:40", 0, 0}},
		},
		{
			"stepped back",
			[]time.Duration{0, 0, 0},
			[]time.Duration{0, -3 * time.Second, 0},
			[]want{{"00:01", 0, 0}, {"59:59", 0, -3 * time.Second}, {"00:00", 0, 0}},
		},
		{
			"slewed: waits for the second",
			[]time.Duration{0, 0, 0},
			[]time.Duration{0, -60 * ms, 0},
			[]want{{"00:01", 0, 0}, {"00:02", 0, 0}, {"00:03", 0, 0}},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				clock := newClock(at("2026-03-01 12:00:00"))
				tk := newTicker(clock, time.Second)
				var got []want
				for i, use := range c.use {
					time.Sleep(use)
					if c.steps != nil && c.steps[i] != 0 {
						time.AfterFunc(500*ms, func() { clock.step(c.steps[i]) })
					}
					k, err := tk.wait(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, want{k.wall.Format("04:05.999"), k.late, k.step})
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("got %v, want %v", got, c.want)
				}
			})
		})
	}
}

// TestTickerEnds: waiting ends with its context.
func TestTickerEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		tk := newTicker(newClock(at("2026-03-01 12:00:00")), time.Hour)
		time.AfterFunc(time.Minute, cancel)
		begin := time.Now()
		if _, err := tk.wait(ctx); err != context.Canceled || time.Since(begin) != time.Minute {
			t.Errorf("got %v after %v", err, time.Since(begin))
		}
	})
}

// TestTickerMultiples: deadlines are multiples since the epoch.
func TestTickerMultiples(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, interval := range []time.Duration{20 * time.Millisecond, 7 * time.Second, 15 * time.Second, time.Hour} {
			tk := newTicker(newClock(at("2026-03-01 12:34:56").Add(123456789)), interval)
			for range 3 {
				k, _ := tk.wait(t.Context())
				if k.wall.UnixNano()%int64(interval) != 0 {
					t.Errorf("interval %v: tick at %v", interval, k.wall)
				}
			}
		}
	})
}

// TestRemarks: what is written of late samples and of the clock.
func TestRemarks(t *testing.T) {
	const s = time.Second
	var r remarks
	var got []string
	for i := range 200 {
		k := tick{moment: moment{elapsed: time.Duration(i) * s}}
		switch {
		case i >= 1 && i < 30:
			k.late = time.Duration(i) * s
		case i == 150:
			k.step = -2 * s
		case i > 150:
			k.late = time.Duration(i) * s / 100
		}
		r.note(k, s/10)
		got = append(got, r.waiting...)
		r.written()
	}
	r.sum()
	got = append(got, r.waiting...)
	want := []string{
		// One by one, ten and the one that six seconds allow.
		"late 1.0s", "late 2.0s", "late 3.0s", "late 4.0s", "late 5.0s", "late 6.0s",
		"late 7.0s", "late 8.0s", "late 9.0s", "late 10.0s", "late 11.0s",
		// Then every six seconds, the last of which follow no late one.
		"late 13.0s at most, 2 samples", "late 19.0s at most, 6 samples", "late 25.0s at most, 6 samples", "late 29.0s at most, 4 samples",
		"clock -2.0s",
		"late 1.5s", "late 1.5s", "late 1.5s", "late 1.5s", "late 1.6s", "late 1.6s",
		"late 1.6s", "late 1.6s", "late 1.6s", "late 1.6s", "late 1.6s",
		"late 1.6s at most, 2 samples", "late 1.7s at most, 6 samples", "late 1.8s at most, 6 samples",
		"late 1.8s at most, 6 samples", "late 1.9s at most, 6 samples", "late 1.9s at most, 6 samples",
		"late 2.0s at most, 6 samples",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	r.written()
	for i := range 100 { // nothing can be written
		r.note(tick{moment{elapsed: time.Hour + time.Duration(i)*time.Minute}, s, 0}, s/10)
	}
	r.add("clock +5.0s")
	if !slices.Contains(r.waiting, "clock +5.0s") {
		t.Errorf("late samples leave no room: %q", r.waiting)
	}
	for range 1000 {
		r.add("clock +1.0s")
	}
	if len(r.waiting) != maxRemarks {
		t.Errorf("%d remarks wait", len(r.waiting))
	}
}
