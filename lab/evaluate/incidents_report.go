package evaluate

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/report/page"
)

// Report returns the faults that became an incident, and the other incidents.
func (r *IncidentsResult) Report(*Published) *Report {
	t := &incidentsReport{r: r}
	o := &r.Options
	t.doc = page.New(page.Options{
		Title: "Incidents, simulated",
		Subtitle: fmt.Sprintf("%d simulated runs of a storage system like the system of the supercomputer Intrepid (first seed: %d). limpet diagnosed the runs from %s with default settings, without training",
			len(r.Trials), o.System.Seed, strings.Join(o.Diagnose.Metrics, ", ")),
		Footer: "limpet evaluate incidents",
	})
	t.doc.Section("How to read this", page.Text(
		"A device is a component with a fault. A device is found if an incident names this component and this kind of fault while the fault lasts "+
			fmt.Sprintf("or within %s after the end of the fault, because time windows contain data of the fault until then. ", clock(float64(memory(&o.Diagnose.Detect))))+
			"A silent server also counts as found if its incident has the kind lost paths. The delay is the time from the start of the fault to the confirmation of the incident. "+
			"Any other incident is wrong, unless it correctly states that the load comes from the server itself, or that a LUN may be rebuilding a drive."))
	for _, experiment := range o.Experiments {
		switch trials := r.of(experiment); experiment {
		case EventsExperiment:
			t.events(trials)
		case ConcurrentExperiment:
			t.concurrent(trials)
		case QuietExperiment:
			t.quiet(trials)
		}
	}
	return &Report{Page: t.doc, Figures: t.all}
}

type incidentsReport struct {
	r   *IncidentsResult
	all []Figure
	doc *page.Page
}

func (t *incidentsReport) add(f Figure) Figure {
	f.Study, f.System, f.Method = "incidents", "intrepid", t.r.Options.Diagnose.Detect.Method
	t.all = append(t.all, f)
	return f
}

// plain adds a figure that no paper has.
func (t *incidentsReport) plain(subject, condition, name, unit string, value float64, n int) Figure {
	return t.add(Figure{Subject: subject, Condition: condition, Name: name, Unit: unit, Value: value, Paper: math.NaN(), N: n})
}

// events adds the hours until each event was an incident, with the hours of the paper.
func (t *incidentsReport) events(trials []Trial) {
	table := page.Table{Columns: []page.Column{
		{Name: "start (UTC)"},
		{Name: "event"},
		{Name: "kind of event"},
		{Name: "found", Numeric: true},
		{Name: "wrong", Numeric: true},
		{Name: "first device, h", Numeric: true},
		{Name: "all devices, h", Numeric: true},
		{Name: "paper, h", Numeric: true},
	}}
	for i := range trials {
		table.Rows = append(table.Rows, t.event(&trials[i]))
	}
	t.doc.Section("Events (paper L13, Tables 4 to 7)", page.Text(
		"Each run starts a day before the start of the event and ends two days after the start of the event. “Found” counts devices, “wrong” counts incidents. "+
			"“First device” is the number of hours until the first device of the event had an incident. “All devices” is the number of hours until all devices of the event had incidents. “Paper” is the number of hours in the paper. "+
			"The events of the paper (L13) happened on a real storage system and were judged by people. These runs are simulated."),
		table, page.Text(t.eventsInWords(trials)), eventDots(trials))
	t.wrong("Wrong results for the events", trials)
}

// event returns the row of one event.
func (t *incidentsReport) event(trial *Trial) []page.Cell {
	first, all := trial.latency()
	at, of := trial.Event.At.UTC(), strings.Join(trial.Event.Components, ", ")
	condition := at.Format("2006-01-02T15:04Z")
	t.plain(of, condition, "devices found", "devices", float64(trial.Found()), len(trial.Devices))
	t.plain(of, condition, "wrong incidents", "incidents", float64(len(trial.Wrong())), len(trial.Incidents))
	t.plain(of, condition, "time to the incident of the first device", "h", first, len(trial.Devices))
	t.add(Figure{Subject: of, Condition: condition, Name: "time to the incidents of all devices", Unit: "h", Value: all, Paper: trial.Paper, Source: trial.Source, N: len(trial.Devices)})
	return page.Cells(at.Format("2006-01-02 15:04"), of, string(trial.Event.Category),
		fmt.Sprintf("%d of %d", trial.Found(), len(trial.Devices)), fmt.Sprint(len(trial.Wrong())), fixed(first, 1), fixed(all, 1), brief(trial.Paper))
}

func eventDots(trials []Trial) page.Dots {
	ours, paper := page.DotSeries{Name: "incidents, simulated"}, page.DotSeries{Name: "paper, measured", Role: page.Suspect, Ring: true}
	dots := page.Dots{Title: "Hours until all devices of an event were incidents", X: page.Axis{Label: "time from the start of the event", Unit: "h", Scale: page.Log}}
	for i := range trials {
		_, all := trials[i].latency()
		dots.Rows = append(dots.Rows, trials[i].Name())
		ours.Values, paper.Values = append(ours.Values, all), append(paper.Values, trials[i].Paper)
	}
	dots.Series = []page.DotSeries{ours, paper}
	return dots
}

// latency returns the hours from the start of a fault until the first device was named, and until
// all devices were named; NaN: not named.
func (t *Trial) latency() (first, all float64) {
	first, all = math.NaN(), 0
	for i := range t.Devices {
		hours := math.NaN()
		if d := &t.Devices[i]; d.Named {
			hours = d.Latency.Hours()
		}
		if !(first <= hours) && !math.IsNaN(hours) {
			first = hours
		}
		all = math.Max(all, hours) // NaN stays NaN
	}
	return first, all
}

func (t *incidentsReport) eventsInWords(trials []Trial) string {
	exact, sooner := 0, 0
	var hours []float64
	for i := range trials {
		trial := &trials[i]
		_, all := trial.latency()
		if trial.Exact() && trial.Found() == len(trial.Devices) {
			exact++
		}
		if all <= trial.Paper {
			sooner++
		}
		if !math.IsNaN(all) {
			hours = append(hours, all)
		}
	}
	t.plain("all", "events", "events found without a wrong incident", "events", float64(exact), len(trials))
	t.plain("all", "events", "events found no later than in the paper", "events", float64(sooner), len(trials))
	median := t.plain("all", "events", "median time from the fault to the incident", "h", medianOf(hours), len(hours))
	return fmt.Sprintf("There are %d events. Events of which limpet found all devices with the right kinds, and reported no wrong incident: %d. Events found no later than the operator in the paper saw them: %d. The median time from the start of an event to its incidents is %s.",
		len(trials), exact, sooner, clock(3600*median.Value))
}

// quiet adds the incidents of the days without a fault.
func (t *incidentsReport) quiet(trials []Trial) {
	days, wrong, told, doubtful, suspects, unfounded, lunDays := 0, 0, 0, 0, 0, 0, 0
	for i := range trials {
		days += trials[i].Days
		wrong += len(trials[i].Wrong())
		doubts := trials[i].Doubtful()
		told += len(trials[i].Incidents) - len(trials[i].Wrong()) - doubts
		doubtful += doubts
		suspects += trials[i].Suspects
		unfounded += trials[i].Unfounded
		lunDays += trials[i].Days * trials[i].LUNs
	}
	rate := t.plain("all", "quiet", "false incidents", "per 30 days", 30*float64(wrong)/float64(days), days)
	t.plain("all", "quiet", "incidents that are correctly reported as harmless", "incidents", float64(told), days)
	t.plain("all", "quiet", "slow LUNs that are correctly reported as rebuilding a drive", "incidents", float64(doubtful), days)
	perDay := t.plain("all", "quiet", "false suspects", "per day and 1,000 LUNs", 1000*float64(unfounded)/float64(lunDays), days)
	t.doc.Section("Days without a fault", page.Text(fmt.Sprintf(
		"In %s without a fault (%s), the number of false incidents was %d, which is %s per 30 days. There were three harmless causes of slowness in these days: rebuilds of drives, hot files, and workload of the servers themselves. "+
			"Incidents that correctly name one of these harmless causes: %d. Incidents that correctly state that the LUN may be rebuilding a drive: %d. Suspects: %d. Suspects without one of these causes: %d, which is %s per day and 1,000 LUNs.",
		english.Count(days, "day"), english.Count(len(trials), "run"), wrong, brief(math.Round(10*rate.Value)/10), told, doubtful, suspects, unfounded, brief(math.Round(100*perDay.Value)/100))))
	t.wrong("False incidents in runs without a fault", trials)
}

// wrong lists missed faults and wrong incidents, run by run.
func (t *incidentsReport) wrong(title string, trials []Trial) {
	table := page.Table{Columns: []page.Column{{Name: "run"}, {Name: "what is wrong"}, {Name: "component"}, {Name: "confirmed (UTC)"}, {Name: "reported as"}, {Name: "known fault"}}}
	for i := range trials {
		trial := &trials[i]
		for _, d := range trial.Devices {
			if !d.Named {
				table.Rows = append(table.Rows, page.Cells(trial.Name(), "missed", d.Component, "–", "–", d.Text))
			}
		}
		for _, f := range trial.Incidents {
			if f.Verdict == Right || f.Verdict == excused || f.Verdict == doubtful {
				continue
			}
			at := time.Unix(f.Confirmed, 0).UTC().Format("2006-01-02 15:04")
			table.Rows = append(table.Rows, page.Cells(trial.Name(), string(f.Verdict), f.Place.Name, at, string(f.Kind), trial.truth(&f)))
		}
	}
	if len(table.Rows) > 0 {
		t.doc.Section(title, table)
	}
}

// truth returns the fault that an incident belongs to.
func (t *Trial) truth(f *Found) string {
	for _, d := range t.Devices {
		if d.Component == f.Of {
			return d.Text
		}
	}
	if f.Of == "" {
		return "nothing"
	}
	return f.Of
}
