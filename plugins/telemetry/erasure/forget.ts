// forget: erases a subject from every collection, and proves it.
import type { Collection, Document } from 'mongodb'
import type { Internals } from '../emit/internals.ts'
import type { ForgetReceipt } from '../emit/types.ts'
import { isRef, isTenant } from '../envelope/refs.ts'
import { errors } from '../errors.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { alertsOf, eraseAlerts } from './erase-alerts.ts'
import { dimsOf, eraseRollups, rollupsOf } from './erase-rollups.ts'
import { eraseRows, rowsOf } from './erase-rows.ts'
import { pseudonymOf } from './pseudonym.ts'

export interface ForgetSettings {
  readonly pepper: string | undefined
  /** Refs name the same party everywhere: platform-scoped views are reached too. */
  readonly isGlobal: boolean
}

/** See Telemetry.forget. It may be repeated, and taken up again after a crash. */
export async function forgetSubject(
  internals: Internals,
  tenantId: string,
  ref: string,
  { pepper, isGlobal }: ForgetSettings
): Promise<ForgetReceipt> {
  if (tenantId === '*') throw errors.TEL_SCOPE_RESERVED({ act: 'erasure' })
  if (!isTenant(tenantId) || !isRef(ref)) throw errors.TEL_REF_INVALID({ ref: String(ref) })
  if (pepper === undefined || pepper === '') throw errors.TEL_PEPPER_MISSING()
  const { recorder } = internals
  // What this process has taken and not written yet is of before.
  await recorder.drain()
  try {
    return await eraseEverywhere(internals, tenantId, ref, pepper, isGlobal)
  } finally {
    for (const listener of internals.onErased) listener()
  }
}

async function eraseEverywhere(
  { storage, recorder }: Internals,
  tenantId: string,
  ref: string,
  pepper: string,
  isGlobal: boolean
): Promise<ForgetReceipt> {
  const at = recorder.clock.now()
  const refs = [ref, ...(await aliasesOf(storage, tenantId, ref))]
  const pseudonyms = new Map(refs.map((one) => [one, pseudonymOf(one, pepper)]))
  const scopes = isGlobal ? [tenantId, '*'] : [tenantId]
  const rows = await eraseRows(storage, recorder.registry, tenantId, pseudonyms, at)
  const dims = dimsOf(recorder.registry, pseudonyms)
  const rollups = await eraseRollups(storage, tenantId, dims)
  const rejects = await eraseRejects(storage, tenantId, refs)
  const views = await eraseViews(storage, scopes, pseudonyms)
  const alerts = await eraseAlerts(storage, scopes, pseudonyms)
  // Aliases go last: they say what else is to be erased when this is taken up again.
  const aliases = await eraseAliases(storage, tenantId, refs)
  const proof = proofOf(storage, tenantId, scopes, refs, [...dims.keys()])
  return {
    tenantId,
    pseudonym: pseudonyms.get(ref) as string,
    ...rows,
    rollups,
    aliases,
    views,
    rejects,
    alerts,
    remaining: await countRemaining(storage, proof),
    proof,
    at
  }
}

async function aliasesOf(
  storage: TelemetryStorage,
  tenantId: string,
  ref: string
): Promise<readonly string[]> {
  const found = await storage.collections.aliases.find({ tenantId, userRef: ref }).toArray()
  return found.map((alias) => alias.anonRef)
}

async function eraseRejects(
  storage: TelemetryStorage,
  tenantId: string,
  refs: readonly string[]
): Promise<number> {
  const filter = { tenantId, subjectKeys: { $in: [...refs] } }
  return (await storage.collections.rejects.deleteMany(filter)).deletedCount
}

async function eraseViews(
  storage: TelemetryStorage,
  scopes: readonly string[],
  pseudonyms: ReadonlyMap<string, string>
): Promise<number> {
  const { views } = storage.collections
  if (views === undefined) return 0
  const all = { tenantId: { $in: [...scopes] }, ownerRef: { $in: [...pseudonyms.keys()] } }
  const found = await views.find(all, { projection: { ownerRef: 1 } }).toArray()
  let touched = 0
  for (const ref of new Set(found.map((view) => String(view['ownerRef'])))) {
    const owned = { tenantId: { $in: [...scopes] }, ownerRef: ref }
    const pseudonym = pseudonyms.get(ref)
    touched += (await views.deleteMany({ ...owned, shared: { $ne: true } })).deletedCount
    touched += (await views.updateMany(owned, { $set: { ownerRef: pseudonym } })).modifiedCount
  }
  return touched
}

async function eraseAliases(
  storage: TelemetryStorage,
  tenantId: string,
  refs: readonly string[]
): Promise<number> {
  return (await storage.collections.aliases.deleteMany(aliasFilter(tenantId, refs))).deletedCount
}

const aliasFilter = (tenantId: string, refs: readonly string[]) => ({
  tenantId,
  $or: [{ userRef: { $in: [...refs] } }, { anonRef: { $in: [...refs] } }]
})

/** What would find the subject in each collection that was searched: run them to see that nothing does. */
function proofOf(
  { collections }: TelemetryStorage,
  tenantId: string,
  scopes: readonly string[],
  refs: readonly string[],
  dims: readonly string[]
): Readonly<Record<string, readonly Document[]>> {
  const { rows, rollups, rejects, aliases, views, alerts } = collections
  const inRefs = { $in: [...refs] }
  return {
    [rows.collectionName]: rowsOf(tenantId, refs),
    [rollups.collectionName]: rollupsOf(tenantId, dims),
    [rejects.collectionName]: [{ tenantId, subjectKeys: inRefs }],
    [aliases.collectionName]: [aliasFilter(tenantId, refs)],
    ...(views !== undefined && {
      [views.collectionName]: [{ tenantId: { $in: [...scopes] }, ownerRef: inRefs }]
    }),
    [alerts.collectionName]: [alertsOf(scopes, refs)]
  }
}

/** How many documents each collection's part of the proof still finds. */
async function countRemaining(
  { collections }: TelemetryStorage,
  proof: Readonly<Record<string, readonly Document[]>>
): Promise<Readonly<Record<string, number>>> {
  const remaining: Record<string, number> = {}
  const searched = Object.values(collections) as unknown as Collection[]
  for (const [name, filters] of Object.entries(proof)) {
    const collection = searched.find(({ collectionName }) => collectionName === name)
    if (collection === undefined) continue
    const counts = await Promise.all(filters.map((filter) => collection.countDocuments(filter)))
    remaining[name] = counts.reduce((sum, count) => sum + count, 0)
  }
  return remaining
}
