package site

import (
	"strconv"
	"strings"
)

// place joins what enclosures and controllers say of their slots with the
// drives that servers see: by WWN, else by serial number, else by the address
// of a port. A slot whose drive no server sees is counted.
func (s *Site) place(slots []Device) {
	x := newIndex(s.Devices)
	for _, slot := range slots {
		found := x.find(&slot)
		for _, i := range found {
			addDescription(&s.Devices[i].Device, &slot)
		}
		if len(found) == 0 {
			s.Hidden++
		}
	}
}

type index struct {
	byWWN, bySerial, byPort map[string][]int
	devices                 []MergedDevice
}

func newIndex(devices []MergedDevice) *index {
	x := &index{map[string][]int{}, map[string][]int{}, map[string][]int{}, devices}
	for i := range devices {
		d := &devices[i]
		if d.WWN != "" {
			x.byWWN[d.WWN] = append(x.byWWN[d.WWN], i)
			port := portKey(d.WWN)
			x.byPort[port] = append(x.byPort[port], i)
		}
		if d.Serial != "" {
			serial := strings.ToUpper(d.Serial)
			x.bySerial[serial] = append(x.bySerial[serial], i)
		}
	}
	return x
}

// find returns the devices that a slot holds: one drive may be seen by several
// servers, and by several names on each.
func (x *index) find(slot *Device) []int {
	for _, found := range [][]int{x.byWWN[slot.WWN], x.bySerial[strings.ToUpper(slot.Serial)]} {
		if found = x.ofHost(found, slot.Host); len(found) > 0 {
			return found
		}
	}
	if slot.Port == "" {
		return nil
	}
	found := x.ofHost(x.byPort[portKey(slot.Port)], slot.Host)
	if !x.oneDrive(found) {
		return nil
	}
	return found
}

// ofHost keeps the devices of a server; all of them where it is not known.
func (x *index) ofHost(found []int, host string) []int {
	if host == UnknownServer {
		return found
	}
	var own []int
	for _, i := range found {
		if x.devices[i].Host == host {
			own = append(own, i)
		}
	}
	return own
}

// oneDrive reports whether all devices have one WWN: neighbouring WWNs may
// share the key of a port.
func (x *index) oneDrive(found []int) bool {
	for _, i := range found {
		if x.devices[i].WWN != x.devices[found[0]].WWN {
			return false
		}
	}
	return true
}

// portKey is what the WWN of a SAS drive and the addresses of its ports have in
// common: all but the two lowest bits.
func portKey(address string) string {
	n, err := strconv.ParseUint(strings.TrimPrefix(address, "0x"), 16, 64)
	if err != nil {
		return "none " + address
	}
	return strconv.FormatUint(n&^3, 16)
}
