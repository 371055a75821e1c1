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

// The policies, in the order in which reports list them.
const (
	Normal     Kind = "normal"     // waits for whom it asked
	Reactive   Kind = "reactive"   // asks parity for who is late
	Proactive1 Kind = "proactive1" // asks one more than it needs
	Proactive2 Kind = "proactive2" // asks two more than it needs
	Adaptive   Kind = "adaptive"   // reactive, and proactive for who is late again and again
	Sitout     Kind = "sitout"     // reactive, and passes over who is late again and again
	Hedge      Kind = "hedge"      // sitout, and asks parity as soon as that is worth a read
)

// Kinds are all policies.
func Kinds() []Kind {
	return []Kind{Normal, Reactive, Proactive1, Proactive2, Adaptive, Sitout, Hedge}
}

// Options choose a policy and set it. A field that a kind has no use for is
// neither checked nor printed.
type Options struct {
	Kind Kind

	// ST is how many times the median of its request a member may take before
	// it is late: T16 §5 has 2.
	ST float64

	// SR is how many times in a row a member must be late not to be relied on,
	// and, of sitout and hedge, prompt to be trusted again. T16 names no figure.
	// Two in a row are common among healthy disks, three are not.
	SR int

	// Leave is below how many times the median a member on trial must answer.
	// It is less than ST, lest a member at the threshold goes in and out; 1.5
	// is the other threshold of T16.
	Leave float64

	// Again is after what time a member that was passed over is tried again.
	// A trial costs a read and delays nobody.
	Again time.Duration

	// Patience is how long a member may be silent before it is held to hang. It
	// is also how long one may take where there is nothing to measure it by: no
	// median, and no earlier read of that size. Ten reads with the longest seek
	// and a revolution take so long, which is a queue that few disks have.
	Patience time.Duration

	// Backlog is how many answers a member may owe to requests that are over
	// before it is passed over: they hold buffers, and what is asked next waits
	// behind them. It is also how many requests of a part of a stripe may ask
	// for the rest of it at a time, because a member is late.
	Backlog int

	// Budget is how many extra reads hedge may make for each read that normal
	// would make. Reads in place of a member that hangs are not its concern.
	Budget float64
}

// Default returns the settings that reports are made with.
func Default(kind Kind) Options {
	return Options{Kind: kind, ST: 2, SR: 3, Leave: 1.5, Again: time.Second, Patience: 250 * time.Millisecond, Backlog: 8, Budget: 0.04}
}

// field is a setting as text; get and set are of the same format.
type field struct {
	name string
	is   string // what its text must be
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

// settings are the names of the fields that a kind uses, as they are printed.
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

// Parse reads a policy as String writes it: a kind, and where they are not
// the default its settings, as in "adaptive:st=2,sr=3".
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
		return fmt.Errorf("policy %s: the setting %s must be %s, not %q", o.Kind, name, fields[name].is, value)
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

// String writes all settings that the kind uses, so that a report says what it
// was made with.
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

// Validate says whether a policy can be made with these options.
func (o Options) Validate() error {
	if !slices.Contains(Kinds(), o.Kind) {
		return fmt.Errorf("policy %q is unknown: write one of %s", o.Kind, known())
	}
	for _, name := range o.Kind.settings() {
		if want := o.wrong(name); want != "" {
			return fmt.Errorf("policy %s: the setting %s is %s: write a value %s", o.Kind, name, fields[name].get(&o), want)
		}
	}
	return nil
}

// longest is how long a policy may wait: nobody reads from an array that
// answers later.
const longest = time.Hour

// wrong says what a setting must be, where it is not.
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
