package agent

import (
	"math"
	"strconv"
	"strings"
)

// text is the text format: two lines about each metric, then a line for each set of labels. Within
// the quotes, backslashes, quotes and line breaks are escaped. The text is UTF-8. It has no native
// histograms.
//
//	# HELP limpet_disk_ios_total I/Os completed: reads, writes and discards.
//	# TYPE limpet_disk_ios_total counter
//	limpet_disk_ios_total{device="sda"} 112133
type text struct {
	dst  []byte
	name string // name of the current family
}

func (*text) contentType() string { return "text/plain; version=0.0.4; charset=utf-8" }

func (t *text) bytes() []byte { return t.dst }

// family writes the two lines about a metric. The help text is a constant and needs no escaping.
func (t *text) family(name, kind, help string) {
	t.name = name
	for _, s := range []string{"# HELP ", name, " ", help, "\n# TYPE ", name, " ", kind, "\n"} {
		t.dst = append(t.dst, s...)
	}
}

func (t *text) value(of labelSet, v float64) { t.line("", of, v) }

// line writes a value of the family, or of a part of it.
func (t *text) line(part string, of labelSet, v float64) {
	t.dst = append(append(t.dst, t.name...), part...)
	t.dst = of.append(t.dst)
	t.dst = append(t.dst, ' ')
	t.dst = strconv.AppendFloat(t.dst, v, 'f', -1, 64)
	t.dst = append(t.dst, '\n')
}

// histogram writes the number of requests below each bound, and the sum of their times.
func (t *text) histogram(of labelSet, h *times) {
	sum := uint64(0)
	for i, n := range h.octaves {
		sum += n
		le := "+Inf"
		if bound := octaveBounds[i]; !math.IsInf(bound, 1) {
			le = strconv.FormatFloat(bound, 'g', -1, 64)
		}
		t.line("_bucket", append(of[:len(of):len(of)], "le", le), float64(sum))
	}
	t.line("_sum", of, h.seconds())
	t.line("_count", of, float64(sum))
}

// append appends the labels in braces.
func (l labelSet) append(dst []byte) []byte {
	if len(l) == 0 {
		return dst
	}
	dst = append(dst, '{')
	for i := 0; i+1 < len(l); i += 2 {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, l[i]...)
		dst = append(dst, `="`...)
		dst = append(dst, escapes.Replace(valid(l[i+1]))...)
		dst = append(dst, '"')
	}
	return append(dst, '}')
}

// valid replaces bytes that are not UTF-8, because a reader would refuse the whole answer.
func valid(value string) string { return strings.ToValidUTF8(value, "\uFFFD") }

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
