package raid

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteMetrics writes how the array stands and what its own reads did, in the
// text format of Prometheus:
//
//	limpet_raid_bypassed_reads_total{member="3",name="/dev/sdd"} 1027
func (a *Array) WriteMetrics(w io.Writer) error {
	out := bufio.NewWriter(w)
	c, s := a.Counters(), a.Status()
	family := func(name, kind, help string) {
		fmt.Fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
	}
	single := func(name, kind, help string, value uint64) {
		family(name, kind, help)
		fmt.Fprintf(out, "%s %d\n", name, value)
	}
	each := func(name, kind, help string, value func(m MemberStatus) uint64) {
		family(name, kind, help)
		for _, m := range s.Members {
			fmt.Fprintf(out, "%s{member=\"%s\",name=\"%s\"} %d\n", name, m.Role, escape(m.Name), value(m))
		}
	}
	family("limpet_raid_info", "gauge", "The array and its policy; always 1.")
	fmt.Fprintf(out, "limpet_raid_info{array=\"%v\",policy=\"%v\"} 1\n", a.ID(), a.Policy())
	single("limpet_raid_requests_total", "counter", "Reads of the array, cut where they are long.", c.Requests)
	single("limpet_raid_failed_requests_total", "counter", "Of these, that could not be served.", c.Failed)
	single("limpet_raid_member_reads_total", "counter", "Reads that members were asked.", c.Reads)
	single("limpet_raid_extra_reads_total", "counter", "Of these, more than without a policy.", c.Extra)
	each("limpet_raid_bypassed_reads_total", "counter", "Requests that ended without the answer of a member that they wanted.",
		func(m MemberStatus) uint64 { return c.Bypassed[m.Place] })
	over := a.PassedOver()
	each("limpet_raid_passed_over", "gauge", "1 of a member that the policy does not rely on at present.",
		func(m MemberStatus) uint64 { return one(slices.Contains(over, m.Place)) })
	each("limpet_raid_member_active", "gauge", "1 of a member that is read and written, 0 of one that is lost or not yet rebuilt.",
		func(m MemberStatus) uint64 { return one(m.State == Active) })
	single("limpet_raid_stopped", "gauge", "1 where more members failed than parity covers.", one(s.Stopped != nil))
	return out.Flush()
}

func one(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}

// escape makes a path fit between quotes.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(text, "\uFFFD"))
}
