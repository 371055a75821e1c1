package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// A stanza of mmcrnsd stands on one line or on several:
//
//	%nsd: device=vdb nsd=test1_nsd11 servers=gpfs1,gpfs2 FailureGroup=10 pool=system
//
//	%nsd:
//	  device=/dev/xvdc
//	  servers=gpfs1

var setting = lazyregexp.New(`^\s*[A-Za-z]+\s*=\s*\S+\s*$`)

func readStanzas(t *Text, inv *Inventory) {
	for i, line := range t.All() {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "%nsd:")
		if !ok {
			continue
		}
		last := i
		for setting.MatchString(t.Line(last + 1)) {
			last++
			rest += " " + t.Line(last)
		}
		t.Claim(i, last)
		if v, ok := stanza(rest); ok {
			v.At = t.At(i)
			inv.Volumes = append(inv.Volumes, v)
		} else {
			inv.Notef(t.At(i), "a stanza has no field nsd=; add this field with the name that mmlsnsd shows for the disk")
		}
	}
}

func stanza(text string) (v Volume, ok bool) {
	v.System = gpfsSystem
	for word := range strings.FieldsSeq(text) {
		key, value, _ := strings.Cut(word, "=")
		switch strings.ToLower(key) {
		case "nsd":
			v.Name = value
		case "servers":
			v.Servers, v.Ranked = serverList(value), true
		case "device":
			v.Device = DeviceName(value)
		case "pool":
			v.Pool = value
		}
	}
	if len(v.Servers) > 0 {
		v.Host = v.Servers[0] // the device is named as on the first server
	}
	return v, v.Name != ""
}

// The legend of mmperfmon has a line for each server and disk:
//
//	1:	ngfsv468.nersc.gov|GPFSNSDDisk|ddn59dt00|gpfs_nsdds_bytes_read
var legend = lazyregexp.New(`^\s*\d+:\s+([\w.-]+)\|GPFS(?:NSD)?Disk(?:FS)?\|([\w.-]+)\|gpfs_`)

// readLegends reads which server reports on which disk.
func readLegends(t *Text, inv *Inventory) {
	seen := map[string]bool{}
	for i, line := range t.All() {
		m := legend.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		t.Claim(i, i)
		if pair := m[1] + " " + m[2]; !seen[pair] {
			seen[pair] = true
			inv.Volumes = append(inv.Volumes, Volume{At: t.At(i), System: gpfsSystem, Name: m[2], Host: m[1], Servers: []string{m[1]}})
		}
	}
}
