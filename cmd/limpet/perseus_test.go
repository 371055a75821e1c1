package main

import (
	"archive/tar"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/tables"
	"github.com/limpet-storage/limpet/topology"
)

// Production SSDs with the drives that their operators confirmed as slow. The
// data are not part of the repository.
var perseus = filepath.Join("..", "..", "..", "shared", "data", "perseus")

// climb keeps every accumulator's course, by component, which drives became incidents, and how many
// seconds of data the latest of them took.
type climb struct {
	value, most []int
	incidents   []string
	latest      int64
}

func (c *climb) Window(w *persistence.Window) {
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		switch at := v.Component; {
		case v.State == persistence.Unjudged:
		case v.Suspect:
			c.value[at]++
			c.most[at] = max(c.most[at], c.value[at])
		case c.value[at] > 0:
			c.value[at]--
		}
	}
}

func (c *climb) List(*engine.List) {}

func (c *climb) Event(*incident.Event) {}

// TestPerseus demands that the labelled drives end above all others, that no
// other ever climbs to half of where the slow ones end, and that each of them,
// and nothing else, is an incident, within an hour of data.
func TestPerseus(t *testing.T) {
	labels := perseusLabels(t)
	clusters := []string{"cluster_A", "cluster_B"}
	if testing.Short() {
		clusters = clusters[:1] // cluster B is 240 MB of 350
	}
	for _, cluster := range clusters {
		t.Run(cluster, func(t *testing.T) {
			dir := unpackPerseus(t, cluster)
			system, c := runPerseus(t, dir, func(_ *topology.System, s table.Stream) table.Stream { return s })
			least, healthy := 1<<30, 0
			for i := range system.Components {
				name := system.Components[i].Name
				if slices.Contains(labels[cluster], name) {
					least = min(least, c.value[i])
					t.Logf("%s, labelled slow, ends at %d", name, c.value[i])
				} else {
					healthy = max(healthy, c.most[i])
				}
			}
			t.Logf("no healthy drive of %d ever exceeds %d", len(system.Components), healthy)
			if 2*healthy >= least {
				t.Errorf("a healthy drive climbed to %d, a slow one ends at %d", healthy, least)
			}
			if want := slices.Sorted(slices.Values(labels[cluster])); !slices.Equal(c.incidents, want) {
				t.Errorf("incidents of %v, want %v", c.incidents, want)
			}
			t.Logf("the last of them is an incident after %d minutes of data", c.latest/60)
			if c.latest > 3600 {
				t.Errorf("an incident took %d s of data, want an hour at most", c.latest)
			}
		})
	}
}

// slowed multiplies the latency of some components: slow drives to order.
type slowed struct {
	table.Stream
	factor float64
	who    []int
}

func (s slowed) Next() (*table.Row, error) {
	row, err := s.Stream.Next()
	if err == nil {
		for _, c := range s.who {
			row.Values[0][c] *= s.factor
		}
	}
	return row, err
}

// TestPerseusSlowedByAFifth makes three of the twelve drives of every fifth
// host 1.2 times slow, simulated over real data: most must still climb far
// above every healthy drive.
func TestPerseusSlowedByAFifth(t *testing.T) {
	clusters := []string{"cluster_A", "cluster_B"}
	if testing.Short() {
		clusters = clusters[:1]
	}
	for _, cluster := range clusters {
		t.Run(cluster, func(t *testing.T) {
			dir := unpackPerseus(t, cluster)
			labels := perseusLabels(t)[cluster]
			var who []int
			system, c := runPerseus(t, dir, func(system *topology.System, s table.Stream) table.Stream {
				for g := 0; g < len(system.Groups); g += 5 {
					m := system.Groups[g].Members
					who = append(who, m[1], m[5], m[9])
				}
				return slowed{s, 1.2, who}
			})
			var slow []int
			healthy := 0
			for i := range system.Components {
				switch {
				case slices.Contains(who, i):
					slow = append(slow, c.value[i])
				case !slices.Contains(labels, system.Components[i].Name):
					healthy = max(healthy, c.most[i])
				}
			}
			slices.Sort(slow)
			above := 0
			for _, v := range slow {
				if v > 2*healthy {
					above++
				}
			}
			t.Logf("healthy at most %d; slowed: least %d, median %d; %d of %d beyond twice the healthy", healthy, slow[0], slow[len(slow)/2], above, len(slow))
			if above*20 < len(slow)*19 {
				t.Errorf("only %d of %d drives slowed by a fifth stand out", above, len(slow))
			}
		})
	}
}

// runPerseus diagnoses a cluster as `limpet diagnose --tables` does.
func runPerseus(t *testing.T, dir string, change func(*topology.System, table.Stream) table.Stream) (*topology.System, *climb) {
	t.Helper()
	const name = "../../examples/perseus.yaml"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	d, err := tables.ParseDescription(name, data)
	if err != nil {
		t.Fatal(err)
	}
	src, err := tables.Open(t.Context(), d, []string{dir}, tables.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	system, schema := src.System(), src.Schema()
	o := engine.DefaultOptions()
	o.Metrics, o.Detect.StepSeconds = deciding(schema), schema.StepSeconds
	c := &climb{value: make([]int, len(system.Components)), most: make([]int, len(system.Components))}
	engine, err := engine.New(o, system, schema, nil, c)
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.Run(change(system, ingest.Stream(t.Context(), src))); err != nil {
		t.Fatal(err)
	}
	summary := engine.Summary(incident.Combined)
	for _, in := range summary.Incidents {
		c.incidents = append(c.incidents, in.Place.Name)
		c.latest = max(c.latest, in.Confirmed-summary.From)
	}
	slices.Sort(c.incidents)
	return system, c
}

func perseusLabels(t *testing.T) map[string][]string {
	f, err := os.Open(filepath.Join(perseus, "labels.csv"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the PERSEUS data (shared/data/perseus) are not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string][]string{}
	for _, l := range lines[1:] {
		labels[l[0]] = append(labels[l[0]], l[1]+"/"+l[3])
	}
	return labels
}

// perseusDirs holds the clusters that are unpacked, by name. Tests share them, and only read them.
var perseusDirs struct {
	sync.Mutex
	of map[string]string
}

// unpackPerseus returns the directory of a cluster's files, unpacked once for all tests.
func unpackPerseus(t *testing.T, cluster string) string {
	t.Helper()
	archive := filepath.Join(perseus, cluster+".tar.zst")
	if _, err := os.Stat(archive); errors.Is(err, os.ErrNotExist) {
		t.Skip("the PERSEUS data (shared/data/perseus) are not here")
	}
	perseusDirs.Lock()
	defer perseusDirs.Unlock()
	if dir, ok := perseusDirs.of[cluster]; ok {
		return dir
	}
	dir, err := sharedDir("perseus")
	if err == nil {
		err = untar(archive, dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	if perseusDirs.of == nil {
		perseusDirs.of = map[string]string{}
	}
	perseusDirs.of[cluster] = filepath.Join(dir, cluster)
	return perseusDirs.of[cluster]
}

// untar unpacks a tar archive that is compressed with zstd.
func untar(archive, dir string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		return err
	}
	defer z.Close()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case h.Typeflag != tar.TypeReg:
			continue
		}
		if err := extract(filepath.Join(dir, filepath.FromSlash(h.Name)), r); err != nil {
			return err
		}
	}
}

func extract(name string, r io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}
