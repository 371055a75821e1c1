package policy

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Kind is the name of a policy.
type Kind string

// The policies, in the order of the reports.
const (
	Normal     Kind = "normal"     // waits for all members that it asked
	Reactive   Kind = "reactive"   // asks parity for late members
	Proactive1 Kind = "proactive1" // asks one member more than it needs
	Proactive2 Kind = "proactive2" // asks two members more than it needs
	Adaptive   Kind = "adaptive"   // reactive, and proactive for members that are late several times in a row
	Sitout     Kind = "sitout"     // reactive, and passes over members that are late several times in a row
	Hedge      Kind = "hedge"      // sitout, and asks parity as soon as that is worth a read
)

// Kinds returns all policies.
func Kinds() []Kind {
	return []Kind{Normal, Reactive, Proactive1, Proactive2, Adaptive, Sitout, Hedge}
}

// Options are a policy and its settings. Settings that the kind does not use are neither checked
// nor printed.
type Options struct {
	Kind Kind

	// ST is the number of medians of its request after which a member is late: 2 in T16 §5.
	ST float64

	// SR is the number of late answers in a row after which a member is no longer relied on. With
	// sitout and hedge it is also the number of prompt answers in a row after which the member is
	// used again. T16 gives no number. Two late answers in a row are common on healthy disks, three
	// are not.
	SR int

	// Leave is the number of medians within which a member on trial must answer. It is less than
	// ST, so that a member at the threshold does not change its state again and again; 1.5 is the
	// other threshold of T16.
	Leave float64

	// Again is the time after which a member that was passed over is tried again. A trial costs a
	// read and delays no request.
	Again time.Duration

	// Patience is the time without an answer after which a member counts as hanging. It is also the
	// limit of an answer if there is no median, and no earlier read of that size. The default is
	// the time of ten reads, each with the longest seek and one revolution; few disks have a longer
	// queue.
	Patience time.Duration

	// Backlog is the number of answers owed to requests that are over, from which a member is
	// passed over: these answers hold buffers, and the next read waits behind them. Backlog is
	// also the largest number of requests of a part of a stripe that read the whole stripe at a
	// time because a member is late.
	Backlog int

	// Budget is the number of extra reads that hedge may make for each needed read. Reads in place
	// of a member that hangs do not count.
	Budget float64
}

// Default returns the default settings, which the reports use.
func Default(kind Kind) Options {
	return Options{Kind: kind, ST: 2, SR: 3, Leave: 1.5, Again: time.Second, Patience: 250 * time.Millisecond, Backlog: 8, Budget: 0.04}
}

// A field reads and writes a setting as text.
type field struct {
	name string
	is   string // description of the valid text
	get  func(o *Options) string
	set  func(o *Options, text string) error
}

var fields = map[string]field{
	"st":       float("st", func(o *Options) *float64 { return &o.ST }),
	"sr":       whole("sr", func(o *Options) *int { return &o.SR }),
	"leave":    float("leave", func(o *Options) *float64 { return &o.Leave }),
	"backlog":  whole("backlog", func(o *Options) *int { return &o.Backlog }),
	"budget":   float("budget", func(o *Options) *float64 { return &o.Budget }),
	"again":    length("again", func(o *Options) *time.Duration { return &o.Again }),
	"patience": length("patience", func(o *Options) *time.Duration { return &o.Patience }),
}

func float(name string, of func(*Options) *float64) field {
	return field{
		name, "a number",
		func(o *Options) string { return strconv.FormatFloat(*of(o), 'g', -1, 64) },
		func(o *Options, text string) (err error) { *of(o), err = strconv.ParseFloat(text, 64); return err },
	}
}

func whole(name string, of func(*Options) *int) field {
	return field{
		name, "a whole number",
		func(o *Options) string { return strconv.Itoa(*of(o)) },
		func(o *Options, text string) (err error) { *of(o), err = strconv.Atoi(text); return err },
	}
}

func length(name string, of func(*Options) *time.Duration) field {
	return field{
		name, "a time such as 250ms",
		func(o *Options) string { return of(o).String() },
		func(o *Options, text string) (err error) { *of(o), err = time.ParseDuration(text); return err },
	}
}

// settings returns the names of the settings that a kind uses, in the order in which they are
// printed.
func (k Kind) settings() []string {
	switch k {
	case Reactive:
		return []string{"st", "patience", "backlog"}
	case Proactive1, Proactive2:
		return []string{"backlog"}
	case Adaptive:
		return []string{"st", "sr", "patience", "backlog"}
	case Sitout:
		return []string{"st", "sr", "leave", "again", "patience", "backlog"}
	case Hedge:
		return []string{"st", "sr", "leave", "again", "patience", "backlog", "budget"}
	}
	return nil
}

// Parse reads a policy as String writes it: a kind, and settings that differ from the default, as
// in "adaptive:st=2,sr=3".
func Parse(text string) (Options, error) {
	name, rest, given := strings.Cut(text, ":")
	o := Default(Kind(name))
	if !slices.Contains(Kinds(), o.Kind) {
		return Options{}, fmt.Errorf("policy %q is unknown: write one of %s", name, known())
	}
	if given {
		for _, setting := range strings.Split(rest, ",") {
			if err := o.parse(setting); err != nil {
				return Options{}, err
			}
		}
	}
	return o, o.Validate()
}

func (o *Options) parse(setting string) error {
	name, value, _ := strings.Cut(setting, "=")
	if !slices.Contains(o.Kind.settings(), name) {
		return fmt.Errorf("policy %s has no setting %q; settings of this policy: %s", o.Kind, name, orNone(o.Kind.settings()))
	}
	if err := fields[name].set(o, value); err != nil {
		return fmt.Errorf("policy %s: the setting %q must be %s, not %q", o.Kind, name, fields[name].is, value)
	}
	return nil
}

func known() string {
	var names []string
	for _, k := range Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// String returns the kind and all settings that it uses, so that a report shows its settings.
func (o Options) String() string {
	var b strings.Builder
	b.WriteString(string(o.Kind))
	for i, name := range o.Kind.settings() {
		b.WriteByte(",:"[btoi(i == 0)])
		b.WriteString(name + "=" + fields[name].get(&o))
	}
	return b.String()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Validate returns an error if a setting is out of range.
func (o Options) Validate() error {
	if !slices.Contains(Kinds(), o.Kind) {
		return fmt.Errorf("policy %q is unknown: write one of %s", o.Kind, known())
	}
	for _, name := range o.Kind.settings() {
		if want := o.wrong(name); want != "" {
			return fmt.Errorf("policy %s: the setting %q is %s: write a value %s", o.Kind, name, fields[name].get(&o), want)
		}
	}
	return nil
}

// longest is the longest time that a policy may wait: an array that answers later is useless.
const longest = time.Hour

// wrong returns the allowed values of a setting if its value is not allowed, else "".
func (o *Options) wrong(name string) string {
	switch {
	case name == "st" && !(o.ST > 1 && o.ST <= 1000):
		return "above 1 and at most 1000"
	case name == "sr" && (o.SR < 1 || o.SR > 1000):
		return "from 1 to 1000"
	case name == "leave" && !(o.Leave >= 1 && o.Leave <= o.ST):
		return "from 1 to the value of the setting \"st\""
	case name == "again" && (o.Again <= 0 || o.Again > longest), name == "patience" && (o.Patience <= 0 || o.Patience > longest):
		return "above 0s and at most 1h"
	case name == "backlog" && (o.Backlog < 1 || o.Backlog > math.MaxInt16):
		return "from 1 to 32767"
	case name == "budget" && !(o.Budget > 0 && o.Budget <= 1):
		return "above 0 and at most 1"
	}
	return ""
}
