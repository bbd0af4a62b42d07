// keelson telemetry usage [--tenant T]
import type { CommandAnswer, CommandCall, CommandHost } from '@keelson/sdk'
import type { RetentionOptions } from '../emit/settings.ts'
import { readStorageUse } from '../queries/storage-usage.ts'
import type { StorageUse } from '../schemas/system.ts'
import { storageOfHost } from '../storage/storage.ts'

export async function usage(host: CommandHost, call: CommandCall): Promise<CommandAnswer> {
  const { retention } = host.config as { readonly retention?: RetentionOptions }
  const tenant = call.options['tenant']
  const scope = typeof tenant === 'string' ? tenant : '*'
  const { collections } = storageOfHost(host)
  const use = await readStorageUse(collections, scope, { clock: host.clock, retention })
  return { json: use, text: textOf(use) }
}

const MEGABYTE = 1024 * 1024
const megabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`

function textOf({ collections, kinds }: StorageUse): string {
  const sizes = collections.map(({ name, documents, storedBytes, indexBytes }) =>
    [
      name,
      `${documents} documents`,
      megabytes(storedBytes),
      `indexes ${megabytes(indexBytes)}`
    ].join('  ')
  )
  const kept = kinds.map(({ kind, records, retentionDays }) =>
    [
      kind,
      `${records} records in 30 days`,
      retentionDays === null ? 'kept for ever' : `kept ${retentionDays} days`
    ].join('  ')
  )
  return [...sizes, '', ...kept].join('\n')
}
