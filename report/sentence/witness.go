package sentence

import (
	"fmt"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/report/witness"
	"github.com/limpet-storage/limpet/topology"
)

// nearSeconds is how far from the onset of an incident a witness may speak of it: an
// hour, in which what failed first and what follows from it fall.
const nearSeconds = 3600

// Witnessed says what drives and kernels say of the components of an incident near
// its onset, and which explanation that supports or weakens.
func (v *Writer) Witnessed(in *incident.Incident) []string {
	if v.Witnesses == nil {
		return nil
	}
	from, to := in.Onset.Early-nearSeconds, in.Onset.Late+nearSeconds
	var lines []string
	for _, c := range mostWitnesses(components(in.Members)) {
		part := v.of(c)
		for _, a := range v.Witnesses.Of(part, from, to) {
			lines = append(lines, v.account(in, part.Name, &a))
		}
	}
	for _, server := range v.serversOf(components(in.Members)) {
		around := v.Witnesses.Around(server, v.knows(server), from, to)
		for i := range around {
			lines = append(lines, v.account(in, "another device of "+server, &around[i]))
		}
		if len(lines) == 0 && v.Witnesses.Covers(server, in.Onset.At) {
			lines = append(lines, fmt.Sprintf("witness: the kernel of %s logged nothing of its drives within an hour of the onset%s", server, quiet[in.Kind]))
		}
	}
	return lines
}

// mostWitnesses are the members that are worst: more lines nobody reads.
func mostWitnesses(members []int) []int {
	const most = 8
	return members[:min(len(members), most)]
}

// knows says of a device of a server whether it is a component.
func (v *Writer) knows(server string) func(device string) bool {
	return func(device string) bool {
		_, ok := v.System.Find(server, topology.Device{Name: device})
		return device != "" && ok
	}
}

// account says what a witness says, where it stands, and what it means here.
func (v *Writer) account(in *incident.Incident, of string, a *witness.Account) string {
	text := "witness: " + saw[a.Sign](a) + " of " + of
	stamp := v.minute()
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

// saw says what a sign is.
var saw = [witness.NumSigns]func(*witness.Account) string{
	witness.MediaError: counted("media error"), witness.IOError: counted("I/O error"), witness.Rejected: counted("rejected request"),
	witness.TaskAbort: counted("task abort"), witness.Timeout: counted("timeout"), witness.LinkReset: counted("reset"),
	witness.Reallocated: counted("reallocated sector"), witness.Unstable: counted("pending sector"), witness.LinkErrors: counted("CRC error"),
	witness.Failing: func(*witness.Account) string { return "a SMART status of failing" },
	witness.Worn:    func(a *witness.Account) string { return fmt.Sprintf("%g %% of its life used", a.Value) },
	witness.Hot: func(a *witness.Account) string {
		if a.Snapshot {
			return fmt.Sprintf("%g °C", a.Value)
		}
		return english.Count(a.Times, "warning of heat")
	},
	witness.Sound: func(*witness.Account) string {
		return "a sound SMART status, without media errors or reallocated sectors,"
	},
}

// quiet is what silence means for a kind.
var quiet = map[finding.Kind]string{
	finding.SlowDrive: ": weakens a failing drive", finding.SlowTail: ": weakens a failing drive", finding.DiskBusy: ": weakens a failing drive",
	finding.LostAttachment: ": weakens a fault of the path, and speaks for a change of the configuration",
}

// meant is what a sign means for a kind of incident.
func meant(k finding.Kind, s witness.Sign) string {
	drive := k == finding.SlowDrive || k == finding.SlowTail || k == finding.DiskBusy || k == finding.SingleLUN || k == finding.StalledRequests || k == finding.SharedSlowness || k == finding.DrawerError
	switch s {
	case witness.Sound:
		if drive {
			return ": weakens a failing drive"
		}
		return ""
	case witness.LinkReset, witness.LinkErrors:
		if drive {
			return ": supports a fault of its link, cable or backplane"
		}
	case witness.Hot:
		if drive {
			return ": supports heat as the cause"
		}
	}
	switch {
	case k == finding.LostAttachment && (s == witness.Rejected || s == witness.LinkReset || s == witness.TaskAbort || s == witness.Timeout || s == witness.IOError):
		return ": supports a fault of the path"
	case drive:
		return ": supports a failing drive"
	case k == finding.DiskHog || k == finding.WorkloadImbalance:
		return ": weakens load as the only cause"
	}
	return ""
}
