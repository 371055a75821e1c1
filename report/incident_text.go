package report

import (
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/incident"
)

// incidents prints what lasts, then what is over, then what does no harm: two
// lines each, and the evidence of the first, or of all where that is asked for.
func (t *text) incidents(list []incident.Incident) {
	t.printf("At %sZ: %s.\n", utc(t.end), tally(list))
	heading := ""
	for i := range list {
		in := &list[i]
		if h := headingOf(in); h != heading {
			heading = h
			t.printf("\n%s\n", h)
		}
		t.printf("#%d %s\n   %s.\n", in.ID, titleOf(in), in.Headline)
		if i == 0 || t.s.Why {
			t.why(in)
		}
	}
	if len(list) > 1 && !t.s.Why {
		t.printf("\n--why shows the evidence of all, --html FILE draws it.\n")
	}
}

func (t *text) why(in *incident.Incident) {
	for _, b := range in.Because {
		t.printf("   - %s\n", b)
	}
	if len(in.Metrics) > 0 {
		t.printf("   - suspect in %s, too\n", strings.Join(in.Metrics, ", "))
	}
	if in.Otherwise != "" {
		t.printf("   %s\n", in.Otherwise)
	}
}

func headingOf(in *incident.Incident) string {
	switch {
	case in.Muted:
		return "Muted"
	case in.State == incident.Cleared && in.Kind.Harmless():
		return "Harmless, over"
	case in.State == incident.Cleared:
		return "Over"
	case in.Kind.Harmless():
		return "Harmless"
	}
	return "Now"
}

// tally counts incidents: "2 incidents last, 1 is over; 1 harmless".
func tally(list []incident.Incident) string {
	last, over, harmless, muted := 0, 0, 0, 0
	for i := range list {
		switch headingOf(&list[i]) {
		case "Now":
			last++
		case "Over":
			over++
		case "Muted":
			muted++
		default:
			harmless++
		}
	}
	words := plural(last, "incident lasts", "incidents last")
	for _, more := range []string{plural(over, "is over", "are over"), plural(harmless, "does no harm", "do no harm"), plural(muted, "is muted", "are muted")} {
		if !strings.HasPrefix(more, "0 ") {
			words += ", " + more
		}
	}
	return words
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// titleOf names an incident: what, where, when.
func titleOf(in *incident.Incident) string {
	return fmt.Sprintf("%s %s: %s, %s", in.Tier, in.Component, in.Kind, when(in))
}

// when says from when to when an incident was, and how well that is known.
func when(in *incident.Incident) string {
	text := "since " + utc(in.Onset.At)
	if in.Onset.Earlier {
		text = "since before the data begin"
	} else if spread := (in.Onset.Late - in.Onset.Early + 60) / 120; spread >= 1 {
		text += fmt.Sprintf(" ± %d min", spread)
	}
	switch in.State {
	case incident.Cleared:
		text += " until " + utc(in.Cleared)
		if in.Resolved {
			text += ", resolved"
		}
	case incident.Recovering:
		text += ", recovering since " + utc(in.Last)
	}
	if n := len(in.Spans); n > 1 {
		text += fmt.Sprintf(", %d times", n)
	}
	return text
}
