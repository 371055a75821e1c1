package site

import (
	"cmp"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/topology"
)

// joinVolumes joins sightings of one volume and finds its devices.
func (s *Site) joinVolumes(sightings []Volume, short func(string) string) {
	at := map[string]int{}
	for _, v := range sightings {
		v.Host = short(v.Host)
		v.Servers = mapped(v.Servers, short)
		if v.Host == "" && v.Device != "" && len(v.Servers) == 0 {
			v.Host, v.Servers = UnknownServer, []string{UnknownServer}
		}
		key := v.System + " " + v.Name
		i, known := at[key]
		if !known {
			i = len(s.Volumes)
			at[key] = i
			s.Volumes = append(s.Volumes, MergedVolume{Volume: v, Devices: map[string]int{}})
			s.Volumes[i].Servers = slices.Clone(v.Servers)
		} else {
			s.fillVolume(&s.Volumes[i], &v)
		}
		s.attach(&s.Volumes[i], &v)
	}
	slices.SortStableFunc(s.Volumes, func(a, b MergedVolume) int {
		return cmp.Or(strings.Compare(a.System, b.System), topology.Compare(a.Name, b.Name))
	})
}

func mapped(names []string, short func(string) string) []string {
	var out []string
	for _, name := range names {
		if name = short(name); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// fillVolume takes from a sighting what is not known yet. A list in the order
// of priority replaces one that was gathered line by line.
func (s *Site) fillVolume(v *MergedVolume, seen *Volume) {
	if v.ID != "" && seen.ID != "" && !strings.EqualFold(v.ID, seen.ID) {
		s.note(seen.At, "volume %s has the ID %s in this file, but %s in %s; limpet uses %[3]s. If %[2]s is right, run both tools again and give both outputs", v.Name, seen.ID, v.ID, v.At)
		return
	}
	switch {
	case seen.Ranked && !v.Ranked && len(seen.Servers) > 0:
		v.Servers, v.Ranked = slices.Clone(seen.Servers), true
	case !v.Ranked:
		for _, server := range seen.Servers {
			if !slices.Contains(v.Servers, server) {
				v.Servers = append(v.Servers, server)
			}
		}
	case seen.Ranked && !slices.Equal(v.Servers, seen.Servers):
		s.note(seen.At, "volume %s has the servers %s in this file, but %s in %s; limpet uses the servers of %[4]s. If the servers of this file are right, run both tools again and give both outputs",
			v.Name, strings.Join(seen.Servers, ","), strings.Join(v.Servers, ","), v.At)
	}
	v.ID, v.FileSystem, v.Pool, v.Media = cmp.Or(v.ID, seen.ID), cmp.Or(v.FileSystem, seen.FileSystem), cmp.Or(v.Pool, seen.Pool), cmp.Or(v.Media, seen.Media)
	v.SizeBytes = cmp.Or(v.SizeBytes, seen.SizeBytes)
	if v.Created.IsZero() {
		v.Created = seen.Created
	}
}

// attach notes what a server calls the volume. A device that no other source
// tells of is added.
func (s *Site) attach(v *MergedVolume, seen *Volume) {
	if seen.Host == "" || seen.Device == "" {
		return
	}
	if _, known := v.Devices[seen.Host]; known {
		return
	}
	name := wholeDrive(seen.Device)
	i, known := s.byName[seen.Host+" "+name]
	if !known {
		i = len(s.Devices)
		s.byName[seen.Host+" "+name] = i
		s.Devices = append(s.Devices, MergedDevice{Device: Device{At: seen.At, Host: seen.Host, Name: name}})
	}
	if s.Devices[i].Kind == Unknown { // a file system is on it
		s.Devices[i].Kind = Drive
	}
	v.Devices[seen.Host] = i
}

// indexNames finds devices by server and name.
func (s *Site) indexNames() {
	s.byName = make(map[string]int, len(s.Devices))
	for i := range s.Devices {
		d := &s.Devices[i]
		for _, name := range append([]string{d.Name}, d.Aliases...) {
			if _, known := s.byName[d.Host+" "+name]; !known {
				s.byName[d.Host+" "+name] = i
			}
		}
	}
}
