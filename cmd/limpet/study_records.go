package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/internal/bounded"
	files "github.com/limpet-storage/limpet/internal/paths"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/render"
	"github.com/limpet-storage/limpet/study/source"
	"github.com/limpet-storage/limpet/study/survey"
)

// studied holds the data of a study, from files, a store or ClickHouse.
type studied struct {
	fleet     *study.Fleet
	reduction *study.Reduction
	events    []study.Event
	input     render.Input
	warnings  []string
	missing   []string      // files that could not be read
	requests  *survey.Hours // durations of requests; nil if the records have none
	kind      study.Kind    // kind of the drives of requests
}

// readRecords reads and reduces tables of drive records.
func (f *studyFlags) readRecords(cmd *cobra.Command, paths []string) (*studied, error) {
	if err := f.readDescription(); err != nil {
		return nil, err
	}
	f.source.Progress = &source.Progress{}
	defer showRows(cmd, f.source.Progress)()
	src, err := source.Open(cmd.Context(), paths, f.source)
	if err != nil && holdActivity(paths) {
		return nil, fmt.Errorf("%s: these are activity files: add --activity, or --topology FILE if there is a topology file", strings.Join(paths, ", "))
	}
	if err != nil {
		return nil, f.undescribed(err)
	}
	defer src.Close()
	s := &studied{fleet: src.Fleet(), events: src.Events(), input: render.Input{Paths: paths}}
	if s.reduction, err = reduceAll(cmd.Context(), src, f.study); err != nil {
		return nil, err
	}
	s.fault(src)
	return s, nil
}

// holdActivity reports whether the first file below the paths is an activity file.
func holdActivity(roots []string) bool {
	list, err := files.List(roots)
	if err != nil || len(list) == 0 {
		return false
	}
	r, err := sysstat.Open(list[0])
	if err != nil {
		return false
	}
	r.Close()
	return true
}

// undescribed adds a hint to an error about missing columns: --describe names columns.
func (f *studyFlags) undescribed(err error) error {
	if _, ok := errors.AsType[*tabular.ColumnError](err); ok && f.describe == "" {
		return fmt.Errorf("%w; describe the columns with --describe FILE, or give the columns the names that limpet simulate fleet writes", err)
	}
	return err
}

func (f *studyFlags) readDescription() error {
	if f.describe == "" {
		return nil
	}
	data, err := bounded.ReadFile(f.describe, bounded.MaxYAML, "a description file of records")
	if err != nil {
		return err
	}
	f.source.Description, err = source.ParseDescription(f.describe, data)
	return err
}

// reduceAll reduces all streams at the same time.
func reduceAll(ctx context.Context, src *source.Source, o study.Options) (*study.Reduction, error) {
	first, err := study.NewReducer(src.Fleet(), o)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	streams := src.Streams(ctx)
	parts, errs := make([]*study.Reduction, len(streams)), make([]error, len(streams))
	var wg sync.WaitGroup
	for i, hours := range streams {
		wg.Go(func() {
			if parts[i], errs[i] = first.Beside().Reduce(hours); errs[i] != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	if err := firstCause(errs); err != nil {
		return nil, err
	}
	return study.Merge(src.Fleet(), parts...)
}

// firstCause returns the first error that is not the consequence of another error. A cancelled
// stream is such a consequence.
func firstCause(errs []error) error {
	var stopped error
	for _, err := range errs {
		switch {
		case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
			stopped = err
		case err != nil:
			return err
		}
	}
	return stopped
}

// fault copies the errors and warnings of a source.
func (s *studied) fault(src *source.Source) {
	f := src.Faults()
	s.input.WrongRows, s.input.WrongValues, s.missing = f.Rows, f.Values, f.Unreadable
	s.fold(src.Folding())
	for _, w := range f.First {
		s.input.First = append(s.input.First, w.String())
	}
	for _, w := range append(src.Warnings(), f.Broken...) {
		s.warnings = append(s.warnings, w.String())
	}
}

// fold copies the numbers of records that were merged into hours.
func (s *studied) fold(f source.Folding) {
	s.input.Records, s.input.Folded, s.input.Repeated, s.input.Edge = f.Records, f.Merged(), f.Repeated, f.Edge
}

// rowsProgress is the progress of reading from files or from ClickHouse.
type rowsProgress interface {
	State() (phase source.Phase, rows, done, total int64)
}

// showRows shows on a terminal the progress and the speed of reading, until done is called. Without
// a terminal, it shows nothing.
func showRows(cmd *cobra.Command, p rowsProgress) (done func()) {
	f := terminal(cmd)
	if f == nil {
		return func() {}
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		last, begin := source.Surveying, time.Now()
		for {
			select {
			case <-stop:
				fmt.Fprint(f, "\r\x1b[K")
				return
			case <-tick.C:
			}
			phase, rows, read, total := p.State()
			if phase != last {
				last, begin = phase, time.Now()
			}
			fmt.Fprintf(f, "\r\x1b[K%s", rowsLine(phase, rows, read, total, time.Since(begin)))
		}
	}()
	return func() {
		close(stop)
		<-stopped
	}
}

// rowsLine returns the line that shows the progress.
func rowsLine(phase source.Phase, rows, read, total int64, took time.Duration) string {
	const million = 1e6
	line := fmt.Sprintf("%s … %.1f M rows, %.1f M rows/s", phase, float64(rows)/million, float64(rows)/million/max(took.Seconds(), 1e-3))
	if total > 0 {
		line = fmt.Sprintf("%3d %% %s", 100*read/total, line)
	}
	return line
}
