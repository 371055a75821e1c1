package raid

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteMetrics writes the status of the array and the counters of its own reads, in the text format
// of Prometheus:
//
//	limpet_raid_bypassed_reads_total{member="3",name="/dev/sdd"} 1027
func (a *Array) WriteMetrics(w io.Writer) error {
	c, s, over := a.Counters(), a.Status(), a.PassedOver()
	e := exposition{bufio.NewWriter(w), s.Members}
	e.family("limpet_raid_info", "gauge", "The array and its policy, as labels; the value is always 1.")
	fmt.Fprintf(e, "limpet_raid_info{array=\"%v\",policy=\"%v\"} 1\n", a.ID(), a.Policy())
	e.single("limpet_raid_requests_total", "counter", "Reads of the array. A long read is counted as several reads.", c.Requests)
	e.single("limpet_raid_failed_requests_total", "counter", "Reads of the array that failed.", c.Failed)
	e.single("limpet_raid_member_reads_total", "counter", "Reads that were sent to members.", c.Reads)
	e.single("limpet_raid_extra_reads_total", "counter", "Extra reads that the policy sent to members.", c.Extra)
	e.each("limpet_raid_bypassed_reads_total", "counter", "Requests that finished without waiting for a slow member.",
		func(m MemberStatus) uint64 { return c.Bypassed[m.Place] })
	e.each("limpet_raid_passed_over", "gauge", "1 if the policy does not wait for this member at present.",
		func(m MemberStatus) uint64 { return one(slices.Contains(over, m.Place)) })
	e.masks(a.Masks())
	e.single("limpet_raid_masked_extra_reads_total", "counter", "Extra reads that masks sent to members.", c.Masked)
	e.single("limpet_raid_probe_reads_total", "counter", "Test reads of masked members, which show whether a member has recovered.", c.Probes)
	e.each("limpet_raid_member_active", "gauge", "1 if the member is in use, 0 if it is lost or not yet rebuilt.",
		func(m MemberStatus) uint64 { return one(m.State == Active) })
	e.errors("limpet_raid_member_errors_total")
	e.each("limpet_raid_mended_chunks_total", "counter", "Chunks that were computed from the other members and written to repair a member.",
		func(m MemberStatus) uint64 { return m.Errors.Mended })
	e.single("limpet_raid_stopped", "gauge", "1 if the array has stopped, because more members failed than the parity can replace.", one(s.Stopped != nil))
	return e.Flush()
}

// An exposition writes the metrics of an array with these members.
type exposition struct {
	*bufio.Writer
	members []MemberStatus
}

func (e exposition) family(name, kind, help string) {
	fmt.Fprintf(e, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func (e exposition) single(name, kind, help string, value uint64) {
	e.family(name, kind, help)
	fmt.Fprintf(e, "%s %d\n", name, value)
}

func (e exposition) each(name, kind, help string, value func(m MemberStatus) uint64) {
	e.family(name, kind, help)
	for _, m := range e.members {
		fmt.Fprintf(e, "%s{%s} %d\n", name, labels(m), value(m))
	}
}

// masks writes the masked members. If there is no answer yet, the ratio is left out: missing is not
// zero.
func (e exposition) masks(list []MaskStatus) {
	e.family("limpet_raid_masked", "gauge", "1 if a mask keeps reads away from this member.")
	for _, m := range list {
		fmt.Fprintf(e, "limpet_raid_masked{%s,how=\"%s\",incident=\"%s\"} 1\n", labels(e.members[m.Member]), m.How, escape(m.Incident))
	}
	e.family("limpet_raid_masked_since_seconds", "gauge", "Unix time at which the member was masked.")
	for _, m := range list {
		fmt.Fprintf(e, "limpet_raid_masked_since_seconds{%s} %d\n", labels(e.members[m.Member]), m.Since.Unix())
	}
	e.family("limpet_raid_masked_latency_ratio", "gauge", "Median latency of the last answers of a masked member, divided by the median latency of the other members.")
	for _, m := range list {
		if m.Recovery.Ratio > 0 {
			fmt.Fprintf(e, "limpet_raid_masked_latency_ratio{%s} %.3g\n", labels(e.members[m.Member]), m.Recovery.Ratio)
		}
	}
	e.family("limpet_raid_masked_recovered", "gauge", "1 if a masked member has been as quick as the other members for long enough to end its mask.")
	for _, m := range list {
		fmt.Fprintf(e, "limpet_raid_masked_recovered{%s} %d\n", labels(e.members[m.Member]), one(m.Recovery.Well))
	}
}

func (e exposition) errors(name string) {
	e.family(name, "counter", "Failed I/Os of a member, and chunks with a wrong checksum. After one failed write or sync, the array stops using the member.")
	for _, m := range e.members {
		for i, n := range []uint64{m.Errors.Reads, m.Errors.Writes, m.Errors.Syncs, m.Errors.Rot} {
			fmt.Fprintf(e, "%s{%s,op=\"%s\"} %d\n", name, labels(m), [...]string{"read", "write", "sync", "checksum"}[i], n)
		}
	}
}

func labels(m MemberStatus) string {
	return fmt.Sprintf("member=\"%s\",name=\"%s\"", m.Role, escape(m.Name))
}

func one(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}

// escape makes a text fit between the quotes of a label.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(text, "\uFFFD"))
}
