package topology

// ServerOf gives for every component the place of its server among
// [System.Servers], -1 where it has none.
func (s *System) ServerOf() []int {
	place := make(map[string]int, len(s.Servers))
	for i, name := range s.Servers {
		place[name] = i
	}
	of := make([]int, len(s.Components))
	for i := range s.Components {
		at, ok := place[s.Components[i].Server]
		if !ok {
			at = -1
		}
		of[i] = at
	}
	return of
}
