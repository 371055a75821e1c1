package activity

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// remotes parses the remote hosts of a record: 101=2/30 is 10.0.0.101, which
// dialled this machine, with 2 segments sent again and 30 delivered; >101 was
// dialled by this machine; ~101 has no socket any more.
func remotes(t testing.TB, text string) []tcpstat.Peer {
	t.Helper()
	var peers []tcpstat.Peer
	for _, field := range strings.Fields(text) {
		remote, counters, _ := strings.Cut(strings.TrimLeft(field, ">~"), "=")
		if !strings.Contains(remote, ".") {
			remote = "10.0.0." + remote
		}
		p := from(remote, 1, 9)
		if _, err := fmt.Sscanf(counters, "%d/%d", &p.Retrans, &p.Delivered); err != nil {
			t.Fatalf("%s: %v", field, err)
		}
		p.Dialled = strings.Contains(field, ">")
		if strings.Contains(field, "~") {
			p.Sockets = 0
		}
		peers = append(peers, p)
	}
	return peers
}

// segmentsOf reads the retransmitted and delivered segments, and prints a line
// for each step and direction with values.
func segmentsOf(t testing.TB, a *Source) string {
	t.Helper()
	var b strings.Builder
	for {
		row, err := a.Next(t.Context())
		if err != nil {
			return b.String()
		}
		for side, name := range []string{"out", "in"} {
			again, delivered := row.Values[1+side], row.Values[3+side]
			for c, v := range again {
				if !table.IsMissing(v) || !table.IsMissing(delivered[c]) {
					fmt.Fprintf(&b, "%d %s %s %v/%v\n", row.End-midnight.Unix(), a.System().Components[c].Name, name, v, delivered[c])
				}
			}
		}
	}
}

var segmentMetrics = []string{"retr_out", "retr_in", "dlv_out", "dlv_in"}

// TestSegmentsThatCount: which connections count between two records, and in
// which direction.
func TestSegmentsThatCount(t *testing.T) {
	tests := map[string]struct {
		server, client [2]string
		out, in        string
	}{
		"one each":          {[2]string{"101=1/10", "101=3/30"}, [2]string{">1=5/50", ">1=6/90"}, "2/20", "1/40"},
		"nobody":            {[2]string{"", ""}, [2]string{"", ""}, "", ""},
		"idle":              {[2]string{"101=1/10", "101=1/10"}, [2]string{">1=5/50", ">1=5/50"}, "0/0", "0/0"},
		"several":           {[2]string{"101=1/10 102=7/70", "102=8/74 101=3/30"}, [2]string{">1=5/50 >10.9.0.1=1/2", ">10.9.0.1=4/4 >1=6/90"}, "3/24", "4/42"},
		"new":               {[2]string{"", "101=3/30"}, [2]string{"", ">1=6/90"}, "", ""},
		"one is new":        {[2]string{"102=1/10", "101=99/99 102=2/12"}, [2]string{">1=5/50", ">1=6/51 >10.9.0.1=99/99"}, "1/2", "1/1"},
		"gone":              {[2]string{"101=3/30", ""}, [2]string{">1=6/90", ""}, "", ""},
		"one is gone":       {[2]string{"101=3/30 102=7/70", "102=8/74"}, [2]string{">1=5/50 >10.9.0.1=1/2", ">10.9.0.1=1/3"}, "1/4", "0/1"},
		"closed":            {[2]string{"101=1/10", "~101=2/30"}, [2]string{">1=5/50", "~>1=6/90"}, "1/20", "1/40"},
		"fell":              {[2]string{"101=3/30", "101=3/29"}, [2]string{">1=6/90", ">1=5/99"}, "", ""},
		"one fell":          {[2]string{"101=3/30 102=7/70", "101=2/99 102=9/71"}, [2]string{">1=6/90 >10.9.0.1=1/2", ">1=7/1 >10.9.0.1=2/5"}, "2/1", "1/3"},
		"twice":             {[2]string{"101=1/10 101=5/50", "101=2/12 101=6/51"}, [2]string{">1=1/10 >1=5/50", ">1=2/12 >1=6/51"}, "2/3", "2/3"},
		"strangers":         {[2]string{"101=0/0 192.0.2.9=0/1", "101=1/1 192.0.2.9=4/8"}, [2]string{">1=0/0 >192.0.2.9=0/1", ">1=1/1 >192.0.2.9=4/8"}, "5/8", "1/1"},
		"servers":           {[2]string{"2=0/1 >3=0/1", "2=4/8 >3=9/9"}, [2]string{"1=0/1", "1=4/8"}, "4/7", ""},
		"itself":            {[2]string{"127.0.0.1=0/0 1=0/0", "127.0.0.1=1/2 1=1/2"}, [2]string{">127.0.0.1=0/0 >101=0/0", ">127.0.0.1=1/2 >101=1/2"}, "", ""},
		"the other way":     {[2]string{">101=0/0", ">101=1/2"}, [2]string{"1=0/0", "1=1/2"}, "", ""},
		"the other way too": {[2]string{">101=5/5 101=1/10", "101=3/30 >101=9/9"}, [2]string{"1=5/5 >1=5/50", ">1=6/90 1=9/9"}, "2/20", "1/40"},
		"turned round":      {[2]string{">101=1/1", "101=3/30"}, [2]string{"1=1/1", ">1=6/90"}, "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			fs1, client := attach(t, dir, "fs1", "10.0.0.1", "10.9.0.1", "127.0.0.1"), attach(t, dir, "client1", "10.0.0.101", "127.0.0.1")
			fs2, fs3 := attach(t, dir, "fs2", "10.0.0.2"), attach(t, dir, "fs3", "10.0.0.3")
			for i := range 2 {
				fs1.second(1, remotes(t, tt.server[i])...)
				client.second(1, remotes(t, tt.client[i])...)
				fs2.second(1)
				fs3.second(1)
			}
			want := ""
			if tt.out != "" {
				want += "2 fs1 out " + tt.out + "\n"
			}
			if tt.in != "" {
				want += "2 fs1 in " + tt.in + "\n"
			}
			a := networked(t, dir, Options{System: system(t, cluster), Metrics: segmentMetrics})
			compare(t, segmentsOf(t, a), want)
			noWarnings(t, a)
		})
	}
}

// TestSegmentsOverSteps: the segments of a longer step are the difference
// between its ends, whatever the records in between.
func TestSegmentsOverSteps(t *testing.T) {
	dir := t.TempDir()
	fs1, client := attach(t, dir, "fs1", "10.0.0.1"), attach(t, dir, "client1", "10.0.0.101")
	for i := range 30 {
		if i%7 == 3 {
			fs1.comment("a word")
		}
		fs1.second(1, remotes(t, fmt.Sprintf("101=%d/%d", i, i*i))...)
		client.second(1, remotes(t, fmt.Sprintf(">1=%d/%d", 2*i, 3*i))...)
	}
	a := networked(t, dir, Options{StepSeconds: 10, System: system(t, strings.ReplaceAll(cluster, "fs[1-3]", "fs1")), Metrics: segmentMetrics})
	// Between the records of 10 s and 20 s i goes from 9 to 19.
	compare(t, segmentsOf(t, a), lines("20 fs1 out 1/28", "20 fs1 in 2/3", "30 fs1 out 1/48", "30 fs1 in 2/3"))
}

// TestSegmentsKeepTimeAsInterfaces: a connection that carries the same traffic
// as an interface, and comes and goes with it, has the same values in the same
// steps: over gaps, comments, reboots and steps of the clock.
func TestSegmentsKeepTimeAsInterfaces(t *testing.T) {
	one := system(t, strings.ReplaceAll(cluster, "fs[1-3]", "fs1"))
	for _, step := range []int64{1, 7} {
		known := 0
		for seed := range uint64(20) {
			dir := t.TempDir()
			adventures(t, attach(t, dir, "fs1", "10.0.0.1"), rand.New(rand.NewPCG(seed, uint64(step))))
			a := networked(t, dir, Options{StepSeconds: step, System: one, Metrics: []string{"rxbyt", "dlv_out"}})
			for row, err := a.Next(t.Context()); err == nil; row, err = a.Next(t.Context()) {
				bytes, segments := row.Values[1][1], row.Values[2][2]
				if bytes != segments && !(table.IsMissing(bytes) && table.IsMissing(segments)) {
					t.Fatalf("seed %d, step %d, at %d: %v bytes, %v segments", seed, step, row.End-midnight.Unix(), bytes, segments)
				}
				if !table.IsMissing(segments) {
					known++
				}
			}
		}
		if known < 10000/int(step) {
			t.Errorf("step %d: little is known: %d steps", step, known)
		}
	}
}

// adventures writes the file of a machine with many random events.
func adventures(t *testing.T, s *station, rng *rand.Rand) {
	t.Helper()
	nic := sysstat.Interface{Name: "eth0"}
	for i := range 2000 {
		s.now, s.uptime = s.now.Add(time.Second), s.uptime+100
		nic.RxBytes += uint64(rng.IntN(1000))
		switch rng.IntN(100) {
		case 0: // no records for a while
			n := 1 + rng.IntN(20)
			s.now, s.uptime = s.now.Add(time.Duration(n)*time.Second), s.uptime+uint64(100*n)
		case 1:
			s.comment("a word")
		case 2:
			nic.RxBytes = uint64(rng.IntN(10))
		case 3, 4: // the clock is set
			s.now = s.now.Add(time.Duration(rng.IntN(11)-5) * time.Second)
		}
		if i == 50 || rng.IntN(500) == 0 { // by far
			s.now = s.now.Add(time.Duration(rng.IntN(3000)-1500) * time.Second)
		}
		if rng.IntN(500) == 0 {
			if err := s.w.WriteRestart(s.now, 1); err != nil {
				t.Fatal(err)
			}
			s.uptime, nic.RxBytes = uint64(100+rng.IntN(5000)), uint64(rng.IntN(1e6))
		}
		s.Interfaces, s.Custom = s.Interfaces[:1], [][]byte{nil}
		if rng.IntN(20) > 0 {
			s.Interfaces = append(s.Interfaces, nic)
			p := counting(from("10.0.0.101", 1, 9), 0, nic.RxBytes)
			s.Custom[0] = tcpstat.Append(nil, &p)
		}
		s.record()
	}
}
