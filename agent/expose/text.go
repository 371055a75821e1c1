package expose

import (
	"math"
	"strconv"
	"strings"
)

// The text format has for each metric two lines on what it is, then a line for
// each set of labels. Within the quotes a backslash, a quote and a line's end
// are escaped, and all of it is UTF-8.
//
//	# HELP limpet_disk_ios_total I/Os completed: reads, writes and discards.
//	# TYPE limpet_disk_ios_total counter
//	limpet_disk_ios_total{device="sda"} 112133

const contentType = "text/plain; version=0.0.4; charset=utf-8"

const (
	counter = "counter"
	gauge   = "gauge"
)

// A family is a metric that each of several things has.
type family[T any] struct {
	name, kind, help string
	value            func(*T) float64 // NaN: not known, and left out
}

// appendFamilies appends the metrics of things, of which each has its labels.
func appendFamilies[T any](dst []byte, families []family[T], things []T, labels []string) []byte {
	if len(things) == 0 {
		return dst
	}
	for _, f := range families {
		dst = appendHead(dst, f.name, f.kind, f.help)
		for i := range things {
			if v := f.value(&things[i]); !math.IsNaN(v) {
				dst = appendLine(dst, f.name, labels[i], v)
			}
		}
	}
	return dst
}

// appendHead appends the two lines on a metric. Help is ours, and plain.
func appendHead(dst []byte, name, kind, help string) []byte {
	for _, s := range []string{"# HELP ", name, " ", help, "\n# TYPE ", name, " ", kind, "\n"} {
		dst = append(dst, s...)
	}
	return dst
}

func appendLine(dst []byte, name, labels string, value float64) []byte {
	dst = append(dst, name...)
	dst = append(dst, labels...)
	dst = append(dst, ' ')
	dst = strconv.AppendFloat(dst, value, 'f', -1, 64)
	return append(dst, '\n')
}

// labels are names and values in turn, as they follow a metric's name.
func labels(pairs ...string) string {
	dst := []byte{'{'}
	for i := 0; i+1 < len(pairs); i += 2 {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, pairs[i]...)
		dst = append(dst, `="`...)
		dst = append(dst, escape(pairs[i+1])...)
		dst = append(dst, '"')
	}
	return string(append(dst, '}'))
}

// escape makes any bytes fit between quotes. Those that are no UTF-8, which a
// reader would refuse with all the rest, are replaced.
func escape(value string) string {
	return escapes.Replace(strings.ToValidUTF8(value, "\uFFFD"))
}

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
