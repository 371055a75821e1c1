package source

const hourSeconds = 3600

// leastSeconds is the time that data must cover in their first or last hour: a quarter of the
// hour. With less, the hour is left out.
//
// The time of a sample may be its start, which limpet takes for its end. Then a day of samples
// has a 25th hour with one sample. Without this limit, the noise of that one minute would count
// as much as a slow hour.
const leastSeconds = hourSeconds / 4

// A span is the time that the rows of an hour cover, in seconds since the epoch.
type span struct {
	from, to int64
	records  int64 // number of records before the hour
}

// dropShortEdge reports whether the hour is the first or last of the data and the data cover too
// little of it. Then it leaves out the records of the hour. If the data have no other hour,
// dropShortEdge returns false.
func (r *Rows) dropShortEdge() bool {
	begin := int64(r.hour) * hourSeconds
	first, last := r.of.records == 0, r.ended
	short := first && r.of.from > begin+hourSeconds-leastSeconds || last && r.of.to < begin+leastSeconds
	if !short || first && last || last && r.folding.Hours == 0 {
		return false
	}
	r.folding.Edge += r.folding.Records - r.of.records
	r.forget()
	return true
}
