package site

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// ceph-volume lvm list has a list for each OSD. ceph-volume raw list has an object for each OSD;
// its key is the number or the UUID of the OSD:
//
//	{"0": [{"type": "block", "devices": ["/dev/sdb"], "lv_path": "/dev/ceph-…/osd-block-…", "tags": {…}}]}
//	{"0": {"osd_id": 0, "device": "/dev/vdb", "type": "bluestore"}}
type volumeObject struct {
	ID     *Value `json:"osd_id"`
	Type   Value
	Device Value
	Disks  []string `json:"devices"`
	Path   Value
	Tags   map[string]Value
}

func readVolumes(t *Text, d *Document, inv *Inventory) bool {
	var byOSD map[string]json.RawMessage
	if json.Unmarshal(d.Raw, &byOSD) != nil || len(byOSD) == 0 {
		return false
	}
	var found []volumeObject
	for _, key := range slices.Sorted(maps.Keys(byOSD)) {
		var list []volumeObject
		var one volumeObject
		if json.Unmarshal(byOSD[key], &list) != nil {
			if json.Unmarshal(byOSD[key], &one) != nil {
				return false
			}
			list = []volumeObject{one}
		}
		for _, v := range list {
			if v.ID == nil {
				id := Value(key)
				v.ID = &id
			}
			if v.Device == "" && len(v.Disks) == 0 || v.Type == "" {
				return false
			}
			found = append(found, v)
		}
	}
	for _, v := range found {
		v.add(d.At(), t.Host, inv)
	}
	return true
}

// add adds an OSD with its drives, on the host on which the command ran.
func (v *volumeObject) add(at At, host string, inv *Inventory) {
	disks := v.Disks
	if len(disks) == 0 {
		disks = []string{v.Device.String()}
	}
	role := v.Type.String()
	if role == "block" || role == "data" || role == "bluestore" {
		role = ""
	}
	o := osd(at, v.ID.String(), host)
	if len(disks) == 1 && role == "" {
		o.Device = DeviceName(disks[0])
	}
	if role == "" {
		inv.Volumes = append(inv.Volumes, o)
	}
	for _, disk := range disks {
		inv.Devices = append(inv.Devices, Device{At: at, Host: host, Name: DeviceName(disk), Role: role})
	}
}

// ceph-volume inventory is a list of devices.
//
//	[{"path": "/dev/sda", "device_id": "…", "sys_api": {"vendor": "ATA", "model": "…", "rev": "…", "size": 512110190592, "rotational": "0"}, "lvs": []}]
func readInventory(t *Text, d *Document, inv *Inventory) bool {
	var list []struct {
		Path Value
		ID   Value `json:"device_id"`
		API  struct {
			Vendor, Model, Rev, Size, Rotational Value
		} `json:"sys_api"`
		Volumes []struct {
			OSD Value `json:"osd_id"`
		} `json:"lvs"`
	}
	if !d.Into(&list, "path", "sys_api") {
		return false
	}
	for _, v := range list {
		dev := Device{
			At: d.At(), Host: t.Host, Name: DeviceName(v.Path.String()), Vendor: v.API.Vendor.String(), Model: v.API.Model.String(),
			Firmware: v.API.Rev.String(), SizeBytes: Bytes(v.API.Size.String(), 1000),
		}
		if strings.HasPrefix(dev.Name, "dm-") || strings.HasPrefix(dev.Name, "md") || strings.Contains(dev.Name, "/") {
			dev.Kind = Stacked
		}
		_, dev.Serial = splitID(v.ID.String())
		inv.Devices = append(inv.Devices, dev)
		for _, lv := range v.Volumes {
			if lv.OSD != "" {
				o := osd(d.At(), lv.OSD.String(), t.Host)
				o.Device = dev.Name
				inv.Volumes = append(inv.Volumes, o)
			}
		}
	}
	return true
}

// As text, ceph-volume lvm list has a banner for each OSD:
//
//	====== osd.0 =======
//
//	  [block]       /dev/ceph-…/osd-block-…
//	      osd id                    0
//	      devices                   /dev/sdb
var (
	volumeHead = lazyregexp.New(`^=+ osd\.(\d+) =+\s*$`)
	volumePart = lazyregexp.New(`^\s+\[(\w+)\]\s+(\S+)`)
	volumeLine = lazyregexp.New(`^\s{6,}(\S[^/]*?)\s{2,}(\S.*)$|^\s{6,}\S.*$`)
)

func readVolumeText(t *Text, inv *Inventory) {
	id, part := "", ""
	for i, line := range t.All() {
		head, section, pair := volumeHead.FindStringSubmatch(line), volumePart.FindStringSubmatch(line), volumeLine.FindStringSubmatch(line)
		switch {
		case head != nil:
			id, part = head[1], ""
		case id == "":
			continue
		case section != nil:
			part = section[1]
		case pair != nil && pair[1] == "devices":
			value := Value(id)
			v := volumeObject{ID: &value, Type: Value(part), Disks: strings.Split(pair[2], ",")}
			v.add(t.At(i), t.Host, inv)
		case pair != nil, strings.TrimSpace(line) == "":
		default:
			id = ""
			continue
		}
		t.Claim(i, i)
	}
}
