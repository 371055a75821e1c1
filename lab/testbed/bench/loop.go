//go:build linux

package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/limpet-storage/limpet/lab/testbed"
)

// Masked is a service that limpet serve can watch, and whose slow parts it can mask.
type Masked interface {
	Service
	// Sources returns the lines of a configuration of limpet serve that name the sources of the service,
	// and the environment that commands of the service need.
	Sources() (config string, environment []string)
	// Writes returns how many writes of clients the service has completed.
	Writes() (float64, error)
}

// policy lets limpet take a slow part out if the part has been slow for a minute and has an incident.
const policy = `mode: do
most_an_hour: 6
verify_minutes: 3
rules:
  - kinds: [slow drive, slow tail, disk-busy]
    effects: [take out]
    lasted: 1m
`

// PerformLoop builds the cluster of a run, lets limpet serve watch it and act on it, removes the cluster,
// and notes the result in dir. The directory of the run keeps the log of limpet, its answers and the
// counts of writes.
func (p Place) PerformLoop(ctx context.Context, system System, slot, limpet string, run *testbed.Run, dir string) (*testbed.LoopResult, error) {
	scratch := filepath.Join(dir, run.Name)
	if err := errors.Join(os.RemoveAll(scratch), os.MkdirAll(scratch, 0o755)); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(scratch, "log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	layout := system.Layout(run)
	c, err := p.up(ctx, slot, &layout, run, log)
	var result *testbed.LoopResult
	if err == nil {
		result, err = c.loopRun(ctx, system, limpet, scratch)
	}
	if err = errors.Join(err, p.Down(slot)); err != nil {
		return nil, fmt.Errorf("run %s failed: %w (see the log %s)", run.Name, err, log.Name())
	}
	return result, testbed.AddLoop(filepath.Join(dir, testbed.LoopFile), result)
}

// loopRun makes the experiment.
func (c *Cluster) loopRun(ctx context.Context, system System, limpet, dir string) (*testbed.LoopResult, error) {
	started, err := system.Start(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("the storage system does not start: %w", err)
	}
	service, ok := started.(Masked)
	if !ok {
		return nil, fmt.Errorf("limpet cannot mask parts of the storage system %s", c.Run.System)
	}
	if err := errors.Join(service.Prepare(ctx), c.limit(ctx)); err != nil {
		return nil, err
	}
	work := &Processes{Log: c.Log}
	defer work.Stop(syscall.SIGKILL)
	if err := service.Work(work); err != nil {
		return nil, err
	}
	if err := Sleep(ctx, settle); err != nil {
		return nil, err
	}
	watcher := &Processes{Log: c.Log}
	defer watcher.Stop(syscall.SIGTERM)
	if err := c.serve(service, watcher, limpet, dir); err != nil {
		return nil, err
	}
	var status json.RawMessage
	if err := Patiently(ctx, func() error { return ask(ctx, dir, "status", &status) }); err != nil {
		return nil, errors.Join(err, watcher.Running())
	}
	counts, stop := count(ctx, service)
	begin, end, err := c.runFault(ctx, service)
	stop()
	if err := errors.Join(err, work.Running(), watcher.Running()); err != nil {
		return nil, err
	}
	result := &testbed.LoopResult{Run: c.Run, Incident: -1, Action: -1}
	result.Measure(*counts, begin, end)
	if err := writeJSON(filepath.Join(dir, "writes.json"), *counts); err != nil {
		return nil, err
	}
	return result, answers(ctx, dir, begin, result)
}

// serve starts limpet serve on the host of the manager.
func (c *Cluster) serve(service Masked, p *Processes, limpet, dir string) error {
	topology, err := service.Topology()
	if err != nil {
		return err
	}
	sources, environment := service.Sources()
	config := fmt.Sprintf("topology: topology.yaml\npolicy: policy.yaml\nstate: state\nlisten: unix:%s\nalerts:\n  logs:\n    - to: %s\n%s", socketOf(dir), filepath.Join(dir, "alerts.jsonl"), sources)
	err = errors.Join(
		os.WriteFile(filepath.Join(dir, "topology.yaml"), topology, 0o644), os.WriteFile(filepath.Join(dir, "policy.yaml"), []byte(policy), 0o644),
		os.WriteFile(filepath.Join(dir, "limpet.yaml"), []byte(config), 0o644))
	if err != nil {
		return err
	}
	words := append(append([]string{"env"}, environment...), limpet, "serve", "--config", filepath.Join(dir, "limpet.yaml"))
	return p.Start(c.In(Manager, words...)...)
}

// socketOf returns the path at which limpet serve answers.
func socketOf(dir string) string { return filepath.Join(dir, "limpet.sock") }

// countEvery is the time between two counts of writes.
const countEvery = 5 * time.Second

// count counts writes until the function that it returns is called. A part of the service that hangs
// leaves a count out.
func count(ctx context.Context, service Masked) (counts *[]testbed.Rate, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var wait sync.WaitGroup
	counts = &[]testbed.Rate{}
	wait.Go(func() {
		for ctx.Err() == nil {
			if writes, err := service.Writes(); err == nil {
				*counts = append(*counts, testbed.Rate{At: time.Now(), Writes: writes})
			}
			_ = Sleep(ctx, countEvery) // the loop looks at the context
		}
	})
	return counts, func() {
		cancel()
		wait.Wait()
	}
}

// answers asks limpet what it found and did, and adds this to the result.
func answers(ctx context.Context, dir string, begin time.Time, result *testbed.LoopResult) error {
	var list struct {
		Incidents []struct {
			Incident struct {
				ID    string `json:"id"`
				Title string `json:"title"`
				Place struct {
					Name string `json:"name"`
				} `json:"place"`
				Confirmed time.Time `json:"confirmed"`
				Harmless  bool      `json:"harmless"`
				Action    *struct {
					Decision string `json:"decision"`
					Text     string `json:"text"`
				} `json:"action"`
			} `json:"incident"`
		} `json:"incidents"`
	}
	var acted struct {
		Actions []struct {
			Component string    `json:"component"`
			Command   string    `json:"command"`
			State     string    `json:"state"`
			Began     time.Time `json:"began"`
			Trouble   string    `json:"trouble"`
		} `json:"actions"`
	}
	if err := errors.Join(ask(ctx, dir, "incidents", &list), ask(ctx, dir, "actions", &acted)); err != nil {
		return err
	}
	for _, i := range list.Incidents {
		in := &i.Incident
		if in.Harmless {
			continue
		}
		result.NoteIncident(in.Place.Name, in.Title, in.Confirmed.Sub(begin))
		if in.Action != nil && in.Action.Decision != "would" {
			result.Refusals = append(result.Refusals, in.Title+": "+in.Action.Text)
		}
	}
	for _, a := range slices.Backward(acted.Actions) { // the answer has the last action first
		text := a.Command + ": " + a.State
		if a.Trouble != "" {
			text += " (" + a.Trouble + ")"
		}
		result.NoteAction(a.Component, text, a.Began.Sub(begin), !a.Began.IsZero())
	}
	return nil
}

// ask gets a document of the API of limpet serve, and keeps it in dir.
func ask(ctx context.Context, dir, name string, to any) error {
	client := http.Client{Timeout: time.Minute, Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socketOf(dir))
	}}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://limpet/api/v1/"+name, nil)
	if err != nil {
		return err
	}
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("limpet serve answers %s to %s", answer.Status, name)
	}
	var document json.RawMessage
	if err := json.NewDecoder(answer.Body).Decode(&document); err != nil {
		return fmt.Errorf("the answer of limpet serve to %s cannot be read: %w", name, err)
	}
	return errors.Join(json.Unmarshal(document, to), writeJSON(filepath.Join(dir, name+".json"), document))
}

func writeJSON(path string, document any) error {
	data, err := json.Marshal(document)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}
