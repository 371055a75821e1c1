package source

import (
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/study"
)

// A driveInventory holds the drives of one or several inventory files.
type driveInventory struct {
	Drives   map[string]study.Drive
	HasRoles bool
	Twice    []string // drives that are listed again
	Strange  []string // words for unknown kinds
	Faults   tabular.Faults
}

// readInventories reads inventory files. If a drive is in several rows, the first counts.
func readInventories(paths []string, d *Description) (*driveInventory, error) {
	v := &driveInventory{Drives: make(map[string]study.Drive)}
	for _, path := range paths {
		if err := v.read(path, d); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (v *driveInventory) read(path string, d *Description) error {
	file, err := tabular.Open(path, tabular.Options{Separator: d.Separator, Comma: d.Comma})
	if err != nil {
		return err
	}
	defer file.Close()
	t := smallTable{drive: d.Inventory.Drive, watch: d.Events.Clock}
	var keys []string
	for _, trait := range d.Inventory.Traits {
		switch {
		case trait.Assumed && !slices.Contains(file.Names(), trait.Column):
		case trait.Key == deployed:
			t.time = trait.Column
		default:
			keys, t.texts = append(keys, trait.Key), append(t.texts, trait.Column)
		}
	}
	v.HasRoles = v.HasRoles || slices.Contains(keys, "role")
	return t.read(path, file, &v.Faults, func(name string, ns int64, texts []string) {
		v.add(name, ns, keys, texts, d)
	})
}

func (v *driveInventory) add(name string, ns int64, keys, texts []string, d *Description) {
	if _, again := v.Drives[name]; again {
		v.Twice = append(v.Twice, name)
		return
	}
	drive := study.Drive{Name: name, Kind: d.Kind}
	if ns >= 0 {
		drive.Deployed = time.Unix(0, ns).UTC()
	}
	for i, key := range keys {
		if key == "group" || !tabular.IsMissing(texts[i]) {
			v.set(&drive, key, texts[i], d)
		}
	}
	v.Drives[name] = drive
}

func (v *driveInventory) set(drive *study.Drive, key, text string, d *Description) {
	switch key {
	case "group":
		drive.Group = text
	case "role":
		drive.Role = d.RoleOf(text)
	case "kind":
		drive.Kind = v.kind(text, d.Kind)
	case "model":
		drive.Model = text
	case "vendor":
		drive.Vendor = text
	case "flash":
		drive.Flash = text
	case "interface":
		drive.Interface = text
	case "capacity":
		drive.Capacity = text
	case "rpm":
		drive.RPM = text
	}
}

func (v *driveInventory) kind(text string, unknown study.Kind) study.Kind {
	switch strings.ToLower(text) {
	case "disk", "hdd":
		return study.Disk
	case "ssd", "flash", "nvme":
		return study.SSD
	}
	v.Strange = append(v.Strange, text)
	return unknown
}
