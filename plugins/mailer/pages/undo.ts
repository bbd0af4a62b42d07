// Undo and redo of what is edited. Pure.

/** A value with those before and after it. */
export interface History<T> {
  readonly past: readonly T[]
  readonly present: T
  readonly future: readonly T[]
  /** What the last change was about: another change of the same is undone together with it. */
  readonly about?: string | undefined
}

const MOST = 100

/** Begins with a value. */
export const newHistory = <T>(present: T): History<T> => ({ past: [], present, future: [] })

/** Records a change. Changes that follow each other with the same `about` are one: typing into a field. */
export function changed<T>(history: History<T>, present: T, about?: string): History<T> {
  const isSame = about !== undefined && about === history.about && history.future.length === 0
  const past = isSame ? history.past : [...history.past, history.present].slice(-MOST)
  return { past, present, future: [], about }
}

/** Takes back the last change; the same history when there is none. */
export function undone<T>(history: History<T>): History<T> {
  const { past, present, future } = history
  const before = past.at(-1)
  if (before === undefined) return history
  return { past: past.slice(0, -1), present: before, future: [present, ...future] }
}

/** Makes the change again that was taken back last. */
export function redone<T>(history: History<T>): History<T> {
  const { past, present, future } = history
  const [next, ...later] = future
  if (next === undefined) return history
  return { past: [...past, present], present: next, future: later }
}
