package look

import (
	"math"
	"strings"
	"time"
)

// A Look is one output of a tool: values of components at one time, or over one interval.
type Look struct {
	Tool   string    // the tool and its option, as people write them: "iostat -x"
	Source string    // where the look comes from: the name of the tool and of the server; looks of one source follow each other in time
	Time   time.Time // end of the interval; zero if the output does not have the time
	Zoned  bool      // true if the output has the time zone of Time; false if Time is a local time
	Span   Span
	// Seconds is the length of the interval; 0 if unknown.
	Seconds float64
	Samples []Sample
}

// A Span is the period over which a tool averages the values of an output.
type Span uint8

// The spans.
const (
	Interval   Span = iota // a short interval, which shows the present state
	SinceStart             // the time since the server was started, or since the counters were cleared
	Average                // a whole recording, such as the last lines of sar
)

// A Sample has the values of one component in one look.
type Sample struct {
	Component string // name of the component: the same in all looks, and different from the names of all other components
	Kind      string // components of one kind are peers: "sd drives", "OSDs"
	Host      string // server that the component belongs to; empty if unknown
	Line      int    // line of the output; 0 if unknown
	Values    []Value
	Counters  []Counter
}

// A Metric is a quantity that a tool measures.
type Metric struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
	Role Role   `json:"-"`
}

// A Role is the use of a metric in a comparison.
type Role uint8

// The roles. A component can stand apart only by metrics with the role HighIsSlow or LowIsSlow. If
// an output has no such metric, amounts of work are compared instead.
const (
	HighIsSlow Role = iota // a latency: a higher value is worse
	LowIsSlow              // a throughput of components that have equal work: a lower value is worse
	Work                   // the work of the component: requests or bytes per second
	HeldData               // amount of data or number of placement groups on the component; the more it holds, the more work it gets
	Size                   // mean size of a request
	Queue                  // mean number of requests in flight
	Busy                   // percentage of the time with requests in flight
	QueueAhead             // time in a queue in front of the component
	Errors                 // a count that is 0 for a healthy component
	Heat                   // a temperature
)

func (r Role) isSpeed() bool { return r == HighIsSlow || r == LowIsSlow }

// A Value is one value of a component in an output.
type Value struct {
	Metric Metric
	X      float64
	// Requests is the number of requests over which X is a mean; 0 if unknown.
	Requests float64
	// Step is the difference between two neighbouring numbers that the tool can print, such as 1 for
	// whole milliseconds; 0 if unknown.
	Step float64
}

// A Counter is a sum that only grows. The difference of the counter between two looks gives a value
// for the interval between them. A single look gives the mean since the counter began.
type Counter struct {
	Metric Metric
	Sum    float64
	// Count is the number of requests that contributed to Sum: the value is Sum divided by Count.
	// If Count is PerSecond, the value is Sum divided by the seconds of the interval.
	Count float64
}

// PerSecond is a value of Count. It means that the counter gives a rate per second.
const PerSecond = -1

// value returns the value for the interval from `before`, an earlier reading of the counter, to
// this reading. The parameter `seconds` is the length of the interval, or 0 if unknown.
func (c Counter) value(before Counter, seconds float64) (v Value, ok bool) {
	sum := c.Sum - before.Sum
	if sum < 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return v, false
	}
	if c.Count == PerSecond {
		if seconds > 0 {
			return Value{Metric: c.Metric, X: sum / seconds}, true
		}
		// If the seconds are unknown, amounts of work can still be compared, because the peers have
		// the same interval.
		total := Metric{c.Metric.Name, strings.TrimSuffix(c.Metric.Unit, "/s"), c.Metric.Role}
		return Value{Metric: total, X: sum}, c.Metric.Role == Work
	}
	count := c.Count - before.Count
	if !(count > 0) {
		return v, false
	}
	return Value{Metric: c.Metric, X: sum / count, Requests: count}, true
}
