package sentence

import (
	"fmt"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/report/witness"
	"github.com/limpet-storage/limpet/topology"
)

// nearSeconds is the longest time between a statement and the onset of an incident that are shown
// together. A first failure and its consequences happen within an hour.
const nearSeconds = 3600

// Witnessed lists the statements of drives and kernels about the components of an incident near its
// onset, and which explanation they support or weaken.
func (w *Writer) Witnessed(in *incident.Incident) []string {
	if w.Witnesses == nil {
		return nil
	}
	from, to := in.Onset.Early-nearSeconds, in.Onset.Late+nearSeconds
	var lines []string
	for _, c := range mostWitnesses(components(in.Members)) {
		part := w.of(c)
		for _, a := range w.Witnesses.Of(part, from, to) {
			lines = append(lines, w.account(in, part.Name, &a))
		}
	}
	for _, server := range w.serversOf(components(in.Members)) {
		around := w.Witnesses.Around(server, w.knows(server), from, to)
		for i := range around {
			lines = append(lines, w.account(in, "another device of "+server, &around[i]))
		}
		if len(lines) == 0 && w.Witnesses.Covers(server, in.Onset.At) {
			lines = append(lines, fmt.Sprintf("the kernel log of %s has nothing about its drives within an hour of the start of the problem%s", server, quiet[in.Kind]))
		}
	}
	return lines
}

// mostWitnesses returns the worst members, so that the list stays short.
func mostWitnesses(members []int) []int {
	const most = 8
	return members[:min(len(members), most)]
}

// knows returns a function that reports whether a device of a server is a component.
func (w *Writer) knows(server string) func(device string) bool {
	return func(device string) bool {
		_, ok := w.System.Find(server, topology.Device{Name: device})
		return device != "" && ok
	}
}

// account prints statements, their file and line, and their meaning for the incident.
func (w *Writer) account(in *incident.Incident, of string, a *witness.Account) string {
	text := fmt.Sprintf("SMART data and kernel logs: %s: %s", of, signTexts[a.Sign](a))
	stamp := w.minute()
	switch a.First {
	case 0:
	case a.Last:
		text += ", " + stamp.at(a.First)
	default:
		text += fmt.Sprintf(", %s to %s", stamp.at(a.First), stamp.later(a.First, a.Last))
	}
	return text + fmt.Sprintf(" (%s:%d)%s", a.File, a.Line, meant(in.Kind, a.Sign))
}

func counted(noun string) func(*witness.Account) string {
	return func(a *witness.Account) string {
		if a.Snapshot {
			return english.Count(int(a.Value), noun)
		}
		return english.Count(a.Times, noun)
	}
}

// signTexts has a function for each sign that prints the sign.
var signTexts = [witness.NumSigns]func(*witness.Account) string{
	witness.MediaError: counted("media error"), witness.IOError: counted("I/O error"), witness.Rejected: counted("rejected request"),
	witness.TaskAbort: counted("task abort"), witness.Timeout: counted("timeout"), witness.LinkReset: counted("reset"),
	witness.Reallocated: counted("reallocated sector"), witness.Unstable: counted("pending sector"), witness.LinkErrors: counted("CRC error"),
	witness.Failing: func(*witness.Account) string { return "the SMART status is failing" },
	witness.Worn:    func(a *witness.Account) string { return fmt.Sprintf("%g %% of its life used", a.Value) },
	witness.Hot: func(a *witness.Account) string {
		if a.Snapshot {
			return fmt.Sprintf("%g °C", a.Value)
		}
		return english.Count(a.Times, "temperature warning")
	},
	witness.Sound: func(*witness.Account) string {
		return "the SMART status is good, without media errors or reallocated sectors"
	},
}

// quiet has the meaning of a log without statements, by kind.
var quiet = map[finding.Kind]string{
	finding.SlowDrive: ": a sign that the drive is not failing", finding.SlowTail: ": a sign that the drive is not failing", finding.DiskBusy: ": a sign that the drive is not failing",
	finding.LostAttachment: ": a sign of a changed configuration, not of a faulty path",
}

// meant returns the meaning of a sign for a kind of incident.
func meant(k finding.Kind, s witness.Sign) string {
	drive := k == finding.SlowDrive || k == finding.SlowTail || k == finding.DiskBusy || k == finding.SingleLUN || k == finding.StalledRequests || k == finding.SharedSlowness || k == finding.DrawerError
	switch s {
	case witness.Sound:
		if drive {
			return ": a sign that the drive is not failing"
		}
		return ""
	case witness.LinkReset, witness.LinkErrors:
		if drive {
			return ": a sign of a faulty link, cable or backplane"
		}
	case witness.Hot:
		if drive {
			return ": a sign that heat is the cause"
		}
	}
	switch {
	case k == finding.LostAttachment && (s == witness.Rejected || s == witness.LinkReset || s == witness.TaskAbort || s == witness.Timeout || s == witness.IOError):
		return ": a sign of a faulty path"
	case drive:
		return ": a sign of a failing drive"
	case k == finding.DiskHog || k == finding.WorkloadImbalance:
		return ": a sign that load is not the only cause"
	}
	return ""
}
