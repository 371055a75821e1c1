// Package lustre reads which server has which target: lctl dl -t on a client,
// lfs df, lctl get_param on servers, the device trees of the Integrated Manager
// for Lustre, and crm_mon's XML where Pacemaker runs the targets.
package lustre
