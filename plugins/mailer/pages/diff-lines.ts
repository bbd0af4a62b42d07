// The difference of two texts by lines. Pure.

/** A line of the difference. */
export interface DiffLine {
  /** `place`: where in the text the next lines are. */
  readonly kind: 'same' | 'added' | 'removed' | 'place'
  readonly text: string
}

/** The longest table of a comparison; larger texts are shown as all removed and all added. */
const MOST_CELLS = 1_000_000

/** The lines of both, in order: what is only before is removed, what is only after is added. */
export function diffLines(
  before: readonly string[],
  after: readonly string[]
): readonly DiffLine[] {
  const start = sameAtStart(before, after)
  const end = sameAtEnd(before.slice(start), after.slice(start))
  const same = (lines: readonly string[]) => lines.map((text) => ({ kind: 'same', text }) as const)
  const middle = compare(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end)
  )
  return [...same(before.slice(0, start)), ...middle, ...same(before.slice(before.length - end))]
}

function sameAtStart(before: readonly string[], after: readonly string[]): number {
  const at = before.findIndex((text, index) => text !== after[index])
  return at === -1 ? before.length : at
}

function sameAtEnd(before: readonly string[], after: readonly string[]): number {
  const most = Math.min(before.length, after.length)
  for (let count = 0; count < most; count++)
    if (before.at(-1 - count) !== after.at(-1 - count)) return count
  return most
}

/** By the longest common subsequence. */
function compare(before: readonly string[], after: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text })
  const added = (text: string): DiffLine => ({ kind: 'added', text })
  if (before.length * after.length > MOST_CELLS)
    return [...before.map(removed), ...after.map(added)]
  const width = after.length + 1
  const lengths = new Uint16Array((before.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  const lines: DiffLine[] = []
  let row = 0
  let column = 0
  while (row < before.length || column < after.length) {
    const [old, fresh] = [before[row], after[column]]
    if (old !== undefined && old === fresh) {
      lines.push({ kind: 'same', text: old })
      row += 1
      column += 1
    } else if (
      fresh === undefined ||
      (old !== undefined && at(row + 1, column) >= at(row, column + 1))
    ) {
      lines.push(removed(old ?? ''))
      row += 1
    } else {
      lines.push(added(fresh))
      column += 1
    }
  }
  return lines
}
