package state

// Expect is a number that the settings fix, such as the length of a ring. A
// state that was written with another one is refused.
func (c *Codec) Expect(what string, want int) {
	was := want
	if Int(c, &was); was != want {
		c.Failf("the state has %s %d, and these settings %d: restore it with the settings that it was saved with, or begin anew", what, was, want)
	}
}
