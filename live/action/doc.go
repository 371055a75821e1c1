// Package action carries out actions on slow parts: what package report/action proposes and a policy
// allows. It asks an operator first where the policy wants that, runs the commands of a driver, looks
// whether users wait less, and reverses what did not help.
//
// The input is the open incidents, the policy, operators' answers, and the latencies of the group.
// The output is commands, and records in the ledger.
//
// An action goes through these states:
//
//	asked ── approved ── doing ── watching ── helped ── undoing ── undone
//	  │          │          │         └──────────────────┘
//	  │          │          └── failed: the command had no effect
//	  │          └── blocked: a cap, the policy or a guard does not allow it any more
//	  └── refused, expired
//
// # What a kill leaves
//
// A record is in the ledger before a command starts, and another one after it ended. A process that
// is killed between the two leaves the state doing or undoing. The next process does not repeat the
// command. As long as a command of the killed process may still run, the next process asks the storage
// for the state of the part (the query of the driver). So an action is carried out at most once, and the ledger always knows
// it. Guards and queries change nothing, and are repeated.
//
// The caps of report/action are checked when an action is created, and again before its command
// starts, with all actions that are under way.
//
// Read executor.go first, then advance.go; verify.go fetches the latencies by which report/action
// decides whether an action helped, and run.go runs commands.
package action
