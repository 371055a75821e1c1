package fleet

import (
	"strconv"
	"time"
)

// The rows of the files. As CSV:
//
//	time,group,drive,role,ios,latency_us,size_bytes
//	2026-01-01T00:00:00Z,d00001,d00001-01,data,51234,4310,32768
//	2026-01-01T00:00:00Z,d00002,d00002-01,data,0,,
//
//	drive,group,slot,role,kind,raid,model,vendor,flash,interface,rpm,capacity_gb,deployed
//	d00001-01,d00001,1,data,disk,raid6,A7-1000,A,,SATA,7200,1000,2023-05-17
//
//	time,drive,event
//	2026-01-04T13:05:51Z,d00017-03,unplugged

// A recordRow is the record of a drive and hour. Without I/O, the means are nil.
type recordRow struct {
	Time      int64  `parquet:"time,timestamp(millisecond)"` // start of the hour
	Group     string `parquet:"group,dict"`
	Drive     string `parquet:"drive,dict"`
	Role      string `parquet:"role,dict"`
	IOs       int32  `parquet:"ios"`
	LatencyUs *int32 `parquet:"latency_us"` // mean
	SizeBytes *int32 `parquet:"size_bytes"` // mean
}

// newRecordRow returns the record of a drive in an hour. Its pointers refer to h.
func newRecordRow(h *Hour, i int, d *Drive) recordRow {
	r := recordRow{Time: h.Time.UnixMilli(), Group: d.Group, Drive: d.Name, Role: string(d.Role), IOs: h.IOs[i]}
	if r.IOs > 0 {
		r.LatencyUs, r.SizeBytes = &h.LatencyUs[i], &h.SizeBytes[i]
	}
	return r
}

func (recordRow) csvHeader() string { return "time,group,drive,role,ios,latency_us,size_bytes" }

func (r recordRow) appendCSV(line []byte) []byte {
	line = appendTime(line, r.Time)
	line = appendTexts(line, r.Group, r.Drive, r.Role)
	return appendNumbers(line, &r.IOs, r.LatencyUs, r.SizeBytes)
}

// An inventoryRow is a drive. Unknown fields are nil.
type inventoryRow struct {
	Drive      string  `parquet:"drive"`
	Group      string  `parquet:"group,dict"`
	Slot       int32   `parquet:"slot"`
	Role       string  `parquet:"role,dict"`
	Kind       string  `parquet:"kind,dict"`
	RAID       string  `parquet:"raid,dict"`
	Model      *string `parquet:"model,dict"`
	Vendor     *string `parquet:"vendor,dict"`
	Flash      *string `parquet:"flash,dict"`
	Interface  *string `parquet:"interface,dict"`
	RPM        *int32  `parquet:"rpm"`
	CapacityGB *int32  `parquet:"capacity_gb"`
	Deployed   int32   `parquet:"deployed,date"` // days since 1970
}

func newInventoryRow(d *Drive) inventoryRow {
	return inventoryRow{
		d.Name, d.Group, int32(d.Slot), string(d.Role), string(d.Kind), d.RAID,
		known(d.Model), known(d.Vendor), known(d.Flash), known(d.Interface),
		known(int32(d.RPM)), known(int32(d.CapacityGB)),
		int32(d.Deployed.Unix() / int64(hoursPerDay*time.Hour/time.Second)),
	}
}

// known returns a pointer to v, or nil if v is empty.
func known[T comparable](v T) *T {
	var empty T
	if v == empty {
		return nil
	}
	return &v
}

func (inventoryRow) csvHeader() string {
	return "drive,group,slot,role,kind,raid,model,vendor,flash,interface,rpm,capacity_gb,deployed"
}

func (r inventoryRow) appendCSV(line []byte) []byte {
	line = append(line, r.Drive...)
	line = appendNumbers(appendTexts(line, r.Group), &r.Slot)
	line = appendTexts(line, r.Role, r.Kind, r.RAID)
	for _, text := range []*string{r.Model, r.Vendor, r.Flash, r.Interface} {
		line = append(line, ',')
		if text != nil {
			line = append(line, *text...)
		}
	}
	line = appendNumbers(line, r.RPM, r.CapacityGB)
	day := time.Duration(r.Deployed) * hoursPerDay * time.Hour
	return time.Unix(0, 0).UTC().Add(day).AppendFormat(append(line, ','), time.DateOnly)
}

// An eventRow is an event of a drive.
type eventRow struct {
	Time  int64  `parquet:"time,timestamp(millisecond)"`
	Drive string `parquet:"drive"`
	Event string `parquet:"event,dict"`
}

func (eventRow) csvHeader() string { return "time,drive,event" }

func (r eventRow) appendCSV(line []byte) []byte {
	return appendTexts(appendTime(line, r.Time), r.Drive, r.Event)
}

func appendTime(line []byte, ms int64) []byte {
	return time.UnixMilli(ms).UTC().AppendFormat(line, time.RFC3339)
}

// appendTexts appends fields that need no quotes.
func appendTexts(line []byte, texts ...string) []byte {
	for _, t := range texts {
		line = append(append(line, ','), t...)
	}
	return line
}

// appendNumbers appends fields; nil becomes an empty field.
func appendNumbers(line []byte, numbers ...*int32) []byte {
	for _, n := range numbers {
		line = append(line, ',')
		if n != nil {
			line = strconv.AppendInt(line, int64(*n), 10)
		}
	}
	return line
}
