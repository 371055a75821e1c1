package client

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/picture"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/server/api"
)

// sentences prints times as the server does, in UTC.
var sentences = &sentence.Writer{}

// Table prints incidents, a line each, under the headings of a report.
func Table(w io.Writer, list *api.IncidentList) error {
	fmt.Fprintln(w, list.Verdict)
	if list.Stale != "" {
		fmt.Fprintln(w, list.Stale)
	}
	sections := make([][]document.Incident, sentence.NumSections)
	for i, name := range api.Sections() {
		for _, r := range list.Incidents {
			if r.Section == name {
				if text := muted(&r); text != "" {
					r.Incident.Title += ", " + text
				}
				sections[i] = append(sections[i], r.Incident)
			}
		}
	}
	sections[sentence.Suspected] = append(sections[sentence.Suspected], list.Suspects...)
	var out strings.Builder
	tw := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for i, incidents := range sections {
		if len(incidents) > 0 {
			fmt.Fprintf(tw, "\n%s\n", sentence.Section(i))
		}
		for j := range incidents {
			in := &incidents[j]
			fmt.Fprintf(tw, "  %s\t%s\t%s\n", orDash(in.ID), orDash(slower(in)), in.Title)
		}
	}
	if n := list.LeftOut; n > 0 {
		fmt.Fprintf(tw, "\n%s not listed, because %s over, harmless or muted. To list all incidents, add --all.\n",
			english.Count(n, "more incident")+english.Verb(n, " is", " are"), english.Verb(n, "it is", "they are"))
	}
	if list.Next != "" {
		fmt.Fprintf(tw, "\nThe list is too long, so some incidents are not listed. To list the incidents of one component, add --component NAME.\n")
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// muted returns who muted an incident and until when, as a continuation of its title; empty: the
// incident is not muted.
func muted(r *api.Record) string {
	if !r.Incident.Muted {
		return ""
	}
	text := "muted"
	if r.MutedBy != "" {
		text += " by " + r.MutedBy
	}
	if r.MutedUntil == 0 {
		return text + " until an operator unmutes it"
	}
	return text + " until " + sentences.Time(int64(r.MutedUntil))
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// slower returns how many times slower than its peers a component is, in the same words as the
// headline of its incident.
func slower(in *document.Incident) string {
	if in.TimesSlower.IsZero() {
		return ""
	}
	return english.Quantity(float64(in.TimesSlower), "times")
}

// Show prints an incident as in a report, and the commands of operators. A bar shows how many times
// slower than its peers the component is, with the confidence interval.
func Show(w io.Writer, k *api.Kept, style picture.Style) {
	in := &k.Incident
	fmt.Fprintf(w, "%s [%s]\n  %s.\n", in.Title, in.ID, in.Headline)
	if bar := picture.Ratio(style, float64(in.TimesSlower), float64(in.Low), float64(in.High)); bar != "" {
		fmt.Fprintf(w, "  %s  %s %s, %s its peers\n", bar, string(style.Value()), in.Place.Name, string(style.Median()))
	}
	for _, text := range []string{in.Again, k.Stale} {
		if text != "" {
			fmt.Fprintf(w, "  %s\n", text)
		}
	}
	for _, why := range in.Because {
		fmt.Fprintf(w, "  - %s\n", why)
	}
	for _, x := range in.RuledOut {
		fmt.Fprintf(w, "  %s\n", &sentence.Excluded{What: x.What, Why: x.Why})
	}
	for _, x := range in.NotChecked {
		fmt.Fprintf(w, "  %s\n", &sentence.Excluded{What: x.What, Why: x.Why, NotChecked: true})
	}
	for i := range in.Next {
		step := sentence.Step(in.Next[i])
		fmt.Fprintf(w, "  %s%s\n", map[bool]string{true: "Next: ", false: "      "}[i == 0], &step)
	}
	for _, line := range in.Action.Proposal().Lines() {
		fmt.Fprintf(w, "  %s\n", line)
	}
	for i := range k.Actions {
		fmt.Fprintf(w, "  %s\n", ActionLine(&k.Actions[i]))
	}
	if text := muted(&k.Record); text != "" {
		fmt.Fprintf(w, "  This incident is %s.\n", text)
	}
	if k.Was != nil {
		fmt.Fprintf(w, "  True cause: %s.\n", strings.TrimSuffix(k.Was.Text, "."))
	}
	heading(w, "Events", len(k.Events))
	for _, e := range k.Events {
		fmt.Fprintf(w, "  %s\n", e.Text)
	}
	heading(w, "Comments and commands of operators", len(k.Said))
	for _, s := range k.Said {
		fmt.Fprintf(w, "  %s %s: %s\n", sentences.Time(int64(s.Time)), s.User, phrase(&s))
	}
}

func heading(w io.Writer, text string, lines int) {
	if lines > 0 {
		fmt.Fprintf(w, "\n%s\n", text)
	}
}

// phrase returns a command of an operator in words.
func phrase(s *api.Said) string {
	text := string(s.Verb)
	if s.Verb == command.Mute && s.Until != 0 {
		text += " until " + sentences.Time(int64(s.Until))
	}
	if s.Text != "" {
		text += fmt.Sprintf(" %q", s.Text)
	}
	return text
}
