package tables

import (
	"strings"
	"unicode"
)

// Usual names of columns, in lower case without punctuation, in English, German, French, Spanish and
// Italian. If a table has several of these names,
// the name that comes first in the list is used.
var (
	timeWords   = []string{"time", "timestamp", "ts", "datetime", "date", "when", "epoch", "clock", "collecttime", "sampletime", "zeit", "zeitstempel", "zeitpunkt", "horodatage", "heure", "fecha", "hora", "ora"}
	serverWords = []string{"host", "hostname", "server", "node", "nodename", "machine", "instance", "box", "enclosure", "rechner", "knoten", "serveur", "noeud", "nœud", "servidor", "nodo"}
	deviceWords = []string{"drive", "disk", "device", "dev", "osd", "lun", "volume", "diskid", "driveid", "deviceid", "osdid", "ost", "disknum", "platte", "festplatte", "laufwerk", "datenträger", "gerät", "disque", "disco", "unidad", "name", "serial", "id"}
	modelWords  = []string{"model", "diskmodel", "drivemodel", "product"}
)

// A kind is a kind of metric, such as latency. A column is of this kind if its name contains one of
// the words in `parts`.
type kind struct {
	parts []string
	unit  string            // unit if the name of the column contains no unit
	units map[string]string // unit of each word that the name of the column may contain; nil if the kind has only one unit
	worse string
	load  bool // true if the metric is a load
}

var (
	timeUnits = map[string]string{"ns": "ns", "us": "us", "usec": "us", "usecs": "us", "ms": "ms", "msec": "ms", "msecs": "ms", "s": "s", "sec": "s", "secs": "s", "seconds": "s"}
	byteUnits = map[string]string{"b": "B/s", "bytes": "B/s", "kb": "kB/s", "kib": "KiB/s", "mb": "MB/s", "mib": "MiB/s", "gb": "GB/s"}
)

// kinds lists the kinds of metrics. If several kinds fit a column, the first of them is used.
var kinds = []kind{
	{parts: []string{"latency", "await", "lat", "wait", "resp", "svctm", "servicetime", "duration", "latenz", "antwortzeit", "wartezeit", "latence", "attente", "latencia", "espera", "latenza", "attesa"}, unit: "ms", units: timeUnits, worse: "higher"},
	{parts: []string{"iops", "tps", "ios", "requests", "ops", "anfragen", "requêtes", "peticiones", "richieste"}, unit: "1/s", worse: "either", load: true},
	{parts: []string{"throughput", "bandwidth", "bytes", "durchsatz", "débit", "caudal", "kb", "mb", "kib", "mib"}, unit: "B/s", units: byteUnits, worse: "either", load: true},
}

// kindOf returns the kind and the unit of a column by its name. The last result is true if the name
// includes the unit, or if the kind has only one unit.
func kindOf(name string) (k *kind, unit string, sure bool) {
	words := split(name)
	for i := range kinds {
		k := &kinds[i]
		if !hasPart(words, k.parts) {
			continue
		}
		for j := len(words) - 1; j >= 0; j-- {
			if unit := k.units[words[j]]; unit != "" {
				return k, unit, true
			}
		}
		return k, k.unit, k.units == nil
	}
	return nil, "", false
}

func hasPart(words, parts []string) bool {
	for _, w := range words {
		for _, p := range parts {
			if w == p || len(p) > 3 && strings.HasPrefix(w, p) {
				return true
			}
		}
	}
	return false
}

// split returns the words of a name in lower case. A new word begins after punctuation
// and at a capital letter: latency_ms, readLatency, r/s.
func split(name string) []string {
	spaced := strings.Builder{}
	small := false
	for _, r := range name {
		if unicode.IsUpper(r) && small {
			spaced.WriteByte(' ')
		}
		small = unicode.IsLower(r)
		spaced.WriteRune(unicode.ToLower(r))
	}
	return strings.FieldsFunc(spaced.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// normalName returns a name in lower case without punctuation.
func normalName(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
