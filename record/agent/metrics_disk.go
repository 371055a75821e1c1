package agent

import (
	"fmt"
	"strconv"

	"github.com/limpet-storage/limpet/internal/devname"
	"github.com/limpet-storage/limpet/record/sysstat"
)

const ticksPerSecond = 1000

// completed holds the I/Os that a device has completed, of each kind.
type completed struct{ reads, writes, discards uint64 }

// completedFamilies are the counters by which rules divide times to get a mean.
var completedFamilies = []family[completed]{
	{"node_disk_reads_completed_total", counter, "Reads completed.", func(c *completed) float64 {
		return float64(c.reads)
	}},
	{"node_disk_writes_completed_total", counter, "Writes completed.", func(c *completed) float64 {
		return float64(c.writes)
	}},
	{"node_disk_discards_completed_total", counter, "Discards completed.", func(c *completed) float64 {
		return float64(c.discards)
	}},
}

// diskFamilies are the counters of a device in a sample. Times come from the kernel and start again
// from 0 at 2³² ms, as in node_exporter.
var diskFamilies = []family[sysstat.Disk]{
	{"node_disk_read_bytes_total", counter, "Bytes read.", func(d *sysstat.Disk) float64 {
		return float64(d.ReadSectors) * sectorBytes
	}},
	{"node_disk_written_bytes_total", counter, "Bytes written.", func(d *sysstat.Disk) float64 {
		return float64(d.WriteSectors) * sectorBytes
	}},
	{"node_disk_discarded_sectors_total", counter, "Sectors of 512 bytes discarded.", func(d *sysstat.Disk) float64 {
		return float64(d.DiscardSectors)
	}},
	{"node_disk_read_time_seconds_total", counter, "Total time of all reads.", func(d *sysstat.Disk) float64 {
		return seconds(d.ReadTicks)
	}},
	{"node_disk_write_time_seconds_total", counter, "Total time of all writes.", func(d *sysstat.Disk) float64 {
		return seconds(d.WriteTicks)
	}},
	{"node_disk_discard_time_seconds_total", counter, "Total time of all discards.", func(d *sysstat.Disk) float64 {
		return seconds(d.DiscardTicks)
	}},
	{"node_disk_io_time_seconds_total", counter, "Time in which at least one I/O was in progress.", func(d *sysstat.Disk) float64 {
		return seconds(d.BusyTicks)
	}},
	{"node_disk_io_time_weighted_seconds_total", counter, "Time multiplied by the number of I/Os in progress.", func(d *sysstat.Disk) float64 {
		return seconds(d.QueueTicks)
	}},
	{"limpet_disk_ios_total", counter, "I/Os completed: reads, writes and discards.", func(d *sysstat.Disk) float64 {
		return float64(d.IOs)
	}},
}

// identityFamilies map the current name of a device to its number and WWN. Names and numbers may
// change when a server is booted, a WWN does not.
var identityFamilies = []family[sysstat.Disk]{
	{"limpet_disk_info", gauge, "Number and WWN of a device, as labels; the value is always 1.", func(*sysstat.Disk) float64 { return 1 }},
}

func seconds(ticks uint32) float64 { return float64(ticks) / ticksPerSecond }

func (e *Exporter) writeDisks(out exposition, disks []sysstat.Disk, done []completed) {
	devices, identities := e.diskLabels(disks)
	writeFamilies(out, completedFamilies, done, devices)
	writeFamilies(out, diskFamilies, disks, devices)
	writeFamilies(out, identityFamilies, disks, identities)
}

func (e *Exporter) diskLabels(disks []sysstat.Disk) (devices, identities []labelSet) {
	taken := map[string]bool{}
	for i := range disks {
		d := &disks[i]
		name := e.deviceName(d.Major, d.Minor)
		if taken[name] { // names may be older than the sample, so two devices may have the same name
			name = devname.Number(d.Major, d.Minor)
		}
		taken[name] = true
		devices = append(devices, labelSet{"device", name})
		identities = append(identities, labelSet{
			"device", name, "major", decimal(d.Major), "minor", decimal(d.Minor), "wwn", wwn(d.WWN),
		})
	}
	return devices, identities
}

func (e *Exporter) deviceName(major, minor uint32) string {
	if e.Name != nil {
		if name := e.Name(major, minor); name != "" {
			return name
		}
	}
	return devname.Of(major, minor)
}

func decimal(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// wwn formats a WWN as udev does; empty: unknown.
func wwn(halves [2]uint64) string {
	switch halves {
	case [2]uint64{}:
		return ""
	case [2]uint64{halves[0], 0}:
		return fmt.Sprintf("0x%016x", halves[0])
	}
	return fmt.Sprintf("0x%016x%016x", halves[0], halves[1])
}
