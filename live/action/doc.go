// Package action executes actions on slow parts. Package report/action proposes the actions, and a
// policy of the operator allows them. If the policy requires an approval, package action first waits
// for the answer of an operator. It runs the commands of a driver (the commands for one kind of
// storage). Then it checks whether users wait less. It reverses an action that did not help.
//
// The input is the open incidents, the policy, operators' answers, and the latencies of the part
// and of its peer group. The output is commands, and records in the ledger.
//
// An action goes through these states:
//
//	asked ── approved ── doing ── watching ── helped ── undoing ── undone
//	  │          │          │         └──────────────────┘
//	  │          │          └── failed: the command had no effect
//	  │          └── blocked: a cap, the policy or a guard does not allow it any more
//	  └── refused, expired
//
// # If the process is killed
//
// Before a command starts, a record of the start is in the ledger. After the command ended, a
// second record follows. If the process is killed between the two records, the action stays in the
// state doing or undoing. The next process does not repeat the command. Instead, it queries the
// state of the part from the storage, for as long as the command of the killed process may still be
// running. So an action is executed at most once, and the ledger always has a record of it. Guards
// and queries change nothing, so they are repeated.
//
// In a cluster, one node has the turn: it carries out the actions (turn.go). Every record is in the
// ledgers of all nodes. If the node with the turn is killed, another node gets the turn. From its
// ledger, the other node knows which commands the killed node had started.
//
// The caps of report/action (limits that no policy can raise) are checked twice: when an action is
// created, and before its command starts. Each check counts all other actions that are not over.
//
// Read executor.go first, then advance.go. The file verify.go fetches the latencies with which
// report/action decides whether an action helped. The file run.go runs commands.
package action
