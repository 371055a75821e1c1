package state

// Expect is a number that the settings fix, such as the length of a ring. A
// state that was written with another one is refused.
func (c *Codec) Expect(what string, want int) {
	was := want
	if Int(c, &was); was != want {
		c.Failf("the saved state has %d %s, but the present settings have %d: use the settings that wrote the saved state, or start without the saved state", was, what, want)
	}
}
