package site

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// The JSON has an entry for each queried controller. Lists of drives have the key "PD LIST",
// "Drive Information", "Physical Device Information" or the path of the drive. Details have
// the key "Drive /c0/e252/s0 - Detailed Information".
//
//	{"Controllers": [{"Command Status": {"Controller": 0, "Status": "Success"},
//	  "Response Data": {"PD LIST": [{"EID:Slt": "35:12", "State": "UGood", "DG": "-", "Size": "3.637 TB", "Med": "HDD", "Model": "HUS726040AL5210 "}]}}]}

type listed struct {
	Place Value `json:"EID:Slt"`
	State Value
	DG    Value
	Size  Value
	Med   Value
	Model Value
}

func readJSONStorcli(t *Text, inv *Inventory) {
	documents, _ := t.JSON()
	for _, d := range documents {
		var v struct {
			Controllers []struct {
				Status struct {
					Controller  Value
					Status      string
					Description Value
				} `json:"Command Status"`
				Data map[string]json.RawMessage `json:"Response Data"`
			}
		}
		if !d.Into(&v, "Controllers") {
			continue
		}
		d.Claim()
		before := len(inv.Devices)
		for _, c := range v.Controllers {
			if c.Status.Status == "Failure" {
				inv.Notef(d.At(), "storcli failed on controller %s (%s); run storcli again", c.Status.Controller, c.Status.Description)
			}
			r := storcliReader{host: t.Host, at: d.At(), controller: c.Status.Controller.String(), places: map[string]int{}, inv: inv}
			r.read(c.Data)
		}
		if len(inv.Devices) == before {
			inv.Notef(d.At(), "this output of storcli lists no drives; give the output of `storcli /call/eall/sall show all J`")
		}
	}
}

// A storcliReader joins the short and the long form of each drive.
type storcliReader struct {
	host, controller string
	at               At
	places           map[string]int // index of a device in inv, by EID:Slt
	inv              *Inventory
}

func (r *storcliReader) read(data map[string]json.RawMessage) {
	for _, key := range slices.Sorted(maps.Keys(data)) {
		var list []listed
		var nested map[string]json.RawMessage
		switch {
		case strings.HasSuffix(key, "Detailed Information"):
			r.details(key, data[key])
		case json.Unmarshal(data[key], &list) == nil:
			for _, l := range list {
				r.add(l)
			}
		case key == "Physical Device Information" && json.Unmarshal(data[key], &nested) == nil:
			r.read(nested)
		}
	}
}

func (r *storcliReader) add(l listed) {
	d, ok := drive(r.at, r.host, r.controller, l.Place.String())
	if !ok {
		return
	}
	if _, twice := r.places[l.Place.String()]; twice {
		return
	}
	describeStorcli(&d, l.State.String(), l.DG.String(), l.Size.String(), l.Med.String(), l.Model.String())
	r.places[l.Place.String()] = len(r.inv.Devices)
	r.inv.Devices = append(r.inv.Devices, d)
}

// details sets the attributes of one drive. They may come before the short form of the drive.
func (r *storcliReader) details(key string, raw json.RawMessage) {
	var sections map[string]json.RawMessage
	_, at, ok := placeOf(key)
	if !ok || json.Unmarshal(raw, &sections) != nil {
		return
	}
	if _, known := r.places[at]; !known {
		r.add(listed{Place: Value(at)})
	}
	i, known := r.places[at]
	if !known {
		return
	}
	d := &r.inv.Devices[i]
	for _, name := range slices.Sorted(maps.Keys(sections)) {
		var a struct {
			SN       Value
			WWN      Value
			Vendor   Value `json:"Manufacturer Id"`
			Model    Value `json:"Model Number"`
			Firmware Value `json:"Firmware Revision"`
		}
		if strings.HasSuffix(name, "Device attributes") && json.Unmarshal(sections[name], &a) == nil {
			d.Serial, d.WWN, d.Vendor, d.Model, d.Firmware = a.SN.String(), a.WWN.String(), a.Vendor.String(), a.Model.String(), a.Firmware.String()
		}
	}
}
