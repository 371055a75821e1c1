package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

func kindOfLsscsi(kind string) Kind {
	switch kind {
	case "disk", "zbc":
		return Drive
	}
	return Media
}

// With -t, lsscsi prints the address of a port of the drive, not the WWN of the drive.
var (
	transport = lazyregexp.New(`^(?:(?:sas|fc|fcoe|sata|ata|atapi|usb|sbp|spi|srp|rdma|tcp|loop):|iqn\.|eui\.|naa\.|pcie$|none$)`)
	sasPort   = lazyregexp.New(`^sas:0x([0-9a-f]{16})$`)
)

var hexName = lazyregexp.New(`^(?:0x)?[0-9a-fA-F]{16}(?:[0-9a-fA-F]{16})?$|^3[0-9a-fA-F]{16}(?:[0-9a-fA-F]{16})?$`)

// trailing reads a word behind the device: a WWN or a size.
func trailing(d *Device, word string) {
	switch {
	case hexName.MatchString(word):
		d.WWN = word
	case strings.HasSuffix(word, "B") && Bytes(word, 1000) > 0:
		d.SizeBytes = Bytes(word, 1000)
	}
}

// describe reads one of three forms: vendor, model and revision in 8, 16 and 4 columns; with -t the
// transport; or the name of an NVMe drive.
func describe(d *Device, inquiry string) {
	words := strings.Fields(inquiry)
	switch {
	case len(words) == 0:
	case transport.MatchString(words[0]): // -t: only the transport
		if port := sasPort.FindStringSubmatch(words[0]); port != nil {
			d.Port = port[1]
		}
	case d.Media == "nvme":
		model := strings.TrimRight(strings.Join(words, " "), " ")
		d.Model, _, _ = strings.Cut(model, "__")
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
