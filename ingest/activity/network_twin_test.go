package activity

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

const (
	twinServers = 3
	twinClients = 2*crowdSize + 5
)

// busyCluster writes servers and more clients than are read at a time.
// Connections, interfaces and records are missing here and there.
func busyCluster(t testing.TB, seconds int) string {
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(10, 13))
	counted := map[string]*tcpstat.Peer{} // by machine, remote host and direction
	count := func(machine int, p *tcpstat.Peer) {
		key := fmt.Sprint(machine, p.Remote, p.Dialled)
		c := counted[key]
		if c == nil || rng.IntN(20) == 0 { // new, or started again
			c = &tcpstat.Peer{Retrans: uint64(rng.IntN(9)), Delivered: uint64(rng.IntN(9999))}
			counted[key] = c
		}
		c.Retrans, c.Delivered = c.Retrans+uint64(rng.IntN(9)), c.Delivered+uint64(rng.IntN(9999))
		p.Retrans, p.Delivered = c.Retrans, c.Delivered
	}
	some := func(machine, n int, in float64, address func(int) string, dial bool) []tcpstat.Peer {
		var peers []tcpstat.Peer
		for i := range n {
			for _, dialled := range []bool{dial, !dial} {
				if rng.Float64() < in {
					p := from(address(i), uint32(rng.IntN(4)), 100*rng.Float64())
					p.Dialled = dialled
					count(machine, &p)
					peers = append(peers, p)
				}
			}
		}
		rng.Shuffle(len(peers), func(i, j int) { peers[i], peers[j] = peers[j], peers[i] })
		return peers
	}
	server := func(i int) string { return fmt.Sprintf("10.0.0.%d", i+1) }
	anyone := func(i int) string {
		if i < twinServers {
			return server(i)
		}
		return fmt.Sprintf("10.0.1.%d", i)
	}
	var all []*station
	for i := range twinServers + twinClients {
		name := fmt.Sprintf("fs%d", i+1)
		if i >= twinServers {
			name = fmt.Sprintf("client%d", i)
		}
		all = append(all, attach(t, dir, name, anyone(i)))
	}
	for range seconds {
		for i, s := range all {
			s.Interfaces = []sysstat.Interface{{Name: "lo"}, s.Interfaces[1]}
			switch {
			case rng.IntN(9) == 0: // no record
				s.now, s.uptime = s.now.Add(1e9), s.uptime+100
			case i < twinServers:
				s.second(uint64(rng.IntN(1e6)), some(i, twinServers+twinClients, 0.4, anyone, false)...)
			default:
				s.second(1, some(i, twinServers, 0.7, server, true)...)
			}
		}
	}
	return dir
}

// plainRecord is a record with everything decoded.
type plainRecord struct {
	time  int64
	rx    uint64
	peers []tcpstat.Peer
}

func plainRecords(t testing.TB, path string) []plainRecord {
	r, err := sysstat.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []plainRecord
	for {
		rec, err := r.Next()
		if err != nil {
			return all
		}
		if rec.Type != sysstat.Stats {
			continue
		}
		p := plainRecord{time: rec.Time, rx: rec.Interfaces(nil)[1].RxBytes}
		raw, n, size := rec.Items(tcpstat.ID)
		for i := range n {
			var peer tcpstat.Peer
			if err := tcpstat.Decode(raw[i*size:], &peer); err != nil {
				t.Fatal(err)
			}
			p.peers = append(p.peers, peer)
		}
		all = append(all, p)
	}
}

// plainSteps returns the records that end the steps of a file, and those that
// end the step before.
func plainSteps(records []plainRecord, step int64) map[int64][2]plainRecord {
	last := map[int64]plainRecord{}
	for _, r := range records {
		last[(r.time+step-1)/step*step] = r
	}
	steps := map[int64][2]plainRecord{}
	ends := slices.Sorted(maps.Keys(last))
	for i := 1; i < len(ends); i++ {
		if before, now := last[ends[i-1]], last[ends[i]]; now.time-before.time <= 2*step {
			steps[ends[i]] = [2]plainRecord{now, before}
		}
	}
	return steps
}

var twinMetrics = []string{"rxbyt", "cwnd_out", "cwnd_in", "retr_out", "retr_in", "dlv_out", "dlv_in"}

type plainKey struct {
	end       int64
	metric    int // index in twinMetrics
	component string
}

type plainValues map[plainKey]float64

func plainServers() map[string]string {
	return map[string]string{"10.0.0.1": "fs1", "10.0.0.2": "fs2", "10.0.0.3": "fs3"}
}

// addSegments adds the growth per second of a machine's segment counters in a
// step.
func (v plainValues) addSegments(end int64, name string, pair [2]plainRecord) {
	client, seconds := strings.HasPrefix(name, "client"), float64(pair[0].time-pair[1].time)
	for _, now := range pair[0].peers {
		metric, host, to := 3, name, plainServers()[now.Remote.String()]
		if client {
			metric, host = 4, to
		}
		for _, was := range pair[1].peers {
			same := was.Remote == now.Remote && was.Dialled == now.Dialled
			grew := was.Retrans <= now.Retrans && was.Delivered <= now.Delivered
			if same && grew && now.Dialled == client && to != name {
				v[plainKey{end, metric, host}] += float64(now.Retrans-was.Retrans) / seconds
				v[plainKey{end, metric + 2, host}] += float64(now.Delivered-was.Delivered) / seconds
			}
		}
	}
}

// manyDigits is the number of digits in which two orders of addition agree.
const manyDigits = "%.13g"

// plainNetwork computes the rows of Source for the files of busyCluster in the
// plainest way, from the definitions in the manual: it reads and keeps
// everything.
func plainNetwork(t testing.TB, dir string, step int64) string {
	got, inward := plainValues{}, map[plainKey][]float64{}
	serverOf := plainServers()
	hasSide := func(peers []tcpstat.Peer, p tcpstat.Peer, dialled bool) bool {
		return slices.ContainsFunc(peers, func(q tcpstat.Peer) bool {
			return q.Remote == p.Remote && q.Dialled == dialled && q.Sockets > 0
		})
	}
	heard := map[int64]bool{}
	for i := range twinServers + twinClients {
		server, name := i < twinServers, fmt.Sprintf("client%d", i)
		if server {
			name = fmt.Sprintf("fs%d", i+1)
		}
		for end, pair := range plainSteps(plainRecords(t, filepath.Join(dir, name+".sa")), step) {
			got.addSegments(end, name, pair)
			sum, sockets := 0.0, 0.0
			for _, p := range pair[0].peers {
				to := serverOf[p.Remote.String()]
				switch {
				case p.Sockets == 0 || p.Dialled == server && hasSide(pair[0].peers, p, !server):
				case !server:
					k := plainKey{end, 2, to}
					inward[k] = append(inward[k], p.Cwnd)
				case to == "":
					sum, sockets = sum+float64(p.Sockets)*p.Cwnd, sockets+float64(p.Sockets)
				}
			}
			if server {
				heard[end] = true
				got[plainKey{end, 0, name + "/eth0"}] = float64(pair[0].rx-pair[1].rx) / float64(pair[0].time-pair[1].time)
			}
			if sockets > 0 {
				got[plainKey{end, 1, name}] = sum / sockets
			}
		}
	}
	for k, values := range inward {
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		got[k] = sum / float64(len(values))
	}
	var b strings.Builder
	for _, k := range slices.SortedFunc(maps.Keys(got), func(x, y plainKey) int {
		return cmp.Or(cmp.Compare(x.end, y.end), cmp.Compare(x.metric, y.metric), cmp.Compare(x.component, y.component))
	}) {
		if heard[k.end] {
			fmt.Fprintf(&b, "%d %s %s "+manyDigits+"\n", k.end-midnight.Unix(), k.component, twinMetrics[k.metric], got[k])
		}
	}
	return b.String()
}

// networkRows prints rows as the twin does, or with all digits.
func networkRows(t testing.TB, dir string, step int64, digits string, metrics ...string) string {
	a := networked(t, dir, Options{StepSeconds: step, System: system(t, cluster), Metrics: metrics})
	var b strings.Builder
	for {
		row, err := a.Next(t.Context())
		if err != nil {
			return b.String()
		}
		for m, values := range row.Values {
			for c, v := range values {
				if name := a.Schema().Metrics[m].Name; !table.IsMissing(v) && slices.Contains(twinMetrics, name) {
					fmt.Fprintf(&b, "%d %s %s "+digits+"\n", row.End-midnight.Unix(), a.System().Components[c].Name, name, v)
				}
			}
		}
	}
}

func TestNetworkAgainstTwin(t *testing.T) {
	dir := busyCluster(t, 400)
	for _, step := range []int64{1, 7} {
		got, want := networkRows(t, dir, step, manyDigits), plainNetwork(t, dir, step)
		if len(want) < 10000/int(step) {
			t.Fatalf("the twin has little to say:\n%s", want)
		}
		if got != want {
			t.Errorf("step %d: %s", step, firstDifference(got, want))
		}
	}
}

// TestEachMetricAlone: the values of a metric do not depend on the other
// metrics.
func TestEachMetricAlone(t *testing.T) {
	dir := busyCluster(t, 40)
	all := strings.SplitAfter(networkRows(t, dir, 1, "%b"), "\n")
	for _, name := range twinMetrics {
		want := slices.DeleteFunc(slices.Clone(all), func(line string) bool { return !strings.Contains(line, " "+name+" ") })
		if got := networkRows(t, dir, 1, "%b", name); got == "" || got != strings.Join(want, "") {
			t.Errorf("%s: %s", name, firstDifference(got, strings.Join(want, "")))
		}
	}
}

// TestNetworkIsTheSameEveryTime: the rows are equal to the last bit on any
// number of cores.
func TestNetworkIsTheSameEveryTime(t *testing.T) {
	dir := busyCluster(t, 150)
	want := networkRows(t, dir, 1, "%b")
	for _, cores := range []int{1, 2, 7} {
		was := runtime.GOMAXPROCS(cores)
		got := networkRows(t, dir, 1, "%b")
		runtime.GOMAXPROCS(was)
		if got != want {
			t.Fatalf("on %d cores: %s", cores, firstDifference(got, want))
		}
	}
}

// BenchmarkNetwork reads a cluster with and without its network.
func BenchmarkNetwork(b *testing.B) {
	dir := busyCluster(b, 600)
	for name, metrics := range map[string][]string{"disks": {"await"}, "all": append([]string{"await"}, network...)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				a, err := Open(b.Context(), []string{dir}, Options{StepSeconds: 1, Metrics: metrics, System: system(b, cluster)})
				if err != nil {
					b.Fatal(err)
				}
				for err == nil {
					_, err = a.Next(b.Context())
				}
				a.Close()
			}
		})
	}
}
