// The indexes of rows besides those that are always there: what a registry asks for with indexedAttrs and indexedMetrics,
// within their budget, and what reads of documents need where columns do not serve them.
import { createHash } from 'node:crypto'
import type { PayloadIndex } from '@keelson/sdk'
import { errors } from '../errors.ts'
import { encodeKey } from '../field-keys.ts'
import manifest from '../plugin.json' with { type: 'json' }
import type { Registry } from '../registry/types.ts'

/** Most payload indexes (of indexed attrs and metrics) the rows collection may have. */
export const INDEX_BUDGET = 24

/**
 * One index per indexed attribute or metric of each event.
 *
 * @throws TEL_INDEX_BUDGET when there are more than the budget of 24.
 */
export function payloadIndexesOf(registry: Registry): readonly PayloadIndex[] {
  const indexes = new Map<string, PayloadIndex>()
  for (const event of registry.events.values()) {
    for (const key of event.spec.indexedAttrs ?? []) {
      add(indexes, payloadIndex('attr', event.name, key))
    }
    for (const key of event.spec.indexedMetrics ?? []) {
      add(indexes, payloadIndex('metric', event.name, key))
    }
  }
  if (indexes.size > INDEX_BUDGET) {
    throw errors.TEL_INDEX_BUDGET({ wanted: indexes.size, budget: INDEX_BUDGET })
  }
  return [...indexes.values()]
}

/** The indexes that only reads of documents need: those of the manifest on demand. */
export const readIndexes: readonly PayloadIndex[] = manifest.collections
  .filter(({ name }) => name === 'telemetry')
  .flatMap(({ indexes }) => indexes as readonly (PayloadIndex & { readonly onDemand?: boolean })[])
  .filter(({ onDemand }) => onDemand === true)

function payloadIndex(type: 'attr' | 'metric', name: string, key: string): PayloadIndex {
  return {
    name: `${type}_${plain(name)}_${plain(key)}`,
    keys: { tenantId: 1, [`${type}s.${encodeKey(key)}`]: 1, occurredAt: -1, _id: -1 },
    partial: { name }
  }
}

const plain = (text: string) => text.replace(/[^A-Za-z0-9-]/g, '_')

// `a.b` and `a_b` make the same name: the second then carries a hash of what it is for.
function add(indexes: Map<string, PayloadIndex>, index: PayloadIndex): void {
  const meaning = JSON.stringify([index.keys, index.partial])
  const known = indexes.get(index.name)
  const isTaken = known !== undefined && JSON.stringify([known.keys, known.partial]) !== meaning
  const hash = createHash('sha256').update(meaning).digest('hex').slice(0, 6)
  const name = isTaken ? `${index.name}_${hash}` : index.name
  indexes.set(name, { ...index, name })
}
