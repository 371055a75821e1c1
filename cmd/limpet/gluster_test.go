package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Runs of a real GlusterFS with real faults. They are not part of the
// repository.
var gluster = filepath.Join("..", "..", "..", "shared", "data", "gluster")

// faultKinds are the kinds of fault by how the truth begins to name them.
var faultKinds = map[string]string{"disk-hog": "disk-hog", "disk-busy": "disk-busy", "net-hog": "network-hog", "loss": "packet loss"}

// TestGluster demands that servers at fault are found for what is wrong with
// them, within fifteen seconds of the onset or with an onset that is said to be
// unknown, and that nobody else is accused; whichever questions are asked.
func TestGluster(t *testing.T) {
	for _, run := range glusterRuns(t) {
		name, fault, server := run[0], run[4], run[5]
		for _, ask := range [][]string{{"diagnose"}, {"diagnose", "--servers"}} {
			t.Run(strings.Join(append(ask, name), " "), func(t *testing.T) {
				var want []string
				for prefix, kind := range faultKinds {
					if strings.HasPrefix(fault, prefix) {
						want = []string{server + " " + kind}
					}
				}
				got := accused(t, append(ask, "-o", "json", "-t", filepath.Join(gluster, name, "topology.yaml"), filepath.Join(gluster, name, "activity")), run[6])
				if !slices.Equal(got, want) {
					t.Errorf("accused: %q, want %q", got, want)
				}
			})
		}
	}
}

// TestGlusterIDs: the ID of a fault of a disk does not depend on the step. With long steps the drive
// is found and not the disk of its server, if the run is long enough.
func TestGlusterIDs(t *testing.T) {
	for _, line := range glusterRuns(t) {
		name, fault := line[0], line[4]
		if !strings.HasPrefix(fault, "disk-") {
			continue
		}
		var ids []string
		for _, step := range []string{"", "1", "5", "15", "60"} { // "" is the default
			var out bytes.Buffer
			args := []string{"diagnose", "-o", "json", "-t", filepath.Join(gluster, name, "topology.yaml"), filepath.Join(gluster, name, "activity")}
			if step != "" {
				args = append(args, "--step", step)
			}
			if code := run(t.Context(), args, strings.NewReader(""), &out, io.Discard); code != 0 {
				t.Fatalf("%s, step %s: exit code %d", name, step, code)
			}
			var said struct {
				Incidents []struct {
					ID       string
					Harmless bool
				}
			}
			if err := json.Unmarshal(out.Bytes(), &said); err != nil {
				t.Fatal(err)
			}
			for _, in := range said.Incidents {
				if !in.Harmless {
					ids = append(ids, in.ID)
				}
			}
		}
		if len(ids) < 2 || len(slices.Compact(slices.Clone(ids))) != 1 {
			t.Errorf("%s: IDs %q at the default step and at steps of 1, 5, 15 and 60 s, want one", name, ids)
		}
	}
}

// glusterRuns are the lines of the truth: run, cluster, volume, workload, fault,
// server, begin, end, strength.
func glusterRuns(t *testing.T) [][]string {
	t.Helper()
	f, err := os.Open(filepath.Join(gluster, "truth.csv"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the runs of GlusterFS are not there")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return lines[1:]
}

// accused are the incidents that a diagnosis tells, but for harmless ones. What
// began for certain has to begin when the truth says.
func accused(t *testing.T, args []string, began string) (all []string) {
	t.Helper()
	var out bytes.Buffer
	if code := run(t.Context(), args, strings.NewReader(""), &out, io.Discard); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	var said struct {
		Incidents []struct {
			Kind     string
			Harmless bool
			MayBe    string `json:"may_be"`
			Place    struct{ Name string }
			Onset    struct {
				At      time.Time
				Unknown bool
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &said); err != nil {
		t.Fatal(err)
	}
	for _, in := range said.Incidents {
		if in.Harmless {
			continue
		}
		all = append(all, in.Place.Name+" "+in.Kind)
		if in.MayBe != "" {
			t.Errorf("%s %s may be %s: the requests of a server at fault are those of its peers", in.Place.Name, in.Kind, in.MayBe)
		}
		begin, _ := time.Parse(time.RFC3339, began)
		if off := in.Onset.At.Sub(begin).Abs(); !in.Onset.Unknown && off > 15*time.Second {
			t.Errorf("%s since %s, off by %s", in.Place.Name, in.Onset.At, off)
		}
	}
	return all
}
