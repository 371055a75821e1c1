package testbench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// A watch writes the activity file of a machine.
type watch struct {
	path string // relative to the directory
	host *host
	disk *Model // nil: no disk is recorded
	fill func(*sysstat.Sample)
	file *simulate.Recorder
}

// watches returns the servers, and the clients on which cwnd is recorded.
func (s *sim) watches() []*watch {
	var list []*watch
	for _, sv := range s.servers {
		list = append(list, &watch{host: sv.host, disk: &s.model, fill: sv.sample})
	}
	for _, c := range s.watched() {
		list = append(list, &watch{host: c.host, fill: c.sample})
	}
	for _, w := range list {
		name := w.host.name + "-" + s.e.Start.UTC().Format("20060102T150405Z") + ".sa"
		w.path = filepath.Join(simulate.ActivityDir, name)
	}
	return list
}

// Write runs the experiment and writes the activity files of its servers and clients, its topology
// and the truth into dir. If an error occurs, or ctx ends, dir stays unchanged. Write calls
// progress with the number of simulated seconds and the approximate total; progress may be nil.
func (e *Experiment) Write(ctx context.Context, dir string, progress func(done, total int)) (*simulate.Truth, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	s := newSim(e)
	watches := s.watches()
	names := []string{simulate.TopologyFile, simulate.TruthFile}
	for _, w := range watches {
		names = append(names, w.path)
	}
	g, err := simulate.NewStage(dir, names...)
	if err != nil {
		return nil, err
	}
	defer g.Discard()
	if err := s.record(ctx, g, watches, progress); err != nil {
		return nil, err
	}
	truth, err := s.truth()
	if err != nil {
		return nil, err
	}
	if err := errors.Join(g.Write(simulate.TopologyFile, e.topologyText()), g.WriteTruth(truth)); err != nil {
		return nil, err
	}
	return truth, g.Place()
}

var errInterrupted = errors.New("interrupted")

// truth returns the truth of the experiment, up to the end of the run.
func (s *sim) truth() (*simulate.Truth, error) {
	t := s.e.Truth()
	t.To = s.e.Start.Add(time.Duration(s.seconds()) * time.Second)
	for i := range t.Faults {
		f := &t.Faults[i]
		if !f.From.Before(t.To) {
			return nil, fmt.Errorf("the benchmark ended after %d s, but the fault begins only after %v: choose an earlier start of the fault", s.ended-lead, s.e.From)
		}
		if f.To.After(t.To) {
			f.To = t.To
		}
	}
	return t, nil
}

// record runs the experiment to its end and records every machine.
func (s *sim) record(ctx context.Context, g *simulate.Stage, watches []*watch, progress func(done, total int)) (err error) {
	defer func() {
		for _, w := range watches {
			if w.file != nil {
				err = errors.Join(err, w.file.Close())
			}
		}
	}()
	for _, w := range watches {
		if err := w.open(g, s.e.Start); err != nil {
			return err
		}
	}
	for {
		for _, w := range watches {
			if err := w.record(s); err != nil {
				return err
			}
		}
		if progress != nil {
			progress(s.seconds(), max(s.seconds(), lead+duration+tail))
		}
		if ctx.Err() != nil {
			return errInterrupted
		}
		if s.over() {
			return s.givenUp()
		}
		s.advance()
	}
}

// open begins a file with the machine's inventory.
func (w *watch) open(g *simulate.Stage, start time.Time) (err error) {
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Release, o.CPUs, o.Created = w.host.name, "2.6.18-6-amd64", cores, start
	o.Custom = []sysstat.CustomActivity{{ID: tcpstat.ID, Size: tcpstat.Size}}
	if w.file, err = simulate.NewRecorder(g.Path(w.path), o); err != nil {
		return err
	}
	for _, line := range w.host.inventory(w.disk) {
		if err := w.file.Comment(start, line); err != nil {
			return err
		}
	}
	return nil
}

func (w *watch) record(s *sim) error {
	at := s.e.Start.Add(time.Duration(s.seconds()) * time.Second)
	return w.file.Record(at, uint64(100*(bootTime+s.seconds())), w.fill)
}
