package witness

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/topology/site"
)

// hotCelsius is the highest temperature for which drives are specified. Many drives warn above it.
const hotCelsius = 60

// wornPercent is the wear at which a drive has used up the life that its maker guarantees.
const wornPercent = 100

// snapshot is one output of smartctl.
type snapshot struct {
	Statement      // identity of the drive
	known     bool // the output has counts
	values    [NumSigns]float64
	lines     [NumSigns]int
}

// note keeps the largest count of a sign.
func (s *snapshot) note(sign Sign, value float64, line int) {
	s.known = true
	if value > s.values[sign] {
		s.values[sign], s.lines[sign] = value, line
	}
}

// ReadSMART adds the drives of an output of smartctl (-a, -x or -j, of ATA, SCSI and NVMe) to a
// record, and returns the number of drives. It keeps those counts of a drive that should be zero
// and are not.
func ReadSMART(t *site.Text, to *Record) int {
	drives := 0
	documents, _ := t.JSON()
	for i := range documents {
		for _, s := range readJSON(&documents[i]) {
			documents[i].Claim()
			s.File, s.Server = t.File, t.Host
			s.addStatements(to)
			drives++
		}
	}
	for _, s := range readText(t) {
		s.File, s.Server = t.File, t.Host
		if s.Device == "" {
			s.Device = deviceIn(t)
		}
		s.addStatements(to)
		drives++
	}
	return drives
}

// addStatements adds the statements of a snapshot to a record: counts above zero, a temperature
// that is too high, and wear. If there is none of them, the drive is sound.
func (s *snapshot) addStatements(to *Record) {
	s.FromSnapshot = true
	sound := true
	for sign := range NumSigns {
		value := s.values[sign]
		switch {
		case value == 0, sign == Hot && value < hotCelsius, sign == Worn && value < wornPercent:
			continue
		}
		sound = false
		out := s.Statement
		out.Sign, out.Value, out.Line = sign, value, s.lines[sign]
		to.Add(out)
	}
	if sound && s.known {
		out := s.Statement
		out.Sign = Sound
		to.Add(out)
	}
}

var deviceWord = lazyregexp.New(`(?:^|[^A-Za-z0-9])((?:sd|vd|hd)[a-z]{1,3}|nvme\d+(?:n\d+)?)(?:$|[^A-Za-z0-9])`)

// deviceIn returns the drive in the name of a command or a file.
func deviceIn(t *site.Text) string {
	for _, text := range []string{t.Command, t.File[strings.LastIndex(t.File, "/")+1:]} {
		if m := deviceWord.FindStringSubmatch(text); m != nil {
			return namespace(m[1])
		}
	}
	return ""
}

var bareNVMe = lazyregexp.New(`^nvme\d+$`)

// namespace returns the first namespace of an NVMe controller, because the kernel counts requests
// by namespace.
func namespace(name string) string {
	if bareNVMe.MatchString(name) {
		return name + "n1"
	}
	return name
}

func wwn(text string) string {
	hex, _ := topology.ParseWWN(strings.ReplaceAll(text, " ", ""))
	return hex
}
