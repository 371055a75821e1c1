package state

// Expect writes a number that the settings decide, such as the length of a ring. When it reads
// another number than want, the codec fails.
func (c *Codec) Expect(what string, want int) {
	was := want
	if Int(c, &was); was != want {
		c.Failf("the saved state was written with %d %s, but the present settings need %d: use the settings with which the saved state was written, or start without the saved state", was, what, want)
	}
}
