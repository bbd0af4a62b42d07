// What a version of a plugin may do to indexes while hosts of another version may run beside it. Pure.
import type { HiddenIndex } from './index-records.ts'
import { type ActualIndex, INDEX_CAP, type IndexStep, isTwin } from './plan-indexes.ts'

/** Which versions of a plugin have changed the indexes of a collection. */
export interface IndexVersions {
  /** The version that is starting. */
  readonly version: string
  /** The newest version that has changed them; undefined when none is on record. */
  readonly newest: string | undefined
  /** Indexes that are hidden, and the version that hid them. */
  readonly hidden: readonly HiddenIndex[]
  /** A person runs the plan by a command: what this version hid may go, too. */
  readonly isByCommand?: boolean | undefined
}

/** Whether a newer version has changed the indexes. */
export const isOlder = ({ version, newest }: IndexVersions): boolean =>
  newest !== undefined && compareVersions(version, newest) < 0

/**
 * Spreads removals over two versions and keeps an older version from taking back what a newer one made.
 *
 * A version hides an index that it no longer declares, or declares otherwise; the next version drops it, or a command. What refuses
 * or deletes documents even when it is hidden (unique, with a time limit) goes at once when it is declared otherwise.
 * A version that is older than the newest shows its own indexes again and builds those that are missing, unless they
 * are unique; it hides, drops and changes nothing.
 */
export function versionedSteps(
  steps: readonly IndexStep[],
  actual: readonly ActualIndex[],
  versions: IndexVersions
): readonly IndexStep[] {
  const builds = steps.filter((step) => step.action === 'create')
  if (isOlder(versions)) {
    return steps.filter((step) => {
      if (step.action === 'modify') return step.how === 'unhide'
      if (step.action !== 'create' || ('unique' in step.index && step.index.unique)) return false
      return !actual.some((index) => isTwin(index, step.index))
    })
  }
  const isFull = actual.length + builds.length > INDEX_CAP
  return steps.flatMap((step): IndexStep[] => {
    const there = actual.find(({ name }) => name === step.name)
    if (step.action !== 'drop' || there === undefined) return [step]
    if (isFull || builds.some(({ index }) => isTwin(there, index))) return [step]
    if (there.hidden === true) return isOfThisVersion(there.name, versions) ? [] : [step]
    const actsHidden = there.unique === true || there.expireAfterSeconds !== undefined
    return actsHidden ? [step] : [{ action: 'hide', name: step.name }]
  })
}

const isOfThisVersion = (
  index: string,
  { hidden, version, isByCommand = false }: IndexVersions
): boolean =>
  !isByCommand && hidden.some(({ name, version: by }) => name === index && by === version)

/** Negative when `one` is before `other`, by the precedence of Semantic Versioning; build metadata does not count. */
export function compareVersions(one: string, other: string): number {
  const [[numbers, before], [otherNumbers, otherBefore]] = [partsOf(one), partsOf(other)]
  for (const at of [0, 1, 2]) {
    const difference = (numbers[at] ?? 0) - (otherNumbers[at] ?? 0)
    if (difference !== 0) return difference
  }
  if (before === otherBefore) return 0
  if (before === '' || otherBefore === '') return before === '' ? 1 : -1
  return before.localeCompare(otherBefore, 'en', { numeric: true })
}

function partsOf(version: string): readonly [readonly number[], string] {
  const [main = '', ...before] = version.split('+', 1)[0]?.split('-') ?? []
  return [main.split('.').map((part) => Number.parseInt(part, 10) || 0), before.join('-')]
}
