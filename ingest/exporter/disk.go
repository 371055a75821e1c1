package exporter

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/ingest/osd"
	"github.com/limpet-storage/limpet/internal/devname"
	"github.com/limpet-storage/limpet/record/sysstat"
)

const (
	sectorBytes = 512
	// syntheticMajor is the major number of devices whose real number is
	// unknown. Linux has 12 bits for major numbers, so no real device has this
	// number.
	syntheticMajor = 1 << 12
)

// identity is the device number, the WWN, the model and the serial number of a
// disk.
type identity struct {
	major, minor       uint32
	numbered           bool // true if the device number is known
	wwn, model, serial string
}

// readLabels reads the labels of an info series. The parameter `rival` is true if the labels come
// from a second source. Such labels only fill in a missing model or serial number.
func (id *identity) readLabels(labels []Label, rival bool) {
	var labelled identity
	var hasMajor, hasMinor bool
	for _, l := range labels {
		switch string(l.Name) {
		case "major":
			hasMajor = parseNumber(l.Value, &labelled.major)
		case "minor":
			hasMinor = parseNumber(l.Value, &labelled.minor)
		case "wwn":
			labelled.wwn = cleanLabel(id.wwn, l.Value)
		case "model":
			labelled.model = cleanLabel(id.model, l.Value)
		case "serial":
			labelled.serial = cleanLabel(id.serial, l.Value)
		}
	}
	labelled.numbered = hasMajor && hasMinor && labelled.major|labelled.minor != 0
	if rival {
		id.model, id.serial = cmp.Or(id.model, labelled.model), cmp.Or(id.serial, labelled.serial)
		return
	}
	if labelled.wwn != id.wwn { // another WWN: the drive was replaced
		id.model, id.serial = "", ""
	}
	id.wwn = labelled.wwn
	id.model, id.serial = cmp.Or(labelled.model, id.model), cmp.Or(labelled.serial, id.serial)
	if labelled.numbered {
		id.major, id.minor, id.numbered = labelled.major, labelled.minor, true
	}
}

// maxText is the largest number of bytes of a label that are stored in an inventory, the list of
// devices in an activity file.
const maxText = 128

// cleanLabel returns the value of a label, without invisible characters and cut off
// after maxText bytes. If the value is the same as the previous value (`old`), the result is `old`,
// so that no copy is made.
func cleanLabel(old string, value []byte) string {
	value = value[:min(len(value), maxText)]
	if old == string(value) {
		return old
	}
	return strings.Map(func(r rune) rune {
		if !isVisible(r) {
			return -1
		}
		return r
	}, string(value))
}

func parseNumber(b []byte, n *uint32) bool {
	v, err := strconv.ParseUint(string(b), 10, 32)
	*n = uint32(v)
	return err == nil
}

// roster lists all devices that a server ever had, by name. A device keeps its
// number, even after a restart of limpet, since files refer to devices by
// number.
type roster struct {
	byName  map[string]*sysstat.Device
	list    []sysstat.Device // sorted by number
	next    uint32           // next free minor number for a device whose real number is unknown
	changed bool             // true if the devices have changed since the last reading was written
}

func newRoster(known []sysstat.Device) *roster {
	r := &roster{byName: map[string]*sysstat.Device{}, next: 1, changed: true}
	for _, d := range known {
		r.byName[d.Name] = &d
		if d.Major == syntheticMajor {
			r.next = max(r.next, d.Minor+1)
		}
	}
	r.sort()
	return r
}

func (r *roster) sort() {
	r.list = r.list[:0]
	for _, d := range r.byName {
		r.list = append(r.list, *d)
	}
	slices.SortFunc(r.list, func(a, b sysstat.Device) int {
		return cmp.Or(cmp.Compare(a.Major, b.Major), cmp.Compare(a.Minor, b.Minor), cmp.Compare(a.Name, b.Name))
	})
}

// nameOf returns the name of the device with the given device number, or "" if
// there is no such device.
func (r *roster) nameOf(major, minor uint32) string {
	for name, d := range r.byName {
		if d.Major == major && d.Minor == minor {
			return name
		}
	}
	return ""
}

// maxRoster is the number of devices above which a roster drops the devices that were removed from
// the server.
const maxRoster = 4096

// prune drops removed devices if there are more than maxRoster devices. The parameter `now` has the
// devices that the server has now.
func (r *roster) prune(now map[string]*subject) {
	if len(r.byName) <= maxRoster {
		return
	}
	for name, d := range r.byName {
		subject := name
		if d.Major == sysstat.ServiceMajor {
			subject, _ = osd.NameOf(name)
		}
		if now[subject] == nil {
			delete(r.byName, name)
			r.changed = true
		}
	}
}

// register returns the device of a disk. It adds a device that is new, and updates a device whose
// identity has changed.
func (r *roster) register(name string, id *identity) *sysstat.Device {
	d := r.byName[name]
	want := sysstat.Device{Name: name, WWN: id.wwn, Model: id.model, Serial: id.serial}
	switch {
	case id.numbered:
		want.Major, want.Minor = id.major, id.minor
	case d != nil:
		want.Major, want.Minor = d.Major, d.Minor
	default:
		want.Major, want.Minor = syntheticMajor, r.next
		r.next++
	}
	return r.put(want)
}

// put adds a device, or replaces the device of the same name.
func (r *roster) put(want sysstat.Device) *sysstat.Device {
	if d := r.byName[want.Name]; d != nil && equal(d, &want) {
		return d
	}
	r.evict(&want)
	r.byName[want.Name] = &want
	r.changed = true
	return &want
}

// evict drops every other device with the device number of the given device. The given device is
// new, and the kernel reuses the numbers of removed devices.
func (r *roster) evict(to *sysstat.Device) {
	for name, d := range r.byName {
		if name != to.Name && d.Major == to.Major && d.Minor == to.Minor {
			delete(r.byName, name)
		}
	}
}

func equal(a, b *sysstat.Device) bool {
	return a.Major == b.Major && a.Minor == b.Minor && a.WWN == b.WWN && a.Model == b.Model && a.Serial == b.Serial &&
		a.Class == b.Class && a.Host == b.Host && a.On == b.On
}

// diskOf returns the counters of a disk in the form that they have in a record of an activity file.
func diskOf(c *cells, d *sysstat.Device) sysstat.Disk {
	v := &c.values
	disk := sysstat.Disk{
		Major: d.Major, Minor: d.Minor, WWN: parseWWN(d.WWN),
		IOs:            uint64(v[diskReads] + v[diskWrites] + v[diskDiscards]),
		ReadSectors:    uint64(math.Round(v[diskReadBytes] / sectorBytes)),
		WriteSectors:   uint64(math.Round(v[diskWrittenBytes] / sectorBytes)),
		DiscardSectors: uint64(v[diskDiscardedSectors]),
		ReadTicks:      ticks(v[diskReadSeconds]),
		WriteTicks:     ticks(v[diskWriteSeconds]),
		DiscardTicks:   ticks(v[diskDiscardSeconds]),
		BusyTicks:      ticks(v[diskBusySeconds]),
		QueueTicks:     ticks(v[diskQueueSeconds]),
	}
	if !c.has(diskKinds) {
		disk.IOs = uint64(v[diskIOs])
	}
	if disk.WWN != [2]uint64{} { // a WWN identifies the whole drive, so a partition needs its number too
		disk.Partition = partitionNumber(d.Name)
	}
	return disk
}

// ticks converts seconds to milliseconds, modulo 2³², because the counters of the kernel have 32
// bits.
func ticks(seconds float64) uint32 { return uint32(uint64(math.Round(seconds * 1000))) }

// parseWWN parses a WWN of 16 hexadecimal digits, such as 0x5000c500a1b2c3d4,
// or of 32 digits. For other forms it returns zero, since a record cannot hold
// these forms.
func parseWWN(text string) [2]uint64 {
	const half = 16
	digits, ok := strings.CutPrefix(text, "0x")
	if !ok || len(digits) != half && len(digits) != 2*half {
		return [2]uint64{}
	}
	high, err1 := strconv.ParseUint(digits[:half], 16, 64)
	low, err2 := strconv.ParseUint("0"+digits[half:], 16, 64)
	if err1 != nil || err2 != nil {
		return [2]uint64{}
	}
	return [2]uint64{high, low}
}

// partitionNumber returns the number of a partition from its name, or 0 for a whole
// device.
func partitionNumber(name string) uint32 {
	if _, part, ok := devname.Class(name); !ok || !part {
		return 0
	}
	digits := name[len(strings.TrimRight(name, "0123456789")):]
	n, _ := strconv.ParseUint(digits, 10, 32)
	return uint32(n)
}
