package engine_test

import (
	"archive/tar"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/klauspost/compress/zstd"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/tables"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
	"github.com/limpet-storage/limpet/topology"
)

// keep copies the rows of a stream.
func keep(t *testing.T, system *topology.System, s table.Stream) *recording {
	t.Helper()
	r := &recording{system: system, schema: s.Schema()}
	for {
		row, err := s.Next()
		if err == io.EOF {
			return r
		}
		if err != nil {
			t.Fatal(err)
		}
		r.rows = append(r.rows, copied(row))
	}
}

// TestCutIntrepid: a small Intrepid with several faults at once.
func TestCutIntrepid(t *testing.T) {
	for seed, faults := range []int{3, 5} {
		o := arrays.DefaultIntrepidOptions()
		o.Arrays, o.Servers, o.LUNs, o.Days, o.Seed = 2+seed, 4*(2+seed), 8*(2+seed), 2, uint64(seed+1)
		o.Start = time.Date(2011, time.May, 9, 0, 0, 5, 0, time.UTC)
		s, err := arrays.Intrepid(o)
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := s.Draw(faults)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, d := range drawn {
			s.Events = append(s.Events, d.Events...)
			names = append(names, d.Mechanism)
		}
		rows, err := s.Rows(15, metric.TPS.Name, metric.RdSec.Name, metric.WrSec.Name, metric.Await.Name)
		if err != nil {
			t.Fatal(err)
		}
		p := &tape{recording: keep(t, rows.System(), rows), opts: engine.DefaultOptions()}
		p.opts.Metrics = []string{metric.Await.Name, metric.RdSec.Name}
		t.Run(strings.Join(names, ", "), func(t *testing.T) { cutAnywhere(t, p, 45, 1440) })
	}
}

// TestCutWorld: every kind of incident of a simulated site comes, goes and comes back,
// and operators give commands.
func TestCutWorld(t *testing.T) {
	cutAnywhere(t, eventful(t), 120, 2*hour)
}

// eventful is a day of the simulated site with many faults. Tests share its rows.
func eventful(t *testing.T) *tape {
	t.Helper()
	eventfulDay.Lock()
	defer eventfulDay.Unlock()
	if eventfulDay.tape == nil {
		eventfulDay.tape = recordEventful(t)
	}
	p := *eventfulDay.tape
	return &p
}

var eventfulDay struct {
	sync.Mutex
	*tape
}

func recordEventful(t *testing.T) *tape {
	t.Helper()
	w := newWorld(t, site, 21)
	at := func(h float64) int64 { return start + int64(h*3600) }
	commands := []command.Command{
		*order(w.system, at(7), command.Mute, "2.5"),
		*order(w.system, at(7.2), command.Comment, "2.5"),
		*order(w.system, at(11.1), command.Resolve, "2.5"),
		*order(w.system, at(12), command.Unmute, "2.5"),
	}
	commands[1].Text = "a spare is on its way"
	acts := []act{
		{0, func(w *world) { w.slow["4.9"], w.silent["fs11"] = 3, true }},
		{1 * hour, func(w *world) { w.slow["2.5"], w.busier["4.3"] = 4, 3 }},
		{2 * hour, func(w *world) { w.silent["fs15"], w.work["fs9"] = true, true }},
		{3 * hour, func(w *world) { delete(w.silent, "fs15"); w.gone["ddn1b"], w.slow["3.4.9"] = true, 15 }},
		{5 * hour, func(w *world) { delete(w.silent, "fs11"); w.stall["ddn4"] = 60_000 }},
		{5*hour + 8, func(w *world) { delete(w.stall, "ddn4") }},
		{6 * hour, func(w *world) { delete(w.gone, "ddn1b"); drawer(w, "3", 2.5) }},
		{10 * hour, func(w *world) { w.calm(); w.unused["fs6"] = true }},
		{14 * hour, func(w *world) { w.calm(); w.idle = true }},
		{16 * hour, func(w *world) { w.calm(); w.gone["ddn1b"], w.slow["2.5"] = true, 3 }},
		{20 * hour, (*world).calm},
	}
	p := &tape{recording: w.tape(24, acts...), opts: engine.DefaultOptions(), commands: commands}
	for _, a := range acts {
		p.acts = append(p.acts, a.at)
	}
	return p
}

// tape records some hours of a world.
func (w *world) tape(hours int, acts ...act) *recording {
	r := &recording{system: w.system, schema: w.schema}
	row := table.NewRow(w.schema)
	for n := range hours * hour {
		for _, a := range acts {
			if a.at == n {
				a.does(w)
			}
		}
		w.row(row, start+int64(n+1)*step)
		r.rows = append(r.rows, copied(row))
	}
	return r
}

// TestCutTables: tables with lost lines and missing hours.
func TestCutTables(t *testing.T) {
	w := newWorld(t, driveSite, 22)
	w.schema.Sparse, w.schema.Servers = true, 0
	w.schema.Load = metric.Index(w.schema.Metrics, metric.TPS.Name)
	r := w.sparse(t, 30)
	cutAnywhere(t, &tape{recording: r, opts: engine.DefaultOptions()}, 60, 4*hour)
}

// sparse records a world of drives in which one value in twenty is lost.
func (w *world) sparse(t *testing.T, hours int) *recording {
	t.Helper()
	heard := w.schema
	heard.Servers = len(w.system.Servers)
	full := *w
	full.schema = heard
	r := full.tape(hours,
		act{2 * hour, func(w *world) { w.slow["h3/sdc"], w.slow["h7/sdg"] = 3, 5 }},
		act{9 * hour, func(w *world) { w.calm(); w.slow["bay5"] = 2 }},
		act{16 * hour, func(w *world) { w.calm(); w.slow["h3/sdc"] = 3 }},
	)
	r.schema = w.schema
	for i, row := range r.rows {
		row.Heard = nil
		if i > 20*hour {
			row.End += 5 * 3600
		}
		for c := range row.Values[0] {
			if w.rng.Float64() < 0.05 {
				for m := range row.Values {
					row.Values[m][c] = table.Missing
				}
			}
		}
	}
	return r
}

// late sets the clock of a server ahead, so that its load seems to come late.
func (r *recording) late(server string, steps int) *recording {
	return r.changed(func(i int, row *table.Row) {
		for c := range r.system.Components {
			if i >= steps && r.system.Components[c].Server == server {
				for m := range row.Values {
					row.Values[m][c] = r.rows[i-steps].Values[m][c]
				}
			}
		}
	})
}

// TestCutTestBench: the servers question, with faults of every kind, a server that is
// idle twice, and one whose clock is ahead.
func TestCutTestBench(t *testing.T) {
	for _, tt := range []struct {
		workload testbench.Workload
		fault    testbench.Fault
		faulty   []int
	}{
		{testbench.DDR, testbench.DiskBusy, []int{1, 4}},
		{testbench.PostMark, testbench.DiskHog, []int{3}},
		{testbench.DDW, testbench.WriteNetworkHog, []int{0, 7}},
		{testbench.DDW, testbench.ReceiveLoss, []int{2, 5}},
	} {
		e := experiment(pvfs, tt.workload, tt.fault, tt.faulty...)
		e.To = 220 * time.Second
		p := &tape{recording: record(t, e, 480).late("ios10", 6).resting("ios9", 60, 180).resting("ios9", 240, 330)}
		p.opts, _ = engine.Preset("servers")
		t.Run(fmt.Sprintf("%s %s", tt.workload, tt.fault), func(t *testing.T) { cutAnywhere(t, p, 30, 300) })
	}
}

// TestCutChecklist: F10's checklist, with thresholds that are trained in a run without
// faults.
func TestCutChecklist(t *testing.T) {
	o, err := engine.Preset("f10")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		workload testbench.Workload
		fault    testbench.Fault
	}{{testbench.DDR, testbench.DiskBusy}, {testbench.DDW, testbench.WriteNetworkHog}} {
		healthy := record(t, experiment(pvfs, tt.workload, testbench.None), 600)
		trainer, err := persistence.NewTrainer(o.Detect, healthy.system, healthy.schema, o.Metrics)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range healthy.rows {
			trainer.Push(row)
		}
		e := experiment(pvfs, tt.workload, tt.fault, 1, 6)
		e.To = 200 * time.Second
		p := &tape{recording: record(t, e, 600).late("ios10", 6).resting("ios9", 60, 280).resting("ios9", 400, 520), opts: o, model: trainer.Model()}
		t.Run(fmt.Sprintf("%s %s", tt.workload, tt.fault), func(t *testing.T) { cutAnywhere(t, p, 30, 300) })
	}
}

// TestCutPerseus: real drives of a cloud provider, two of them slow.
func TestCutPerseus(t *testing.T) {
	dir := perseus(t, "cluster_A", "host_22", "host_25", "host_1", "host_2")
	description, err := os.ReadFile(checkout.Path(t, "examples/perseus.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := tables.ParseDescription("perseus.yaml", description)
	if err != nil {
		t.Fatal(err)
	}
	src, err := tables.Open(t.Context(), d, []string{dir}, tables.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	p := &tape{recording: keep(t, src.System(), ingest.Stream(t.Context(), src)), opts: engine.DefaultOptions()}
	p.opts.Metrics = []string{"latency"}
	cutAnywhere(t, p, 60, 2880)
}

// perseus unpacks the files of some hosts of a cluster.
func perseus(t *testing.T, cluster string, hosts ...string) string {
	t.Helper()
	path := filepath.Join("..", "..", "shared", "data", "perseus", cluster+".tar.zst")
	f, err := os.Open(path)
	if err != nil {
		t.Skip("the PERSEUS data (shared/data/perseus) are not here")
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	dir := t.TempDir()
	files := tar.NewReader(z)
	for {
		h, err := files.Next()
		if err == io.EOF {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, host := range hosts {
			if strings.HasPrefix(h.Name, cluster+"/"+host+"/") && h.Typeflag == tar.TypeReg {
				unpack(t, filepath.Join(dir, filepath.FromSlash(h.Name)), files)
			}
		}
	}
}

func unpack(t *testing.T, name string, from io.Reader) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(f, from); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// child is the environment variable for a process that a test starts. It holds the
// directory with the state from which that process continues.
const child = "LIMPET_TEST_STATE"

// TestCutProcess: another process continues from the state.
func TestCutProcess(t *testing.T) {
	const from, to = 9*hour + 17, 18 * hour
	p := eventful(t)
	if dir := os.Getenv(child); dir != "" {
		data, err := os.ReadFile(filepath.Join(dir, "state"))
		if err != nil {
			t.Fatal(err)
		}
		r := p.resume(t, from, data)
		r.playTo(to)
		told := strings.Join(r.ear.lines, "\n") + "\n" + r.stand()
		if err := os.WriteFile(filepath.Join(dir, "told"), []byte(told), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	dir := t.TempDir()
	r := p.begin(t)
	r.playTo(from)
	if err := os.WriteFile(filepath.Join(dir, "state"), r.save(t), 0o644); err != nil {
		t.Fatal(err)
	}
	r.ear.lines = nil
	r.playTo(to)
	want := strings.Join(r.ear.lines, "\n") + "\n" + r.stand()
	cmd := exec.Command(os.Args[0], "-test.run=^TestCutProcess$")
	cmd.Env = append(os.Environ(), child+"="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, err := os.ReadFile(filepath.Join(dir, "told"))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("in a new process: %s", differ(string(got), want))
	}
}
