// How browser files are built: minified, or long with their source maps, to measure what tests run of them.
import { VERSION } from 'rolldown'

/** True with KEELSON_PAGE_MAPS=1, which `npm test -- --coverage` sets. */
export function isMeasured(): boolean {
  return process.env['KEELSON_PAGE_MAPS'] === '1'
}

/** What the outcome of a build depends on beside its inputs: part of the key of each build. */
export function buildMode(): string {
  return `${isMeasured() ? 'with source maps' : 'minified'}, rolldown ${VERSION}`
}
