package site

import (
	"encoding/json"
	"strings"
)

// ceph osd metadata is a list of OSDs, or one of them; a report holds the same
// list. device_ids tells vendor, model and serial of every drive of the OSD:
//
//	[{"id": 0, "hostname": "ceph1", "devices": "sda,nvme0n1", "default_device_class": "hdd",
//	  "bluestore_bdev_devices": "sda", "device_ids": "sda=ATA_ST16000NM001G_ZL2A9XYZ,nvme0n1=…"}]
type metadata struct {
	ID            Value
	Hostname      Value
	Devices       Value
	DeviceIDs     Value `json:"device_ids"`
	Data          Value `json:"bluestore_bdev_devices"`
	Class         Value `json:"default_device_class"`
	Size          Value `json:"bluestore_bdev_size"`
	KernelVersion Value `json:"kernel_version"`
}

func readMetadata(_ *Text, d *Document, inv *Inventory) bool {
	var list []metadata
	var one metadata
	switch {
	case d.Into(&list, "id", "hostname") && len(list) > 0:
	case d.Into(&one, "id", "hostname"):
		list = []metadata{one}
	default:
		return false
	}
	for _, m := range list {
		m.add(d.At(), inv)
	}
	return true
}

func readReport(_ *Text, d *Document, inv *Inventory) bool {
	var v struct {
		Metadata []metadata      `json:"osd_metadata"`
		Crush    json.RawMessage `json:"crushmap"`
	}
	if !d.Into(&v, "osd_metadata") && !d.Into(&v, "crushmap", "osdmap") {
		return false
	}
	for _, m := range v.Metadata {
		m.add(d.At(), inv)
	}
	if v.Crush != nil {
		addCrush(d.At(), v.Crush, inv)
	}
	return true
}

// add adds an OSD with the drive that holds its data, and what is known of
// each of its drives.
func (m *metadata) add(at At, inv *Inventory) {
	o := osd(at, m.ID.String(), m.Hostname.String())
	o.Pool, o.Media = m.Class.String(), mediaOf(m.Class.String())
	o.SizeBytes = Bytes(m.Size.String(), 1000)
	data := strings.Split(m.Data.String(), ",")
	if m.Data == "" {
		data = strings.Split(m.Devices.String(), ",")
	}
	if len(data) == 1 {
		o.Device = data[0]
	}
	inv.Volumes = append(inv.Volumes, o)
	ids := deviceIDs(m.DeviceIDs.String())
	for name := range strings.SplitSeq(m.Devices.String(), ",") {
		if name == "" {
			continue
		}
		d := Device{At: at, Host: m.Hostname.String(), Name: name, Kernel: m.KernelVersion.String()}
		d.Model, d.Serial = splitID(ids[name])
		if name != o.Device && o.Device != "" {
			d.Role = "db"
		}
		inv.Devices = append(inv.Devices, d)
	}
}

// deviceIDs reads sda=ATA_ST16000NM001G_ZL2A9XYZ,sdb=…
func deviceIDs(text string) map[string]string {
	ids := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		name, id, ok := strings.Cut(pair, "=")
		if ok {
			ids[name] = id
		}
	}
	return ids
}

// splitID reads VENDOR_MODEL_SERIAL; the serial is the last word.
func splitID(id string) (model, serial string) {
	cut := strings.LastIndex(id, "_")
	if cut < 0 {
		return "", ""
	}
	model = strings.TrimPrefix(id[:cut], "ATA_")
	return strings.ReplaceAll(model, "_", " "), id[cut+1:]
}
