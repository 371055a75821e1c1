// This file is rows from histograms of others: what sites' own tools tell
// of how long requests took (package histogram).
//
// Files are read twice. The first reading finds the components and how far samples
// are apart, the second gives out rows; in between no more is held than a sample of
// each file. Rows have the latencies of requests, and of them the two numbers that
// every other detector asks for: how many there were (tps), and how long they took
// on average (await). Samples of a file that go back in time are left out, with a
// warning.

package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest/tool"
	"github.com/limpet-storage/limpet/topology"
)

// HistogramOptions say how histograms are read.
type HistogramOptions struct {
	// StepSeconds of rows; 0: the interval of most samples, or usualStep where that
	// is shorter.
	StepSeconds int64
}

// usualStep is that of activity files, in seconds.
const usualStep = 15

// HistogramSource is the rows of histograms.
type HistogramSource struct {
	system   *topology.System
	schema   table.Schema
	warnings []Warning
	form     *tool.HistogramFormat
	files    []*histogramFile
	fold     *tool.Fold
	row      *table.Row
	at       map[string]int // components by name
}

// OpenHistograms reads files, and those in directories, of a form.
func OpenHistograms(ctx context.Context, form *tool.HistogramFormat, paths []string, o HistogramOptions) (*HistogramSource, error) {
	files, err := find(paths)
	if err != nil {
		return nil, err
	}
	s := &HistogramSource{form: form, fold: tool.NewFold(), at: map[string]int{}}
	v, err := s.survey(ctx, files)
	if err != nil {
		return nil, err
	}
	step := o.StepSeconds
	if step == 0 {
		step = max(usualStep, v.interval())
	}
	var small []Warning
	if s.system, small, err = topology.List(form.Name, v.listed); err != nil {
		return nil, err
	}
	s.warnings = append(s.warnings, small...)
	for i := range s.system.Components {
		s.at[s.system.Components[i].Name] = i
	}
	s.schema = table.Schema{StepSeconds: step, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: len(s.system.Components), Sparse: true, Latencies: true}
	s.row = table.NewRow(s.schema)
	for _, path := range files {
		f, err := s.open(path)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.files = append(s.files, f)
	}
	return s, nil
}

// find lists files, those of directories by name. Hidden ones are passed over.
func find(paths []string) (files []string, err error) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if !e.IsDir() && e.Name()[0] != '.' {
				files = append(files, filepath.Join(path, e.Name()))
			}
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there are no files in %q", paths)
	}
	return files, nil
}

// Schema says what the rows hold.
func (s *HistogramSource) Schema() table.Schema { return s.schema }

// System is what the rows are about.
func (s *HistogramSource) System() *topology.System { return s.system }

// Warnings lists what was wrong with the files.
func (s *HistogramSource) Warnings() []Warning {
	list := slices.Clone(s.warnings)
	for _, f := range s.files {
		if f.late > 0 {
			list = append(list, Warning{File: f.path, Text: fmt.Sprintf("%d samples go back in time and are left out: give one file for each recording", f.late)})
		}
	}
	return list
}

// Close ends reading.
func (s *HistogramSource) Close() (err error) {
	for _, f := range s.files {
		err = errors.Join(err, f.close())
	}
	s.files = nil
	return err
}

// Next returns the next row, valid until the following call, or io.EOF.
func (s *HistogramSource) Next(ctx context.Context) (*table.Row, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		end, ok := s.nextStep()
		if !ok {
			return nil, io.EOF
		}
		s.row.Clear()
		s.row.End = end
		any, err := s.gather(end)
		if err != nil {
			return nil, err
		}
		if any {
			return s.row, nil
		}
	}
}

// nextStep is the end of the earliest step that any file has samples of.
func (s *HistogramSource) nextStep() (end int64, ok bool) {
	for _, f := range s.files {
		if at := stepEnd(f.sample.Time, s.schema.StepSeconds); !f.done && (!ok || at < end) {
			end, ok = at, true
		}
	}
	return end, ok
}

func stepEnd(at, step int64) int64 { return (at + step - 1) / step * step }

// gather puts the samples of a step into the row, and says whether there were any
// requests to tell of.
func (s *HistogramSource) gather(end int64) (any bool, err error) {
	for _, f := range s.files {
		for !f.done && stepEnd(f.sample.Time, s.schema.StepSeconds) <= end {
			any = s.take(&f.sample) || any
			if err := f.advance(); err != nil {
				return false, err
			}
		}
	}
	for c, l := range s.row.Latency {
		if l != nil {
			s.sumUp(c, l)
		}
	}
	return any, nil
}

// take adds the requests of a sample to its component's.
func (s *HistogramSource) take(sample *tool.Sample) bool {
	c, known := s.at[sample.Component]
	if !known || int(sample.Op) >= table.LatencyOps {
		return false
	}
	requests, ok := s.fold.Take(sample)
	if !ok {
		return false
	}
	s.row.LatencyOf(c)[sample.Op].Device.Add(requests)
	s.row.Values[tps][c] = 0 // it was heard, and may have done nothing
	return true
}

// The metrics of rows, by their places.
const (
	tps = iota
	await
)

// sumUp makes numbers of a component's requests. Who was not heard has none.
func (s *HistogramSource) sumUp(c int, l *table.Latency) {
	if table.IsMissing(s.row.Values[tps][c]) {
		return
	}
	var n, ms float64
	for op := range l {
		requests := float64(l[op].Device.Requests())
		n += requests
		ms += requests * l[op].Device.MeanNs() / 1e6
	}
	s.row.Values[tps][c], s.row.Values[await][c] = n/float64(s.schema.StepSeconds), 0
	if n > 0 {
		s.row.Values[await][c] = ms / n
	}
}
