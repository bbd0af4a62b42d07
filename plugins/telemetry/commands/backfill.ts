// keelson telemetry backfill [--family F] [--from T] [--to T]
import { type CommandAnswer, type CommandCall, type CommandHost, KeelsonError } from '@keelson/sdk'
import { type BackfillResult, backfill } from '../backfill/backfill.ts'
import { readTime } from '../envelope/time.ts'
import { recallRegistry } from '../storage/remember-registry.ts'
import { storageOfHost } from '../storage/storage.ts'
import { historyOf } from './seal.ts'

export async function runBackfill(host: CommandHost, call: CommandCall): Promise<CommandAnswer> {
  const { family, from, to } = call.options
  const [start, end] = [from, to].map((text) => (text === undefined ? undefined : readTime(text)))
  if ((from !== undefined && start === undefined) || (to !== undefined && end === undefined)) {
    return { wrongUse: '--from and --to must be times, such as 2026-11-01.' }
  }
  const storage = storageOfHost(host)
  const registry = await recallRegistry(storage.collections)
  const history = historyOf(host, storage)
  const all = [...registry.families.values()]
  const isRanged = start !== undefined || end !== undefined
  const names =
    typeof family === 'string'
      ? [family]
      : all.filter(({ bucket }) => !isRanged || bucket !== undefined).map(({ as }) => as)
  const results: BackfillResult[] = []
  try {
    for (const name of names) {
      results.push(
        await backfill(
          { storage, history, registry, now: () => host.clock.now() },
          {
            family: name,
            signal: call.signal,
            onProgress: (progress) => host.log.info(progress, 'a slice was recounted'),
            ...(start !== undefined && { from: new Date(start) }),
            ...(end !== undefined && { to: new Date(end) })
          }
        )
      )
    }
  } catch (error) {
    if (KeelsonError.is(error) && error.code === 'TEL_BACKFILL_INVALID') {
      return { wrongUse: error.message }
    }
    throw error
  } finally {
    history.close()
  }
  return { json: { items: results }, text: results.map(lineOf).join('\n') }
}

const lineOf = ({ family, slices, rows, documents, isDone }: BackfillResult): string =>
  `${family}: ${documents} documents made or corrected from ${rows} records in ${slices} slices${isDone ? '' : ', not finished: run it again'}`
