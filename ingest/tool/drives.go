package tool

import (
	"math"
	"strconv"

	"github.com/limpet-storage/limpet/internal/devname"
)

// driveColumns are the columns of a table with one row for each drive and interval. If a tool
// measures the drives of a server, its output is converted to this table.
//
//	time,host,device,class,tps,await,r_await,w_await,rkB,wkB,aqu-sz,util
//	2026-11-15T23:12:27,vm,vda,vd,67,1.48,,,264,7978.5,0.1,0.4
//
// Waits are in ms. Tps, rkB and wkB are rates per second. Aqu-sz is the mean number of
// requests in flight. Util is the percentage of time with requests in flight.
var driveColumns = []string{"time", "host", "device", "class", "tps", "await", "r_await", "w_await", "rkB", "wkB", "aqu-sz", "util"}

// A driveSample has the values of one drive in one interval. A value that the tool does not print
// is NaN.
type driveSample struct {
	Time, Host, Device string
	TPS                float64 // requests completed per second
	Await              float64 // mean time of a request from issue to completion, in ms
	ReadAwait          float64
	WriteAwait         float64
	ReadRate           float64 // reads completed per second
	WriteRate          float64
	ReadKB, WriteKB    float64 // kB per second
	Queue              float64 // mean number of requests in flight
	Util               float64 // percentage of the time with requests in flight
}

// newDriveSample returns a sample in which all values are NaN.
func newDriveSample(time, host, device string) driveSample {
	nan := math.NaN()
	return driveSample{time, host, device, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan}
}

// Add adds the row of a sample. If the name of the device is a device number, Add replaces the
// number by the name that sar prints for this number.
//
// Loop devices, RAM disks, optical drives and md arrays do not count as drives: Add leaves them
// out, and notes their names. Partitions are also left out, because the values of the drive include
// the requests to its partitions.
func (s *driveSample) Add(rows *csvRows) {
	if major, minor, ok := devname.ParseNumber(s.Device); ok {
		s.Device = devname.Of(major, minor)
	}
	class, partition, known := devname.Class(s.Device)
	switch {
	case known && partition:
		return
	case rows.prints != nil:
		rows.prints.drive(s, class, known)
		return
	case known && !devname.IsDrive(class):
		rows.LeaveOut(s.Device)
		return
	}
	if !known {
		class = "other"
	}
	row := []string{s.Time, s.Host, s.Device, class}
	for _, v := range []float64{s.TPS, s.Await, s.ReadAwait, s.WriteAwait, s.ReadKB, s.WriteKB, s.Queue, s.Util} {
		row = append(row, formatNumber(v))
	}
	rows.Add(row...)
}

func formatNumber(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// meanWait returns the rate of all requests and their mean wait. There are several kinds of
// requests, such as reads and writes. rates[i] and waits[i] are the rate and the mean wait of kind
// i. If the tool does not print the rate or the wait of a kind, the number is NaN. The mean covers
// only the kinds with a known wait. If there are requests, but no wait is known, the mean is NaN.
// If there are no requests, both results are 0.
func meanWait(rates, waits []float64) (tps, await float64) {
	total, counted := 0.0, 0.0
	for i, rate := range rates {
		if math.IsNaN(rate) {
			continue
		}
		tps += rate
		if !math.IsNaN(waits[i]) {
			total += rate * waits[i]
			counted += rate
		}
	}
	if tps == 0 {
		return 0, 0
	}
	return tps, total / counted // 0/0 is NaN
}

// columnValues maps the name of a column to the number that a line has in this column.
type columnValues map[string]float64

// Value returns the value of a column. If the caller passes several names, Value uses the first
// name for which the line has a column. It returns NaN if the line has none of these columns.
func (v columnValues) Value(names ...string) float64 {
	for _, name := range names {
		if value, ok := v[name]; ok {
			return value
		}
	}
	return math.NaN()
}

// KB returns a rate in kB per second. The parameter `kB` is the name of a column in kB. The
// parameter `sectors` is the name of a column in sectors of 512 bytes. If the line has no column in
// kB, KB uses the column in sectors.
func (v columnValues) KB(kB, sectors string) float64 {
	if value := v.Value(kB); !math.IsNaN(value) {
		return value
	}
	return v.Value(sectors) / 2
}
