// This file reads lsblk: trees and lists with any columns, -P, and JSON,
// flat and nested.

package site

import (
	"strings"
)

// readLsblk reads the devices in a text, and claims their lines.
func readLsblk(t *Text) Inventory {
	var inv Inventory
	readJSON(t, &inv)
	readPairs(t, &inv)
	readTable(t, &inv)
	return inv
}

// device returns the sighting of one row; f has the values by the names of the columns in upper
// case. parent is the device above it in the tree; "" for a disk.
func device(host string, at At, f map[string]string, parent string) (d Device, ok bool) {
	name := DeviceName(f["NAME"])
	kernel := DeviceName(f["KNAME"])
	d = Device{
		At: at, Host: host, Name: first(kernel, name), Number: f["MAJ:MIN"], Kind: kindOf(f["TYPE"], first(kernel, name)),
		WWN: f["WWN"], Serial: f["SERIAL"], Vendor: f["VENDOR"], Model: f["MODEL"], Firmware: f["REV"],
		SizeBytes: Bytes(f["SIZE"], 1024), Media: media(f["ROTA"], f["TRAN"], f["TYPE"]),
	}
	if d.Name == "" {
		return d, false
	}
	if name != "" && name != d.Name {
		d.Aliases = append(d.Aliases, name)
	}
	if d.Kind == Multipath && len(d.Aliases) > 0 { // people know it by the name that they gave it
		d.Name, d.Aliases[0] = d.Aliases[0], d.Name
	}
	if IsAddress(f["HCTL"]) {
		d.Address = f["HCTL"]
	}
	if parent == "" {
		parent = DeviceName(f["PKNAME"])
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

// kindOf returns the kind of a device from its type, else from its name; Unknown: neither shows it.
func kindOf(kind, name string) Kind {
	switch {
	case strings.HasPrefix(name, "bcache"), strings.HasPrefix(name, "drbd"):
		return Stacked // lsblk prints the type disk for them
	case strings.HasPrefix(name, "fd"), strings.HasPrefix(name, "zram"), strings.HasPrefix(name, "ram"):
		return Media
	}
	switch kind {
	case "disk":
		return Drive
	case "part":
		return Partition
	case "mpath":
		return Multipath
	case "rom", "loop", "tape", "changer":
		return Media
	case "lvm", "crypt", "md", "dm", "linear":
		return Stacked
	}
	if strings.HasPrefix(kind, "raid") {
		return Stacked
	}
	if strings.HasPrefix(name, "loop") || strings.HasPrefix(name, "sr") {
		return Media
	}
	return Unknown
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
