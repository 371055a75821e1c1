// Package ledgertest makes incidents for tests of the ledger, of alerts and of receivers.
package ledgertest
