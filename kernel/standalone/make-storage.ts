// The storage of all plugins of a host without the kernel, made side by side.
import type { Clock } from '@keelson/sdk'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from 'mongodb'
import { applyPlan, planStorage } from '../storage/plan.ts'
import type { AddedPlugin } from './added-plugin.ts'

/** @throws KRN_INDEX_*, KRN_MIGRATION_FAILED */
export async function makeStorage(
  db: Db,
  added: readonly AddedPlugin[],
  { clock, log }: { readonly clock: Clock; readonly log: FastifyBaseLogger }
): Promise<void> {
  const planned = added.map(({ running: { plugin }, migrations }) => ({
    manifest: plugin.manifest,
    migrations
  }))
  const plan = await planStorage(db, planned)
  const signal = AbortSignal.any(added.map(({ running }) => running.stop.signal))
  const applied = added.map(({ running: { plugin } }) =>
    applyPlan(db, plan, { clock, log, signal, only: plugin.id })
  )
  await Promise.all(applied)
}
