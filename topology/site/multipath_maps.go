package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// A map begins with its name, if it has one besides its WWID, and goes on with
// its size and its paths, one or more groups of them:
//
//	mpathg (36f01faf000da360b0000033c528fea6d) dm-2 DELL,MD36xxi
//	size=54T features='3 queue_if_no_path pg_init_retries 50' hwhandler='1 rdac' wp=rw
//	|-+- policy='round-robin 0' prio=0 status=active
//	| |- 12:0:0:1 sdc 8:32   active ready running
//	| `- 17:0:0:1 sdv 65:80  active ready running
//
// Before version 0.4.9 the lines were
//
//	L004 (360060160ade32800f2e3baf47665e211) dm-9 DGC,RAID 5
//	[size=100G][features=1 queue_if_no_path][hwhandler=1 emc][rw]
//	\_ round-robin 0 [prio=1][active]
//	 \_ 3:0:1:4 sdk  8:160  [active][ready]
//
// Maps that were changed are preceded by what was done: "create: mpatha (…".

var (
	mapLine  = lazyregexp.New(`^(?:(?:create|reload|rename|switchpg|resize|reject|undef|unchanged|\w+): )?(?:(\S+) \(([^() ]+)\)|([0-9a-zA-Z.:_-]{8,})) +(dm-\d+|undef|\[nvme\]:nvme\d+n\d+) +(.*)$`)
	sizeLine = lazyregexp.New(`^\[?size=([\d.]+[KMGTPE]?)\]?[ \[]`)
	pathLine = lazyregexp.New(`(\d+:\d+:\d+(?::\d+)?|#:#:#:#|-:-:-:-) +(\S+) +(\d+:\d+)\s*(.*)$`)
	gonePath = lazyregexp.New(`#:#:#:# +- +#:#`)
	group    = lazyregexp.New("^[\\s|`\\\\]*-?(?:\\+-|_) *(?:policy=|round-robin|queue-length|service-time)|policy='")
)

func readMaps(t *Text, inv *Inventory) {
	for i := 0; i < t.Len(); i++ {
		if m := mapLine.FindStringSubmatch(strings.TrimSpace(t.Line(i))); m != nil && !strings.Contains(t.Line(i), "size=") {
			i = readMap(t, inv, i, m)
		}
	}
}

// readMap reads a map and its paths, and returns the last line of it.
func readMap(t *Text, inv *Inventory, first int, m []string) int {
	d := Device{At: t.At(first), Host: t.Host, Kind: Multipath, Name: m[1], WWN: m[2] + m[3], Aliases: aliases(m[4])}
	if d.Name == "" {
		d.Name = d.WWN
	}
	vendor, product, _ := strings.Cut(m[5], ",")
	d.Vendor, d.Model = strings.TrimSpace(vendor), strings.TrimSpace(product)
	if d.Vendor == "NVMe" {
		d.Model, d.Firmware, _ = strings.Cut(d.Model, ",")
	}
	if d.Vendor == "##" { // no path is left to ask
		d.Vendor, d.Model = "", ""
	}
	var paths []Device
	last := first
	for ; ; last++ {
		line := t.Line(last + 1)
		if p := pathLine.FindStringSubmatch(line); p != nil {
			paths = append(paths, pathMultipath(t, last+1, p, d))
			d.Of = append(d.Of, p[2])
			continue
		}
		if s := sizeLine.FindStringSubmatch(strings.TrimSpace(line)); s != nil {
			d.SizeBytes = Bytes(s[1], 1024)
			if strings.HasPrefix(m[4], "[nvme]:") { // sectors, where the kernel joins the paths
				d.SizeBytes *= 512
			}
		} else if !group.MatchString(line) && !gonePath.MatchString(line) {
			break
		}
	}
	if last == first && len(m[1]) == 0 { // a word and dm-0 are no map without what follows
		return first
	}
	t.Claim(first, last)
	inv.Devices = append(append(inv.Devices, d), paths...)
	return last
}

// aliases are what else a map is called: dm-2, or nvme0n1 where the kernel joins the
// paths itself. A map that is about to be made has none.
func aliases(name string) []string {
	if name == "undef" {
		return nil
	}
	return []string{strings.TrimPrefix(name, "[nvme]:")}
}

// pathMultipath is one path of a map; what the map is, the path is.
func pathMultipath(t *Text, i int, m []string, of Device) Device {
	d := Device{At: t.At(i), Host: t.Host, Kind: Drive, Name: m[2], Number: m[3], WWN: of.WWN, Vendor: of.Vendor, Model: of.Model}
	d.State = strings.Join(strings.Fields(strings.NewReplacer("[", " ", "]", " ").Replace(m[4])), " ")
	if IsAddress(m[1]) {
		d.Address = m[1]
	}
	return d
}
