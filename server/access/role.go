package access

import "slices"

// Role is a permission of a user.
type Role string

// The roles. Anyone is the role of callers without a login.
const (
	Anyone   Role = ""
	Viewer   Role = "viewer"   // may read everything but the audit trail and the list of users
	Operator Role = "operator" // may read everything, and may give feedback, decide about actions, reload and back up
	Ingest   Role = "ingest"   // may send samples, and nothing else
)

// Roles returns the roles that a file of users may give.
func Roles() []Role { return []Role{Viewer, Operator, Ingest} }

// Caller is the sender of a request.
type Caller struct {
	Name  string
	Roles []Role
	// Bearer is true if the caller sent a token. A browser never sends a token by itself.
	Bearer bool
}

// May reports whether the caller has a role. An operator is also a viewer.
func (c Caller) May(need Role) bool {
	return need == Anyone || slices.Contains(c.Roles, need) || need == Viewer && slices.Contains(c.Roles, Operator)
}
