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
	last := heading(-1)
	for i := range list {
		in := &list[i]
		if h := headingOf(in); h != last {
			last = h
			t.printf("\n%s\n", h)
		}
		t.printf("#%d %s\n   %s.\n", in.ID, titleOf(in), in.Headline)
		if i == 0 && !in.Kind.Harmless() || t.s.Why {
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

// heading is what incidents are listed under.
type heading int

const (
	lasts heading = iota
	recovers
	over
	harmless
	muted
)

func (h heading) String() string {
	return [...]string{"Now", "Recovering", "Over", "Harmless", "Muted"}[h]
}

func headingOf(in *incident.Incident) heading {
	switch {
	case in.Muted:
		return muted
	case in.Kind.Harmless():
		return harmless
	case in.State == incident.Cleared:
		return over
	case in.State == incident.Recovering:
		return recovers
	}
	return lasts
}

// tally counts incidents: "2 incidents last, 1 is over, 1 does no harm".
func tally(list []incident.Incident) string {
	var n [muted + 1]int
	for i := range list {
		n[headingOf(&list[i])]++
	}
	words := plural(n[lasts], "incident lasts", "incidents last")
	if n[lasts] == 0 {
		words = "nothing limps"
	}
	for _, more := range []struct {
		h         heading
		one, many string
	}{
		{recovers, "recovers", "recover"},
		{over, "is over", "are over"},
		{harmless, "does no harm", "do no harm"},
		{muted, "is muted", "are muted"},
	} {
		if n[more.h] > 0 {
			words += ", " + plural(n[more.h], more.one, more.many)
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
	text := since(&in.Onset)
	switch {
	case in.State == incident.Cleared:
		text += " until " + utc(in.Cleared)
		if in.Resolved {
			text += ", resolved"
		}
	case in.State == incident.Recovering:
		text += ", recovering since " + utc(in.Last)
	case in.Unjudged > 0:
		text += fmt.Sprintf(", last seen %s and not to be judged since", utc(in.Unjudged))
	}
	if n := len(in.Spans); n > 1 {
		text += fmt.Sprintf(", %d times", n)
	}
	return text
}

// since says when something began: to the minute, within so many, or between
// two times that are far apart.
func since(o *incident.Onset) string {
	off := max(o.At-o.Early, o.Late-o.At)
	switch {
	case o.Earlier:
		return "since before the data begin"
	case off > 1800:
		return fmt.Sprintf("since some time between %s and %s", utc(o.Early), utc(o.Late))
	case off >= 60:
		return fmt.Sprintf("since %s ± %d min", utc(o.At), (off+59)/60)
	}
	return "since " + utc(o.At)
}
