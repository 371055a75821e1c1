package look

import (
	"math"
	"strings"
	"time"
)

// A Look is one print of a tool: values of components at one time, or over one interval.
type Look struct {
	Tool   string    // the tool and its option, for people: "iostat -x"
	Source string    // looks of one source follow each other; the same tool on another server is another source
	Time   time.Time // end of the interval; zero: the print does not have it
	Zoned  bool      // true: the print has the time zone of Time; false: Time is a local time
	Span   Span
	// Seconds is the length of the interval; 0: unknown.
	Seconds float64
	Samples []Sample
}

// A Span is the time over which a print has its means.
type Span uint8

// The spans.
const (
	Interval   Span = iota // a short interval: the present
	SinceStart             // since the server was started, or since the counters were cleared
	Average                // a whole recording, such as the last lines of sar
)

// A Sample has the values of one component in one look.
type Sample struct {
	Component string // a name that is unique among all looks
	Kind      string // components of one kind are peers: "sd drives", "OSDs"
	Host      string // server that the component belongs to; empty: unknown
	Line      int    // line of the print; 0: unknown
	Values    []Value
	Counters  []Counter
}

// A Metric is something that a tool measures.
type Metric struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
	Role Role   `json:"-"`
}

// A Role is the part that a metric has in a comparison.
type Role uint8

// The roles. Only the first two are reasons to stand apart. If a print has none of them, amounts
// of work are compared instead.
const (
	HighIsSlow Role = iota // a latency: a higher value is worse
	LowIsSlow              // a throughput of equal work: a lower value is worse
	Work                   // requests or bytes per second: how much the component has to do
	Held                   // data or placement groups on the component: a share of the work
	Size                   // mean size of a request
	Queue                  // mean number of requests in flight
	Busy                   // percentage of the time with requests in flight
	Ahead                  // time in a queue in front of the component
	Errors                 // a count that is 0 for a healthy component
	Heat                   // a temperature
)

func (r Role) isSpeed() bool { return r == HighIsSlow || r == LowIsSlow }

// A Value is a number that a print has of a component.
type Value struct {
	Metric Metric
	X      float64
	// Requests is the number of requests that X is a mean of; 0: unknown.
	Requests float64
	// Step is the difference between two neighbouring numbers that the tool can print, such as
	// 1 for whole milliseconds; 0: unknown.
	Step float64
}

// A Counter is a sum that only grows. The difference of two looks is a value of the interval
// between them. One look alone has the mean since the counters began.
type Counter struct {
	Metric Metric
	Sum    float64
	// Count is the number of requests that contributed to Sum: the value is Sum divided by Count.
	// If Count is PerSecond, the value is Sum divided by the seconds of the interval.
	Count float64
}

// PerSecond in place of a count makes a rate of a counter.
const PerSecond = -1

// value returns the value of a counter since an earlier one.
func (c Counter) value(before Counter, seconds float64) (v Value, ok bool) {
	sum := c.Sum - before.Sum
	if sum < 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return v, false
	}
	if c.Count == PerSecond {
		if seconds > 0 {
			return Value{Metric: c.Metric, X: sum / seconds}, true
		}
		// Without the seconds, amounts of work still compare: the peers have the same interval.
		total := Metric{c.Metric.Name, strings.TrimSuffix(c.Metric.Unit, "/s"), c.Metric.Role}
		return Value{Metric: total, X: sum}, c.Metric.Role == Work
	}
	count := c.Count - before.Count
	if !(count > 0) {
		return v, false
	}
	return Value{Metric: c.Metric, X: sum / count, Requests: count}, true
}
