// This file is the table that tools which sample drives are made into:
// one row for each drive and interval, whatever the tool calls its columns.
//
//	time,host,device,class,tps,await,r_await,w_await,rkB,wkB,aqu-sz,util
//	2026-11-15T23:12:27,vm,vda,vd,67,1.48,,,264,7978.5,0.1,0.4
//
// Times of waiting are in ms, rates per second, util in percent. It stands
// between package form and the forms of tools.

package tool

import (
	"math"
	"strconv"

	"github.com/limpet-storage/limpet/internal/devname"
)

// columns are those of the table.
var columns = []string{"time", "host", "device", "class", "tps", "await", "r_await", "w_await", "rkB", "wkB", "aqu-sz", "util"}

// A sample is what a tool says of a drive. NaN is what it does not say.
type sample struct {
	Time, Host, Device string
	TPS                float64 // requests completed in a second
	Await              float64 // ms of a request, from issue to completion
	ReadAwait          float64
	WriteAwait         float64
	ReadKB, WriteKB    float64 // in a second
	Queue              float64 // requests under way on average
	Util               float64 // percent of time with requests under way
}

// unknown is a sample of which nothing is said.
func unknown(time, host, device string) sample {
	nan := math.NaN()
	return sample{time, host, device, nan, nan, nan, nan, nan, nan, nan, nan}
}

// Add adds the row of a sample. A device of a number is called as sar calls it
// where the number tells. What is no drive has none, and is noted: loop devices,
// memory, optical drives, arrays of md. Partitions have none either, as their load
// is in that of their drive.
func (s *sample) Add(rows *Rows) {
	if major, minor, ok := devname.ParseNumber(s.Device); ok {
		s.Device = devname.Of(major, minor)
	}
	class, partition, known := devname.Class(s.Device)
	switch {
	case known && partition:
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
		row = append(row, text(v))
	}
	rows.Add(row...)
}

func text(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// mean is the mean wait of requests of several kinds, each with its rate, and
// 0 where there were none. A kind that the tool does not know is NaN.
func mean(rates, waits []float64) (tps, await float64) {
	total := 0.0
	for i, rate := range rates {
		if math.IsNaN(rate) {
			continue
		}
		tps += rate
		if !math.IsNaN(waits[i]) {
			total += rate * waits[i]
		}
	}
	if tps == 0 {
		return 0, 0
	}
	return tps, total / tps
}

// values are the numbers of a line by the names of its columns.
type values map[string]float64

// Of is the value of the first column there is among names, NaN where none is.
func (v values) Of(names ...string) float64 {
	for _, name := range names {
		if value, ok := v[name]; ok {
			return value
		}
	}
	return math.NaN()
}

// KB is kB a second, of a column that has them or of one that has sectors.
func (v values) KB(kB, sectors string) float64 {
	if value := v.Of(kB); !math.IsNaN(value) {
		return value
	}
	return v.Of(sectors) / 2
}
