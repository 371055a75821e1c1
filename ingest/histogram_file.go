package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/limpet-storage/limpet/ingest/tool"
	"github.com/limpet-storage/limpet/topology"
)

// A histogramFile reads the samples of one file, one after the other.
type histogramFile struct {
	path   string
	src    io.Closer
	next   func() (tool.Sample, error, bool)
	stop   func()
	sample tool.Sample // next sample for a row; not valid if histogramFile.done is true
	done   bool        // true if all samples of the file were read
	late   int         // number of samples left out because they are older than the sample before them
}

// open opens a file and reads its first sample.
func (s *HistogramSource) open(path string) (*histogramFile, error) {
	src, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &histogramFile{path: path, src: src}
	f.next, f.stop = iter.Pull2(s.format.Read(tool.NewText(path, src)))
	return f, f.advance()
}

// advance reads the next sample. It skips samples that are older than the sample before them. If
// reading fails, advance leaves out the rest of the file. It gives no warning, because the method
// survey has read the file before, and has already warned of the error.
func (f *histogramFile) advance() error {
	for {
		last := f.sample.Time
		sample, err, ok := f.next()
		if !ok || err != nil {
			f.done = true
			return nil
		}
		if sample.Time >= last {
			f.sample = sample
			return nil
		}
		f.late++
	}
}

func (f *histogramFile) close() error {
	f.stop()
	return f.src.Close()
}

// A histogramSurvey holds the results of the first reading of all files: the components, and the
// intervals between their samples.
type histogramSurvey struct {
	listed    []topology.Listed
	known     map[string]bool
	last      map[string]int64 // time of the last sample of each component
	intervals []int64          // seconds between consecutive samples of one component
}

// mostIntervals is the largest number of intervals that a survey keeps. The median of 10,000
// intervals is precise enough to choose the length of a step.
const mostIntervals = 10_000

// survey reads all files. It warns of a file that is damaged or has another format,
// and leaves out the rest of that file.
func (s *HistogramSource) survey(ctx context.Context, files []string) (*histogramSurvey, error) {
	v := &histogramSurvey{known: map[string]bool{}, last: map[string]int64{}}
	var first error
	for _, path := range files {
		n, err := v.read(ctx, s.format, path)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil && n == 0 {
			err = fmt.Errorf("%s: the file has no samples of drives; give the output of %s over several intervals", path, s.format.Command)
		}
		if err != nil {
			first = errors.Join(first, err)
			s.warnings = append(s.warnings, Warning{Text: fmt.Sprintf("%v (limpet leaves out the rest of the file)", err)})
		}
	}
	if len(v.listed) == 0 {
		return nil, first
	}
	return v, nil
}

// read adds to the survey the components of a file, and the intervals between their samples.
func (v *histogramSurvey) read(ctx context.Context, format *tool.HistogramFormat, path string) (samples int, err error) {
	src, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer src.Close()
	for sample, err := range format.Read(tool.NewText(path, src)) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return samples, err
		}
		samples++
		v.take(&sample)
	}
	return samples, nil
}

func (v *histogramSurvey) take(s *tool.Sample) {
	if !v.known[s.Component] {
		v.known[s.Component] = true
		v.listed = append(v.listed, topology.Listed{Component: topology.Component{Name: s.Component}, Peers: s.Peers})
	}
	if apart := s.Time - v.last[s.Component]; apart > 0 && v.last[s.Component] > 0 && len(v.intervals) < mostIntervals {
		v.intervals = append(v.intervals, apart)
	}
	v.last[s.Component] = s.Time
}

// interval returns the median interval between samples of one component, in seconds, or 0 if no
// component has two samples.
func (v *histogramSurvey) interval() int64 {
	if len(v.intervals) == 0 {
		return 0
	}
	slices.Sort(v.intervals)
	return v.intervals[len(v.intervals)/2]
}
