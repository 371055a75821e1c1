// Package access decides which users may do what on a server.
//
// Its inputs are the address of a server, a file of users, and requests. Its output is the caller
// of a request with its roles, or an error that says how to fix the problem. A server that only
// this machine can reach needs no login. Any other server needs TLS and users, and does not start
// without them. Passwords are stored as bcrypt hashes and tokens as SHA-256 hashes, so no file and
// no answer reveals one. Checking a password is slow on purpose; so checks are limited in number,
// cached for a while, and delayed after wrong guesses.
//
// The package knows nothing of storage.
//
// Read first: gate.go checks a request, users.go reads the file of users, role.go has the roles.
package access
