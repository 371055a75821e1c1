package activity

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/limpet-storage/limpet/internal/workers"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// takeCensus lists the devices and the addresses in the files of all hosts (see
// hostFiles.TakeCensus).
func takeCensus(ctx context.Context, files []hostFiles, interfaces bool) error {
	errs := make([]error, len(files))
	numbers := make([]int, len(files))
	for i := range numbers {
		numbers[i] = i
	}
	workers.Each(ctx, numbers, func(i int) { errs[i] = files[i].TakeCensus(ctx, interfaces) })
	return errors.Join(append(errs, ctx.Err())...)
}

// TakeCensus lists the devices and the addresses in the files of the host. It also notes whether
// the files have TCP connections. If `interfaces` is true, it also lists the network interfaces. A
// device may be added or removed at any time, so TakeCensus reads every file to its end. To save
// time, it decodes only some of the records.
func (h *hostFiles) TakeCensus(ctx context.Context, interfaces bool) error {
	records, err := sysstat.OpenAll(h.Paths)
	if err != nil {
		return err
	}
	defer records.Close()
	c := census{interfaces: interfaces, devices: map[device]bool{}, nics: map[string]bool{}}
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
	h.Seen = slices.Concat(deviceSightings(h.Name, records.Header().Release, c.devices, records.Inventory()), nicSightings(h.Name, c.nics))
	h.Addresses, h.TCP = addressesOf(records.Inventory()), c.tcp
	h.Empty = c.lastDecoded == 0
	for _, w := range records.Warnings() {
		if w.Covered == 0 && h.Damage == nil {
			h.Damage = errors.New(w.String())
		}
	}
	return nil
}

// A census lists the devices and the interfaces that TakeCensus has found in the records so far.
type census struct {
	devices    map[device]bool
	nics       map[string]bool
	tcp        bool // true if the records have TCP connections
	interfaces bool // true if the census includes network interfaces

	lastDecoded int64  // Unix time of the last record that was decoded
	counts      [2]int // numbers of disks and of interfaces in the last decoded record
	diskList    []sysstat.Disk
	nicList     []sysstat.Interface
}

// lookEvery is a time in seconds. If a record is at least lookEvery seconds newer than the last
// decoded record, it is decoded: a drive may have been replaced, even if the number of devices is
// the same.
const lookEvery = 60

// take decodes a record only if the record may show a new device or interface. There are three such
// cases:
//
//   - The record has another number of devices than the last decoded record.
//   - The machine was restarted.
//   - The record is at least lookEvery seconds newer than the last decoded record.
func (c *census) take(rec *sysstat.Record) {
	var counts [2]int
	_, counts[0], _ = rec.Items(sysstat.DiskActivity)
	if c.interfaces {
		_, counts[1], _ = rec.Items(sysstat.InterfaceActivity)
	}
	if counts == c.counts && !rec.Restarted && rec.Time < c.lastDecoded+lookEvery {
		return
	}
	c.counts, c.lastDecoded = counts, rec.Time
	c.decode(rec)
}

func (c *census) decode(rec *sysstat.Record) {
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
