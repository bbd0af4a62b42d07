// keelson telemetry forget <tenant> <type:id>
import { type CommandAnswer, type CommandCall, type CommandHost, KeelsonError } from '@keelson/sdk'
import { forgetSubject, type PepperOptions, pepperOf } from '../erasure/forget.ts'
import { requestErasure } from '../erasure/requests.ts'
import { openRecords } from '../records.ts'
import { recallRegistry } from '../storage/remember-registry.ts'
import { storageOfHost } from '../storage/storage.ts'
import type { ForgetReceipt } from '../telemetry.ts'
import { historyConfig } from './seal.ts'

export async function forget(host: CommandHost, call: CommandCall): Promise<CommandAnswer> {
  const [tenantId, ref] = call.args
  if (tenantId === undefined || ref === undefined) {
    return { wrongUse: 'Give the tenant and the subject, as <type>:<id>.' }
  }
  const storage = storageOfHost(host)
  const registry = await recallRegistry(storage.collections)
  const records = openRecords(
    { registry, ...historyConfig(host) },
    { storage, clock: host.clock, log: host.log }
  )
  const by = { order: { by: 'command line' }, ...pepperOf(host.config as PepperOptions) }
  try {
    const { proof, ...receipt } = await forgetSubject(records, tenantId, ref, by)
    await requestErasure(storage.collections, { tenantId, ref, at: host.clock.now() })
    return {
      json: { ...receipt, savedViews: 'within a minute of a running host' },
      text: textOf(receipt)
    }
  } catch (error) {
    if (KeelsonError.is(error) && WRONG_USE.has(error.code)) return { wrongUse: error.message }
    throw error
  } finally {
    await records.recorder.close()
    records.history.close()
  }
}

const WRONG_USE: ReadonlySet<string> = new Set(['TEL_REF_INVALID', 'TEL_SCOPE_RESERVED'])

function textOf(receipt: Omit<ForgetReceipt, 'proof'>): string {
  const { pseudonym, deleted, redacted, rollups, captures, aliases, rejects, alerts } = receipt
  const left = Object.values(receipt.remaining).reduce((sum, count) => sum + count, 0)
  return [
    `Erased. ${pseudonym} stands where something had to stay.`,
    `Records deleted: ${deleted}, redacted: ${redacted}. Rollups moved: ${rollups}, captures removed: ${captures}.`,
    `Links removed: ${aliases}. Refused writes removed: ${rejects}. Alert rules changed or removed: ${alerts}.`,
    `Documents that still name the subject: ${left}.`,
    'Saved views, and what running hosts have not written yet, follow within a minute of a running host.'
  ].join('\n')
}
