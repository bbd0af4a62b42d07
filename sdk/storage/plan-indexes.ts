// Decides what to do about the indexes of one collection: declared against actual, nothing touched.
import { createHash } from 'node:crypto'
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

/** An index that should exist: declared in plugin.json, or asked for by user configuration. */
export type WantedIndex = ManifestIndex | (PayloadIndex & { readonly ttlSeconds?: never })

/** One change to the indexes of a collection. */
export type IndexStep =
  /** Build it. `name` differs from the declared one while an older index has that: see `builtName`. */
  | { readonly action: 'create'; readonly name: string; readonly index: WantedIndex }
  /** Change it in place: show it again, or give it another time limit. */
  | {
      readonly action: 'modify'
      readonly how: 'unhide' | 'retime'
      readonly name: string
      readonly index: WantedIndex
      /** The time limit before. */
      readonly wasSeconds?: number
    }
  | { readonly action: 'hide' | 'drop'; readonly name: string }

export type IndexRefusal =
  /** An index that Keelson did not make is in the way. */
  | { readonly kind: 'conflict'; readonly index: string; readonly stranger: string }
  /** MongoDB's own limit would be passed. */
  | { readonly kind: 'cap'; readonly count: number }

export interface IndexQuestion {
  readonly wanted: readonly WantedIndex[]
  readonly actual: readonly ActualIndex[]
  /** Names of indexes that Keelson made here. It hides, drops and replaces no others. */
  readonly owned: ReadonlySet<string>
  /** Drop in one step instead of hiding first. */
  readonly dropAtOnce?: boolean
}

export interface IndexAnswer {
  /** In the order to be done. */
  readonly steps: readonly IndexStep[]
  readonly refusals: readonly IndexRefusal[]
  /** Indexes that are not declared and that Keelson did not make: reported, never touched. */
  readonly strangers: readonly string[]
  /** Declared name → name of the index that is there for it, as declared or after a change in place. */
  readonly present: ReadonlyMap<string, string>
}

/** MongoDB's limit for one collection, `_id` included. */
export const INDEX_CAP = 64

/**
 * Plans the indexes of one collection. A changed index is built before the old one goes, so that queries and
 * uniqueness are served at every moment. Applying the steps and planning again gives no `create`.
 */
export function planIndexes(question: IndexQuestion): IndexAnswer {
  const { owned } = question
  const actual = question.actual.filter((index) => index.name !== '_id_')
  const wantedNames = new Set(question.wanted.map((index) => index.name))
  const refusals: IndexRefusal[] = []
  const modifies: IndexStep[] = []
  const builds: WantedIndex[] = []
  const present = new Map<string, string>()
  for (const wanted of question.wanted) {
    const there = presentOf(wanted, actual, owned)
    if (there === undefined) {
      builds.push(wanted)
      refusals.push(...conflictsOf(wanted, actual, owned))
      continue
    }
    present.set(wanted.name, there.name)
    modifies.push(...changesInPlace(there, wanted))
  }
  const { before, after } = replacedBy(builds, question, present)
  const gone = new Set([...before, ...after])
  const used = new Set(present.values())
  const left = actual.filter(
    ({ name }) => !used.has(name) && !gone.has(name) && (owned.has(name) || !wantedNames.has(name))
  )
  const removals = left.filter((index) => owned.has(index.name)).map(removal(question))
  const kept = new Set(actual.map(({ name }) => name).filter((name) => !before.has(name)))
  const steps: IndexStep[] = [
    ...removals.filter((step) => step.action === 'drop'),
    ...[...before].map(drop),
    ...builds.map(
      (index): IndexStep => ({ action: 'create', name: builtName(index, kept), index })
    ),
    ...modifies,
    ...[...after].map(drop),
    ...removals.filter((step) => step.action === 'hide')
  ]
  const count = countAfter(question.actual.length, steps)
  if (count > INDEX_CAP) refusals.push({ kind: 'cap', count })
  const strangers = left.filter((index) => !owned.has(index.name))
  return { steps, refusals, strangers: strangers.map((index) => index.name), present }
}

/** The index that is there for a declared one, or can be changed in place to be it. */
function presentOf(
  wanted: WantedIndex,
  actual: readonly ActualIndex[],
  owned: ReadonlySet<string>
): ActualIndex | undefined {
  return actual.find(
    (index) =>
      (index.name === wanted.name || (owned.has(index.name) && isVersionOf(index.name, wanted))) &&
      (isAsDeclared(index, wanted) || (owned.has(index.name) && canRetime(index, wanted)))
  )
}

function changesInPlace(there: ActualIndex, index: WantedIndex): IndexStep[] {
  const { name, expireAfterSeconds } = there
  const steps: IndexStep[] = []
  if (!isAsDeclared(there, index)) {
    const was = expireAfterSeconds === undefined ? {} : { wasSeconds: expireAfterSeconds }
    steps.push({ action: 'modify', how: 'retime', name, index, ...was })
  }
  if (there.hidden === true) steps.push({ action: 'modify', how: 'unhide', name, index })
  return steps
}

/** Indexes made by hand with the declared name, or with the same definition: MongoDB refuses a second one. */
function conflictsOf(
  wanted: WantedIndex,
  actual: readonly ActualIndex[],
  owned: ReadonlySet<string>
): IndexRefusal[] {
  return actual
    .filter((index) => !owned.has(index.name))
    .filter((index) => index.name === wanted.name || isTwin(index, wanted))
    .map((index) => ({ kind: 'conflict', index: wanted.name, stranger: index.name }))
}

/**
 * Own indexes that go because others are built: before those that MongoDB would refuse beside them (the same
 * definition under another name or with another time limit), after those that can serve until then.
 */
function replacedBy(
  builds: readonly WantedIndex[],
  { actual, owned }: IndexQuestion,
  present: ReadonlyMap<string, string>
) {
  const used = new Set(present.values())
  const own = actual.filter(({ name }) => owned.has(name) && name !== '_id_' && !used.has(name))
  const namesOf = (test: (index: ActualIndex, wanted: WantedIndex) => boolean) =>
    own.filter((index) => builds.some((wanted) => test(index, wanted))).map(({ name }) => name)
  const before = new Set(namesOf(isTwin))
  const later = namesOf(({ name }, wanted) => name === wanted.name || isVersionOf(name, wanted))
  const after = new Set(later.filter((name) => !before.has(name)))
  // There is no room for both: the old ones go first.
  if (actual.length - before.size + builds.length <= INDEX_CAP) return { before, after }
  return { before: new Set([...before, ...after]), after: new Set<string>() }
}

const drop = (name: string): IndexStep => ({ action: 'drop', name })

/** Hidden first and dropped the next time, unless another index is there in its place already. */
function removal({ wanted, dropAtOnce }: IndexQuestion): (index: ActualIndex) => IndexStep {
  const isReplaced = (name: string) =>
    wanted.some((index) => name === index.name || isVersionOf(name, index))
  return ({ name, hidden }) => ({
    action: hidden === true || dropAtOnce === true || isReplaced(name) ? 'drop' : 'hide',
    name
  })
}

/**
 * The name that an index is built under: the declared one, or while an older index has that, the declared one
 * with a hash of the definition: `by_day~3f2a1c`. MongoDB cannot rename indexes, so it keeps that name.
 */
export function builtName(wanted: WantedIndex, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted.name)) return wanted.name
  const hash = createHash('sha256')
    .update(signature(asActual(wanted)))
    .digest('hex')
  return `${wanted.name}~${hash.slice(0, 6)}`
}

const VERSION = /^~[0-9a-f]{6}$/

const isVersionOf = (name: string, wanted: WantedIndex): boolean =>
  name.startsWith(wanted.name) && VERSION.test(name.slice(wanted.name.length))

/** Whether MongoDB would refuse one beside the other: the same keys, uniqueness, sparseness and filter. */
export function isTwin(actual: ActualIndex, wanted: WantedIndex): boolean {
  return signature(actual) === signature(asActual(wanted))
}

function countAfter(before: number, steps: readonly IndexStep[]): number {
  const built = steps.filter((step) => step.action === 'create').length
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

/** Why a collection's declared indexes are over a limit: its own budget, MongoDB's cap, a name twice. */
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
  const seen = new Set<string>()
  const twice = collection.indexes.find((index) => {
    const marks = [`name ${index.name}`, signature(asActual(index))]
    const isTwice = marks.some((mark) => seen.has(mark))
    for (const mark of marks) seen.add(mark)
    return isTwice
  })
  if (twice !== undefined) problems.push({ kind: 'twice', index: twice.name })
  return problems
}
