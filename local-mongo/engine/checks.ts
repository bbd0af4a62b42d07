// check and validate: whether indexes, documents and counts agree.
import { Int32, Long } from 'bson'
import type { Doc, Value } from '../bson/value.ts'
import type { CheckReport, Namespace } from '../engine.ts'
import { commandError } from '../errors.ts'
import type { Collection } from '../storage/catalog.ts'
import type { Count } from '../storage/counts.ts'
import type { PageCount } from '../storage/leaked-pages.ts'
import type { Snapshot } from '../storage/view.ts'
import { checkCollection } from './check.ts'
import type { EngineParts } from './parts.ts'

interface Frozen {
  readonly snapshot: Snapshot
  countPages(): Promise<PageCount>
  readonly collections: readonly { readonly collection: Collection; readonly count: Count }[]
}

/** Everything as it is between two commits. */
function freeze({ queue, environment, catalog, counts }: EngineParts): Promise<Frozen> {
  return queue.whenQuiet(() => ({
    snapshot: environment.snapshot(),
    countPages: environment.pageCounter(),
    collections: [...catalog.state.values()].map((collection) => ({
      collection,
      count: counts.of(collection.id)
    }))
  }))
}

/** Checks everything. */
export async function check(parts: EngineParts): Promise<CheckReport> {
  const { snapshot, collections, countPages } = await freeze(parts)
  const problems: string[] = []
  let documents = 0
  let indexEntries = 0
  let pages: PageCount
  try {
    pages = await countPages()
    for (const { collection, count } of collections) {
      const found = await checkCollection(snapshot, collection, count)
      problems.push(...found.problems)
      documents += found.documents
      for (const entries of found.entries.values()) indexEntries += entries
    }
  } finally {
    snapshot.close()
  }
  return {
    ok: problems.length === 0,
    problems,
    collections: collections.length,
    documents,
    indexEntries,
    pages: pages.pages,
    leakedPages: pages.leaked
  }
}

/** The fields of a `validate` reply. Fails with NamespaceNotFound (26). */
export async function validate(parts: EngineParts, ns: Namespace): Promise<Doc> {
  const { snapshot, collections, countPages } = await freeze(parts)
  try {
    const wanted = collections.find(
      ({ collection }) => collection.db === ns.db && collection.name === ns.collection
    )
    if (wanted === undefined) {
      throw commandError(
        'NamespaceNotFound',
        `Collection '${ns.db}.${ns.collection}' does not exist to validate.`
      )
    }
    const { collection, count } = wanted
    const { pages, leaked } = await countPages()
    const { problems, documents, entries } = await checkCollection(snapshot, collection, count)
    const names = ['_id_', ...collection.indexes.map(({ name }) => name)]
    const keys: Doc = new Map(
      names.map((name) => [
        name,
        Long.fromNumber(name === '_id_' ? documents : (entries.get(name) ?? 0))
      ])
    )
    const details: Doc = new Map(
      names.map((name) => [name, new Map([['valid', problems.length === 0]])])
    )
    return new Map<string, Value>([
      ['ns', `${ns.db}.${ns.collection}`],
      ['nInvalidDocuments', Long.fromNumber(0)],
      ['nNonCompliantDocuments', Long.fromNumber(0)],
      ['nrecords', Long.fromNumber(documents)],
      ['nIndexes', new Int32(names.length)],
      ['keysPerIndex', keys],
      ['indexDetails', details],
      ['valid', problems.length === 0],
      ['repaired', false],
      ['warnings', []],
      ['errors', problems],
      ['extraIndexEntries', []],
      ['missingIndexEntries', []],
      ['corruptRecords', []],
      // Of the whole file; MongoDB has no such fields.
      ['pages', Long.fromNumber(pages)],
      ['leakedPages', Long.fromNumber(leaked)]
    ])
  } finally {
    snapshot.close()
  }
}
