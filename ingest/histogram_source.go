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

// HistogramOptions are the options of [OpenHistograms].
type HistogramOptions struct {
	// StepSeconds is the length of a step in seconds. The value 0 means the median interval between
	// samples, but at least usualStepSeconds.
	StepSeconds int64
}

// usualStepSeconds is the shortest step that OpenHistograms chooses by itself, in seconds. The
// default step of rows from activity files is the same.
const usualStepSeconds = 15

// A HistogramSource makes rows from the histograms that tools print (package tool).
//
// It reads the files twice. The first reading finds the components and the interval between
// samples. The second reading yields rows, and holds one sample of each file in memory. A row has
// histograms of request latencies. Some detectors do not read histograms. For these detectors, a
// row also has two metrics: requests per second (tps) and mean latency in ms (await). A sample that
// is older than the sample before it in the same file is left out, with a warning.
type HistogramSource struct {
	system   *topology.System
	schema   table.Schema
	warnings []Warning
	format   *tool.HistogramFormat
	files    []*histogramFile
	fold     *tool.Fold
	row      *table.Row
	indexes  map[string]int // index of each component in the system, by name
}

// OpenHistograms returns a source that makes rows from files with histograms. All files have the
// same format. A path is a file, or a directory whose files are read.
func OpenHistograms(ctx context.Context, format *tool.HistogramFormat, paths []string, o HistogramOptions) (*HistogramSource, error) {
	files, err := find(paths)
	if err != nil {
		return nil, err
	}
	s := &HistogramSource{format: format, fold: tool.NewFold(), indexes: map[string]int{}}
	v, err := s.survey(ctx, files)
	if err != nil {
		return nil, err
	}
	step := o.StepSeconds
	if step == 0 {
		step = max(usualStepSeconds, v.interval())
	}
	var small []Warning
	if s.system, small, err = topology.List(format.Name, v.listed); err != nil {
		return nil, err
	}
	s.warnings = append(s.warnings, small...)
	for i := range s.system.Components {
		s.indexes[s.system.Components[i].Name] = i
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

// find lists the files at the given paths. For a directory it lists the files in the directory, in
// the order of their names and without hidden files.
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
		return nil, fmt.Errorf("there are no files in %q: name a directory or files with measurements", paths)
	}
	return files, nil
}

// Schema returns the step, the metrics and the number of components of the rows.
func (s *HistogramSource) Schema() table.Schema { return s.schema }

// System returns the components that have samples.
func (s *HistogramSource) System() *topology.System { return s.system }

// Warnings lists the faults of the files: damaged parts and samples that are left out.
func (s *HistogramSource) Warnings() []Warning {
	list := slices.Clone(s.warnings)
	for _, f := range s.files {
		if f.late > 0 {
			list = append(list, Warning{File: f.path, Text: fmt.Sprintf("%d samples are left out, because their times are earlier than the time of the previous sample: write each recording to its own file", f.late)})
		}
	}
	return list
}

// Close closes the files.
func (s *HistogramSource) Close() (err error) {
	for _, f := range s.files {
		err = errors.Join(err, f.close())
	}
	s.files = nil
	return err
}

// Next returns the next row, or io.EOF after the last row. The row is valid until
// the next call of Next.
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

// nextStep returns the end of the earliest step that has samples and no table row
// yet. The result `ok` is false if all files are at their end.
func (s *HistogramSource) nextStep() (end int64, ok bool) {
	for _, f := range s.files {
		if at := stepEnd(f.sample.Time, s.schema.StepSeconds); !f.done && (!ok || at < end) {
			end, ok = at, true
		}
	}
	return end, ok
}

func stepEnd(at, step int64) int64 { return (at + step - 1) / step * step }

// gather adds the samples of one step to the row. The parameter `end` is the end of the step. The
// first result is true if the row has a sample.
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

// take adds the requests of a sample to the row. It reports whether the sample was
// added.
func (s *HistogramSource) take(sample *tool.Sample) bool {
	c, known := s.indexes[sample.Component]
	if !known || int(sample.Op) >= table.LatencyOps {
		return false
	}
	requests, ok := s.fold.Take(sample)
	if !ok {
		return false
	}
	s.row.LatencyOf(c)[sample.Op].Device.Add(requests)
	s.row.Values[tps][c] = 0 // a component with a sample has a value, even if the sample has no requests
	return true
}

// Indexes of the metrics tps and await in Row.Values.
const (
	tps = iota
	await
)

// sumUp sets the metrics tps and await of a component from the histograms of its latencies. The
// metrics of a component without a sample stay missing.
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
