package state

// ByName goes over what has a name. While saving these are the things of now.
// While reading they are those of the state, and each is given the thing that
// has its name now, nil where none has.
func ByName[T any](c *Codec, now []*T, name func(*T) string, each func(*T)) {
	n := len(now)
	Int(c, &n)
	for i := 0; i < n && !c.Failed(); i++ {
		var is string
		if c.Saving() {
			is = name(now[i])
		}
		Text(c, &is)
		var thing *T
		for _, t := range now {
			if name(t) == is {
				thing = t
			}
		}
		each(thing)
	}
}
