// This file reads block devices and the slots of enclosures from copies of /sys and of
// /run/udev: trees of files, lines of grep (path:value), and archives of ttar.

package site

import (
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// An entry is a file of the tree: its path, which begins with sys or udev, and its content.
type entry struct {
	At
	Path, Value string
}

var root = lazyregexp.New(`(?:^|/)((?:sys/(?:block|class/(?:block|enclosure|scsi_disk)|devices/[^:]*block)|(?:run/)?udev/data)/.*)$`)

// pathOf splits a path before sys or udev. ok is false for files that do not describe devices.
func pathOf(path string) (before, rest string, ok bool) {
	m := root.FindStringSubmatchIndex(path)
	if m == nil {
		return "", "", false
	}
	return strings.Trim(path[:m[2]], "/."), path[m[2]:m[3]], true
}

var grepLine = lazyregexp.New(`^(/?(?:sys/(?:block|class/(?:block|enclosure))/\S?[^:=]*(?:\d+:\d+:\d+:\d+[^:=]*)*)/(?:[\w-]+)):(.*)$`)

// readSysfs reads lines of grep and archives of ttar, and claims their lines.
func readSysfs(t *Text) Inventory {
	entries := archive(t)
	for i, line := range t.All() {
		if m := grepLine.FindStringSubmatch(line); m != nil {
			t.Claim(i, i)
			entries = append(entries, entry{t.At(i), strings.TrimPrefix(m[1], "/"), m[2]})
		}
	}
	return devices(t.Host, entries)
}

// archive reads an archive of ttar. Before each file it has a line with the path and a line
// with the number of lines:
//
//	Path: udev/data/b8:0
//	Lines: 2
//	S:disk/by-id/wwn-0x5000c500a1b2c3d4
//	E:ID_SERIAL_SHORT=ZL2A9XYZ
//	Mode: 644
func archive(t *Text) []entry {
	var entries []entry
	if !strings.HasPrefix(t.Line(0), "# Archive created by ttar") {
		return nil
	}
	for i := 0; i < t.Len(); i++ {
		path, ok := strings.CutPrefix(t.Line(i), "Path: ")
		count, isFile := strings.CutPrefix(t.Line(i+1), "Lines: ")
		n, err := strconv.Atoi(count)
		if !ok || !isFile || err != nil || n < 0 || i+1+n >= t.Len() {
			continue
		}
		if _, rest, ok := pathOf(path); ok {
			var value strings.Builder
			for k := i + 2; k < i+2+n; k++ {
				value.WriteString(t.Line(k) + "\n")
			}
			entries = append(entries, entry{t.At(i), rest, value.String()})
		}
		i += 1 + n
	}
	if len(entries) > 0 {
		t.Claim(0, t.Len()-1)
	}
	return entries
}
