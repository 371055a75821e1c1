package rank

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/topology"
)

// A feedback file holds one word of the operator a line: when, what, and
// which component. A component is named as lists name it, or by its server,
// controller, array or LUN, and stands for all that hang on it.
//
//	# ddn12's drawer was restarted
//	2011-05-18T00:30:00Z resolve ddn12
//	2011-05-18T09:00:00Z mute    fs49    # waits for its reboot
//	2011-07-06T21:00:00Z unmute  fs49

// Verb is what an operator says of components.
type Verb string

// The verbs of feedback (L13 §5.1).
const (
	Resolve Verb = "resolve" // repaired: its accumulators begin anew
	Mute    Verb = "mute"    // known: it is left out of lists, so that a second problem shows
	Unmute  Verb = "unmute"
)

// Feedback is an operator's word on some components.
type Feedback struct {
	Time       int64
	Verb       Verb
	Name       string // as the operator wrote it
	Components []int
}

// ParseFeedback reads a feedback file and returns its words in order of time.
// The error names every line that is wrong; the good rest is returned too.
func ParseFeedback(name string, data []byte, system *topology.System) ([]Feedback, error) {
	var words []Feedback
	var errs []error
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		f, err := parseWord(line, system)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", name, n, err))
			continue
		}
		words = append(words, f)
	}
	if err := lines.Err(); err != nil {
		errs = append(errs, fmt.Errorf("%s: %w", name, err))
	}
	slices.SortStableFunc(words, func(a, b Feedback) int { return cmp.Compare(a.Time, b.Time) })
	return words, errors.Join(errs...)
}

func parseWord(line string, system *topology.System) (Feedback, error) {
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return Feedback{}, fmt.Errorf("%q has %d words; write: TIME resolve|mute|unmute COMPONENT", strings.TrimSpace(line), len(fields))
	}
	at, err := time.Parse(time.RFC3339, fields[0])
	if err != nil {
		return Feedback{}, fmt.Errorf("time %q cannot be read; write it as 2011-05-18T00:30:00Z", fields[0])
	}
	f := Feedback{Time: at.Unix(), Verb: Verb(fields[1]), Name: fields[2]}
	if !slices.Contains([]Verb{Resolve, Mute, Unmute}, f.Verb) {
		return Feedback{}, fmt.Errorf("verb %q is unknown; use resolve, mute or unmute", fields[1])
	}
	if f.Components = system.Match(f.Name); len(f.Components) == 0 {
		return Feedback{}, fmt.Errorf("no component is called %q; name it as the lists do, or by server, controller, array or LUN", f.Name)
	}
	return f, nil
}
