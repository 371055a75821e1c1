package site

import (
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// gluster volume info:
//
//	Volume Name: test_vol
//	Type: Replicate
//	Number of Bricks: 1 x 3 = 3
//	Bricks:
//	Brick1: 172.17.18.42:/home/brick
//	Brick3: 172.17.18.44:/home/brick (arbiter)
//	Options Reconfigured:
//	cluster.choose-local: off
var (
	infoHead  = lazyregexp.New(`^Volume Name: (\S+)`)
	infoBrick = lazyregexp.New(`^Brick\d+: (\S+)(?: \((\w+)\))?`)
	infoLine  = lazyregexp.New(`^(?:Type|Volume ID|Status|Snapshot Count|Number of Bricks|Transport-type|Bricks|Options Reconfigured|Xlator \d+|Hot Tier\w*|Cold Tier\w*|[a-z][a-z0-9-]*\.[\w.-]+):`)
)

func readInfo(t *Text, inv *Inventory) {
	volume := ""
	for i, line := range t.All() {
		line = strings.TrimSpace(line)
		head, b := infoHead.FindStringSubmatch(line), infoBrick.FindStringSubmatch(line)
		switch {
		case head != nil:
			volume = head[1]
		case volume == "":
			continue
		case b != nil:
			v, ok := brick(t.At(i), volume, b[1])
			if !ok {
				inv.Notef(t.At(i), "%s is not the name of a brick; give the whole output of gluster, in which a brick is server:/path", b[1])
				continue
			}
			v.Pool = b[2]
			inv.Volumes = append(inv.Volumes, v)
		case !infoLine.MatchString(line):
			continue
		}
		t.Claim(i, i)
	}
}

// gluster volume status breaks names that are wider than their column. With detail it has a block
// for each brick:
//
//	Status of volume: volQ
//	Gluster process                             TCP Port  RDMA Port  Online  Pid
//	------------------------------------------------------------------------------
//	Brick srvgluspvlsu71.example.com:/gluster/Q
//	XCHISTPI/log/brick                          49153     0          Y       11020
//
//	Brick                : Brick node1:/mnt/gluster/gv
//	Device               : /dev/sdb1
//	Total Disk Space     : 19.1GB
var (
	statusHead  = lazyregexp.New(`^Status of volume: (\S+)`)
	statusEnd   = lazyregexp.New(`^(.*?)\s+(?:\d+|N/A)\s+(?:(?:\d+|N/A)\s+)?[YN]\s+(?:\d+|N/A)\s*$`)
	statusOther = lazyregexp.New(`^(?:Gluster process|Self-heal Daemon|NFS Server|Quota Daemon|Bitrot Daemon|Scrubber|Task\s|Task Status|There are no active|Snapshot Daemon|-{10,}|(?:ID|Status|Removed bricks)\s*:)`)
	statusField = lazyregexp.New(`^([A-Z][\w ]+?)\s+:\s+(.*)$`)
)

func readStatus(t *Text, inv *Inventory) {
	volume := ""
	for i := 0; i < t.Len(); i++ {
		line := strings.TrimSpace(t.Line(i))
		if m := statusHead.FindStringSubmatch(line); m != nil {
			volume = m[1]
			t.Claim(i, i)
			continue
		}
		if volume == "" || line == "" {
			continue
		}
		if field := statusField.FindStringSubmatch(line); field != nil {
			t.Claim(i, i)
			detail(t.At(i), volume, field[1], field[2], inv)
			continue
		}
		first := i
		if !statusEnd.MatchString(line) && (strings.HasPrefix(line, "Brick ") || isDaemon(line)) {
			if next := strings.TrimSpace(t.Line(i + 1)); statusEnd.MatchString(next) { // the name continues on the next line
				i++
				line += next
			}
		}
		name, isBrick := strings.CutPrefix(line, "Brick ")
		end := statusEnd.FindStringSubmatch(name)
		switch {
		case isBrick && end != nil:
			if v, ok := brick(t.At(first), volume, end[1]); ok {
				inv.Volumes = append(inv.Volumes, v)
			}
		case !statusOther.MatchString(line):
			continue
		}
		t.Claim(first, i)
	}
}

func isDaemon(line string) bool {
	return strings.Contains(line, " Daemon on ") || strings.Contains(line, "NFS Server on ")
}

// detail reads a line of a brick's block.
func detail(at At, volume, key, value string, inv *Inventory) {
	if key == "Brick" {
		if v, ok := brick(at, volume, strings.TrimPrefix(value, "Brick ")); ok {
			inv.Volumes = append(inv.Volumes, v)
		}
		return
	}
	if len(inv.Volumes) == 0 {
		return
	}
	v := &inv.Volumes[len(inv.Volumes)-1]
	switch key {
	case "Device":
		v.Device = DeviceName(value)
	case "Total Disk Space":
		v.SizeBytes = Bytes(value, 1024)
	}
}

func parseSize(text string) uint64 {
	n, _ := strconv.ParseUint(strings.TrimSpace(text), 10, 64)
	return n
}
