// The public entry of @keelson/list-hygiene.
export type { HygieneSettings } from './config.ts'
export { default } from './plugin.ts'
export { computeListHygiene } from './report/compute-list-hygiene.ts'
export type { HygieneReport } from './report/report.ts'
export type { HygieneContext } from './rows.ts'
