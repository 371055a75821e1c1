package tables

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Head is how much of a file is looked at to recognise it.
const Head = 64 << 10

// signs are texts that only one tool prints, and the preset that reads them.
// The first that is found counts.
var signs = []struct {
	all    []string // stand in it
	what   string
	preset string
}{
	{[]string{`"disk_device"`}, "JSON of iostat", "iostat"},
	{[]string{`"disk-device"`}, "JSON of sadf", "sar"},
	{[]string{"<disk-device "}, "XML of sadf", "sar"},
	{[]string{"# hostname;interval;timestamp;DEV"}, "text of sadf -d", "sar"},
	{[]string{"Linux ", " DEV ", "tps"}, "text of sar", "sar"},
	{[]string{"Linux ", "Device", "%util"}, "text of iostat", "iostat"},
	{[]string{"capacity", "operations", "bandwidth"}, "text of zpool iostat", "zpool"},
	{[]string{"commit_latency"}, "text of ceph osd perf", "ceph"},
	{[]string{"[DSK:"}, "text of collectl", "collectl"},
	{[]string{"DISK STATISTICS", "SvcTim"}, "text of collectl", "collectl"},
	{[]string{"# DXT, "}, "text of darshan-dxt-parser", "darshan"},
}

// Recognise says what a file is by its beginning, and what to give with
// --tables to read it: the name of a preset, or FILE where it has to be
// described. What is empty was not recognised.
func Recognise(head []byte) (what, tables string) {
	if bytes.HasPrefix(head, []byte("PAR1")) {
		return "a Parquet table", "FILE"
	}
	text := string(head)
	if !isText(text) {
		return "", ""
	}
	for _, s := range signs {
		if containsAll(text, s.all) {
			return s.what, s.preset
		}
	}
	if strings.HasPrefix(text, "Linux ") && strings.Contains(text, "CPU)") {
		return "text of sar or iostat without drives: print them with sar -d or iostat -x -t", ""
	}
	if isCSV(text) && len(yamlKey.FindAllString(text, 2)) < 2 {
		return "a CSV table", "FILE"
	}
	return "", ""
}

// isText says whether a file holds nothing but characters. Its beginning may
// end within one.
func isText(head string) bool {
	for i, r := range head {
		cut := r == utf8.RuneError && len(head)-i < utf8.UTFMax
		if r == utf8.RuneError && !cut || r < ' ' && !strings.ContainsRune("\t\r\n", r) {
			return false
		}
	}
	return head != ""
}

func containsAll(text string, parts []string) bool {
	for _, p := range parts {
		if !strings.Contains(text, p) {
			return false
		}
	}
	return true
}

// isCSV says whether the first lines have a separator equally often.
func isCSV(text string) bool {
	lines := strings.SplitN(text, "\n", 3)
	if len(lines) < 2 {
		return false
	}
	for _, separator := range []string{",", ";", "\t"} {
		if n := strings.Count(lines[0], separator); n > 0 && n == strings.Count(lines[1], separator) {
			return true
		}
	}
	return false
}
