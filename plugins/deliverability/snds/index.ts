// The public entry of @keelson/snds.
export type { SndsConfig } from './config.ts'
export { type DataFeed, readDataFeed, type SndsActivity } from './feeds/read-data-feed.ts'
export { readStatusFeed, type SndsRange } from './feeds/read-status-feed.ts'
export { createSndsClient, type SndsClient } from './feeds/snds-client.ts'
export { default } from './plugin.ts'
export { runSndsPull, type SndsContext, type SndsPull } from './pull/run-pull.ts'
export type { AddressRow, PullRow, RangeRow, SnapshotRow, Stored } from './storage/rows.ts'
