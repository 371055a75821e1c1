// Package web answers HTTP requests along a table of routes: it lets in who may,
// bounds what a request may take, and writes JSON, errors as one plain sentence
// among it.
//
// The stance: a route is a line of a table that says method, path, role and
// parameters, so that a description can be held against it. What a request sends
// beyond that is refused and named. A function that answers returns a value or an
// error, and writes nothing itself.
//
// It knows nothing of storage.
package web
