package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// mmlsnsd without -m prints who serves each disk, in the order of priority;
// with -L the ID as well:
//
//	 File system   Disk name    NSD volume ID      NSD servers
//	---------------------------------------------------------------------------------------------
//	 gpfs          nfs_nsd1     0A00033659DD7C41   nfs1,nfs2
//	 (free disk)   nfs_nsd2     0A0003365B9F6423   (directly attached)
//
// With -m, -M and -X a line is one disk at one node:
//
//	 Disk name    NSD volume ID      Device         Devtype  Node name                Remarks
//	---------------------------------------------------------------------------------------------------
//	 test1_nsd11    C0A80DC85CA5F091   /dev/vdb       generic  gpfs1                    server node
//	 test1_nsd12    C0A80DC85CA5F092   -              -        gpfs2                    (not found) server node
//
// mmlsdisk -m and -M print which node does the I/O of each disk now:
//
//	Disk name     IO performed on node     Device             Availability
//	------------  -----------------------  -----------------  ------------
//	hd2n97        c5n97g.ppd.pok.ibm.com   /dev/hdisk2        up
//	hd3n97        localhost                -                  down

func readTables(t *Text, inv *Inventory) {
	var row func(words []string) (Volume, bool)
	for i, line := range t.All() {
		switch {
		case strings.Contains(line, "Disk name") && strings.Contains(line, "NSD servers"):
			row = servedRow
		case strings.Contains(line, "Disk name") && strings.Contains(line, "Node name"):
			row = nodeRow
		case strings.Contains(line, "Disk name") && strings.Contains(line, "IO performed on node"):
			row = ioNodeRow
		case strings.Contains(line, "------") && row != nil:
		case row == nil:
			continue
		default:
			v, ok := row(strings.Fields(line))
			if !ok {
				row = nil
				continue
			}
			v.At, v.System, v.Created = t.At(i), gpfsSystem, created(v.ID)
			inv.Volumes = append(inv.Volumes, v)
		}
		t.Claim(i, i)
	}
}

var nsdID = lazyregexp.New(`^[0-9A-Fa-f]{16}$`)

// servedRow reads: file system, disk, perhaps ID, servers.
func servedRow(words []string) (v Volume, ok bool) {
	words = joinParentheses(words)
	if len(words) < 3 {
		return v, false
	}
	if words[0] != "(free disk)" {
		v.FileSystem = words[0]
	}
	v.Name = words[1]
	rest := words[2:]
	if nsdID.MatchString(rest[0]) {
		v.ID, rest = rest[0], rest[1:]
	}
	if len(rest) != 1 {
		return v, false
	}
	v.Servers = serverList(rest[0])
	v.Ranked = len(v.Servers) > 0
	return v, true
}

// nodeRow reads: disk, ID, device, perhaps its type, node, remarks.
func nodeRow(words []string) (v Volume, ok bool) {
	if len(words) < 4 || !nsdID.MatchString(words[1]) || words[2] != "-" && !strings.HasPrefix(words[2], "/dev/") {
		return v, false
	}
	v.Name, v.ID, v.Device = words[0], words[1], DeviceName(words[2])
	rest := words[3:]
	if deviceType(rest[0]) && len(rest) > 1 {
		rest = rest[1:]
	}
	v.Host = rest[0]
	remarks := strings.Join(rest[1:], " ")
	if strings.Contains(remarks, "server node") {
		v.Servers = []string{v.Host}
	}
	return v, v.Host != "server" && !strings.HasPrefix(v.Host, "(")
}

// ioNodeRow reads: disk, node that does its I/O, device, availability.
func ioNodeRow(words []string) (v Volume, ok bool) {
	if len(words) != 4 || words[3] != "up" && words[3] != "down" && words[3] != "recovering" && words[3] != "unrecovered" {
		return v, false
	}
	v.Name, v.State = words[0], words[3]
	if words[1] != "-" {
		v.Servers = []string{words[1]}
	}
	return v, true
}

// deviceType reports whether a word is a type that mmdevdiscover knows.
func deviceType(word string) bool {
	switch word {
	case "-", "generic", "dmm", "hdisk", "vpath", "hdiskpower", "dlmfdrv", "emc", "nvme", "powerdisk", "aix", "lxvd", "gpt", "dasd", "vxvm", "clariion":
		return true
	}
	return false
}

// joinParentheses makes one word of (free disk).
func joinParentheses(words []string) []string {
	var joined []string
	open := false
	for _, word := range words {
		if open {
			joined[len(joined)-1] += " " + word
		} else {
			joined = append(joined, word)
		}
		open = (open || strings.HasPrefix(word, "(")) && !strings.HasSuffix(word, ")")
	}
	return joined
}
