package state

// ByName goes over what has a name. While saving these are the things of now.
// While reading they are those of the state, and each is given the thing that
// has its name now, nil where none has. Things of one name are told apart by
// their order.
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
