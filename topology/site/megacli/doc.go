// Package megacli reads which drives sit in which slot, by MegaCli -PDList and
// -LdPdInfo, the older tool for MegaRAID controllers.
package megacli
