// Package access decides who may do what with a server of the project.
//
// The stance: a server that only this machine reaches is open to whoever works on
// it; any other needs encryption and users, and is refused without them. Passwords
// are kept as bcrypt hashes and tokens as SHA-256, so that no file and no answer
// gives one away. Checking a password is made slow on purpose, so the checks are
// bounded, remembered for a while, and slowed further for who guesses.
//
// It knows nothing of storage.
package access
