package exporter

// A Sender identifies the program that samples come from.
type Sender struct {
	// Name is the user or token of a program that pushes. For an endpoint that
	// is scraped it is the URL, for a store its name.
	Name string
	// Address is the address of a program that pushes. It is empty for an
	// endpoint or a store: the configuration names them, so they have no share.
	Address string
}

// String names the sender, and the address if it differs.
func (s Sender) String() string {
	if s.Address == "" || s.Address == s.Name {
		return s.Name
	}
	return s.Name + " at " + s.Address
}

// A program that pushes chooses the names that it sends. So nobody may take all
// room: each user or token has a part of it, and each of its addresses a part of that.
const (
	userPart    = 2 // a user or token has half of the servers, and half of the cells
	addressPart = 4 // one address of a user has a quarter of the servers
)

// shares counts what the senders use.
type shares struct {
	byUser   map[string]use
	bySender map[Sender]int // servers
}

// use is the number of servers and cells of a user.
type use struct{ servers, cells int }

// add counts servers and cells of a sender. Negative numbers take them back.
func (s *shares) add(from Sender, servers, cells int) {
	if from.Address == "" {
		return
	}
	u := s.byUser[from.Name]
	u.servers, u.cells = u.servers+servers, u.cells+cells
	if s.byUser[from.Name] = u; u == (use{}) {
		delete(s.byUser, from.Name)
	}
	if s.bySender[from] += servers; s.bySender[from] == 0 {
		delete(s.bySender, from)
	}
}

// full reports whether a sender has its whole share of servers. most is the
// number of servers that its share has.
func (s *shares) full(from Sender, maxServers int) (most int, full bool) {
	if from.Address == "" {
		return maxServers, false
	}
	if most = max(1, maxServers/addressPart); s.bySender[from] >= most {
		return most, true
	}
	most = max(1, maxServers/userPart)
	return most, s.byUser[from.Name].servers >= most
}
