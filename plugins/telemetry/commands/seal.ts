// keelson telemetry seal [--before T] [--tenant T]
import { type CommandAnswer, type CommandCall, type CommandHost, KeelsonError } from '@keelson/sdk'
import { readTime } from '../envelope/time.ts'
import { createHistory, type History, type HistoryOptions } from '../history/history.ts'
import { storageOfHost, type TelemetryStorage } from '../storage/storage.ts'

/** What the config of the plugin says about history. */
export const historyConfig = (host: CommandHost): { readonly history?: HistoryOptions } => {
  const { history } = (host.config ?? {}) as { readonly history?: HistoryOptions }
  return history === undefined ? {} : { history }
}

/** History as a running host has it. */
export const historyOf = (host: CommandHost, storage: TelemetryStorage): History =>
  createHistory(historyConfig(host).history ?? {}, {
    storage,
    now: () => host.clock.now(),
    logger: host.log
  })

export async function seal(host: CommandHost, call: CommandCall): Promise<CommandAnswer> {
  const { before, tenant } = call.options
  const time = before === undefined ? undefined : readTime(before)
  if (before !== undefined && time === undefined) {
    return { wrongUse: '--before must be a time, such as 2026-11-01.' }
  }
  const history = historyOf(host, storageOfHost(host))
  if (!history.isSealing) {
    return {
      wrongUse: 'Set history.enabled in the config first: hosts must know of sealed records.'
    }
  }
  try {
    const sealed = await history.seal({
      signal: call.signal,
      ...(time !== undefined && { before: new Date(time) }),
      ...(typeof tenant === 'string' && { tenantId: tenant })
    })
    const { segments, rows, bytes } = sealed
    return {
      json: sealed,
      text: `Sealed ${rows} records in ${segments} segments of ${bytes} bytes.`
    }
  } catch (error) {
    if (KeelsonError.is(error) && error.code === 'TEL_HISTORY_ENGINE') {
      return { json: { error: error.code }, text: error.message, failed: true }
    }
    throw error
  } finally {
    history.close()
  }
}
