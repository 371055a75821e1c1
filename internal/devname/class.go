package devname

import (
	"slices"
	"strings"
)

// The names that the kernel gives to block devices:
//
//	sda sdaa1         letters count disks, digits partitions
//	nvme0n1 nvme0n1p2
//	dm-3 md127 loop0 mmcblk0p1
var (
	letteredClasses = []string{"sd", "hd", "vd", "xvd", "dasd"}
	numberedClasses = []string{
		"loop", "ram", "zram", "sr", "scd", "fd", "md", "dm", "nbd", "rbd", "mmcblk", "pmem", "bcache", "drbd",
	}
)

// Class returns the class of a device (sd, nvme, dm, …) from its kernel name, and whether the
// device is a partition. ok is false if the kernel does not give such names.
func Class(name string) (class string, partition, ok bool) {
	if rest, is := strings.CutPrefix(name, "nvme"); is {
		controller, namespace, _ := strings.Cut(rest, "n")
		part, ok := numberAndPart(namespace)
		return "nvme", part, ok && isNumber(controller)
	}
	for _, class := range letteredClasses {
		if rest, is := strings.CutPrefix(name, class); is {
			number := strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz")
			if len(number) < len(rest) && (number == "" || isNumber(number)) {
				return class, number != "", true
			}
		}
	}
	for _, class := range numberedClasses {
		if rest, is := strings.CutPrefix(name, class); is {
			if part, ok := numberAndPart(strings.TrimPrefix(rest, "-")); ok {
				return class, part, true
			}
		}
	}
	return "", false, false
}

// Whole returns the name of the device that contains a partition: sda for sda1, and nvme0n1 for
// nvme0n1p2. It returns the name itself if it is not the name of a partition.
func Whole(name string) string {
	class, partition, ok := Class(name)
	if !ok || !partition {
		return name
	}
	whole := strings.TrimRight(name, "0123456789")
	if !slices.Contains(letteredClasses, class) {
		whole = strings.TrimSuffix(whole, "p")
	}
	return whole
}

// numberAndPart parses a number, with or without a partition: 0, 0p1.
func numberAndPart(text string) (partition, ok bool) {
	number, part, partition := strings.Cut(text, "p")
	return partition, isNumber(number) && (!partition || isNumber(part))
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// notDrives are the classes of devices that are not drives: memory, images, media, and devices on
// top of drives that have their own names.
var notDrives = []string{"loop", "ram", "zram", "sr", "scd", "fd", "md", "bcache", "drbd"}

// IsDrive reports whether devices of a class may be drives. Devices of the device mapper may be
// drives, because multipath devices are among them.
func IsDrive(class string) bool { return !slices.Contains(notDrives, class) }
