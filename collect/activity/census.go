package activity

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/netip"
	"slices"

	"github.com/limpet-storage/limpet/collect/internal/parallel"
	"github.com/limpet-storage/limpet/sysstat"
	"github.com/limpet-storage/limpet/tcpstat"
	"github.com/limpet-storage/limpet/topology"
)

// takeCensus finds out what the files of each host hold over all of their
// time. Devices come and go, so every file is walked, and decoded now and then.
func takeCensus(ctx context.Context, files []hostFiles, c choice) error {
	errs := make([]error, len(files))
	numbers := make([]int, len(files))
	for i := range numbers {
		numbers[i] = i
	}
	parallel.Each(ctx, numbers, func(i int) { errs[i] = files[i].takeCensus(ctx, c) })
	return errors.Join(append(errs, ctx.Err())...)
}

func (f *hostFiles) takeCensus(ctx context.Context, chosen choice) error {
	records, err := sysstat.OpenAll(f.paths)
	if err != nil {
		return err
	}
	defer records.Close()
	c := census{interfaces: len(chosen.nics) > 0, devices: map[device]bool{}, nics: map[string]bool{}}
	for {
		rec, err := records.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if rec.Type == sysstat.Stats {
			c.take(rec)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	f.seen = slices.Concat(deviceSightings(f.host, records.Header().Release, c.devices, records.Inventory()), nicSightings(f.host, c.nics))
	f.addresses, f.tcp = addressesOf(records.Inventory()), c.tcp
	return nil
}

// A census is what was found so far.
type census struct {
	devices    map[device]bool
	nics       map[string]bool
	tcp        bool // connections are recorded
	interfaces bool // are asked for

	looked   int64  // when it looked last
	counts   [2]int // of disks and interfaces then
	diskList []sysstat.Disk
	nicList  []sysstat.Interface
}

// lookEvery is how many seconds may pass until devices are looked at again: a
// drive may be replaced without their number changing.
const lookEvery = 60

// take looks at a record that may show something new.
func (c *census) take(rec *sysstat.Record) {
	var counts [2]int
	_, counts[0], _ = rec.Items(sysstat.DiskActivity)
	if c.interfaces {
		_, counts[1], _ = rec.Items(sysstat.InterfaceActivity)
	}
	if counts == c.counts && !rec.Restarted && rec.Time < c.looked+lookEvery {
		return
	}
	c.counts, c.looked = counts, rec.Time
	c.look(rec)
}

func (c *census) look(rec *sysstat.Record) {
	c.diskList = rec.Disks(c.diskList)
	for i := range c.diskList {
		c.devices[deviceOf(&c.diskList[i])] = true
	}
	if c.interfaces {
		c.nicList = rec.Interfaces(c.nicList)
	}
	for i := range c.nicList {
		c.nics[c.nicList[i].Name] = true
	}
	_, _, size := rec.Items(tcpstat.ID)
	c.tcp = c.tcp || size > 0
}

// deviceSightings says what is known of the devices of a host.
func deviceSightings(host, kernel string, devices map[device]bool, inv *sysstat.Inventory) []topology.Seen {
	var seen []topology.Seen
	for d := range devices {
		s := topology.Seen{Kind: topology.Attachment, Server: host, Device: d.topology(inv)}
		if known, ok := inv.Device(d.major, d.minor); ok {
			s.Model, s.SizeBytes, s.Slot = known.Model, known.Size, known.Slot
			s.Serial, s.Firmware, s.Enclosure, s.Expander, s.Link = known.Serial, known.Firmware, known.Enclosure, known.Expander, known.Link
			s.Pool = cmp.Or(known.MD, known.Pool)
		}
		s.Kernel = kernel
		seen = append(seen, s)
	}
	slices.SortFunc(seen, bySightedName)
	return seen
}

func nicSightings(host string, names map[string]bool) []topology.Seen {
	var seen []topology.Seen
	for name := range names {
		seen = append(seen, topology.Seen{Kind: topology.Interface, Server: host, Device: topology.Device{Name: name}})
	}
	slices.SortFunc(seen, bySightedName)
	return seen
}

func bySightedName(a, b topology.Seen) int {
	return topology.Compare(a.Device.String(), b.Device.String())
}

func addressesOf(inv *sysstat.Inventory) []netip.Addr {
	var list []netip.Addr
	for _, a := range inv.Addresses() {
		list = append(list, a.Addr)
	}
	return list
}
