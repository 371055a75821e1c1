package site

import (
	"encoding/json"
	"strings"
)

// JSON, nested by default and flat with -l; keys are the columns in lower case:
//
//	{"blockdevices": [{"name": "sda", "maj:min": "8:0", "size": 1765517033472, "type": "disk", "children": [{"name": "sda1", …}]}]}

func readJSON(t *Text, inv *Inventory) {
	documents, _ := t.JSON()
	for _, d := range documents {
		var v struct {
			Devices []json.RawMessage `json:"blockdevices"`
		}
		if !d.Into(&v, "blockdevices") {
			continue
		}
		d.Claim()
		for _, raw := range v.Devices {
			readObject(t.Host, d.At(), raw, "", inv)
		}
	}
}

func readObject(host string, at At, raw json.RawMessage, parent string, inv *Inventory) {
	var values map[string]Value
	var nested struct{ Children []json.RawMessage }
	if json.Unmarshal(raw, &values) != nil || json.Unmarshal(raw, &nested) != nil {
		inv.Notef(at, "an entry of \"blockdevices\" in the JSON is not a device; run lsblk again")
		return
	}
	f := make(map[string]string, len(values))
	for key, value := range values {
		f[strings.ToUpper(key)] = value.String()
	}
	d, ok := device(host, at, f, parent)
	if !ok {
		inv.Notef(at, "an entry of \"blockdevices\" in the JSON has no name; run lsblk with the column NAME or KNAME")
		return
	}
	inv.Devices = append(inv.Devices, d)
	for _, child := range nested.Children {
		readObject(host, at, child, d.Name, inv)
	}
}
