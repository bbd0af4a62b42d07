// The public entry of @keelson/postmaster.
export type { Compliance, DayStats, DomainStats } from './api/day-stats.ts'
export { createPostmasterClient, type PostmasterClient } from './api/postmaster-client.ts'
export { type Access, accessOf, type Credentials, type PostmasterConfig } from './config.ts'
export { default } from './plugin.ts'
export { type DayVerdict, judgeDay, type SpamLimits } from './pull/judge-day.ts'
export { type PostmasterContext, type PostmasterPull, runPostmasterPull } from './pull/run-pull.ts'
export type { DomainRow, SnapshotRow, Stored } from './storage/rows.ts'
