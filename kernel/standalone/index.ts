// The public entry of @keelson/kernel/standalone: for the factories of plugins, on apps without the kernel.
export { createManualTicker } from '../schedule/manual-ticker.ts'
export type { QueueChoice, Schedule } from '../schedule/schedule.ts'
export type { ManualTicker, Ticker } from '../schedule/ticker.ts'
export type { StandalonePlugin } from './added-plugin.ts'
export {
  type StandaloneHost,
  type StandaloneOptions,
  standaloneHost
} from './standalone-host.ts'
