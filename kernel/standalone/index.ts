// The public entry of @keelson/kernel/standalone: for the factories of plugins, on apps without the kernel.
export { acceptForms } from '../http/multipart.ts'
export type { StandalonePlugin } from './added-plugin.ts'
export { type PlainLogger, plainLog } from './plain-log.ts'
export {
  type DueChoice,
  type StandaloneHost,
  type StandaloneOptions,
  standaloneHost
} from './standalone-host.ts'
