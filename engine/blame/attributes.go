package blame

import (
	"regexp"
	"strings"

	"github.com/limpet-storage/limpet/topology"
)

// The functions below return the attributes of a component from the topology. If the topology does
// not have an attribute, some of these functions derive it from the name of the component or of its
// server.

// slot returns the number of a component's slot, without the name of the enclosure. If enclosures
// of one design cool slot 3 badly, the drives in slot 3 of all these enclosures may be slow.
func slot(c *topology.Component) string { return c.Slot[strings.LastIndex(c.Slot, "/")+1:] }

// firmware returns the firmware version together with the model. Two models may have the
// same version number but different firmware.
func firmware(c *topology.Component) string { return withModel(c, c.Firmware) }

// batch returns the production batch. If the topology has no batch, the function returns the first
// half of the serial number. In this half, most vendors encode the plant, the production line and
// the week.
func batch(c *topology.Component) string {
	const shortest = 6 // a shorter serial number cannot contain both the batch and the number of the drive
	switch {
	case c.Batch != "":
		return withModel(c, c.Batch)
	case len(c.Serial) < shortest:
		return ""
	}
	return withModel(c, c.Serial[:len(c.Serial)/2])
}

func withModel(c *topology.Component, text string) string {
	if text == "" || c.Model == "" {
		return text
	}
	return text + " of " + c.Model
}

// age returns the year in which a component was made.
func age(c *topology.Component) string { return c.Made[:min(len(c.Made), len("2021"))] }

var twoNumbers = regexp.MustCompile(`^([^\d]*\d+)[^\d]+\d+$`)

// rack returns the rack of the server. If the topology has no rack, and the server's name contains
// two numbers, rack derives the rack from this name. It returns the name up to the end of the first
// number: r12 for the server r12n03.
func rack(c *topology.Component) string {
	if m := twoNumbers.FindStringSubmatch(c.Server); c.Rack == "" && m != nil {
		return m[1]
	}
	return c.Rack
}

// position returns the number of a LUN in its array, or the name of a drive on its server. Parts
// with the same position often have the same task, for example the second drives of all servers.
func position(c *topology.Component) string {
	switch at := strings.LastIndex(c.Name, "/"); {
	case c.LUN != "":
		return c.LUN[strings.LastIndex(c.LUN, ".")+1:]
	case at >= 0:
		return c.Name[at+1:]
	}
	return ""
}

// uniqueName returns the name of a part, with the name of its array or server in front, because the
// name of the part alone is not unique. A WWN or SAS address is unique and gets no prefix.
func uniqueName(c *topology.Component, name string) string {
	if _, everywhere := topology.ParseWWN(name); name == "" || everywhere {
		return name
	}
	if c.Array != "" {
		return c.Array + "/" + name
	}
	return c.Server + "/" + name
}
