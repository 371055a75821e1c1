package site

import (
	"encoding/json"
	"fmt"
)

// ceph osd crush dump has buckets with their items:
//
//	{"devices": [{"id": 0, "name": "osd.0", "class": "hdd"}],
//	 "buckets": [{"id": -2, "name": "host1", "type_name": "host", "items": [{"id": 0}]}]}

func readCrush(_ *Text, d *Document, inv *Inventory) bool {
	var v struct{}
	if !d.Into(&v, "devices", "buckets") {
		return false
	}
	addCrush(d.At(), d.Raw, inv)
	return true
}

func addCrush(at At, raw json.RawMessage, inv *Inventory) {
	var v struct {
		Devices []struct {
			ID          int
			Name, Class string
		}
		Buckets []struct {
			Name  string
			Type  string `json:"type_name"`
			Items []struct{ ID int }
		}
	}
	if json.Unmarshal(raw, &v) != nil {
		inv.Notef(at, "the CRUSH map has an unknown format; give the output of `ceph osd tree -f json`")
		return
	}
	host := map[int]string{}
	for _, b := range v.Buckets {
		for _, item := range b.Items {
			if b.Type == "host" && item.ID >= 0 && !isShadow(b.Name) {
				host[item.ID] = b.Name
			}
		}
	}
	for _, dev := range v.Devices {
		o := osd(at, fmt.Sprint(dev.ID), host[dev.ID])
		o.Pool, o.Media = dev.Class, mediaOf(dev.Class)
		inv.Volumes = append(inv.Volumes, o)
	}
}
