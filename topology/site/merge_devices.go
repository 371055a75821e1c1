package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/topology"
)

// joinDevices joins sightings on one server that share a name, a number or an address. placed are
// the sightings without any of these: slots, which are joined later by the drives in them.
func (s *Site) joinDevices(sightings []Device, short func(string) string) (devices []MergedDevice, placed []Device) {
	j := joiner{site: s, at: map[string]int{}}
	for _, d := range sightings {
		d.Host = cmp.Or(short(d.Host), UnknownServer)
		d.WWN = plainWWN(&d)
		if keys := deviceKeys(&d); len(keys) > 0 {
			j.add(d, keys)
		} else {
			placed = append(placed, d)
		}
	}
	for i := range j.devices {
		if !j.gone[i] {
			devices = append(devices, j.devices[i])
		}
	}
	slices.SortStableFunc(devices, func(a, b MergedDevice) int {
		return cmp.Or(topology.Compare(a.Host, b.Host), topology.Compare(a.Name, b.Name), strings.Compare(a.Number, b.Number))
	})
	return devices, placed
}

// plainWWN returns a WWN in one form: 16 or 32 hex digits. It returns "" for a text that is no WWN,
// such as a vendor's text.
func plainWWN(d *Device) string {
	if d.WWN == "" {
		return ""
	}
	if hex, ok := topology.ParseWWN(d.WWN); ok {
		return hex
	}
	return ""
}

// deviceKeys returns the keys by which a device is joined with other sightings on its server.
func deviceKeys(d *Device) []string {
	var keys []string
	for _, name := range append([]string{d.Name}, d.Aliases...) {
		if name = Plain(name); name != "" { // names with the same form in a topology file are one name
			keys = append(keys, d.Host+" name "+name)
		}
	}
	if d.Number != "" {
		keys = append(keys, d.Host+" number "+d.Number)
	}
	if d.Address != "" && d.Kind == Drive {
		keys = append(keys, d.Host+" address "+d.Address)
	}
	return keys
}

type joiner struct {
	site    *Site
	devices []MergedDevice
	gone    map[int]bool // devices that were joined into another
	at      map[string]int
}

// add joins a sighting with every device that shares a key with it.
func (j *joiner) add(d Device, keys []string) {
	into := -1
	for _, key := range keys {
		i, known := j.at[key]
		switch {
		case !known || i == into:
		case into < 0:
			into = i
		case j.agree(&j.devices[into].Device, &j.devices[i].Device):
			j.absorb(into, i)
		}
	}
	switch {
	case into < 0:
		into = len(j.devices)
		j.devices = append(j.devices, MergedDevice{Device: d})
	case j.agree(&j.devices[into].Device, &d):
		fill(&j.devices[into].Device, &d)
	default:
		return
	}
	for _, key := range keys {
		if _, known := j.at[key]; !known {
			j.at[key] = into
		}
	}
}

// absorb joins device i into another and moves its keys.
func (j *joiner) absorb(into, i int) {
	if j.gone == nil {
		j.gone = map[int]bool{}
	}
	j.gone[i] = true
	fill(&j.devices[into].Device, &j.devices[i].Device)
	for _, key := range deviceKeys(&j.devices[i].Device) {
		if j.at[key] == i {
			j.at[key] = into
		}
	}
}

// agree reports whether two sightings can be one device, and notes a contradiction between them.
func (j *joiner) agree(a, b *Device) bool {
	for _, t := range []struct{ what, a, b string }{{"WWN", a.WWN, b.WWN}, {"serial number", a.Serial, b.Serial}} {
		if t.a != "" && t.b != "" && !strings.EqualFold(t.a, t.b) {
			j.site.note(b.At, "%s of %s has the %s %s in this file, but %s in %s; limpet uses %[5]s. If %[4]s is right, run both tools again and give both outputs",
				cmp.Or(b.Name, b.Number), cmp.Or(b.Host, "this server"), t.what, t.b, t.a, a.At)
			return false
		}
	}
	return true
}

func (s *Site) note(at At, format string, args ...any) {
	s.Notes = append(s.Notes, Note{At: at, Text: fmt.Sprintf(format, args...)})
}

// fill copies to a the fields of b that a does not have. A name that people gave replaces a name of
// the kernel.
func fill(a, b *Device) {
	names := append([]string{a.Name}, a.Aliases...)
	names = append(append(names, b.Name), b.Aliases...)
	if b.Kind == Multipath && a.Kind != Multipath && b.Name != "" {
		a.Name = b.Name
	}
	a.Name = cmp.Or(a.Name, b.Name)
	a.Aliases = nil
	for _, name := range names {
		if name != "" && name != a.Name && !slices.Contains(a.Aliases, name) {
			a.Aliases = append(a.Aliases, name)
		}
	}
	if a.Kind == Unknown || b.Kind == Multipath {
		a.Kind = cmp.Or(b.Kind, a.Kind)
	}
	addDescription(a, b)
	for _, of := range b.Of {
		if !slices.Contains(a.Of, of) {
			a.Of = append(a.Of, of)
		}
	}
	for _, target := range b.Targets {
		if !slices.Contains(a.Targets, target) {
			a.Targets = append(a.Targets, target)
		}
	}
}

// addDescription copies the description and the place of device b to the empty fields of a.
func addDescription(a, b *Device) {
	for _, pair := range [][2]*string{
		{&a.Number, &b.Number},
		{&a.Address, &b.Address},
		{&a.WWN, &b.WWN},
		{&a.Serial, &b.Serial},
		{&a.Vendor, &b.Vendor},
		{&a.Model, &b.Model},
		{&a.Firmware, &b.Firmware},
		{&a.Media, &b.Media},
		{&a.Enclosure, &b.Enclosure},
		{&a.Slot, &b.Slot},
		{&a.Port, &b.Port},
		{&a.Expander, &b.Expander},
		{&a.Link, &b.Link},
		{&a.Kernel, &b.Kernel},
		{&a.Made, &b.Made},
		{&a.Pool, &b.Pool},
		{&a.Role, &b.Role},
		{&a.Redundancy, &b.Redundancy},
	} {
		if *pair[0] == "" {
			*pair[0] = *pair[1]
		}
	}
	a.SizeBytes = cmp.Or(a.SizeBytes, b.SizeBytes)
}

// markPaths finds the paths of multipath devices: devices that the map lists, and devices with the
// WWN of the map.
func (s *Site) markPaths() {
	maps := map[string]string{} // map by host and path, and by host and WWN
	for i := range s.Devices {
		d := &s.Devices[i]
		if d.Kind != Multipath {
			continue
		}
		for _, path := range d.Of {
			maps[d.Host+" "+path] = d.Name
		}
		if d.WWN != "" {
			maps[d.Host+" wwn "+d.WWN] = d.Name
		}
	}
	for i := range s.Devices {
		d := &s.Devices[i]
		if d.Kind == Multipath {
			continue
		}
		d.PathOf = maps[d.Host+" "+d.Name]
		if d.WWN != "" && d.Kind == Drive {
			d.PathOf = cmp.Or(d.PathOf, maps[d.Host+" wwn "+d.WWN])
		}
	}
}
