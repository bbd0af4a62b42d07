// The version of the format of a data folder.
import { commandError } from '../errors.ts'
import type { Environment } from './environment.ts'
import { FORMAT_KEY } from './tree-keys.ts'

/** Written into a new folder. Grows with each change that older versions cannot read. */
export const FORMAT_VERSION = 2
/** Also read: its values are not compressed, its indexes keep their layout. */
const EARLIER_VERSION = 1

/** Fails with UnsupportedFormat (12) when the folder was written by a later version. */
export async function openFormat(environment: Environment): Promise<void> {
  const stored = environment.live.get(FORMAT_KEY)
  const version = stored === undefined ? undefined : Number(Buffer.from(stored).toString())
  if (version === FORMAT_VERSION) return
  if (version === undefined || version === EARLIER_VERSION) {
    await environment.write((view) => view.put(FORMAT_KEY, Buffer.from(String(FORMAT_VERSION))))
    return
  }
  throw commandError(
    'UnsupportedFormat',
    `The data folder has format ${version}, this version reads format ${FORMAT_VERSION}. Use the version that wrote it.`
  )
}
