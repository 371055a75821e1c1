// This file reads which drive sits in which slot of the enclosures of a MegaRAID controller,
// from the output of storcli and perccli, as JSON and as text, with and without details of
// each drive.

package site

import (
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// readStorCLI reads the drives in a text and claims their lines.
func readStorCLI(t *Text) Inventory {
	var inv Inventory
	readJSONStorcli(t, &inv)
	readTextStorcli(t, &inv)
	return inv
}

// base is the factor between the units of storcli: it prints "TB" for TiB.
const base = 1024

// drive returns a drive behind a controller. Its Name is empty, because the operating system
// has a device for the drive only if the drive is a JBOD. The merge finds that device by WWN
// or serial number.
func drive(at At, host, controller, place string) (d Device, ok bool) {
	enclosure, slot, ok := strings.Cut(strings.TrimSpace(place), ":")
	if !ok {
		return d, false
	}
	d = Device{At: at, Host: host, Kind: Drive, Slot: strings.TrimSpace(slot)}
	d.Enclosure = enclosureName(controller, enclosure)
	return d, true
}

func enclosureName(controller, enclosure string) string {
	if enclosure = strings.TrimSpace(enclosure); enclosure == "" {
		return "c" + controller // drives on the controller's own ports have no enclosure
	}
	return "c" + controller + "/e" + enclosure
}

// describeStorcli sets the facts of the short table.
func describeStorcli(d *Device, state, group, size, media, model string) {
	d.SizeBytes, d.Model = Bytes(size, base), strings.TrimSpace(model)
	if media = strings.ToLower(media); media == "hdd" || media == "ssd" {
		d.Media = media
	}
	if group != "" && group != "-" && group != "F" {
		d.Pool = "drive group " + group
	}
	switch state {
	case "GHS", "DHS":
		d.Role = "spare"
	case "Offln", "UBad", "Failed":
		d.Role = "faulty"
	}
}

var storcliPlace = lazyregexp.New(`/c(\d+)(?:/e(\d+))?/s(\d+)`)

// placeOf finds a path such as /c0/e252/s0, and returns controller 0 and enclosureSlot 252:0.
func placeOf(text string) (controller, enclosureSlot string, ok bool) {
	m := storcliPlace.FindStringSubmatch(text)
	if m == nil {
		return "", "", false
	}
	return m[1], fmt.Sprintf("%s:%s", m[2], m[3]), true
}
