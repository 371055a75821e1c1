package exporter

// A Sender identifies the program that samples come from.
type Sender struct {
	// Name is the user or token of a program that pushes samples. For a scraped
	// endpoint, Name is the URL. For a store, it is the name of the store.
	Name string
	// Address is the network address of a program that pushes samples. It is empty for an endpoint
	// or a store. The user has configured the endpoints and stores, so limpet does not limit how
	// many servers they have.
	Address string
}

// String returns the name of the sender. It adds the address if the address differs
// from the name.
func (s Sender) String() string {
	if s.Address == "" || s.Address == s.Name {
		return s.Name
	}
	return s.Name + " at " + s.Address
}

// A program that pushes samples can send any number of server names. But limpet accepts only a
// limited number of servers and of cells (see Options.MaxCells). One faulty program must not use up
// this number. So each user or token may use only a part of it, and each address of a user may use
// a smaller part.
const (
	userPart    = 2 // a user or token may have 1/2 of all servers, and 1/2 of all cells
	addressPart = 4 // one address of a user may have 1/4 of all servers
)

// shares counts the servers and cells (see Options.MaxCells) of senders that push samples.
type shares struct {
	byUser   map[string]usage
	bySender map[Sender]int // number of servers of each sender
}

// usage is the number of servers and cells of a user.
type usage struct{ servers, cells int }

// add adds a number of servers and a number of cells to the counts of a sender. Both numbers may be
// negative.
func (s *shares) add(from Sender, servers, cells int) {
	if from.Address == "" {
		return
	}
	u := s.byUser[from.Name]
	u.servers, u.cells = u.servers+servers, u.cells+cells
	if s.byUser[from.Name] = u; u == (usage{}) {
		delete(s.byUser, from.Name)
	}
	if s.bySender[from] += servers; s.bySender[from] == 0 {
		delete(s.bySender, from)
	}
}

// full reports whether a sender already has the largest number of servers that it may have. The
// first result is this largest number.
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
