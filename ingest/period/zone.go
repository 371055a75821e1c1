package period

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/bounded"
)

// LoadZone returns the time zone with the given name. The parameter `tz` is the value of the
// environment variable TZ. If `name` is empty, LoadZone uses `tz`. If `tz` is empty too, it returns
// UTC, so that the same input gives the same output on every machine.
//
// As in POSIX, TZ may begin with a colon, and may name a file: :/etc/localtime.
func LoadZone(name, tz string) (*time.Location, error) {
	tz = strings.TrimPrefix(tz, ":")
	switch {
	case name == "" && tz == "":
		return time.UTC, nil
	case name == "":
		zone, err := zoneOf(tz)
		if err != nil {
			return nil, fmt.Errorf("the environment variable TZ is %q, and limpet cannot read this value: name the time zone with --tz, such as --tz Europe/Berlin", tz)
		}
		return zone, nil
	}
	zone, err := zoneOf(name)
	if err != nil {
		return nil, fmt.Errorf("time zone %q is unknown: write a name such as Europe/Berlin, UTC or local", name)
	}
	return zone, nil
}

// zoneOf returns the time zone with a name, or the time zone in a file.
func zoneOf(name string) (*time.Location, error) {
	if strings.EqualFold(name, "local") {
		return time.Local, nil
	}
	if !filepath.IsAbs(name) {
		return time.LoadLocation(name)
	}
	const mostBytes = 1 << 20 // the files of all time zones are smaller than 4 KB
	data, err := bounded.ReadFile(name, mostBytes, "a time zone")
	if err != nil {
		return nil, err
	}
	return time.LoadLocationFromTZData(nameInFile(name), data)
}

// nameInFile returns the name of the time zone in a file: Europe/Berlin for the file
// /usr/share/zoneinfo/Europe/Berlin. The file /etc/localtime is usually a link to such a file.
func nameInFile(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil && !strings.Contains(path, "/zoneinfo/") {
		path = target
	}
	if _, name, ok := strings.Cut(path, "/zoneinfo/"); ok {
		return name
	}
	return path
}
