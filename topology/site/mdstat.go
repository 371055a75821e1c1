package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// /proc/mdstat has two lines or more for each array:
//
//	Personalities : [raid1] [raid6] [raid5] [raid4]
//	md1 : active raid5 sdh[3] sdg[2] sdj[6](F) sde[1] sdk[5](S) sdd[0]
//	      3750244352 blocks super 1.2 level 5, 512k chunk, algorithm 2 [5/5] [UUUUU]
//	      bitmap: 4/7 pages [16KB], 65536KB chunk
//
//	unused devices: <none>
var (
	arrayLine  = lazyregexp.New(`^\s*(md\S*)\s*:\s+(active|inactive|broken|read-only|readonly)\b(.*)$`)
	memberWord = lazyregexp.New(`^([\w/!.-]+)\[\d+\]((?:\([A-Z]\))*)$`)
	levelWord  = lazyregexp.New(`\braid(?:[0146]|10|5)\b`)
	moreLine   = lazyregexp.New(`^\s+(?:\d+ blocks|bitmap:|\[[=>.]+\]|resync|recovery|check|reshape|\d+K|journal)`)
	otherLine  = lazyregexp.New(`^\s*(?:Personalities\s*:|unused devices:|read_ahead\b|Event:)`)
)

func readMdstat(t *Text, inv *Inventory) {
	for i, line := range t.All() {
		if otherLine.MatchString(line) {
			t.Claim(i, i)
			continue
		}
		m := arrayLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		members := mdstatMembers(t, i, m[1], m[3])
		last := i
		for moreLine.MatchString(t.Line(last + 1)) {
			last++
		}
		t.Claim(i, last)
		inv.Devices = append(append(inv.Devices, array(t, i, m[1], members)), members...)
	}
}

func mdstatMembers(t *Text, i int, name, rest string) []Device {
	var members []Device
	level := levelWord.FindString(rest)
	for word := range strings.FieldsSeq(rest) {
		m := memberWord.FindStringSubmatch(word)
		if m == nil {
			continue
		}
		d := member(t, i, m[1], name, flagRole(m[2]))
		d.Redundancy = level
		members = append(members, d)
	}
	return members
}

func flagRole(flags string) string {
	for _, f := range []struct{ flag, role string }{{"(F)", "faulty"}, {"(S)", "spare"}, {"(J)", "journal"}, {"(R)", "replacement"}} {
		if strings.Contains(flags, f.flag) {
			return f.role
		}
	}
	return ""
}
