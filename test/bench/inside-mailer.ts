// The parts of the mailer that have no public entry, for the measurements.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../hosts/processes.ts'

/** Imports a built module by its path in the mailer, as `content/templates/slot-engine.js`. */
export const insideMailer = (path: string) =>
  import(pathToFileURL(join(ROOT, 'plugins', 'mailer', 'dist', path)).href)
