// Package torture tests a whole limpet serve under kills and attacks. It has only tests.
//
// One test kills the server again and again while files grow, a sender pushes, an endpoint
// is scraped and a receiver of alerts acknowledges. The incidents and alerts must be those
// of a server that was never killed. Another floods the server with connections, slow
// clients, compressed bombs and nonsense; the diagnosis must go on in bounded memory.
//
// Every test run has a few kills; make kill-serve has a thousand.
//
// Read first: kill_test.go, siege_test.go, world_test.go.
package torture
