package intake

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/ingest/remotewrite/remotewritetest"
	"github.com/limpet-storage/limpet/record/agent"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
	"github.com/limpet-storage/limpet/topology"
)

// A recorded machine is made up: it works, is recorded and exposed.
type recorded struct {
	t      testing.TB
	name   string
	random *rand.Rand
	expose *agent.Exporter
	writer *sysstat.Writer
	sample sysstat.Sample
	done   [][3]uint64 // reads, writes and discards of each disk
	peers  []tcpstat.Peer
	uptime uint64
}

const disksOfMachine = 4

var diskNames = []string{"sda", "sdb", "sdc", "nvme0n1"}

func newMachine(t testing.TB, dir, name string, seed uint64, at time.Time) *recorded {
	t.Helper()
	m := &recorded{
		t: t, name: name, random: rand.New(rand.NewPCG(seed, 1)), expose: agent.NewExporter(name),
		uptime: 1_000_000 + seed, done: make([][3]uint64, disksOfMachine),
	}
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Created = name, at
	o.Custom = []sysstat.CustomActivity{{ID: tcpstat.ID, Size: tcpstat.Size}}
	f, err := os.Create(filepath.Join(dir, name+"-"+at.UTC().Format("20060102T150405Z")+".sa"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if m.writer, err = sysstat.NewWriter(f, o); err != nil {
		t.Fatal(err)
	}
	for i := range disksOfMachine {
		d := sysstat.Disk{Major: 8, Minor: uint32(16 * i), WWN: [2]uint64{0x5000c500_00000000 | seed<<8 | uint64(i), 0}}
		if i == disksOfMachine-1 {
			d = sysstat.Disk{Major: 259, Minor: 0}
		}
		m.sample.Disks = append(m.sample.Disks, d)
		for _, c := range (sysstat.Device{Major: d.Major, Minor: d.Minor, Name: diskNames[i]}).Comments() {
			m.check(m.writer.WriteComment(at, c))
		}
	}
	for _, n := range []string{"eth0", "lo"} {
		m.sample.Interfaces = append(m.sample.Interfaces, sysstat.Interface{Name: n, SpeedMbit: 10000})
		m.sample.InterfaceErrors = append(m.sample.InterfaceErrors, sysstat.InterfaceErrors{Name: n})
	}
	m.expose.Name = func(major, minor uint32) string {
		for i := range m.sample.Disks {
			if d := &m.sample.Disks[i]; d.Major == major && d.Minor == minor {
				return diskNames[i]
			}
		}
		return ""
	}
	m.expose.Completed = func(i int) (uint64, uint64, uint64) { return m.done[i][0], m.done[i][1], m.done[i][2] }
	return m
}

func (m *recorded) check(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *recorded) upTo(n uint64) uint64 { return m.random.Uint64N(n + 1) }

// work makes the counters grow, for so many hundredths of a second.
func (m *recorded) work(hundredths uint64) {
	m.uptime += hundredths
	for i := range m.sample.Disks {
		d := &m.sample.Disks[i]
		reads, writes, discards := 1+m.upTo(500), m.upTo(300), m.upTo(3)
		m.done[i][0] += reads
		m.done[i][1] += writes
		m.done[i][2] += discards
		d.IOs += reads + writes + discards
		d.ReadSectors += reads * 8
		d.WriteSectors += writes * 16
		d.DiscardSectors += discards * 2048
		d.ReadTicks += uint32(reads * (1 + m.upTo(5)))
		d.WriteTicks += uint32(writes * (1 + m.upTo(9)))
		d.DiscardTicks += uint32(discards)
		d.BusyTicks += uint32(m.upTo(hundredths * 10))
		d.QueueTicks += uint32(m.upTo(math.MaxUint32 / 8)) // wraps
	}
	for i := range m.sample.Interfaces {
		n := &m.sample.Interfaces[i]
		n.RxPackets += m.upTo(1e6)
		n.TxPackets += m.upTo(1e6)
		n.RxBytes += m.upTo(1e9)
		n.TxBytes += m.upTo(1e9)
	}
	for i := range m.peers {
		p := &m.peers[i]
		p.Cwnd, p.RTT = 10+float64(m.upTo(400))/4, float64(1+m.upTo(1000))/1e6
		p.Delivered += m.upTo(10000)
		p.CwndDelivered += 1 + m.upTo(100000)
		p.Retrans += m.upTo(9)
		p.Sent += m.upTo(1e8)
	}
}

// hear records and exposes what there is.
func (m *recorded) hear(at time.Time) {
	var items []byte
	for i := range m.peers {
		items = tcpstat.Append(items, &m.peers[i])
	}
	m.sample.Custom = [][]byte{items}
	m.sample.CPUs = make([]sysstat.CPU, 2)
	m.check(m.writer.WriteStats(at, m.uptime, &m.sample))
	m.expose.Hear(at, m.uptime, &m.sample)
}

// text is what a scraper gets.
func (m *recorded) text() []byte {
	w := httptest.NewRecorder()
	m.expose.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != 200 {
		m.t.Fatal(w.Body)
	}
	return w.Body.Bytes()
}

type pair = remotewritetest.Label

// scrapeOf reads a text as Prometheus does and labels it as a scrape.
func scrapeOf(t testing.TB, text []byte, at time.Time, labels ...pair) (list []remotewritetest.Series) {
	t.Helper()
	p := expfmt.NewTextParser(model.LegacyValidation)
	families, err := p.TextToMetricFamilies(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range families {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, m := range families[name].Metric {
			s := remotewritetest.Series{Labels: append([]pair{{Name: "__name__", Value: name}}, labels...), Time: at.UnixMilli(), Value: valueOf(m)}
			for _, l := range m.Label {
				s.Labels = append(s.Labels, pair{Name: l.GetName(), Value: l.GetValue()})
			}
			list = append(list, s)
		}
	}
	return list
}

// A target is what a sender remembers of an endpoint: which series it had.
type target struct{ had []remotewritetest.Series }

// scraped adds the ends of series that the endpoint no longer has.
func (t *target) scraped(now []remotewritetest.Series) []remotewritetest.Series {
	has := map[string]bool{}
	for _, s := range now {
		has[fmt.Sprint(s.Labels)] = true
	}
	all := slices.Clone(now)
	for _, s := range t.had {
		if !has[fmt.Sprint(s.Labels)] {
			all = append(all, remotewritetest.Series{Labels: s.Labels, Time: now[0].Time, Value: remotewritetest.Stale})
		}
	}
	t.had = now
	return all
}

func valueOf(m *dto.Metric) float64 {
	return m.GetCounter().GetValue() + m.GetGauge().GetValue() + m.GetUntyped().GetValue()
}

// allMetrics are those whose rows are compared.
var allMetrics = []string{
	"rd_sec", "wr_sec", "avgrq-sz", "avgqu-sz", "await", "svctm", "%util",
	"rxpck", "txpck", "rxbyt", "txbyt", "cwnd_out", "retr_out", "dlv_out", "wcwnd_out", "shrink_out",
}

// rows are those of a directory, by time.
func rows(t testing.TB, dir string, system *topology.System, metrics []string, step int64) (map[int64][][]float64, table.Schema) {
	t.Helper()
	src, err := activity.Open(context.Background(), []string{dir}, activity.Options{StepSeconds: step, Metrics: metrics, System: system})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	all := map[int64][][]float64{}
	for {
		row, err := src.Next(context.Background())
		if err == io.EOF {
			return all, src.Schema()
		}
		if err != nil {
			t.Fatal(err)
		}
		var copied [][]float64
		for _, v := range row.Values {
			copied = append(copied, slices.Clone(v))
		}
		all[row.End] = copied
	}
}

// same says what differs between two sets of rows.
func same(t testing.TB, system *topology.System, schema table.Schema, want, got map[int64][][]float64) (compared int) {
	t.Helper()
	for at, row := range want {
		other, ok := got[at]
		if !ok {
			t.Errorf("%s: no row", time.Unix(at, 0).UTC())
			continue
		}
		for k := range row {
			for c := range row[k] {
				a, b := row[k][c], other[k][c]
				if a != b && !(math.IsNaN(a) && math.IsNaN(b)) {
					t.Errorf("%s: %s of %s is %v in the recorder's file, %v in ours", time.Unix(at, 0).UTC(), schema.Metrics[k].Name, system.Components[c].Name, a, b)
				}
				if !math.IsNaN(a) {
					compared++
				}
			}
		}
	}
	return compared
}

const twinTopology = `servers: [fs1, fs2, fs3]
drives:
  - devices: [sda, sdb, sdc, nvme0n1]
    peers: all
interfaces:
  - names: eth0
    peers: all
hosts: [fs1, fs2, fs3]
`

func twinSystem(t testing.TB) *topology.System {
	t.Helper()
	s, _, err := topology.Parse("twin.yaml", []byte(twinTopology))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// opened is an intake whose clock stands where the test sets it.
func opened(t testing.TB, dir string, now *time.Time, change func(*Options)) *Intake {
	t.Helper()
	o := DefaultOptions()
	o.Now = func() time.Time { return *now }
	if change != nil {
		change(&o)
	}
	i, err := New(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { i.Close() })
	return i
}

// TestTwin: what a recorder's endpoint shows, pushed in requests of either
// version and cut in pieces of any size, gives the rows of the recorder's own
// files, over midnight too.
func TestTwin(t *testing.T) {
	for _, c := range []struct{ version, piece int }{{1, 1 << 20}, {2, 1 << 20}, {1, 37}, {2, 11}} {
		t.Run(fmt.Sprintf("version %d in pieces of %d", c.version, c.piece), func(t *testing.T) {
			own, spooled := t.TempDir(), t.TempDir()
			begin := time.Date(2026, 3, 1, 23, 59, 0, 0, time.UTC)
			now := begin
			in := opened(t, spooled, &now, nil)
			var machines []*recorded
			targets := make([]target, 3)
			for i, name := range []string{"fs1", "fs2", "fs3"} {
				m := newMachine(t, own, name, uint64(i+1), begin)
				m.peers = []tcpstat.Peer{{
					Remote: netip.MustParseAddr("10.0.0.9"), Sockets: 3, Control: tcpstat.ControlOf("cubic"),
				}, {Remote: netip.MustParseAddr("2001:db8::1"), Dialled: true, Sockets: 1, Control: tcpstat.ControlOf("bbr")}}
				machines = append(machines, m)
			}
			push := func(all []remotewritetest.Series) {
				for piece := range slices.Chunk(all, c.piece) {
					if w := remotewritetest.Post(in.Handler(), c.version, piece); w.Code != 204 {
						t.Fatalf("%d %s", w.Code, w.Body)
					}
				}
			}
			for range 24 {
				now = now.Add(5 * time.Second)
				for k, m := range machines {
					m.work(500)
					if now.Second() == 30 { // connections end
						m.peers[1].Sockets, m.peers[1].Control = 0, tcpstat.Control{}
					}
					m.hear(now.Add(-300 * time.Millisecond))
					push(targets[k].scraped(scrapeOf(t, m.text(), now, pair{Name: "job", Value: "limpet"}, pair{Name: "instance", Value: m.name + ":9101"})))
				}
				in.closeScrapes()
			}
			now = now.Add(time.Minute)
			in.closeScrapes()
			system := twinSystem(t)
			want, schema := rows(t, own, system, allMetrics, 5)
			got, _ := rows(t, spooled, system, allMetrics, 5)
			// The first scrape of a machine that nothing is known of tells what to
			// expect, and is not written.
			var first int64 = math.MaxInt64
			for at := range want {
				first = min(first, at)
			}
			delete(want, first)
			if n := same(t, system, schema, want, got); n < 3*20*(disksOfMachine*8) {
				t.Errorf("only %d values were compared", n)
			}
			for _, s := range in.Status() {
				if s.Trouble != "" || s.Late+s.Refused+s.Incomplete > 0 {
					t.Errorf("%+v", s)
				}
			}
		})
	}
}
