package blame

import (
	"regexp"
	"strings"

	"github.com/limpet-storage/limpet/topology"
)

// What components have in common is read from what the topology says of them, and
// from their names where it says nothing.

// slot is the number of a slot, without the enclosure that it is counted in: a
// design that cools slot 3 badly does so in every enclosure.
func slot(c *topology.Component) string { return c.Slot[strings.LastIndex(c.Slot, "/")+1:] }

// firmware is the version of a model: versions of two models have nothing to do
// with each other.
func firmware(c *topology.Component) string { return ofModel(c, c.Firmware) }

// batch is the beginning of the serial number, by which most vendors count plants,
// lines and weeks: its first half.
func batch(c *topology.Component) string {
	const shortest = 6 // a shorter number has no room for both batch and drive
	switch {
	case c.Batch != "":
		return ofModel(c, c.Batch)
	case len(c.Serial) < shortest:
		return ""
	}
	return ofModel(c, c.Serial[:len(c.Serial)/2])
}

func ofModel(c *topology.Component, text string) string {
	if text == "" || c.Model == "" {
		return text
	}
	return text + " of " + c.Model
}

// age is the year that a part was made in.
func age(c *topology.Component) string { return c.Made[:min(len(c.Made), len("2021"))] }

var twoNumbers = regexp.MustCompile(`^([^\d]*\d+)[^\d]+\d+$`)

// rack is that of the server, or what a server's name counts first: r12 of r12n03.
func rack(c *topology.Component) string {
	if m := twoNumbers.FindStringSubmatch(c.Server); c.Rack == "" && m != nil {
		return m[1]
	}
	return c.Rack
}

// position is the number of a LUN in its array, or the name of a drive on its
// server: the second drive of every server has the same part to play.
func position(c *topology.Component) string {
	switch at := strings.LastIndex(c.Name, "/"); {
	case c.LUN != "":
		return c.LUN[strings.LastIndex(c.LUN, ".")+1:]
	case at >= 0:
		return c.Name[at+1:]
	}
	return ""
}

// owned is a part of an array or server whose name says nothing elsewhere. A WWN,
// or a SAS address, is the same for all servers that see it.
func owned(c *topology.Component, name string) string {
	if _, everywhere := topology.ParseWWN(name); name == "" || everywhere {
		return name
	}
	if c.Array != "" {
		return c.Array + "/" + name
	}
	return c.Server + "/" + name
}
