package sadf

import "github.com/limpet-storage/limpet/record/sysstat"

// style holds the differences between the outputs of sysstat's versions.
type style struct {
	sectors     bool // disks: sectors instead of kB
	svctm       bool // disks: service time
	names       bool // disks: names instead of numbers
	guarded     bool // disks: 0 if a counter decreased
	ifutil      bool // interfaces: utilisation
	retrseg     bool // TCP errors: the name of a column
	restartCPUs bool // restarts: CPU count
	skipsShort  bool // skip a sample less than half a second after another
}

// styleOf returns the style of the version as. If as is zero, it returns the style of the version
// that converted the file to its present format, or else of the version that wrote the file.
func styleOf(h *sysstat.Header, as sysstat.Version) style {
	v := as
	if v == (sysstat.Version{}) {
		v = h.Converter
	}
	if v == (sysstat.Version{}) {
		v = h.Version
	}
	return style{
		sectors:     !v.AtLeast(11, 5, 7),
		svctm:       !v.AtLeast(12, 1, 2),
		names:       v.AtLeast(12, 4, 0),
		guarded:     v.AtLeast(12, 7, 3),
		ifutil:      v.AtLeast(10, 1, 7),
		retrseg:     v.AtLeast(12, 7, 6),
		restartCPUs: v.AtLeast(10, 3, 1),
		// Corrected in 12.3.3, and for the stable series in 12.2.2.
		skipsShort: !v.AtLeast(12, 2, 2) || v.AtLeast(12, 3, 0) && !v.AtLeast(12, 3, 3),
	}
}
