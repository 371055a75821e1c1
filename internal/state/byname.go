package state

// ByName writes or reads things that have names. When it writes, it calls each for every thing in
// now. When it reads, it calls each for every thing in the state, with the thing in now of the same
// name, or nil if there is none. Things with the same name are distinguished by their order.
func ByName[T any](c *Codec, now []*T, name func(*T) string, each func(*T)) {
	if c.outlines() {
		c.within("list", func() { Text(c, new(string)); each(nil) })
		return
	}
	n := len(now)
	Int(c, &n)
	if c.Saving() {
		for _, thing := range now {
			is := name(thing)
			Text(c, &is)
			each(thing)
		}
		return
	}
	named := make(map[string][]*T, len(now))
	for _, thing := range now {
		is := name(thing)
		named[is] = append(named[is], thing)
	}
	for i := 0; i < n && !c.Failed(); i++ {
		var is string
		Text(c, &is)
		var thing *T
		if left := named[is]; len(left) > 0 {
			thing, named[is] = left[0], left[1:]
		}
		each(thing)
	}
}
