package lsblk

import (
	"strings"

	"github.com/limpet-storage/limpet/topology/site"
)

// Read reads what it understands of a text and claims it.
func Read(t *site.Text) site.Inventory {
	var inv site.Inventory
	readJSON(t, &inv)
	readPairs(t, &inv)
	readTable(t, &inv)
	return inv
}

// device makes a sighting of one row, by the names of its columns in upper
// case. parent is the device that it hangs on, empty for a disk.
func device(host string, at site.At, f map[string]string, parent string) (d site.Device, ok bool) {
	name := site.DeviceName(f["NAME"])
	kernel := site.DeviceName(f["KNAME"])
	d = site.Device{
		At: at, Host: host, Name: first(kernel, name), Number: f["MAJ:MIN"], Kind: kindOf(f["TYPE"], first(kernel, name)),
		WWN: f["WWN"], Serial: f["SERIAL"], Vendor: f["VENDOR"], Model: f["MODEL"], Firmware: f["REV"],
		SizeBytes: site.Bytes(f["SIZE"], 1024), Media: media(f["ROTA"], f["TRAN"], f["TYPE"]),
	}
	if d.Name == "" {
		return d, false
	}
	if name != "" && name != d.Name {
		d.Aliases = append(d.Aliases, name)
	}
	if d.Kind == site.Multipath && len(d.Aliases) > 0 { // known by the name that people gave it
		d.Name, d.Aliases[0] = d.Aliases[0], d.Name
	}
	if site.IsAddress(f["HCTL"]) {
		d.Address = f["HCTL"]
	}
	if parent == "" {
		parent = site.DeviceName(f["PKNAME"])
	}
	if parent != "" {
		d.Of = []string{parent}
	}
	return d, true
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// kindOf tells a device by its type, else by its name; unknown where neither
// does.
func kindOf(kind, name string) site.Kind {
	switch {
	case strings.HasPrefix(name, "bcache"), strings.HasPrefix(name, "drbd"):
		return site.Stacked // lsblk calls them disks
	case strings.HasPrefix(name, "fd"), strings.HasPrefix(name, "zram"), strings.HasPrefix(name, "ram"):
		return site.Media
	}
	switch kind {
	case "disk":
		return site.Drive
	case "part":
		return site.Partition
	case "mpath":
		return site.Multipath
	case "rom", "loop", "tape", "changer":
		return site.Media
	case "lvm", "crypt", "md", "dm", "linear":
		return site.Stacked
	}
	if strings.HasPrefix(kind, "raid") {
		return site.Stacked
	}
	if strings.HasPrefix(name, "loop") || strings.HasPrefix(name, "sr") {
		return site.Media
	}
	return site.Unknown
}

func media(rotational, transport, kind string) string {
	switch {
	case kind != "disk":
		return ""
	case transport == "nvme":
		return "nvme"
	case rotational == "1" || rotational == "true":
		return "hdd"
	case rotational == "0" || rotational == "false":
		return "ssd"
	}
	return ""
}
