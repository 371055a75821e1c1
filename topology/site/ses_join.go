package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// sg_ses --join prints a block for each element, sg_ses -p aes a block for each slot:
//
//	  HGST      H4102-J           3010
//	  Primary enclosure logical identifier (hex): 5000ccab05116800
//	SLOT 001,3FJ3J58T [0,1]  Element type: Array device slot
//	  Enclosure Status:
//	    status: OK, ident=0
//	  Additional Element Status:
//	    Transport protocol: SAS
//	    number of phys: 1, not all phys: 0, device slot number: 1
//	    phy index: 0
//	      SAS device type: end device
//	      attached SAS address: 0x5000ccab05116f7f
//	      SAS address: 0x5000cca2530c0a05
var (
	identifier = lazyregexp.New(`(?i)(?:enclosure logical identifier|Enclosure logical identifier) \(hex\): ([0-9a-f]{16})`)
	elementOf  = lazyregexp.New(`^\s*(\S.*?)?\s*\[(-?\d+),(-?\d+)\]\s+Element type: (.*)$`)
	aesHead    = lazyregexp.New(`^\s*(?:Additional element status diagnostic page|generation code: 0x|additional element status descriptor list|Element type: .*subenclosure id: )`)
	indexLine  = lazyregexp.New(`^\s+Element index: (\d+)`)
	slotNumber = lazyregexp.New(`device slot number: (\d+)`)
	attached   = lazyregexp.New(`^\s+attached SAS address: (?:0x)?([0-9a-f]{16})`)
	sesAddress = lazyregexp.New(`^\s+SAS address: (?:0x)?([0-9a-f]{16})`)
)

func readJoin(t *Text, inv *Inventory) {
	j := sesJoiner{host: t.Host, inv: inv}
	for i, line := range t.All() {
		switch m := identifier.FindStringSubmatch(line); {
		case m != nil:
			j.enclosure, j.begun = m[1], true
			t.Claim(i-1, i)
		case elementOf.MatchString(line):
			e := elementOf.FindStringSubmatch(line)
			j.open(t.At(i), isSlot(e[4]), e[1])
		case indexLine.MatchString(line):
			j.open(t.At(i), true, "")
		case aesHead.MatchString(line):
		case !j.begun || !strings.HasPrefix(line, " "):
			continue
		default:
			j.take(line)
		}
		t.Claim(i, i)
	}
}

func isSlot(kind string) bool {
	kind = strings.ToLower(kind)
	return strings.HasPrefix(kind, "array device slot") || strings.HasPrefix(kind, "device slot") || kind == "array device"
}

// A sesJoiner holds the slot whose lines are being read.
type sesJoiner struct {
	host, enclosure string
	inv             *Inventory
	begun           bool
	at              At
	isSlot          bool
	number, serial  string
	expander        string
}

func (j *sesJoiner) open(at At, isSlot bool, descriptor string) {
	j.begun, j.at, j.isSlot, j.number, j.expander = true, at, isSlot, "", ""
	_, j.serial, _ = strings.Cut(descriptor, ",")
}

func (j *sesJoiner) take(line string) {
	if m := slotNumber.FindStringSubmatch(line); m != nil {
		j.number = m[1]
	}
	if m := attached.FindStringSubmatch(line); m != nil {
		j.expander = m[1]
	}
	m := sesAddress.FindStringSubmatch(line)
	if m == nil || !j.isSlot || j.number == "" || isZeroAddress(m[1]) {
		return
	}
	d := slot(j.at, j.host, j.enclosure, j.number, m[1])
	d.Serial = strings.TrimSpace(j.serial)
	if !isZeroAddress(j.expander) {
		d.Expander = j.expander
	}
	j.inv.Devices = append(j.inv.Devices, d)
	j.isSlot = false // the next phys belong to the same drive
}
