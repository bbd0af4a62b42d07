// Indexes that user configuration asks for, and declared ones on demand: exactly these, within the collection's budgets.
import type { Db } from 'mongodb'
import type { PayloadIndex } from '../host.ts'
import type { ManifestCollection } from '../manifest/schema.ts'
import { applyIndexes, readIndexes } from './apply-indexes.ts'
import { isQueueIndex, onDemandIndexes } from './declared-collections.ts'
import { indexErrors } from './index-errors.ts'
import { readIndexRecords, recordIndexes } from './index-records.ts'
import { planIndexes } from './plan-indexes.ts'

/**
 * Drops what is no longer asked for, then builds what is missing. Called again with the same list it
 * changes nothing. Throws KRN_PAYLOAD_BUDGET and KRN_PAYLOAD_NAME before anything is touched.
 */
export async function setPayloadIndexes(
  db: Db,
  plugin: string,
  collection: ManifestCollection,
  indexes: readonly PayloadIndex[]
): Promise<void> {
  checkPayload(plugin, collection, indexes)
  const { name } = collection
  const [actual, records] = await Promise.all([readIndexes(db, name), readIndexRecords(db, [name])])
  const record = records.get(name)
  const onDemand = onDemandIndexes(collection)
  // An older version may have declared for all times what is on demand now.
  const once = (record?.declared ?? []).filter((index) => onDemand.has(index))
  const owned = new Set([...(record?.payload ?? []), ...once])
  const declared = new Set(declaredNames(collection))
  const removed = new Set((record?.declared ?? []).filter((index) => !onDemand.has(index)))
  const answer = planIndexes({
    wanted: indexes.map((index) => onDemand.get(index.name) ?? index),
    actual: actual.filter(
      ({ name }) => !declared.has(name) && !removed.has(name) && !isQueueIndex(name)
    ),
    owned,
    dropAtOnce: true
  })
  for (const refusal of answer.refusals) {
    if (refusal.kind === 'conflict') {
      throw indexErrors.KRN_INDEX_CONFLICT({ plugin, collection: name, ...refusal })
    }
  }
  const adopted = [...answer.present.values()].filter((index) => !owned.has(index))
  if (adopted.length > 0) await recordIndexes(db, name, plugin, { payload: adopted })
  await applyIndexes(db, { plugin, collection: name, kind: 'payload' }, answer.steps)
}

/** Throws KRN_PAYLOAD_BUDGET and KRN_PAYLOAD_NAME. */
export function checkPayload(
  plugin: string,
  collection: ManifestCollection,
  indexes: readonly PayloadIndex[]
): void {
  const budget = collection.payloadIndexBudget ?? 0
  const onDemand = onDemandIndexes(collection)
  const count = indexes.filter(({ name }) => !onDemand.has(name)).length
  if (count > budget) {
    throw indexErrors.KRN_PAYLOAD_BUDGET({ plugin, collection: collection.name, count, budget })
  }
  const taken = new Set([...declaredNames(collection), '_id_'])
  for (const { name, keys } of indexes) {
    const reason =
      taken.has(name) || isQueueIndex(name)
        ? 'has a name that is taken'
        : Object.keys(keys).length === 0
          ? 'has no keys'
          : undefined
    if (reason !== undefined) {
      throw indexErrors.KRN_PAYLOAD_NAME({
        plugin,
        collection: collection.name,
        index: name,
        reason
      })
    }
    taken.add(name)
  }
}

/** Of the indexes that are there at all times. */
const declaredNames = ({ indexes }: ManifestCollection): readonly string[] =>
  indexes.filter(({ onDemand }) => onDemand !== true).map(({ name }) => name)
