package kernel

import (
	"fmt"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// Two lines of /proc/net/snmp are used: the first line has the names of the columns, the second
// line the values. Kernels have only ever added columns at the end.
//
//	Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab InSegs OutSegs RetransSegs InErrs OutRsts InCsumErrors
//	Tcp: 1 200 120000 -1 1805 1643 5 3 0 55996 58003 9 0 16 0

// sampleTCP fills in the TCP counters. If they cannot be read, it leaves the old values, because a
// record always has these fields and zeros would look like a reboot.
func (k *Kernel) sampleTCP(s *sysstat.Sample) error {
	text, err := k.snmp.read()
	if err != nil {
		return err
	}
	for len(text) > 0 {
		var line words
		line, text = cutLine(text)
		if string(line.next()) == "Tcp:" && parseTCP(line, s) {
			return nil
		}
	}
	return fmt.Errorf("file %s has no TCP counters", k.snmp.path)
}

// parseTCP parses the second of the two lines.
func parseTCP(line words, s *sysstat.Sample) bool {
	for range 4 { // constants of the protocol, one of which is negative
		line.next()
	}
	var v [10]uint64
	if line.numbers(v[:]) < len(v) {
		return false
	}
	s.TCP = sysstat.TCP{ActiveOpens: v[0], PassiveOpens: v[1], InSegs: v[5], OutSegs: v[6]}
	s.TCPErrors = sysstat.TCPErrors{AttemptFails: v[2], EstabResets: v[3], RetransSegs: v[7], InErrs: v[8], OutRsts: v[9]}
	return true
}
