package site

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// isActivity reports whether a file is an activity file.
func isActivity(path string) bool {
	r, err := sysstat.Open(path)
	if err != nil {
		return false
	}
	r.Close()
	return true
}

// File reads an activity file: the inventory in its comments, and the numbers and WWNs of the
// devices in its records.
func File(path string) (inv Inventory, err error) {
	r, err := sysstat.Open(path)
	if err != nil {
		return inv, err
	}
	defer r.Close()
	at := At{File: path}
	c := census{at: at, seen: map[string]Device{}}
	if err := c.walk(r); err != nil {
		inv.Notef(at, "%v; limpet uses only the data before this error", err)
	}
	for _, d := range r.Inventory().Devices() {
		v := fromInventory(&d, at)
		c.seen[v.Number] = v
	}
	for _, number := range slices.SortedFunc(maps.Keys(c.seen), topology.Compare) {
		d := c.seen[number]
		d.Host, d.Kernel = r.Header().Hostname, r.Header().Release
		inv.Devices = append(inv.Devices, d)
	}
	return inv, nil
}

// lookEvery is the number of seconds after which the devices of a record are read again, even
// if their count has not changed: a drive may have been replaced.
const lookEvery = 60

// A census holds the devices in the records read so far.
type census struct {
	at     At
	seen   map[string]Device // by number
	looked int64             // time of the record whose devices were read last
	count  int               // of devices in that record
	disks  []sysstat.Disk
	names  []string // of the disks
}

func (c *census) walk(r *sysstat.Reader) error {
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		_, count, _ := rec.Items(sysstat.DiskActivity)
		if rec.Type != sysstat.Stats || count == c.count && rec.Time < c.looked+lookEvery {
			continue
		}
		c.looked, c.count = rec.Time, count
		c.disks = rec.Disks(c.disks)
		c.names = r.Inventory().Names(c.disks, c.names)
		for i := range c.disks {
			d := fromRecord(&c.disks[i], c.names[i], c.at)
			c.seen[d.Number] = d
		}
	}
}

func fromRecord(d *sysstat.Disk, name string, at At) Device {
	v := Device{At: at, Number: numberRecorded(d.Major, d.Minor), Name: name}
	if d.WWN != [2]uint64{} {
		v.WWN = wwn(d.WWN)
	}
	v.Kind = kindOfRecorded(v.Name, v.WWN)
	if d.Partition != 0 {
		v.Kind = Partition
	}
	return v
}

// wwn writes a WWN with 16 hexadecimal digits, or with 32 if the second half is not zero.
func wwn(w [2]uint64) string {
	if w[1] == 0 {
		return fmt.Sprintf("%016x", w[0])
	}
	return fmt.Sprintf("%016x%016x", w[0], w[1])
}

func numberRecorded(major, minor uint32) string { return fmt.Sprintf("%d:%d", major, minor) }

func fromInventory(d *sysstat.Device, at At) Device {
	v := Device{At: at, Name: d.Name, Number: numberRecorded(d.Major, d.Minor), WWN: d.WWN, Model: d.Model, Serial: d.Serial, SizeBytes: d.Size}
	v.Firmware, v.Slot, v.Enclosure, v.Expander, v.Link = d.Firmware, d.Slot, d.Enclosure, d.Expander, d.Link
	v.Pool = d.MD
	if v.Pool == "" {
		v.Pool = d.Pool
	}
	v.Kind = kindOfRecorded(d.Name, d.WWN)
	return v
}
