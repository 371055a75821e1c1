// This file compares the diagnoses of recorded runs with the faults that were injected
// into them.
//
// Runs come from package testbed, or from any program that writes a truth file in its format. Each
// run is diagnosed as limpet diagnose does with the topology as its only flag: both questions at
// once, nothing trained. The counts are the counts of F10:
//
//   - ITP: every faulty server is accused;
//   - IFP: a healthy server is accused;
//   - DTP: the fault is named;
//   - DFP: a wrong fault is named.
//
// A share of few runs is uncertain, so each share has its interval.
//
// The caller opens the runs.

package evaluate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/servicecause"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/lab/testbed"
	"github.com/limpet-storage/limpet/topology"
)

// Data holds the rows of a run, and the options of its diagnosis.
type Data struct {
	System  *topology.System
	Stream  table.Stream
	Options engine.Options
	io.Closer
}

// Open opens the data of a run by its name.
type Open func(ctx context.Context, run string) (*Data, error)

// Sources are the data of a run that are diagnosed: the counters of the hosts, the reports of the
// storage system's services about themselves, such as the OSDs of Ceph, or both. A source that is
// nil is not used. With a Fence, this rule judges the services, and nothing is diagnosed.
type Sources struct {
	Hosts, Services Open
	Fence           *Fence
}

// ExperimentsOutcome is the result of the diagnosis of a run.
type ExperimentsOutcome struct {
	testbed.Truth
	Outcome
	Onsets []Onset // onsets of the incidents that name the right server
	// SuspectSeconds and IncidentSeconds are the times from the start of the fault until its server
	// was a suspect and had an incident; NaN: it never did.
	SuspectSeconds, IncidentSeconds float64
}

// newExperimentsOutcome returns the outcome of a run in which no server is blamed yet.
func newExperimentsOutcome(t *testbed.Truth) *ExperimentsOutcome {
	o := &ExperimentsOutcome{Truth: *t, SuspectSeconds: math.NaN(), IncidentSeconds: math.NaN()}
	if !t.Fault.Harmless() {
		o.Faulty = []Blame{{Server: t.Server, Cause: string(t.Fault)}}
	}
	return o
}

// late records how long it took to accuse the server.
func (o *ExperimentsOutcome) late(t *testbed.Truth, in *incident.Incident) {
	begin := t.Begin.Unix()
	o.SuspectSeconds = earlier(o.SuspectSeconds, max(float64(in.Suspected-begin), 0))
	o.IncidentSeconds = earlier(o.IncidentSeconds, float64(in.Confirmed-begin))
}

func earlier(a, b float64) float64 {
	if math.IsNaN(a) {
		return b
	}
	return min(a, b)
}

// ExperimentsResult holds the results of all runs.
type ExperimentsResult struct {
	Name  string
	Fence *Fence // the rule that judged the runs; nil: they were diagnosed
	Runs  []ExperimentsOutcome
}

// Evaluate diagnoses the runs one after the other.
func Evaluate(ctx context.Context, name string, runs []testbed.Truth, from Sources, tell func(done, total int)) (*ExperimentsResult, error) {
	r := &ExperimentsResult{Name: name, Fence: from.Fence}
	for i := range runs {
		o, err := from.evaluate(ctx, &runs[i])
		if err != nil {
			return nil, fmt.Errorf("run %s cannot be evaluated: %w", runs[i].Run, err)
		}
		r.Runs = append(r.Runs, *o)
		if tell != nil {
			tell(i+1, len(runs))
		}
	}
	return r, nil
}

// evaluate diagnoses a run. If an incident of the hosts explains an incident of a service, the
// incident of the service is not counted.
func (from *Sources) evaluate(ctx context.Context, t *testbed.Truth) (*ExperimentsOutcome, error) {
	if from.Fence != nil {
		return from.Fence.evaluate(ctx, t, from.Services)
	}
	o := newExperimentsOutcome(t)
	var hosts *diagnosedRun
	if from.Hosts != nil {
		var err error
		if hosts, err = diagnosed(ctx, t.Run, from.Hosts); err != nil {
			return nil, err
		}
		if err := o.judge(t, hosts, nil); err != nil {
			return nil, err
		}
	}
	if from.Services == nil {
		return o, nil
	}
	services, err := diagnosed(ctx, t.Run, from.Services)
	if err != nil {
		return nil, err
	}
	return o, o.judge(t, services, func(in *incident.Incident) (kind string, ok bool) {
		if in.Kind == finding.FullFileSystem {
			return string(in.Kind), true // only the service knows how much space it has
		}
		if hosts == nil {
			return slowService, true
		}
		e := hosts.hosts.Explain(&services.system.Components[in.Members[0].Component], in.Onset.At, in.Last)
		switch {
		case e.Incident != nil:
			return "", false
		case e.Cause == servicecause.Service:
			return slowDaemon, true
		case e.Cause == servicecause.Device:
			return string(in.Kind), true
		}
		return slowService, true
	})
}

// networkPauses is the cause of an incident of a server that pauses because its network link is
// down repeatedly.
const networkPauses = "network pauses"

// causeOf returns the cause that an incident reports: its kind, or networkPauses.
func causeOf(in *incident.Incident) string {
	if cause, _ := finding.LongestPause(in.Evidence); in.Kind == finding.Pauses && cause == table.ByNetwork {
		return networkPauses
	}
	return string(in.Kind)
}

// Causes of an incident of a service: its daemon is slow and its device is not, or one of the two
// is slow.
const (
	slowDaemon  = "slow daemon"
	slowService = "slow service"
)

// rightName reports whether a reported cause is right for a fault.
func rightName(f testbed.Fault, kind string) bool {
	switch kind {
	case networkPauses:
		return f == testbed.LinkFlap
	case slowDaemon:
		return f.OfDaemon()
	case slowService:
		return f.OfDaemon() || f.OfDisk()
	}
	return slices.Contains(f.Kinds(), finding.Kind(kind))
}

// diagnosedRun is the result of a diagnosis.
type diagnosedRun struct {
	system    *topology.System
	incidents []incident.Incident
	hosts     *servicecause.Hosts
}

// diagnosed diagnoses a run.
func diagnosed(ctx context.Context, run string, open Open) (*diagnosedRun, error) {
	d, err := open(ctx, run)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	engine, err := engine.New(d.Options, d.System, d.Stream.Schema(), nil, engine.NoListener{})
	if err != nil {
		return nil, err
	}
	hosts := servicecause.New(d.System, d.Stream.Schema(), d.Options.Criteria.ClearTimes)
	for {
		row, err := d.Stream.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		hosts.Row(row)
		engine.Push(row)
	}
	engine.Finish()
	r := &diagnosedRun{d.System, engine.Summary(incident.BySeverity).Incidents, hosts}
	hosts.Finish(r.incidents)
	return r, nil
}

// judge compares incidents with the truth. An incident that is reported as harmless blames no
// server. If say is not nil, it returns the cause of an incident, and whether the incident accuses
// a server. If say is nil, every incident accuses, with the cause of causeOf.
func (o *ExperimentsOutcome) judge(t *testbed.Truth, run *diagnosedRun, say func(*incident.Incident) (string, bool)) error {
	if t.Server != "" && !t.Fault.ByClient() && !slices.Contains(run.system.Servers, t.Server) {
		return fmt.Errorf("the truth file names server %s, but the topology does not have this server: give the topology file of these runs", t.Server)
	}
	for i := range run.incidents {
		in := &run.incidents[i]
		kind, accuses := causeOf(in), !in.Harmless()
		if accuses && say != nil {
			kind, accuses = say(in)
		}
		if accuses {
			o.accuse(t, in, kind, accused(run.system, in))
		}
	}
	return nil
}

// accuse counts an incident. A right cause is counted under the name of the fault. An accusation
// before the start of the fault is false. If the fault is harmless, an incident of its server is not
// counted: a brick that is being healed, for example, does more work than its peers.
func (o *ExperimentsOutcome) accuse(t *testbed.Truth, in *incident.Incident, kind string, servers []string) {
	for _, s := range servers {
		b := Blame{Server: s, Cause: kind}
		switch {
		case s != t.Server:
		case in.Confirmed < t.Begin.Unix():
			b.Server += " (before the fault)"
		case t.Fault.Harmless():
			continue
		default:
			if rightName(t.Fault, kind) {
				b.Cause = string(t.Fault)
			}
			o.late(t, in)
			o.Onsets = append(o.Onsets, onsetOf(in, t.Begin))
		}
		o.Indicted = append(o.Indicted, b)
	}
}

// accused returns the servers that an incident accuses: the server where it is, or the servers of
// its components. If a client is the reason, the incident accuses the client.
func accused(system *topology.System, in *incident.Incident) []string {
	if i := slices.IndexFunc(in.Evidence, func(e finding.Evidence) bool { return e.Client != "" }); i >= 0 {
		return []string{in.Evidence[i].Client}
	}
	if in.Place.Tier == blame.Server {
		return []string{in.Place.Name}
	}
	var all []string
	for _, m := range in.Members {
		if s := system.Components[m.Component].Server; s != "" && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	if all == nil {
		all = append(all, in.Place.Name)
	}
	slices.Sort(all)
	return all
}

// accusations returns a short text with the accused servers and causes of a run.
func (o *ExperimentsOutcome) accusations() string {
	var all []string
	for _, b := range o.Indicted {
		all = append(all, b.Server+" "+b.Cause)
	}
	if all == nil {
		return "nobody"
	}
	return strings.Join(all, ", ")
}
