package site

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

func number(n int) string { return strconv.Itoa(n) }

// DeviceName returns the name of a device without the folder: sdb for /dev/sdb, ddn6_lun034
// for /dev/mapper/ddn6_lun034. It returns "" for -, N/A and none, which tools print if there
// is no device.
func DeviceName(path string) string {
	path = strings.TrimSpace(path)
	for _, dir := range []string{"/dev/disk/by-id/", "/dev/disk/by-path/", "/dev/disk/by-vdev/", "/dev/disk/by-partuuid/", "/dev/mapper/", "/dev/"} {
		if rest, ok := strings.CutPrefix(path, dir); ok {
			return DeviceName(rest) // a damaged line may have the folder twice
		}
	}
	if path == "-" || path == "N/A" || path == "none" {
		return ""
	}
	return path
}

var bytesForm = lazyregexp.New(`^<?\s*(\d+(?:[.,]\d+)?)\s*([kKmMgGtTpPeE]?)(i?)[Bb]?$`)

// Bytes returns the number of bytes of a size such as 54T, 3.637 TB or 662.9GiB; 0 for any
// other text. base is the factor between units without an "i" in this tool: 1000 or 1024.
func Bytes(text string, base float64) uint64 {
	m := bytesForm.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return 0
	}
	value, err := strconv.ParseFloat(strings.Replace(m[1], ",", ".", 1), 64)
	if m[3] != "" {
		base = 1024
	}
	if m[2] != "" {
		value *= math.Pow(base, float64(1+strings.Index("KMGTPE", strings.ToUpper(m[2]))))
	}
	if err != nil || value >= 1<<63 {
		return 0
	}
	return uint64(value)
}

// Field splits "Key : value" or "Key: value", and trims both parts.
func Field(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, ":")
	return strings.TrimSpace(key), strings.TrimSpace(value), ok
}

var scsiAddress = lazyregexp.New(`^\d+:\d+:\d+:\d+$`)

// IsAddress reports whether a word is a SCSI address: host:channel:target:lun.
func IsAddress(word string) bool { return scsiAddress.MatchString(word) }

var deviceNumber = regexp.MustCompile(`^\d+:\d+$`)

// IsNumber reports whether a word is a device number: major:minor.
func IsNumber(word string) bool { return deviceNumber.MatchString(word) }
