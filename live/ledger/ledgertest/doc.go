// Package ledgertest makes incidents up for tests of what becomes of them: in the
// ledger, in alerts and at receivers.
package ledgertest
