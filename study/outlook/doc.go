// Package outlook takes from a study what a drive that is slow now will probably do: whether
// it recovers by itself, how soon it is slow again, and what replacing it saves.
//
// Advice on a drive goes by it where the fleet was studied, and by T16's figures elsewhere.
package outlook
