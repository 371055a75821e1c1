package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// mdadm --detail ends with a table of members; --examine describes one member:
//
//	/dev/md127:
//	           Version : 1.2
//	        Raid Level : raid1
//	    Number   Major   Minor   RaidDevice State
//	       0     254        1        0      active sync   /dev/vda1
//	       2     254        2        -      faulty failfast   /dev/vda2
//
//	/dev/vda2:
//	          Magic : a92b4efc
//	     Array UUID : e054553a:fbccdcfe:0ae80bc8:9379377a
//	    Device Role : Replacement device 1
//
// A scan has a line for each array:
//
//	ARRAY /dev/md/0 metadata=1.2 UUID=… devices=/dev/sda1,/dev/sdb1
var (
	headLine  = lazyregexp.New(`^\s*(/dev/\S+):\s*$`)
	tableLine = lazyregexp.New(`^\s*(?:\d+|-)\s+\d+\s+\d+\s+(?:\d+|-)\s+(.*)$`)
	mdDetail  = lazyregexp.New(`^\s*[A-Za-z][\w ()\[\]/'.-]*\s:\s|^\s+\(|^\s*(?:Number\s+(?:Major|RefNo)|this\b|\d+\s+\d+\s+\d+\s+\d+\s|\d+\s+[0-9a-f]{8}\s)`)
	scanLine  = lazyregexp.New(`^\s*ARRAY\s+(/dev/\S+)\s`)
)

func readMdadm(t *Text, inv *Inventory) {
	for i := 0; i < t.Len(); i++ {
		line := t.Line(i)
		if m := scanLine.FindStringSubmatch(line); m != nil {
			readScan(t, i, m[1], line, inv)
			continue
		}
		m := headLine.FindStringSubmatch(line)
		if m == nil || !mdDetail.MatchString(nextFilled(t, i)) {
			continue
		}
		i = readBlock(t, i, m[1], inv)
	}
}

func nextFilled(t *Text, i int) string {
	for i++; i < t.Len(); i++ {
		if line := t.Line(i); strings.TrimSpace(line) != "" {
			return line
		}
	}
	return ""
}

// readBlock reads the lines of one device and returns the last of them.
func readBlock(t *Text, first int, name string, inv *Inventory) int {
	f := map[string]string{}
	var members []Device
	last := first
	arrayName := DeviceName(name)
	for i := first + 1; i < t.Len(); i++ {
		line := t.Line(i)
		if strings.TrimSpace(line) == "" {
			continue
		}
		if row := tableLine.FindStringSubmatch(line); row != nil {
			members = append(members, tableMember(t, i, row[1], arrayName)...)
		} else if !mdDetail.MatchString(line) {
			break
		} else if key, value, ok := strings.Cut(line, " : "); ok {
			f[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
		last = i
	}
	if f["Magic"] == "" && f["Raid Level"] == "" && f["Version"] == "" {
		return first
	}
	t.Claim(first, last)
	if f["Magic"] != "" {
		inv.Devices = append(inv.Devices, examined(t, first, name, f)...)
	} else {
		for k := range members {
			members[k].Redundancy = levelWord.FindString(f["Raid Level"])
		}
		inv.Devices = append(append(inv.Devices, array(t, first, name, members)), members...)
	}
	return last
}

// tableMember reads a state and a device; a removed slot has no device.
func tableMember(t *Text, i int, text, arrayName string) []Device {
	cut := strings.LastIndex(text, "/dev/")
	if cut < 0 {
		return nil
	}
	role := ""
	for _, word := range []string{"faulty", "spare", "journal"} {
		if strings.Contains(text[:cut], word) && !strings.Contains(text[:cut], "rebuilding") {
			role = word
		}
	}
	return []Device{member(t, i, strings.TrimSpace(text[cut:]), arrayName, role)}
}

// examined returns the member that --examine describes. The name of the array is made of its UUID,
// because --examine does not print the kernel's name of the array.
func examined(t *Text, i int, name string, f map[string]string) []Device {
	if f["Raid Level"] == "" && f["Raid Level[0]"] == "" {
		return nil
	}
	id := f["Array UUID"] + f["UUID"] + f["Container GUID"]
	id, _, _ = strings.Cut(id, " ")
	role := ""
	if strings.HasPrefix(strings.ToLower(f["Device Role"]), "spare") {
		role = "spare"
	}
	return []Device{member(t, i, name, "md-"+id, role)}
}

func readScan(t *Text, i int, name, line string, inv *Inventory) {
	last := i
	if more := strings.TrimSpace(t.Line(i + 1)); strings.HasPrefix(more, "devices=") {
		last++
		line += " " + more
	}
	t.Claim(i, last)
	_, list, _ := strings.Cut(line, "devices=")
	words := strings.Fields(list)
	if len(words) == 0 {
		return
	}
	var members []Device
	for device := range strings.SplitSeq(words[0], ",") {
		members = append(members, member(t, last, device, DeviceName(name), ""))
	}
	inv.Devices = append(append(inv.Devices, array(t, i, name, members)), members...)
}
