package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/servicecause"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/tables"
	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/printable"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/report/outcome"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology"
)

// The bounds of --false-incidents in a year: one in ten thousand years, and three a day.
const rarestIncidents, mostIncidents = 1e-4, 1000

// longestCost is the largest --cost, and longestOver the largest --over.
const longestCost, longestOver = 365 * 24 * time.Hour, 7 * 24 * time.Hour

type diagnoseFlags struct {
	sourceFlags
	noticeFlags
	model, feedback, format, page string
	policy                        string
	order                         string
	top                           int
	falseIncidents, smallest      float64
	cost, over                    time.Duration
	lists, why                    bool
	study                         string
	witnesses                     []string
	hosts                         []string
}

func newDiagnose() *cobra.Command {
	var f diagnoseFlags
	cmd := &cobra.Command{
		Use:   "diagnose PATH... | --store URL",
		Short: "compare components with their peers and report the slow components",
		Long: `Compare every component with its peers and report the components that limp:
components that work, but slowly. Each problem is one incident: the component to
repair, its fault, the start of the fault, and the evidence. PATH is an activity
file of sysstat, or a directory of activity files, from any number of servers and
days (plain, .xz, .zst, .gz). With --tables, PATH is a table. With --store, the data
come from your own store of metrics, such as Prometheus with node_exporter.

One run does two checks. The first check finds components that limp. It adds up how
much slower a component is than its peers. A component that is clearly slow for a
long time has an incident. --list shows the slowest components hour by hour. The
second check finds servers with a faulty disk or network. It needs activity files
with network interfaces, best with a sample every second. It compares the drives,
interfaces and connections of the servers, and distinguishes four faults: a disk hog
(a program other than the storage uses the disk), a busy disk (the disk needs longer
for the same work), a network hog (traffic that clients do not cause) and packet
loss. No training is needed. Give the files of the clients too: only these files show
packet loss between clients and a server.

--method chooses the checks: default does both, servers does only the second. l13 and
f10 are the methods of two papers, without changes (Kasick et al., LISA 2013 and FAST
2010). f10 needs a model that was learned from runs without faults.`,
		Example: `  limpet diagnose /var/log/sysstat/sa*
  limpet diagnose --topology intrepid.yaml --html report.html /data/2011-05-09
  limpet diagnose --topology intrepid.yaml --list --metric await,rd_sec /data
  limpet diagnose --tables examples/perseus.yaml cluster_A
  limpet diagnose --tables iostat iostat-*.txt
  limpet diagnose --store http://prometheus:9090 --since 24h
  limpet diagnose --topology pfs.yaml /data/pfs
  limpet diagnose --method f10 --topology pfs.yaml --model pfs.json /data/pfs
  limpet diagnose --model day.json --feedback repairs.txt --format json DIR`,
		Args: f.orStore(func(cmd *cobra.Command, args []string) error {
			if err := tablesDirectory(f.tables); err != nil {
				return err
			}
			return paths("activity files, a directory of activity files, or --store URL")(cmd, args)
		}),
		RunE: f.run,
	}
	f.sourceFlags.bind(cmd)
	f.noticeFlags.bind(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.model, "model", "", "`FILE` with a model, which limpet train wrote (default: no model)")
	fs.StringVar(&f.feedback, "feedback", "", "`FILE` with operators' commands, one on each line: TIME resolve|accept|mute|unmute COMPONENT, or TIME comment COMPONENT TEXT. accept treats the present speed as normal")
	fs.StringVar(&f.policy, "policy", "", "`FILE` with a policy. The report then shows for each incident which command would keep requests away from the slow component, or why no command is possible. limpet does not run the command (default: no policy)")
	fs.StringVarP(&f.format, "format", "o", "text", "`FORMAT`: "+strings.Join(report.Formats(), ", "))
	fs.StringVar(&f.page, "html", "", "also write an HTML page with the evidence to `FILE`")
	fs.BoolVar(&f.servers, "servers", false, "only check the disks and networks of servers (same as --method servers)")
	fs.StringVar(&f.order, "order", string(incident.Combined), "`ORDER` of incidents: "+orders())
	fs.BoolVar(&f.why, "why", false, "show all components and all evidence of each incident")
	fs.BoolVar(&f.lists, "list", false, "also print a list of the slow components for each hour. The component that was slow for the longest time comes first")
	fs.StringVar(&f.study, "study", "", "`FILE` with the result of limpet study --format json about your own drives. The advice then states how soon slow drives recover, according to this result (default: the figures of the paper The Tail at Store, 2016)")
	fs.StringArrayVar(&f.witnesses, "witness", nil, "`FILE` or directory with the output of smartctl or the kernel's log (dmesg -T, journalctl -k, kern.log). Name the file after its server, such as fs1 or fs1.log. The report shows matching lines of the file next to the evidence; these lines do not change the verdict. The flag may be repeated")
	fs.StringArrayVar(&f.hosts, "hosts", nil, "with --tables of services, such as the OSDs of Ceph: `PATH` of the activity files of their hosts. The report then says whether the device, the network, the server or the service itself is slow. --topology is the topology of the hosts. The flag may be repeated")
	f.top = engine.DefaultOptions().Top
	fs.Var(bounded.Int(&f.top, 1, mostPeers, "lines"), "top", "number of `lines` in each list that --list prints")
	f.falseIncidents = engine.DefaultOptions().Criteria.FalseIncidentsPerYear
	fs.Var(bounded.Float(&f.falseIncidents, rarestIncidents, mostIncidents, "incidents"), "false-incidents", "number of false `incidents` that you accept in a year, for the whole storage system. With a smaller number, slightly slow components are reported later")
	f.smallest = engine.DefaultOptions().Criteria.SmallestTimes
	fs.Var(bounded.Float(&f.smallest, 1.02, 10, "times"), "smallest", "report a component that is at least this many `times` slower than its peers")
	f.cost = time.Duration(engine.DefaultOptions().Criteria.CostSeconds * float64(time.Second))
	fs.Var(bounded.Duration(&f.cost, time.Millisecond, longestCost), "cost", "a slow component has no incident until the extra time of all its requests, compared with the requests of its peers, adds up to this `time`. It must also last long enough for its size: see limpet help decides")
	f.over = time.Duration(engine.DefaultOptions().Criteria.OverSeconds) * time.Second
	fs.Var(bounded.Duration(&f.over, time.Second, longestOver), "over", "an incident is over after this `time` without a sign of the problem")
	return cmd
}

func (f *diagnoseFlags) run(cmd *cobra.Command, paths []string) error {
	switch f.tables {
	case presetHelp:
		return printPresets(cmd.OutOrStdout(), paths)
	case presetDraft:
		return printDraft(cmd.OutOrStdout(), paths)
	}
	if f.series == presetHelp {
		return printSeries(cmd.OutOrStdout(), paths)
	}
	model, err := f.check(cmd)
	if err != nil {
		return err
	}
	hosts, aboutHosts, warnings, err := f.diagnoseHosts(cmd)
	if err != nil {
		return err
	}
	src, o, err := f.open(cmd, paths)
	if err != nil {
		printWarnings(cmd.ErrOrStderr(), warnings)
		return f.refused(err)
	}
	defer src.Close()
	o.Top = f.top
	c := &o.Criteria
	c.FalseIncidentsPerYear, c.SmallestTimes, c.CostSeconds, c.OverSeconds = f.falseIncidents, f.smallest, f.cost.Seconds(), int64(f.over/time.Second)
	c.RecoverSeconds = min(c.RecoverSeconds, c.OverSeconds)
	watch, err := f.watch(src.System())
	if err != nil {
		return err
	}
	commands, aboutFeedback, err := readFeedback(f.feedback, src.System())
	if err != nil {
		return err
	}
	warnings = append(warnings, aboutFeedback...)
	d := diagnosis{
		src: src, subject: f.subject(cmd, src, o), model: model, commands: commands, page: f.page, order: incident.Order(f.order), choice: f.aboutOnly(),
	}
	d.subject.Trained, d.subject.Inputs = model != nil, paths
	if d.subject.Policy, err = readPolicy(f.policy); err != nil {
		return err
	}
	if d.subject.Outlook, err = readOutlook(f.study); err != nil {
		return err
	}
	heard, err := findWitnesses(f.witnesses)
	if err != nil {
		return err
	}
	if d.hosts = hosts == nil && src.System().HasServices(); d.hosts {
		hosts = servicecause.New(src.System(), src.Schema(), o.Criteria.ClearTimes)
	}
	d.subject.Witnesses, d.subject.Hosts = heard.record, hosts
	f.join(&d.subject, aboutHosts)
	out, err := f.printout(cmd, d.subject)
	if err != nil {
		return usageError{err}
	}
	summary, err := d.run(cmd, report.Several(out.Writer, watch))
	if err != nil {
		printWarnings(cmd.ErrOrStderr(), append(warnings, whyNothing(err, src)...))
		return errors.Join(f.refused(err), out.to.Flush()) // print the findings so far
	}
	warnings = append(warnings, notAccepted(f.feedback, commands, src.System(), summary.Incidents)...)
	warnings = append(warnings, heard.read(summary.To, f.zone)...)
	summary.Warnings = append(warnings, summary.Warnings...)
	err = f.tell(cmd, &d, out, summary, watch.Outcome(&o, &summary.Summary))
	return errors.Join(err, f.printHosts(cmd.OutOrStdout(), aboutHosts))
}

// subject returns the subject of the report.
func (f *diagnoseFlags) subject(cmd *cobra.Command, src ingest.Source, o engine.Options) report.Subject {
	return report.Subject{
		System: src.System(), Schema: src.Schema(), Options: o, Version: version(),
		Columns: columns(cmd.OutOrStdout()), Pictures: pictures(cmd.OutOrStdout()), Lists: f.lists, Why: f.why, Choice: &f.choice, Zone: f.zone,
	}
}

// A printout is a report for standard output. It is printed at the end, because limpet prints no
// report if there is nothing to report. With --list, it is printed as it grows.
type printout struct {
	report.Writer
	whole bytes.Buffer
	to    *bufio.Writer
}

func (f *diagnoseFlags) printout(cmd *cobra.Command, s report.Subject) (p *printout, err error) {
	p = &printout{to: bufio.NewWriterSize(cmd.OutOrStdout(), 1<<20)}
	var w io.Writer = &p.whole
	if f.lists {
		w = p.to
	}
	if f.format == "text" {
		w = printable.NewWriter(w) // names from files may contain control characters
	}
	p.Writer, err = report.New(f.format, w, s)
	return p, err
}

// tell prints the report and the warnings, and then writes the files.
func (f *diagnoseFlags) tell(cmd *cobra.Command, d *diagnosis, p *printout, s report.Summary, o outcome.Outcome) error {
	all := s
	f.choice.Trim(&s.Summary, o)
	err := p.Finish(s)
	err = errors.Join(err, f.print(p.to, &p.whole, f.format == "text", f.zoneFlag, o), p.to.Flush())
	if !f.choice.HasNothing(o) {
		printWarnings(cmd.ErrOrStderr(), f.warnings(d.subject.Sentences(), &s, o))
	}
	if err = errors.Join(err, writeOutputs(cmd.Context(), d.output(all))); err == nil {
		err = f.remember(cmd.Context(), &all.Summary, o)
	}
	return cmp.Or(err, f.code(o))
}

// warnings returns the warnings that are printed beside the report. With --quiet, only the sentences
// about servers without data that limpet can use remain, unless nothing could be judged. A report as
// text has these sentences itself.
func (f *diagnoseFlags) warnings(v *sentence.Writer, s *report.Summary, o outcome.Outcome) []string {
	isText := f.format == "text"
	switch {
	case f.quiet && o != outcome.Unjudged && isText:
		return nil
	case f.quiet && o != outcome.Unjudged:
		return sentence.Silences(v, s.Silent)
	case isText:
		return s.Beside()
	}
	return s.Warnings
}

// check checks the flags before any data are read, and reads the model.
func (f *diagnoseFlags) check(cmd *cobra.Command) (*persistence.Model, error) {
	if !slices.Contains(report.Formats(), f.format) {
		return nil, usageError{fmt.Errorf("format %q is unknown: use one of %s", f.format, strings.Join(report.Formats(), ", "))}
	}
	if err := f.chooseMethod(cmd); err != nil {
		return nil, usageError{err}
	}
	if !slices.Contains(incident.Orders(), incident.Order(f.order)) {
		return nil, usageError{fmt.Errorf("order %q is unknown: use one of %s", f.order, orders())}
	}
	if o, err := engine.Preset(f.method); err == nil && o.HasQuestion(engine.Checklist) && f.model == "" {
		return nil, usageError{fmt.Errorf("method %s needs --model FILE. To make this file, run limpet train --method %s on data without faults", f.method, f.method)}
	}
	if err := f.noticeFlags.check(f.lists); err != nil {
		return nil, err
	}
	if err := foresee(cmd, output{flag: "html", path: f.page}, output{flag: "changes", path: f.changes}); err != nil {
		return nil, err
	}
	return readModel(f.model)
}

// orders returns the names of the orders of incidents, for messages.
func orders() string {
	var names []string
	for _, o := range incident.Orders() {
		names = append(names, string(o))
	}
	return strings.Join(names, ", ")
}

// diagnosis is one run over a source.
type diagnosis struct {
	src      ingest.Source
	subject  report.Subject
	model    *persistence.Model
	commands []command.Command
	page     string
	order    incident.Order
	marks    []report.Mark // faults that the HTML page marks
	choice   report.Choice // incidents that the HTML page shows
	evidence *report.Evidence
	hosts    bool // the system has services and their hosts, so subject.Hosts gets the rows
}

// run diagnoses the source, and sends the results to w. If a page is wanted, run keeps the
// evidence.
func (d *diagnosis) run(cmd *cobra.Command, w engine.Listener) (report.Summary, error) {
	var summary report.Summary
	stream, progress := withProgress(cmd, d.src)
	if d.hosts {
		stream = &hostRows{stream, d.subject.Hosts}
	}
	if d.page != "" {
		subject := d.subject
		subject.Choice = d.choice
		d.evidence = report.NewEvidence(subject)
		d.evidence.Mark(d.marks...)
		w = report.Several(w, d.evidence)
		stream = d.evidence.Watch(stream)
	}
	engine, err := engine.New(d.subject.Options, d.subject.System, d.subject.Schema, d.model, w)
	if err != nil {
		return summary, err
	}
	engine.Plan(d.commands)
	err = engine.Run(stream)
	progress.done()
	if err != nil {
		return summary, err
	}
	s := report.Summary{Summary: engine.Summary(d.order)}
	if d.hosts {
		d.subject.Hosts.Finish(s.Incidents)
	}
	s.AddWarnings(d.warnings())
	return s, nil
}

// output returns the HTML page as an output.
func (d *diagnosis) output(s report.Summary) output {
	return output{flag: "html", path: d.page, write: func(w io.Writer) error { return d.evidence.Write(w, s) }}
}

// warnings returns the warnings of source, topology and model.
func (d *diagnosis) warnings() []topology.Warning {
	all := d.src.Warnings()
	if d.model != nil {
		all = append(all, d.model.Untrained(d.subject.System, d.subject.Options.Metrics)...)
	}
	return all
}

func readModel(name string) (*persistence.Model, error) {
	if name == "" {
		return nil, nil
	}
	data, err := bounded.ReadFile(name, bounded.MaxModel, "a model")
	if err != nil {
		return nil, err
	}
	model, err := persistence.ParseModel(name, data)
	return model, explainWrongFile(name, err, tables.OwnModel)
}

// readFeedback reads operators' commands from a feedback file. A wrong line is only a
// warning: a drive that was taken out last month must not stop tonight's diagnosis.
func readFeedback(name string, s *topology.System) ([]command.Command, []string, error) {
	if name == "" {
		return nil, nil, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	commands, err := command.Parse(name, file, s)
	if err == nil {
		return commands, nil, nil
	}
	if other := explainWrongFile(name, err, tables.OwnFeedback); other != err && len(commands) == 0 {
		return nil, nil, other
	}
	return commands, strings.Split(err.Error(), "\n"), nil
}

// notAccepted returns a warning for each command accept of a feedback file that is about an incident
// and does not end it.
func notAccepted(name string, commands []command.Command, s *topology.System, found []incident.Incident) (warnings []string) {
	for i := range commands {
		c := &commands[i]
		if c.Verb != command.Accept {
			continue
		}
		if in := incident.NotAccepted(incident.OpenAt(found, c.Time), c.Name, c.Numbers(s)); in != nil {
			warnings = append(warnings, fmt.Sprintf("%s: the line \"%s accept %s\" does not end incident %s (%s): limpet can accept only an incident \"slower than before\", \"changed workload\" or \"noisy neighbour\". "+
				"To list the incident after all others, write mute instead of accept",
				name, time.Unix(c.Time, 0).UTC().Format(time.RFC3339), c.Name, in.ID, sentence.KindName(in.Kind)))
		}
	}
	return warnings
}
