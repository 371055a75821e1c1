// Package feedback is what operators say of components.
package feedback

// Verb is what an operator says of components.
type Verb string

// The verbs of feedback (L13 §5.1).
const (
	Resolve Verb = "resolve"
	Mute    Verb = "mute"
	Unmute  Verb = "unmute"
	Comment Verb = "comment"
)

// Feedback is an operator's word on some components.
type Feedback struct {
	Time       int64
	Verb       Verb
	Name       string
	Components []int
	Text       string
}
