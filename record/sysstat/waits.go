package sysstat

import "slices"

// fsNameLen is the length of the name of a file system's device, and of the directory in which it is
// mounted, in bytes. NUL ends both.
const fsNameLen = 128

// A FileSystem is the size and the free space of a mounted file system. sadc -S XDISK records file
// systems.
type FileSystem struct {
	Device    string // /dev/sda1
	Mount     string // /home
	Bytes     uint64
	Free      uint64 // bytes
	Available uint64 // bytes that are free for processes that are not root
	Files     uint64 // inodes; 0: the file system makes inodes as it needs them
	FreeFiles uint64
}

// Pressure is the time that tasks have waited for a resource since the machine was started, in µs.
type Pressure struct {
	Some uint64 // at least one task waited
	Full uint64 // all tasks that had work waited
}

// Pressures holds the pressure on each resource.
type Pressures struct {
	CPU, IO, Memory Pressure
}

// FileSystems appends the file systems of a record to dst[:0].
func (rec *Record) FileSystems(dst []FileSystem) []FileSystem {
	raw, count, size, l := rec.decodable(FileSystemActivity)
	dst = slices.Grow(dst[:0], count)
	for ; count > 0; count-- {
		item := raw[:size:size]
		raw = raw[size:]
		o, f := rec.file.order, l.fields
		names := item[l.chars:]
		s := FileSystem{
			Device: text(names[:fsNameLen]), Mount: text(names[fsNameLen : 2*fsNameLen]),
			Bytes: o.load(item, f[0]), Free: o.load(item, f[1]), Available: o.load(item, f[2]),
			Files: o.load(item, f[3]), FreeFiles: o.load(item, f[4]),
		}
		if s.Bytes > 0 { // unused slots are zero
			dst = append(dst, s)
		}
	}
	return dst
}

// Pressures returns the times that tasks have waited; ok is false if the record does not have them.
func (rec *Record) Pressures() (p Pressures, ok bool) {
	for _, of := range [...]struct {
		id   uint32
		into *Pressure
	}{{CPUPressureActivity, &p.CPU}, {IOPressureActivity, &p.IO}, {MemoryPressureActivity, &p.Memory}} {
		raw, count, _, l := rec.decodable(of.id)
		if count == 0 {
			continue
		}
		ok = true
		*of.into = Pressure{Some: rec.file.order.load(raw, l.fields[0]), Full: rec.file.order.load(raw, l.fields[1])}
	}
	return p, ok
}
