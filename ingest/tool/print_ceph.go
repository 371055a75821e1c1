package tool

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// CephOSDs is the kind of OSDs (look.Sample.Kind). If the output of the command `ceph osd tree` has
// the device class of an OSD, package ingest/prints adds the class to the kind.
const CephOSDs = "OSDs"

// The metrics of OSDs.
var (
	commitLatency = look.Metric{Name: "commit latency", Unit: "ms", Role: look.HighIsSlow}
	applyLatency  = look.Metric{Name: "apply latency", Unit: "ms", Role: look.HighIsSlow}
	placements    = look.Metric{Name: "PGs", Role: look.HeldData}
	usedSpace     = look.Metric{Name: "used space", Unit: "%", Role: look.HeldData}
)

// cephPerfPrint reads the output of the command `ceph osd perf`, as text or JSON. A line with the
// time may be before each output.
var cephPerfPrint = printFormat{
	name:  "ceph osd perf",
	signs: []Sign{{Texts: []string{"commit_latency(ms)"}}, {Texts: []string{`"osd_perf_infos"`}}},
	open: func(b *printBuilder) printReader {
		t := cephPerfLines{b: b}
		return printReader{
			line: t.read,
			json: func(document []byte) error {
				var o cephPerfJSON
				if err := json.Unmarshal(document, &o); err != nil {
					return nil // the document comes from another tool
				}
				infos := append(o.Infos, o.Stats.Infos...)
				if len(infos) > 0 {
					b.begin("", b.clock, look.Interval)
				}
				for _, i := range infos {
					b.osd(strconv.Itoa(i.ID), cephMsOf(i.Stats.CommitMs, i.Stats.CommitNs), cephMsOf(i.Stats.ApplyMs, i.Stats.ApplyNs))
				}
				return nil
			},
		}
	},
}

// cephPerfLines reads the lines of the text of ceph osd perf.
type cephPerfLines struct {
	b       *printBuilder
	inTable bool
	// strange is a line that follows lines of OSDs, but does not begin with the number of an OSD. If
	// another line of an OSD follows, the strange line is damaged. Otherwise the table has ended, and
	// another output begins.
	strange     string
	strangeLine int // number of the strange line; 0 if there is no strange line
}

func (t *cephPerfLines) read(line string) error {
	f := strings.Fields(line)
	_, _, isTime := ParseTimeLine(line)
	switch {
	case len(f) == 3 && strings.Contains(f[1], "commit_latency"):
		t.b.begin("", t.b.clock, look.Interval)
		t.inTable, t.strangeLine = true, 0
		return nil
	case len(f) == 0, isTime:
		t.inTable, t.strangeLine = false, 0
		return nil
	case !t.inTable && t.strangeLine == 0:
		return nil
	case !isNumeral(f[0]):
		if t.strangeLine == 0 {
			t.inTable, t.strange, t.strangeLine = false, line, t.b.number
		}
		return nil
	case !t.inTable && len(f) != 3:
		t.strangeLine = 0 // a line of another output, such as ceph osd df
		return nil
	}
	commit, apply, ok := 0.0, 0.0, false
	if len(f) == 3 {
		var both bool
		commit, ok = parseNumber(f[1])
		apply, both = parseNumber(f[2])
		ok = ok && both
	}
	if !ok {
		return &Error{damagedOSDLine(line)}
	}
	if t.strangeLine > 0 {
		t.b.noteAt(t.strangeLine, &Error{damagedOSDLine(t.strange)})
		t.inTable, t.strangeLine = true, 0
	}
	t.b.osd(f[0], commit, apply)
	return nil
}

// damagedOSDLine returns the error for a damaged line. The error contains the line, because
// printBuilder.note adds each text only once.
func damagedOSDLine(line string) error {
	return fmt.Errorf("the latencies of an OSD are not numbers, or one of them is missing, so the line %q is left out: give the output of `ceph osd perf` again", strings.TrimSpace(line))
}

// osd adds the sample of an OSD. The field look.Value.Step is the smallest difference between two
// values that a tool prints. Ceph often rounds to whole milliseconds, even where it prints
// nanoseconds. So osd sets Step to 1 if a latency is a whole number of milliseconds. BlueStore has
// only one latency. Ceph prints this latency twice: as commit latency and as apply latency. If both
// latencies are equal, osd adds only the commit latency.
func (b *printBuilder) osd(id string, commit, apply float64) {
	s := look.Sample{Component: "osd." + id, Kind: CephOSDs}
	for _, v := range []look.Value{{Metric: commitLatency, X: commit}, {Metric: applyLatency, X: apply}} {
		if v.Metric == applyLatency && apply == commit {
			continue
		}
		if v.X == float64(int64(v.X)) {
			v.Step = 1
		}
		s.Values = append(s.Values, v)
	}
	b.add(s)
}

func isNumeral(text string) bool {
	_, err := strconv.ParseUint(text, 10, 32)
	return err == nil
}

// cephSpacePrint reads the output of the commands `ceph osd df` and `ceph osd df tree`, as text or
// JSON. The output shows how much data an OSD holds. It has no latencies.
var cephSpacePrint = printFormat{
	name:  "ceph osd df",
	signs: []Sign{{Texts: []string{"%USE", "VAR", "PGS"}}, {Texts: []string{`"utilization"`, `"pgs"`}}},
	open: func(b *printBuilder) printReader {
		return printReader{line: b.cephSpaceLine, json: b.cephSpaceJSON}
	},
}

var (
	cephSpaceHead = lazyregexp.New(`^\s*ID\b.*%USE\s+VAR\s+PGS\b`)
	cephSpaceTree = lazyregexp.New(`^\s*(\d+)\s.*?\s([\d.]+)\s+([\d.]+)\s+(\d+)\s+(?:[a-z]+\s+)?(?:osd\.\d+\s*)?$`)
)

func (b *printBuilder) cephSpaceLine(line string) error {
	if cephSpaceHead.MatchString(line) {
		b.begin("", b.clock, look.Interval)
		return nil
	}
	if m := cephSpaceTree.FindStringSubmatch(line); m != nil && len(b.looks) > 0 {
		used, _ := parseNumber(m[2])
		groups, _ := parseNumber(m[4])
		b.osdSpace(m[1], used, groups)
	}
	return nil
}

func (b *printBuilder) osdSpace(id string, used, groups float64) {
	b.add(look.Sample{Component: "osd." + id, Kind: CephOSDs, Values: []look.Value{
		{Metric: placements, X: groups, Step: 1}, {Metric: usedSpace, X: used, Step: sysstatStep},
	}})
}

func (b *printBuilder) cephSpaceJSON(document []byte) error {
	var o struct {
		Nodes, Stray []struct {
			ID          int
			Type        string
			Utilization *float64
			PGs         float64
		}
	}
	if json.Unmarshal(document, &o) != nil || len(o.Nodes) == 0 {
		return nil // the document comes from another tool
	}
	begun := false
	for _, n := range append(o.Nodes, o.Stray...) {
		if n.Type != "osd" || n.Utilization == nil {
			continue
		}
		if !begun {
			b.begin("", b.clock, look.Interval)
			begun = true
		}
		b.osdSpace(strconv.Itoa(n.ID), *n.Utilization, n.PGs)
	}
	return nil
}
