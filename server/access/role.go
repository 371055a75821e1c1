package access

import "slices"

// Role is what somebody may do.
type Role string

// The roles. Anyone is the role of those who did not say who they are.
const (
	Anyone   Role = ""
	Viewer   Role = "viewer"   // sees everything but the audit trail
	Operator Role = "operator" // sees everything, answers and reloads
	Ingest   Role = "ingest"   // sends samples, and nothing else
)

// Roles are those that a file may give.
func Roles() []Role { return []Role{Viewer, Operator, Ingest} }

// Caller is whoever sent a request.
type Caller struct {
	Name  string
	Roles []Role
	// Bearer: it showed a token, which no browser sends by itself.
	Bearer bool
}

// May says whether the caller has a role. An operator is a viewer, too.
func (c Caller) May(need Role) bool {
	return need == Anyone || slices.Contains(c.Roles, need) || need == Viewer && slices.Contains(c.Roles, Operator)
}
