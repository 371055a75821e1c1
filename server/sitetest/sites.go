package sitetest

import (
	"fmt"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
)

const small = `
name: made-up
servers: fs[1-4]
arrays:
  - names: ddn[1-2]
    servers_per_array: 2
    luns: 0-11
    priority: rotate
    controllers: {a: 1, b: 2}
    models: S2A9900
    devices: sd[b-m]
`

const intrepid = `
name: intrepid
servers: fs[1-128]
arrays:
  - names: ddn[6-21]
    servers_per_array: 8
    luns: 00-71
    priority: rotate
    controllers: {a: 1-4, b: 5-8}
    sets: {old: 00-47, new: 48-71}
    models: S2A9900
    devices: sd[b-bu]
`

// drives is a system of 2,778 servers with 36 drives each: 100,008 drives.
const drives = `
name: fleet
servers: s[0001-2778]
drives:
  - devices: sd[a-aj]
    slots: 00-35
    models:
      ST16000NM001G: sd[a-x]
      ST18000NM000J: sd[y-aj]
    peers: [model]
`

// Calm returns a small site on which nothing limps.
func Calm(now int64) *Site {
	s := &story{world: &world{system: parse(small)}, now: now}
	return s.site(3)
}

// Muted returns a small site on which one LUN is slow, and an operator muted it.
func Muted(now int64) *Site {
	s := &story{world: &world{system: parse(small)}, now: now}
	s.slow(problem{finding.SingleLUN, lun("2.10"), []string{"2.10.3"}, now - 26*hour, 0, 1.4, 28}).Muted = true
	return s.site(3)
}

// Small returns a small site with many problems: a slow LUN, a silent server, a suspect, and
// incidents that recover, are over or are muted.
func Small(now int64) *Site {
	s := &story{world: &world{system: parse(small)}, now: now}
	s.world.gaps = append(s.world.gaps, gap{"", now - 30*hour, now - 29*hour})
	s.slow(problem{finding.SingleLUN, lun("1.4"), []string{"1.4.1"}, now - 5*hour + 120, 0, 3.2, 41})
	s.silent("fs3", now-40*60)
	s.suspect(problem{finding.SingleLUN, lun("2.7"), []string{"2.7.4"}, now - 25*60, 0, 1.6, 12}, now+88*60)
	s.slow(problem{finding.SingleLUN, lun("1.9"), []string{"1.9.2"}, now - 9*hour, now - 20*60, 2.1, 22})
	s.incidents[2].Phase, s.incidents[2].Ending, s.incidents[2].Cleared = incident.Recovering, "", 0
	s.slow(problem{finding.SingleLUN, lun("1.4"), []string{"1.4.1"}, now - 52*hour, now - 47*hour, 2.4, 35})
	s.slow(problem{finding.SingleLUN, lun("2.2"), []string{"2.2.3"}, now - 8*hour, now - 6*hour, 1.9, 33})
	s.slow(problem{finding.SingleLUN, lun("2.10"), []string{"2.10.3"}, now - 26*hour, 0, 1.4, 28}).Muted = true
	s.slow(problem{finding.DrawerError, blame.Place{Tier: blame.Array, Name: "ddn2"}, []string{"2.0.3", "2.2.3", "2.4.3", "2.6.3", "2.8.3"}, now - 100*hour, now - 96*hour, 4.5, 60})
	s.scan("fs4", now-50*60)
	site := s.site(3)
	site.say(s.incidents[0].ID, command.Comment, "mira", "Ticket 4711 is open with the vendor.", now-3*hour)
	site.SetActions(SampleActions(s.incidents[0].ID, "1.4.1", now)...)
	site.say(s.incidents[3].ID, "was", "mira", "Drive 4F failed; replaced.", now-46*hour)
	return site
}

// Intrepid returns a site with 9,216 attachments and 7 days of data.
func Intrepid(now int64) *Site {
	s := &story{world: &world{system: parse(intrepid)}, now: now}
	s.world.gaps = append(s.world.gaps, gap{"", now - 50*hour, now - 49*hour}, gap{"fs40", now - 20*hour, now - 15*hour})
	var drawer []string
	for i := range 28 {
		drawer = append(drawer, fmt.Sprintf("12.%02d.%d", i, s.primary(12, i)))
	}
	s.slow(problem{finding.DrawerError, blame.Place{Tier: blame.Array, Name: "ddn12"}, drawer, now - 26*hour, 0, 4.4, 70})
	s.slow(problem{finding.SingleLUN, lun("16.51"), []string{s.path(16, 51)}, now - 7*hour, 0, 2.6, 38})
	s.slow(problem{finding.SingleLUN, lun("20.07"), []string{s.path(20, 7)}, now - 90*60, 0, 1.5, 29})
	s.silent("fs77", now-35*60)
	s.suspect(problem{finding.SingleLUN, lun("9.33"), []string{s.path(9, 33)}, now - 28*60, 0, 1.7, 14}, now+55*60)
	for i := range 40 {
		from := now - int64(10+i*4)*hour
		array, number := 6+i%16, (i*29)%72
		s.slow(problem{finding.SingleLUN, lun(fmt.Sprintf("%d.%02d", array, number)), []string{s.path(array, number)}, from, from + int64(1+i%7)*hour, 1.5 + float64(i%5), 30})
	}
	return s.site(128)
}

// Fleet returns a site with 100,008 drives of two models.
func Fleet(now int64) *Site {
	s := &story{world: &world{system: parse(drives)}, now: now}
	for i := range 12 {
		name := fmt.Sprintf("s%04d/sd%c", 100+i*211, 'b'+i)
		s.slow(problem{finding.SlowDrive, blame.Place{Tier: blame.Drive, Name: name}, []string{name}, now - int64(2+i*5)*hour, 0, 1.6 + float64(i%6), 45})
	}
	for i := range 60 {
		name := fmt.Sprintf("s%04d/sd%c", 30+i*43, 'a'+i%26)
		from := now - int64(8+i*3)*hour
		s.slow(problem{finding.SlowDrive, blame.Place{Tier: blame.Drive, Name: name}, []string{name}, from, from + int64(1+(i*7)%11)*hour, 1.5 + float64(i%7), 35})
	}
	return s.site(2778)
}

func lun(name string) blame.Place { return blame.Place{Tier: blame.LUN, Name: name} }

// primary returns the number of the server that carries a LUN of Intrepid.
func (s *story) primary(array, lun int) int { return (array-6)*8 + lun%8 + 1 }

func (s *story) path(array, lun int) string {
	return fmt.Sprintf("%d.%02d.%d", array, lun, s.primary(array, lun))
}
