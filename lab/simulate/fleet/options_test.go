package fleet

import (
	"strings"
	"testing"
	"time"
)

func TestValidate(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"has no groups":         func(o *Options) { o.DiskGroups, o.SSDGroups = 0, 0 },
		"-1 groups of disks":    func(o *Options) { o.DiskGroups = -1 },
		"100000 groups of SSDs": func(o *Options) { o.SSDGroups = 100_000 },
		"0 days":                func(o *Options) { o.Days = 0 },
		"start at midnight":     func(o *Options) { o.Start = o.Start.Add(time.Hour) },
		"2 to 26 data drives":   func(o *Options) { o.MinDataDrives = 2 },
		"3 to 27 data drives":   func(o *Options) { o.MaxDataDrives = 27 },
		"12 to 11 data drives":  func(o *Options) { o.MinDataDrives, o.MaxDataDrives = 12, 11 },
		`format "xlsx"`:         func(o *Options) { o.Format = "xlsx" },
	} {
		o := DefaultOptions()
		change(&o)
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", want, err)
		}
		if _, err := New(o); err == nil {
			t.Errorf("%s: a fleet was made", want)
		}
	}
	if err := DefaultOptions().Validate(); err != nil {
		t.Errorf("defaults: %v", err)
	}
}
