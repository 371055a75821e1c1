package site

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// TrueNAS lists enclosures at the top level, or under "ses" and "nvme":
//
//	[{"id": "5000ccab05116800", "model": "ES102", "elements": {"Array Device Slot":
//	   {"1": {"descriptor": "SLOT 000,3FG1KMYV", "status": "OK, Swapped", "dev": "sdasw"}}}}]

type enclosureObject struct {
	ID       Value
	Elements map[string]json.RawMessage
}

func readSESJSON(t *Text, inv *Inventory) {
	documents, _ := t.JSON()
	for _, d := range documents {
		var list []enclosureObject
		var both struct{ SES, NVMe []enclosureObject }
		switch {
		case d.Into(&list, "id", "elements"):
		case d.Into(&both, "ses", "nvme"):
			list = slices.Concat(both.SES, both.NVMe)
		default:
			continue
		}
		d.Claim()
		for _, e := range list {
			e.add(t.Host, d.At(), inv)
		}
	}
}

func (e *enclosureObject) add(host string, at At, inv *Inventory) {
	var slots map[string]struct{ Descriptor, Status, Dev Value }
	raw := e.Elements["Array Device Slot"]
	if raw == nil || json.Unmarshal(raw, &slots) != nil {
		inv.Notef(at, "enclosure %s has no list of device slots; give the output of sg_ses again", e.ID)
		return
	}
	for _, number := range slices.Sorted(maps.Keys(slots)) {
		s := slots[number]
		if s.Dev == "" {
			continue // the slot is empty, or its drive has no device
		}
		d := slot(at, host, e.ID.String(), number, "")
		d.Name = s.Dev.String()
		if _, serial, ok := strings.Cut(s.Descriptor.String(), ","); ok {
			d.Serial = strings.TrimSpace(serial)
		}
		inv.Devices = append(inv.Devices, d)
	}
}
