package sysstat

import (
	"fmt"
	"time"
)

// minCustom leaves room for the activities that sysstat may still add.
const minCustom = 256

// WriterOptions are what a file says of its host and of its records.
type WriterOptions struct {
	Hostname string
	Release  string // of the kernel
	Machine  string // as uname -m says
	CPUs     int
	Created  time.Time // in the host's zone
	// Activities are written in this order.
	Activities []uint32
	// Custom are activities of the caller's own, which other readers skip.
	Custom []CustomActivity
}

// A CustomActivity is items of Size bytes under a number of the caller's, 256
// or more. Each record may hold any count of them; Record.Items reads them.
type CustomActivity struct {
	ID   uint32
	Size int
}

// DefaultWriterOptions record everything that this package decodes.
func DefaultWriterOptions() WriterOptions {
	return WriterOptions{
		Machine: "x86_64",
		CPUs:    1,
		Activities: []uint32{
			CPUActivity, DiskActivity, InterfaceActivity, InterfaceErrorsActivity,
			TCPActivity, TCPErrorsActivity,
		},
	}
}

// Validate says what is wrong with the options.
func (o WriterOptions) Validate() error {
	for name, s := range map[string]string{"host name": o.Hostname, "release": o.Release, "machine": o.Machine} {
		if len(s) >= utsLen {
			return fmt.Errorf("%s %q has more than %d bytes: give a shorter text", name, s, utsLen-1)
		}
	}
	if o.CPUs < 1 || o.CPUs >= perCPU {
		return fmt.Errorf("%d CPUs are not possible: give 1 to %d", o.CPUs, perCPU-1)
	}
	if len(o.Activities)+len(o.Custom) > maxActivities {
		return fmt.Errorf("%d activities are not possible: give at most %d", len(o.Activities)+len(o.Custom), maxActivities)
	}
	for _, id := range o.Activities {
		if writtenSize(id) == 0 {
			return fmt.Errorf("activity %d cannot be written: remove the activity, or give a custom activity with a number of at least %d", id, minCustom)
		}
	}
	for _, c := range o.Custom {
		if c.ID < minCustom || c.Size < 1 || c.Size > maxItemSize {
			return fmt.Errorf("custom activity %d of %d bytes is not possible: give a number of %d or more, and 1 to %d bytes",
				c.ID, c.Size, minCustom, maxItemSize)
		}
	}
	return nil
}

// writtenSize is that of an item, 0 for what cannot be written.
func writtenSize(id uint32) int {
	switch id {
	case CPUActivity, DiskActivity, InterfaceActivity:
		return 80
	case InterfaceErrorsActivity:
		return 88
	case TCPActivity:
		return 32
	case TCPErrorsActivity:
		return 40
	}
	return 0
}

// varies says whether each record has its own count of an activity's items.
func varies(id uint32) bool {
	return activities[id].items > 1
}
