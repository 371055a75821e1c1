// This file reads which drives sit in which slot of the enclosures of a
// MegaRAID controller: storcli and perccli, as JSON and as text, with and
// without details of each drive.

package site

import (
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// readStorCLI reads what it understands of a text and claims it.
func readStorCLI(t *Text) Inventory {
	var inv Inventory
	readJSONStorcli(t, &inv)
	readTextStorcli(t, &inv)
	return inv
}

// Sizes are in powers of 1024, whatever storcli calls them.
const base = 1024

// drive is the sighting of a drive behind a controller. The operating system
// sees it under a name of its own only where it is a JBOD, so that there is
// none here; WWN and serial join it.
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

// describeStorcli takes what the short table says.
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

// placeOf reads /c0/e252/s0.
func placeOf(text string) (controller, enclosureSlot string, ok bool) {
	m := storcliPlace.FindStringSubmatch(text)
	if m == nil {
		return "", "", false
	}
	return m[1], fmt.Sprintf("%s:%s", m[2], m[3]), true
}
