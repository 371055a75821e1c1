package site

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// The files that devices reads:
//
//	sys/block/sda/size                          in sectors of 512 bytes
//	sys/block/sda/dev                           8:0
//	sys/block/sda/device/{vendor,model,rev,wwid,serial}
//	sys/block/nvme0n1/wwid
//	sys/block/dm-3/dm/{name,uuid}
//	sys/block/dm-3/slaves/sda
//	sys/class/enclosure/19:0:309:0/SLOT 001/slot, …/device/block/sdb
//	udev/data/b8:0                              lines S:disk/by-id/… and E:ID_WWN=…
var (
	blockFile = lazyregexp.New(`^sys/(?:block|class/block|devices/.*/block)/([^/]+)/(.+)$`)
	slotDrive = lazyregexp.New(`^sys/.*enclosure/([^/]+)/([^/]+)/device/block/([^/]+)(?:/|$)`)
	slotFile  = lazyregexp.New(`^sys/.*enclosure/([^/]+)/(?:([^/]+)/)?(slot|id)$`)
	udevFile  = lazyregexp.New(`^(?:run/)?udev/data/b(\d+:\d+)$`)
)

// devices returns the devices that the entries of a tree describe.
func devices(host string, entries []entry) Inventory {
	r := sysfsReader{host: host, devices: map[string]*Device{}, slots: map[[2]string]string{}, ids: map[string]string{}}
	for _, e := range entries {
		r.take(e)
	}
	for key, d := range r.inSlot {
		if number, ok := r.slots[[2]string{d.Enclosure, d.Slot}]; ok && number != "" {
			r.inSlot[key].Slot = number
		}
		if id := r.ids[d.Enclosure]; id != "" {
			r.inSlot[key].Enclosure = id
		}
	}
	var inv Inventory
	for _, key := range slices.Sorted(maps.Keys(r.devices)) {
		if d := r.devices[key]; d.Name != "" || d.Number != "" {
			inv.Devices = append(inv.Devices, *d)
		}
	}
	inv.Devices = append(inv.Devices, r.inSlot...)
	return inv
}

type sysfsReader struct {
	host    string
	devices map[string]*Device
	inSlot  []Device
	slots   map[[2]string]string // slot number, by enclosure and element
	ids     map[string]string    // logical identifier by enclosure
}

func (r *sysfsReader) take(e entry) {
	if m := slotDrive.FindStringSubmatch(e.Path); m != nil {
		r.inSlot = append(r.inSlot, Device{At: e.At, Host: r.host, Name: m[3], Enclosure: m[1], Slot: strings.TrimSpace(m[2])})
		return
	}
	value := strings.TrimSpace(e.Value)
	if m := slotFile.FindStringSubmatch(e.Path); m != nil {
		if m[3] == "id" {
			r.ids[m[1]] = strings.TrimPrefix(value, "0x")
		} else {
			r.slots[[2]string{m[1], strings.TrimSpace(m[2])}] = value
		}
		return
	}
	if m := udevFile.FindStringSubmatch(e.Path); m != nil {
		udev(r.device(e, "", m[1]), e.Value)
		return
	}
	if m := blockFile.FindStringSubmatch(e.Path); m != nil {
		attributeSysfs(r.device(e, m[1], ""), m[2], value)
	}
}

// device returns the device of an entry, and adds the device if it is new.
func (r *sysfsReader) device(e entry, name, number string) *Device {
	key := name + number
	if r.devices[key] == nil {
		r.devices[key] = &Device{At: e.At, Host: r.host, Name: strings.ReplaceAll(name, "!", "/"), Number: number, Kind: kindOfSysfs(name)}
	}
	return r.devices[key]
}

func kindOfSysfs(name string) Kind {
	for _, prefix := range []string{"loop", "ram", "zram", "sr", "fd"} {
		if strings.HasPrefix(name, prefix) {
			return Media
		}
	}
	for _, prefix := range []string{"dm-", "md", "bcache", "drbd"} {
		if strings.HasPrefix(name, prefix) {
			return Stacked
		}
	}
	if name == "" {
		return Unknown
	}
	return Drive
}

func attributeSysfs(d *Device, file, value string) {
	switch file {
	case "dev":
		if IsNumber(value) {
			d.Number = value
		}
	case "size":
		sectors, _ := strconv.ParseUint(value, 10, 54)
		d.SizeBytes = sectors * 512
	case "wwid", "device/wwid":
		wwid(d, value)
	case "device/vendor":
		d.Vendor = value
	case "device/model":
		d.Model = value
	case "device/rev", "device/firmware_rev":
		d.Firmware = value
	case "device/serial":
		d.Serial = value
	case "dm/name":
		d.Aliases = append(d.Aliases, value)
	case "dm/uuid":
		if id, ok := strings.CutPrefix(value, "mpath-"); ok {
			d.Kind, d.WWN = Multipath, id
		}
	default:
		if dir, name := path.Split(file); dir == "slaves/" {
			d.Of = append(d.Of, name)
		}
	}
}

// wwid sets the WWN if the value begins with naa. or eui. Other values are not WWNs; t10.… for
// example is a text of the vendor that has model and serial number without a separator.
func wwid(d *Device, value string) {
	if strings.HasPrefix(value, "naa.") || strings.HasPrefix(value, "eui.") {
		d.WWN = value
	}
}

// udev sets the facts of an entry of the udev database.
func udev(d *Device, text string) {
	properties := map[string]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if link, ok := strings.CutPrefix(line, "S:disk/by-id/"); ok {
			d.Aliases = append(d.Aliases, link)
		}
		if pair, ok := strings.CutPrefix(line, "E:"); ok {
			key, value, _ := strings.Cut(pair, "=")
			properties[key] = value
		}
	}
	d.WWN = firstSysfs(properties["ID_WWN_WITH_EXTENSION"], properties["ID_WWN"])
	d.Serial = firstSysfs(properties["ID_SERIAL_SHORT"], "")
	d.Model = strings.ReplaceAll(firstSysfs(properties["ID_MODEL"], ""), "_", " ")
	d.Firmware = properties["ID_REVISION"]
	switch {
	case properties["ID_PART_ENTRY_NUMBER"] != "" || properties["PARTN"] != "":
		d.Kind = Partition
	case strings.HasPrefix(properties["DM_UUID"], "mpath-"):
		d.Kind, d.WWN = Multipath, strings.TrimPrefix(properties["DM_UUID"], "mpath-")
		d.Name = properties["DM_NAME"]
	case properties["DM_NAME"] != "" || properties["MD_LEVEL"] != "":
		d.Kind = Stacked
	case properties["ID_CDROM"] != "" || strings.HasPrefix(d.Number, "7:") || strings.HasPrefix(d.Number, "11:"):
		d.Kind = Media
	case properties["ID_SERIAL"] != "":
		d.Kind = Drive
	}
}

func firstSysfs(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
