// The public entry of @keelson/block-lists.
export type { DnsblContext } from './checks/dnsbl-context.ts'
export { type DnsblRun, runDnsblChecks } from './checks/run-checks.ts'
export { type BlockListsConfig, readSettings, type Settings } from './config.ts'
export { type DecodedAnswer, type DecodedCode, decodeAnswer } from './lists/decode-answer.ts'
export type { DnsAnswer, Lookup } from './lookups/dns-answer.ts'
export { createLookup, type LookupOptions } from './lookups/dns-lookup.ts'
export { default } from './plugin.ts'
export type { ChangeRow, CheckRow, ListRow, Stored } from './storage/rows.ts'
