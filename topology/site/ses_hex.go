package site

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// sg_ses -HHHH prints every diagnostic page as hex, page by page:
//
//	# Configuration (SES) dpage:
//	01 00 01 28 00 00 00 00  11 00 09 2c d5 b4 01 50
//	…
//	# Additional Element Status (SES-2) dpage:
//	0a 00 03 64 …
//
// Page 0x01 names the enclosure, page 0x0a has the address in each slot
// (SES-3, 6.1.13).

var (
	hexLine  = lazyregexp.New(`^\s*(?:[0-9a-f]{2}\s+)*[0-9a-f]{2}\s*$`)
	pageHead = lazyregexp.New(`^#.*\bdpage:\s*$`)
)

const (
	configurationPage = 0x01
	additionalPage    = 0x0a
	sasProtocol       = 6
	pageHeader        = 8
	phyLength         = 28
)

func readHex(t *Text, inv *Inventory) {
	enclosure, dump := "", false
	for i, line := range t.All() {
		if !pageHead.MatchString(line) {
			continue
		}
		dump = true
		page, last := hexPage(t, i+1)
		t.Claim(i, last)
		if len(page) < pageHeader {
			continue
		}
		switch page[0] {
		case configurationPage:
			enclosure = enclosureID(page)
		case additionalPage:
			readAdditional(t, i, page, enclosure, inv)
		}
	}
	if dump {
		claimComments(t)
	}
}

// hexPage joins the bytes of the lines from first on.
func hexPage(t *Text, first int) (page []byte, last int) {
	last = first - 1
	for hexLine.MatchString(t.Line(last + 1)) {
		last++
		part, _ := hex.DecodeString(strings.Join(strings.Fields(t.Line(last)), ""))
		page = append(page, part...)
	}
	return page, last
}

// enclosureID returns the logical identifier of the first enclosure.
func enclosureID(page []byte) string {
	const at = pageHeader + 4
	if len(page) < at+8 {
		return ""
	}
	return hex.EncodeToString(page[at : at+8])
}

// readAdditional walks the descriptors of the page.
func readAdditional(t *Text, i int, page []byte, enclosure string, inv *Inventory) {
	end := min(len(page), 4+int(binary.BigEndian.Uint16(page[2:])))
	for at := pageHeader; at+2 <= end; {
		length := 2 + int(page[at+1])
		if at+length > end {
			inv.Notef(t.At(i), "the page \"additional element status\" is incomplete; run sg_ses again")
			return
		}
		if d, ok := descriptor(page[at : at+length]); ok {
			d.At, d.Host, d.Enclosure, d.Kind = t.At(i), t.Host, enclosure, Drive
			inv.Devices = append(inv.Devices, d)
		}
		at += length
	}
}

// descriptor reads the slot and the addresses of a SAS drive. ok is false for empty slots and
// for elements that are not slots.
func descriptor(b []byte) (d Device, ok bool) {
	invalid, indexed, protocol := b[0]&0x80 != 0, b[0]&0x10 != 0, b[0]&0x0f
	if invalid || protocol != sasProtocol {
		return d, false
	}
	b = b[2:]
	number := -1
	if indexed {
		if len(b) < 2 {
			return d, false
		}
		number = int(b[1])
		b = b[2:]
	}
	const slotHeader = 4
	if len(b) < slotHeader+phyLength || b[1]>>6 != 0 { // 0: a device slot, 1: an expander
		return d, false
	}
	if b[3] != 0 || number < 0 {
		number = int(b[3])
	}
	phy := b[slotHeader:]
	port := fmt.Sprintf("%016x", binary.BigEndian.Uint64(phy[12:20]))
	if isZeroAddress(port) {
		return d, false
	}
	return Device{Slot: strconv.Itoa(number), Port: port, Expander: fmt.Sprintf("%016x", binary.BigEndian.Uint64(phy[4:12]))}, true
}

// claimComments claims all comment lines.
func claimComments(t *Text) {
	for i, line := range t.All() {
		if strings.HasPrefix(line, "#") {
			t.Claim(i, i)
		}
	}
}
