package witness

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/topology/site"
)

// hotCelsius is the highest temperature that drives are specified for; many warn above it.
const hotCelsius = 60

// wornPercent is the wear at which a drive has used up the life that its maker guarantees.
const wornPercent = 100

// snapshot is one output of smartctl.
type snapshot struct {
	Statement      // whose it is
	known     bool // it has counts
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

// ReadSMART adds the drives of an output of smartctl (-a, -x or -j, of ATA, SCSI and NVMe)
// to a record, and returns their number. Of each drive it keeps the counts that should be
// zero and are not.
func ReadSMART(t *site.Text, to *Record) int {
	drives := 0
	documents, _ := t.JSON()
	for i := range documents {
		for _, s := range readJSON(&documents[i]) {
			documents[i].Claim()
			s.File, s.Server = t.File, t.Host
			s.settle(to)
			drives++
		}
	}
	for _, s := range readText(t) {
		s.File, s.Server = t.File, t.Host
		if s.Device == "" {
			s.Device = deviceIn(t)
		}
		s.settle(to)
		drives++
	}
	return drives
}

// settle makes statements of a snapshot: what is not zero, what is too hot, what is
// worn; else that the drive is sound.
func (s *snapshot) settle(to *Record) {
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

// deviceIn is the drive that a command, or the name of a file, names.
func deviceIn(t *site.Text) string {
	for _, text := range []string{t.Command, t.File[strings.LastIndex(t.File, "/")+1:]} {
		if m := deviceWord.FindStringSubmatch(text); m != nil {
			return namespace(m[1])
		}
	}
	return ""
}

var bareNVMe = lazyregexp.New(`^nvme\d+$`)

// namespace is the first namespace of an NVMe controller: what the kernel counts
// requests of.
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
