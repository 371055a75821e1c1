package lsscsi

import (
	"regexp"
	"strings"

	"github.com/limpet-storage/limpet/site"
)

func kindOf(kind string) site.Kind {
	switch kind {
	case "disk", "zbc":
		return site.Drive
	}
	return site.Media
}

var hexName = regexp.MustCompile(`^(?:0x)?[0-9a-fA-F]{16}(?:[0-9a-fA-F]{16})?$|^3[0-9a-fA-F]{16}(?:[0-9a-fA-F]{16})?$`)

// trailing reads a word behind the device: a WWN or a size.
func trailing(d *site.Device, word string) {
	switch {
	case hexName.MatchString(word):
		d.WWN = word
	case strings.HasSuffix(word, "B") && site.Bytes(word, 1000) > 0:
		d.SizeBytes = site.Bytes(word, 1000)
	}
}

// describe reads vendor, model and revision, which have 8, 16 and 4 columns;
// or, with -t, the transport; or the name of an NVMe drive.
func describe(d *site.Device, inquiry string) {
	words := strings.Fields(inquiry)
	switch {
	case len(words) == 0:
	case d.Media == "nvme":
		model := strings.TrimRight(strings.Join(words, " "), " ")
		d.Model, _, _ = strings.Cut(model, "__")
	case strings.Contains(words[0], ":0x"):
		// The address of -t is that of a port of the drive, not its own.
	case len(words) == 1 && hexName.MatchString(words[0]): // -w
		d.WWN = words[0]
	case len(inquiry) >= 29:
		d.Vendor = strings.TrimSpace(inquiry[:8])
		d.Model = strings.TrimSpace(inquiry[9:25])
		if rest := strings.Fields(inquiry[25:]); len(rest) > 0 {
			d.Firmware = rest[0]
		}
	case len(words) >= 3:
		d.Vendor, d.Model, d.Firmware = words[0], strings.Join(words[1:len(words)-1], " "), words[len(words)-1]
	}
}
