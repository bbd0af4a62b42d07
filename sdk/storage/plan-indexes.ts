// Decides what to do about the indexes of one collection: declared against actual, nothing touched.
import type { PayloadIndex } from '../host.ts'
import type { ManifestCollection, ManifestIndex } from '../manifest/schema.ts'

/** An index as `listIndexes` shows it. */
export interface ActualIndex {
  readonly name: string
  readonly key: Readonly<Record<string, unknown>>
  readonly unique?: boolean
  readonly sparse?: boolean
  readonly hidden?: boolean
  readonly partialFilterExpression?: unknown
  readonly expireAfterSeconds?: number
}

export type WantedIndex = ManifestIndex | (PayloadIndex & { readonly ttlSeconds?: never })

export type IndexStep =
  | { readonly action: 'create'; readonly how: 'build'; readonly index: WantedIndex }
  /** It is there as declared, but hidden. */
  | { readonly action: 'create'; readonly how: 'unhide'; readonly index: WantedIndex }
  /** Only its time limit differs, which can be changed in place. */
  | { readonly action: 'create'; readonly how: 'retime'; readonly index: WantedIndex }
  | { readonly action: 'hide'; readonly index: { readonly name: string } }
  | { readonly action: 'drop'; readonly index: { readonly name: string } }

export type IndexRefusal =
  /** An index that the kernel did not make stands in the way. */
  | { readonly kind: 'conflict'; readonly index: string; readonly stranger: string }
  /** MongoDB's own limit would be passed. */
  | { readonly kind: 'cap'; readonly count: number }

export interface IndexQuestion {
  readonly wanted: readonly WantedIndex[]
  readonly actual: readonly ActualIndex[]
  /** Names of indexes that the kernel made here. It hides, drops and replaces no others. */
  readonly owned: ReadonlySet<string>
  /** Drop in one step instead of hiding first. */
  readonly dropAtOnce?: boolean
}

export interface IndexAnswer {
  /** In the order to be done. */
  readonly steps: readonly IndexStep[]
  readonly refusals: readonly IndexRefusal[]
  /** Indexes that nobody declared and the kernel did not make: reported, never touched. */
  readonly strangers: readonly string[]
}

/** MongoDB's limit for one collection, `_id` included. */
export const INDEX_CAP = 64

/** Plans the indexes of one collection. Applying the steps and planning again gives no `create`. */
export function planIndexes(question: IndexQuestion): IndexAnswer {
  const actual = question.actual.filter((index) => index.name !== '_id_')
  const wantedNames = new Set(question.wanted.map((index) => index.name))
  const refusals: IndexRefusal[] = []
  const creates: IndexStep[] = []
  const replaced = new Set<string>()

  for (const wanted of question.wanted) {
    const same = actual.find((index) => index.name === wanted.name)
    if (same !== undefined && isAsDeclared(same, wanted)) {
      if (same.hidden === true) creates.push({ action: 'create', how: 'unhide', index: wanted })
      continue
    }
    if (same !== undefined && canRetime(same, wanted) && question.owned.has(same.name)) {
      creates.push({ action: 'create', how: 'retime', index: wanted })
      if (same.hidden === true) creates.push({ action: 'create', how: 'unhide', index: wanted })
      continue
    }
    for (const other of actual) {
      if (!isInTheWay(other, wanted, wantedNames)) continue
      if (question.owned.has(other.name)) replaced.add(other.name)
      else if (other.name === wanted.name || isTwin(other, wanted)) {
        refusals.push({ kind: 'conflict', index: wanted.name, stranger: other.name })
      }
    }
    creates.push({ action: 'create', how: 'build', index: wanted })
  }

  const left = actual.filter((index) => !wantedNames.has(index.name) && !replaced.has(index.name))
  const removals = left.filter((index) => question.owned.has(index.name)).map(removal(question))
  const steps: IndexStep[] = [
    ...removals.filter((step) => step.action === 'drop'),
    ...[...replaced].map((name): IndexStep => ({ action: 'drop', index: { name } })),
    ...creates,
    ...removals.filter((step) => step.action === 'hide')
  ]
  const count = countAfter(question.actual.length, steps)
  if (count > INDEX_CAP) refusals.push({ kind: 'cap', count })
  const strangers = left.filter((index) => !question.owned.has(index.name))
  return { steps, refusals, strangers: strangers.map((index) => index.name) }
}

function removal(question: IndexQuestion): (index: ActualIndex) => IndexStep {
  return ({ name, hidden }) => ({
    action: hidden === true || question.dropAtOnce === true ? 'drop' : 'hide',
    index: { name }
  })
}

/** Must it go before the wanted index can be built? Older servers refuse two indexes on the same keys. */
function isInTheWay(
  actual: ActualIndex,
  wanted: WantedIndex,
  wantedNames: ReadonlySet<string>
): boolean {
  if (actual.name === wanted.name) return true
  return !wantedNames.has(actual.name) && keysOf(actual) === keysOf(asActual(wanted))
}

function isTwin(actual: ActualIndex, wanted: WantedIndex): boolean {
  return signature(actual) === signature(asActual(wanted))
}

function countAfter(before: number, steps: readonly IndexStep[]): number {
  const built = steps.filter((step) => step.action === 'create' && step.how === 'build').length
  return before + built - steps.filter((step) => step.action === 'drop').length
}

function isAsDeclared(actual: ActualIndex, wanted: WantedIndex): boolean {
  return isTwin(actual, wanted) && actual.expireAfterSeconds === wanted.ttlSeconds
}

function canRetime(actual: ActualIndex, wanted: WantedIndex): boolean {
  return (
    isTwin(actual, wanted) &&
    actual.expireAfterSeconds !== undefined &&
    wanted.ttlSeconds !== undefined
  )
}

function keysOf(index: ActualIndex): string {
  return JSON.stringify(
    Object.entries(index.key).map(([path, direction]) => [path, String(direction)])
  )
}

/** What makes two indexes the same for MongoDB: keys in order, uniqueness, sparseness, filter. */
function signature(index: ActualIndex): string {
  return canonical([
    keysOf(index),
    index.unique === true,
    index.sparse === true,
    index.partialFilterExpression ?? null
  ])
}

/** The index as MongoDB would list it. */
export function asActual(wanted: WantedIndex): ActualIndex {
  return {
    name: wanted.name,
    key: wanted.keys,
    ...('unique' in wanted && wanted.unique === true && { unique: true }),
    ...('sparse' in wanted && wanted.sparse === true && { sparse: true }),
    ...(wanted.partial !== undefined && { partialFilterExpression: wanted.partial }),
    ...(wanted.ttlSeconds !== undefined && { expireAfterSeconds: wanted.ttlSeconds })
  }
}

/** JSON in which the order of an object's keys does not count. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part) && !(part instanceof Date)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part
  )
}

/** Own indexes a collection may have besides `_id` when it does not say. */
export const DEFAULT_INDEX_BUDGET = 6

export type BudgetProblem =
  | { readonly kind: 'budget'; readonly count: number; readonly budget: number }
  | { readonly kind: 'cap'; readonly count: number }
  | { readonly kind: 'twice'; readonly index: string }

/** Holds a declaration to its own budget. `kernelIndexes` are those that the kernel adds for queues. */
export function checkIndexBudget(
  collection: ManifestCollection,
  kernelIndexes: number
): BudgetProblem[] {
  const problems: BudgetProblem[] = []
  const budget = collection.indexBudget ?? DEFAULT_INDEX_BUDGET
  const count = collection.indexes.length
  if (count > budget) problems.push({ kind: 'budget', count, budget })
  const most = 1 + budget + (collection.payloadIndexBudget ?? 0) + kernelIndexes
  if (most > INDEX_CAP) problems.push({ kind: 'cap', count: most })
  const twice = collection.indexes.find((index, at) =>
    collection.indexes
      .slice(0, at)
      .some((earlier) => earlier.name === index.name || isTwin(asActual(earlier), index))
  )
  if (twice !== undefined) problems.push({ kind: 'twice', index: twice.name })
  return problems
}
