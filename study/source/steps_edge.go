package source

const hourSeconds = 3600

// leastSeconds is what data must have of the hour that they begin or end in, for
// it to be a drive hour: a quarter. A day of samples whose times are their begins,
// taken for ends, would otherwise have a 25th hour of one sample, and what a
// minute's mean strays would count as much as a slow hour.
const leastSeconds = hourSeconds / 4

// A span is what the rows of an hour cover, in seconds since the epoch.
type span struct {
	from, to int64
	records  int64 // those counted before it
}

// touches reports whether the hour is the first or the last of the data and they
// have too little of it, and leaves its records out. Where all data are of one
// hour, it counts however short they are.
func (r *Rows) touches() bool {
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
