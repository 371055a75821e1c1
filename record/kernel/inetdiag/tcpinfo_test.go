package inetdiag

import "testing"

// TestLengths: kernels of any age.
func TestLengths(t *testing.T) {
	full := make(tcpInfo, 280)
	for at, value := range map[int]uint32{
		atUnacked: 5, atRTT: 250, atWindow: 10, atRetrans: 7, atSegments: 1000, atDataSegments: 900, atDelivered: 890,
	} {
		native.PutUint32(full[at:], value)
	}
	native.PutUint64(full[atBytesAcked:], 1<<40)
	native.PutUint64(full[atBytesReceived:], 1<<41)

	bytes := counts{retrans: 7, sent: 1 << 40, received: 1 << 41}
	withDelivered := func(n uint32) counts { c := bytes; c.delivered = n; return c }
	tests := map[string]struct {
		length int
		want   info
	}{
		"nothing":      {0, info{}},
		"cut":          {82, info{rttMicros: 250}},
		"Linux 2.6":    {104, info{10, 250, counts{retrans: 7}}},
		"3.15":         {120, info{10, 250, counts{retrans: 7}}},
		"4.1":          {136, info{10, 250, bytes}},
		"4.2":          {144, info{10, 250, withDelivered(988)}},
		"4.6":          {160, info{10, 250, withDelivered(888)}},
		"4.10":         {192, info{10, 250, withDelivered(888)}},
		"4.18":         {200, info{10, 250, withDelivered(890)}},
		"one of today": {280, info{10, 250, withDelivered(890)}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := full[:tt.length].decode(); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestReckonedNotBelowZero(t *testing.T) {
	old := make(tcpInfo, 160)
	native.PutUint32(old[atDataSegments:], 3)
	native.PutUint32(old[atRetrans:], 4)
	if got := old.decode().delivered; got != 0 {
		t.Errorf("got %d", got)
	}
}

func TestGrow(t *testing.T) {
	tests := map[string]struct{ last, now, by, kept counts }{
		"nothing":           {counts{1, 2, 3, 4}, counts{1, 2, 3, 4}, counts{}, counts{1, 2, 3, 4}},
		"all":               {counts{1, 2, 3, 4}, counts{2, 4, 6, 8}, counts{1, 2, 3, 4}, counts{2, 4, 6, 8}},
		"wraps":             {counts{retrans: 1<<32 - 1, delivered: 1<<32 - 5}, counts{delivered: 5}, counts{retrans: 1, delivered: 10}, counts{delivered: 5}},
		"a reckoned falls":  {counts{delivered: 100}, counts{delivered: 98}, counts{}, counts{delivered: 100}},
		"below zero":        {counts{}, counts{delivered: 1<<32 - 2}, counts{}, counts{}},
		"bytes restart":     {counts{5, 100, 1000, 10}, counts{1, 2, 3, 10}, counts{1, 2, 3, 10}, counts{1, 2, 3, 10}},
		"received restarts": {counts{5, 100, 1000, 10}, counts{1, 2, 1000, 3}, counts{1, 2, 1000, 3}, counts{1, 2, 1000, 3}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			last := tt.last
			if by := last.grow(tt.now); by != tt.by || last != tt.kept {
				t.Errorf("grew by %+v to %+v, want %+v to %+v", by, last, tt.by, tt.kept)
			}
		})
	}
}
