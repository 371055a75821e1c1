package command

// Verb is what an operator says of components.
type Verb string

// The verbs of feedback (L13 §5.1).
const (
	Resolve Verb = "resolve" // it was repaired: its accumulators begin anew
	Mute    Verb = "mute"    // it is known: lists leave it out, so that a second problem shows
	Unmute  Verb = "unmute"  // lists show it again
	Comment Verb = "comment" // something to remember; nothing changes
	Label   Verb = "label"   // what an incident truly was: kept for evaluations, the diagnosis does not hear of it
)

// Feedback is what an operator says of some components.
type Feedback struct {
	Time       int64 // Unix time
	Verb       Verb
	Name       string // as the operator wrote it
	Components []int  // that have this name or hang on what has; not to be changed
	Text       string // of a comment
}
