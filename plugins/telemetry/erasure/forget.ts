// forget: erases a subject from every collection, and proves it.
import { environmentOf } from '@keelson/sdk'
import type { Collection, Document } from 'mongodb'
import type { ErasureOrder, ForgetReceipt } from '../contracts/telemetry-store.ts'
import { isRef, isTenant } from '../envelope/refs.ts'
import { errors } from '../errors.ts'
import { findReaches } from '../identity/find-links.ts'
import type { Reach } from '../identity/links.ts'
import type { Records } from '../records.ts'
import type { Registry } from '../registry/types.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { alertsOf, eraseAlerts } from './erase-alerts.ts'
import { capturesOf, eraseCaptures, eraseRollups, rollupsOf } from './erase-rollups.ts'
import { eraseRows, type RowCounts, rowsOf } from './erase-rows.ts'
import { eraseViews, viewsOf } from './erase-views.ts'
import { type Erased, erasedOf, reachFilters } from './erased.ts'
import { completeEntry, eraseOrders, logErasure, ordersOf } from './erasure-log.ts'
import { type Mentions, mentionsOf, patternsOf } from './mentions.ts'

export interface ForgetSettings {
  readonly pepper: string | undefined
  /** Refs name the same party everywhere: platform-scoped views are reached too. */
  readonly isGlobal: boolean
  readonly order?: ErasureOrder | undefined
}

/** What the host says about erasures. */
export interface PepperOptions {
  /** Mixed into the pseudonyms of erased subjects. Default: the variable TELEMETRY_PEPPER. */
  readonly pepper?: string
  /** Subject refs name the same party in every tenant: erasure then reaches platform-scoped views. Default false. */
  readonly globalSubjectRefs?: boolean
}

/** The settings of erasures, with what the environment has. */
export const pepperOf = ({ pepper, globalSubjectRefs }: PepperOptions): ForgetSettings => ({
  pepper: pepper ?? environmentOf(process.env)['TELEMETRY_PEPPER'],
  isGlobal: globalSubjectRefs === true
})

/** See Telemetry.forget. It may be repeated, and taken up again after a crash. */
export async function forgetSubject(
  records: Records,
  tenantId: string,
  ref: string,
  { pepper, isGlobal, order }: ForgetSettings
): Promise<ForgetReceipt> {
  if (tenantId === '*') throw errors.TEL_SCOPE_RESERVED({ act: 'erasure' })
  if (!isTenant(tenantId) || !isRef(ref)) throw errors.TEL_REF_INVALID({ ref: String(ref) })
  if (pepper === undefined || pepper === '') throw errors.TEL_PEPPER_MISSING()
  // What this process has taken and not written yet is of before.
  await records.recorder.drain()
  try {
    const { storage, recorder } = records
    const linked = await findReaches(storage.collections.aliases, tenantId, ref)
    const erased = erasedOf(tenantId, ref, linked, pepper)
    const at = recorder.clock.now()
    const entry = await logErasure(storage.collections, erased, { at, ...order })
    const receipt = await eraseEverywhere(records, erased, { at, isGlobal })
    await completeEntry(storage.collections, entry, receipt)
    return receipt
  } finally {
    for (const listener of records.onErased) listener()
  }
}

async function eraseEverywhere(
  records: Records,
  erased: Erased,
  { at, isGlobal }: { readonly at: Date; readonly isGlobal: boolean }
): Promise<ForgetReceipt> {
  const { storage, recorder, history } = records
  const { tenantId, pseudonyms } = erased
  const [self, ...linked] = erased.reaches
  const mentions = mentionsOf(pseudonyms)
  const scopes = isGlobal ? [tenantId, '*'] : [tenantId]
  const { registry } = recorder
  const rows = await eraseSealedToo(records, erased, at)
  const captures = await eraseCaptures(storage, erased)
  const rollups = await eraseRollups(storage, registry, erased)
  const rejects = await eraseRejects(storage, erased)
  const views = await eraseViews(storage, scopes, pseudonyms, mentions)
  const alerts = await eraseAlerts(storage, scopes, pseudonyms, mentions)
  await eraseOrders(storage.collections, erased)
  // Links go last: they say what else is to be erased when this is taken up again.
  const aliases = await eraseLinks(storage, erased)
  const proof = proofOf(storage, registry, { erased, scopes, mentions })
  return {
    tenantId,
    pseudonym: pseudonyms.get(self?.ref ?? '') as string,
    linked: linked.map(showReach),
    ...rows,
    rollups,
    captures,
    aliases,
    views,
    rejects,
    alerts,
    remaining: {
      ...(await countRemaining(storage, proof)),
      [storage.collections.segments.collectionName]: await history.countSealed(
        tenantId,
        erased.whole
      )
    },
    proof,
    at
  }
}

/** Looks at most so often at segments: another host may seal what has just come back. */
const MOST_RETURNS = 10

/** Rows in segments become documents first, so that what is counted and kept of them is one way. */
async function eraseSealedToo(
  { storage, recorder, history }: Records,
  erased: Erased,
  at: Date
): Promise<RowCounts> {
  const total = { deleted: 0, redacted: 0 }
  const refs = [...erased.pseudonyms.keys()]
  for (let look = 1; look <= MOST_RETURNS; look++) {
    const returned = await history.returnRows(erased.tenantId, refs)
    const { deleted, redacted } = await eraseRows(storage, recorder.registry, erased, at)
    total.deleted += deleted
    total.redacted += redacted
    if (returned === 0) break
  }
  return total
}

const showReach = ({ ref, from, to }: Reach) => ({
  ref,
  from: from === -Infinity ? null : new Date(from),
  to: to === Infinity ? null : new Date(to)
})

async function eraseRejects(storage: TelemetryStorage, erased: Erased): Promise<number> {
  let gone = 0
  for (const filter of rejectsOf(erased)) {
    gone += (await storage.collections.rejects.deleteMany(filter)).deletedCount
  }
  return gone
}

const rejectsOf = (erased: Erased) => reachFilters(erased, 'subjectKeys', 'at')

async function eraseLinks(storage: TelemetryStorage, erased: Erased): Promise<number> {
  return (await storage.collections.aliases.deleteMany(linksOf(erased))).deletedCount
}

/** Links to the person, and those of anonymous refs that were of no other person. */
const linksOf = ({ tenantId, whole }: Erased) => ({
  tenantId,
  $or: [{ userRef: { $in: [...whole] } }, { anonRef: { $in: [...whole] } }]
})

interface Searched {
  readonly erased: Erased
  readonly scopes: readonly string[]
  readonly mentions: Mentions
}

/** What would find the subject in each collection that was searched: run them to see that nothing does. */
function proofOf(
  { collections }: TelemetryStorage,
  registry: Registry,
  { erased, scopes, mentions }: Searched
): Readonly<Record<string, readonly Document[]>> {
  const { rows, rollups, rejects, aliases, views, alerts, erasures, segments } = collections
  const refs = [...erased.pseudonyms.keys()]
  return {
    [rows.collectionName]: [...rowsOf(erased), ...keysOf(erased)],
    [rollups.collectionName]: [
      ...rollupsOf(registry, erased).map(({ filter }) => filter),
      ...capturesOf(erased)
    ],
    [rejects.collectionName]: rejectsOf(erased),
    [aliases.collectionName]: [linksOf(erased)],
    ...(views !== undefined && { [views.collectionName]: viewsOf(scopes, refs, mentions) }),
    [alerts.collectionName]: alertsOf(scopes, refs, mentions),
    [erasures.collectionName]: [ordersOf(erased)],
    // Counted in their columns.
    [segments.collectionName]: []
  }
}

/** Rows that stayed under a pseudonym, with a key that still mentions whose they were. */
function keysOf({ tenantId, pseudonyms }: Erased): readonly Document[] {
  const inPseudonyms = { $in: [...pseudonyms.values()] }
  return patternsOf([...pseudonyms.keys()]).flatMap(($regex) => {
    const $or = ['usage.idempotencyKey', 'usage.reverses', 'dedupeKey'].map((field) => ({
      [field]: { $regex, $options: 'i' }
    }))
    return [
      { tenantId, subjectKeys: inPseudonyms, $or },
      { tenantId, otherPrincipals: inPseudonyms, $or }
    ]
  })
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
