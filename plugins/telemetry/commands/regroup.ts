// keelson telemetry regroup [--dry-run] [--tenant T]
import type { CommandAnswer, CommandCall, CommandHost } from '@keelson/sdk'
import { type RegroupResult, regroup } from '../regroup/regroup.ts'
import { recallRegistry } from '../storage/remember-registry.ts'
import { storageOfHost } from '../storage/storage.ts'
import { historyOf } from './seal.ts'

export async function runRegroup(host: CommandHost, call: CommandCall): Promise<CommandAnswer> {
  const { tenant } = call.options
  const dryRun = call.options['dry-run'] === true
  const storage = storageOfHost(host)
  const registry = await recallRegistry(storage.collections)
  const history = historyOf(host, storage)
  try {
    const result = await regroup(
      { storage, history, registry, now: () => host.clock.now() },
      {
        dryRun,
        signal: call.signal,
        onProgress: (progress) => host.log.info(progress, 'errors were looked at'),
        ...(typeof tenant === 'string' && { tenantId: tenant })
      }
    )
    if (!dryRun) host.log.info(result, 'stored errors were regrouped')
    return { json: { dryRun, ...result }, text: textOf(result, dryRun) }
  } finally {
    await history.close()
  }
}

function textOf(result: RegroupResult, dryRun: boolean): string {
  const { records, moved, issuesBefore, issuesAfter, merged, split, isDone } = result
  const lines = [
    `${moved} of ${records} error records ${dryRun ? 'would move' : 'moved'} to another issue.`,
    `Issues: ${issuesBefore} before, ${issuesAfter} after; ${merged} merged with others, ${split} split.`
  ]
  if (!isDone) lines.push('Not finished: run it again.')
  else if (dryRun) lines.push('Nothing was changed. Run it without --dry-run to regroup.')
  return lines.join('\n')
}
