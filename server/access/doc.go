// Package access decides who may do what with a server.
//
// In come the address of a server, a file of users, and requests. Out comes the caller of a
// request with its roles, or an error that names the cure. A server that only this machine
// reaches is open to its users. Any other server needs TLS and users, and does not start
// without them. Passwords are stored as bcrypt hashes and tokens as SHA-256 hashes, so no
// file and no answer reveals one. Checking a password is slow on purpose; so checks are
// limited in number, cached for a while, and delayed after wrong guesses.
//
// The package has no idea of storage.
//
// Read first: gate.go checks a request, users.go reads the file of users, role.go has the
// roles.
package access
