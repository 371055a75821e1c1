package tcpstat

import (
	"bytes"
	"slices"
)

// A Control is the name of a congestion control as the kernel knows it, such as
// cubic, followed by zeros. The zero value is none.
type Control [16]byte

// ControlOf is the control of a name. What is too long for one is cut, as the
// kernel does.
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

// ShrinksOnLoss says whether windows shrink when a segment is lost, as those of
// all congestion controls of Linux 6 do but BBR's. BBR paces by measured rate
// and round trip, so that a loss below its bound changes nothing, in all of its
// versions. It reports false where the control is none of Linux's.
func (c Control) ShrinksOnLoss() (shrinks, known bool) {
	name := c.name()
	switch string(name) {
	case "bic", "cdg", "cubic", "dctcp", "highspeed", "htcp", "hybla", "illinois", "lp", "nv",
		"reno", "scalable", "vegas", "veno", "westwood", "yeah":
		return true, true
	}
	return false, bytes.HasPrefix(name, []byte("bbr"))
}

// valid says whether the kernel could have given the name: letters that can be
// printed, then zeros.
func (c *Control) valid() bool {
	name := c.name()
	unprintable := func(b byte) bool { return b <= ' ' || b > '~' || b == ';' }
	return !slices.ContainsFunc(name, unprintable) && !slices.ContainsFunc(c[len(name):], func(b byte) bool { return b != 0 })
}
