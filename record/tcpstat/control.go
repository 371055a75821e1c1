package tcpstat

import (
	"bytes"
	"slices"
)

// A Control is the kernel's name of a congestion control, such as cubic, followed by zeros. The
// zero value is none.
type Control [16]byte

// ControlOf returns the Control with a name. A name that is too long is cut, as in the kernel.
func ControlOf(name string) (c Control) {
	copy(c[:len(c)-1], name)
	return c
}

func (c Control) String() string { return string(c.name()) }

func (c *Control) name() []byte {
	if end := bytes.IndexByte(c[:], 0); end >= 0 {
		return c[:end]
	}
	return c[:]
}

// ShrinksOnLoss reports whether the window shrinks when a segment is lost. It does for all
// congestion controls of Linux 6 except BBR. All versions of BBR pace by the measured rate and
// round trip, so that losses below a bound change nothing. known is false if Linux does not have
// the control.
func (c Control) ShrinksOnLoss() (shrinks, known bool) {
	name := c.name()
	switch string(name) {
	case "bic", "cdg", "cubic", "dctcp", "highspeed", "htcp", "hybla", "illinois", "lp", "nv",
		"reno", "scalable", "vegas", "veno", "westwood", "yeah":
		return true, true
	}
	return false, bytes.HasPrefix(name, []byte("bbr"))
}

// valid reports whether the kernel could have given the name: printable letters, then zeros.
func (c *Control) valid() bool {
	name := c.name()
	unprintable := func(b byte) bool { return b <= ' ' || b > '~' || b == ';' }
	return !slices.ContainsFunc(name, unprintable) && !slices.ContainsFunc(c[len(name):], func(b byte) bool { return b != 0 })
}
