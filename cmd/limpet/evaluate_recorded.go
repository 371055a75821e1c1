package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/lab/evaluate"
	"github.com/limpet-storage/limpet/lab/testbed"
)

// isRecorded reports whether paths is one directory of recorded runs with a truth file.
func isRecorded(paths []string) bool {
	if len(paths) != 1 {
		return false
	}
	_, err := os.Stat(filepath.Join(paths[0], testbed.TruthFile))
	return err == nil
}

// runRecorded compares the diagnosis of every run in a directory with the truth file.
func (f *evaluateTruthFlags) runRecorded(cmd *cobra.Command, dir string) error {
	if f.topology != "" || f.tables != "" || f.model != "" {
		return usageError{fmt.Errorf("%s has recorded runs, and each run has its own topology file: remove --topology, --tables and --model", dir)}
	}
	path := filepath.Join(dir, testbed.TruthFile)
	data, err := bounded.ReadFile(path, bounded.MaxResult, "a truth file")
	if err != nil {
		return err
	}
	runs, err := testbed.ParseTruth(path, data)
	if err != nil {
		return err
	}
	published, err := evaluate.ReadPublished()
	if err != nil {
		return err
	}
	from, err := f.sources(cmd, dir)
	if err != nil {
		return err
	}
	tell, done := showSteps(cmd, "diagnosing runs")
	result, err := evaluate.Evaluate(cmd.Context(), filepath.Base(filepath.Clean(dir)), runs, from, tell)
	done()
	if err != nil {
		return err
	}
	return f.write(cmd, result.Report(published))
}

// The sources of recorded runs.
const (
	fromHosts = "hosts"
	fromCeph  = "ceph"
	fromBoth  = "both"
)

// sources returns the sources of runs below a directory.
func (f *evaluateTruthFlags) sources(cmd *cobra.Command, dir string) (from evaluate.Sources, err error) {
	if f.rule != "" {
		if from.Fence, err = evaluate.ParseFence(f.rule); err != nil {
			return from, usageError{err}
		}
		if f.from != fromCeph {
			return from, usageError{fmt.Errorf("--rule %s needs the reports of Ceph: add --from %s", f.rule, fromCeph)}
		}
	}
	switch f.from {
	case fromHosts:
		return evaluate.Sources{Hosts: f.opener(cmd, dir)}, nil
	case fromCeph:
		return evaluate.Sources{Services: f.cephOpener(cmd, dir), Fence: from.Fence}, nil
	case fromBoth:
		return evaluate.Sources{Hosts: f.opener(cmd, dir), Services: f.cephOpener(cmd, dir)}, nil
	}
	return from, usageError{fmt.Errorf("--from %q is unknown: use %s, %s or %s", f.from, fromHosts, fromCeph, fromBoth)}
}

// cephOpener returns a function that opens the reports of the OSDs of a run, as limpet diagnose
// --tables ceph-perf does. The runs are below a directory.
func (f *evaluateTruthFlags) cephOpener(cmd *cobra.Command, dir string) evaluate.Open {
	return func(ctx context.Context, run string) (*evaluate.Data, error) {
		own := f.sourceFlags
		own.tables = "ceph-perf"
		src, o, err := own.open(cmd, []string{filepath.Join(dir, run, "ceph", "perf-dump.txt.zst")})
		if err != nil {
			return nil, err
		}
		return &evaluate.Data{System: src.System(), Stream: ingest.Stream(ctx, src), Options: o, Closer: src}, nil
	}
}

// opener returns a function that opens a run below a directory, as limpet diagnose does.
func (f *evaluateTruthFlags) opener(cmd *cobra.Command, dir string) evaluate.Open {
	return func(ctx context.Context, run string) (*evaluate.Data, error) {
		own := f.sourceFlags
		own.topology = filepath.Join(dir, run, "topology.yaml")
		src, o, err := own.open(cmd, []string{filepath.Join(dir, run, "activity")})
		if err != nil {
			return nil, err
		}
		return &evaluate.Data{System: src.System(), Stream: ingest.Stream(ctx, src), Options: o, Closer: src}, nil
	}
}
