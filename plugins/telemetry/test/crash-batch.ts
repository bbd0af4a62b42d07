// The batches of crash.test: number to records, always the same.

const START = Date.now() - (Date.now() % 86_400_000)
export const BATCH_SIZE = 20

const idOf = (batch: number, index: number) =>
  `crash-batch-${String(batch).padStart(6, '0')}-${index}`

/** Ids of a batch's records. */
export const crashIds = (batch: number): readonly string[] =>
  Array.from({ length: BATCH_SIZE }, (_, index) => idOf(batch, index))

export function crashBatch(batch: number): object {
  const records = crashIds(batch).map((_id, index) => {
    const subjects = [{ type: 'user', id: `u${(batch * 7 + index) % 23}` }]
    const occurredAt = new Date(START - ((batch * 31 + index) % 1000) * 60_000).toISOString()
    const source = `s${index % 3}`
    return index % 2 === 0
      ? {
          _id,
          name: 'page.viewed',
          occurredAt,
          subjects,
          attrs: { source },
          metrics: { load_ms: index }
        }
      : { _id, name: 'account.signed_up', occurredAt, subjects, attrs: { source, plan: 'free' } }
  })
  return { release: 'r', records }
}
