// The difference of two texts by lines, for the server and for pages. Pure.
import { diffArrays } from 'diff'

/** A line of the difference. */
export interface DiffLine {
  /** `place`: where in the text the next lines are. */
  readonly kind: 'same' | 'added' | 'removed' | 'place'
  readonly text: string
}

/** A run of changed lines with lines around it; each line begins with a space, `-` or `+`. */
export interface Hunk {
  /** Numbers of its first lines, from 1. */
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: string[]
}

/** Changed lines that are looked for: comparing takes time by their square. */
const MOST_EDITS = 2_000
const AROUND = 3
const SIGNS = { same: ' ', added: '+', removed: '-', place: ' ' } as const

/** The lines of both, in order; undefined when they differ in more lines than are compared. */
export function comparedLines(
  before: readonly string[],
  after: readonly string[]
): readonly DiffLine[] | undefined {
  const parts = diffArrays([...before], [...after], { maxEditLength: MOST_EDITS })
  return parts?.flatMap(({ added, removed, value }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same'
    return value.map((text) => ({ kind, text }) as const)
  })
}

/** The lines of both, in order. Where too many differ, all of the one are removed and all of the other added. */
export function diffLines(
  before: readonly string[],
  after: readonly string[]
): readonly DiffLine[] {
  const all = (kind: 'removed' | 'added', lines: readonly string[]) =>
    lines.map((text) => ({ kind, text }) as const)
  return comparedLines(before, after) ?? [...all('removed', before), ...all('added', after)]
}

/** The changed lines, each run with three lines around it. */
export function hunksOf(lines: readonly DiffLine[]): Hunk[] {
  const isNear = nearChanges(lines)
  const hunks: Hunk[] = []
  let [old, fresh] = [1, 1]
  let open: DiffLine[] = []
  const close = () => {
    if (open.length > 0) hunks.push(hunkOf(open, old, fresh))
    open = []
  }
  for (const [at, line] of lines.entries()) {
    if (isNear[at] === true) open.push(line)
    else close()
    if (line.kind !== 'added') old += 1
    if (line.kind !== 'removed') fresh += 1
  }
  close()
  return hunks
}

/** Whether each line is changed, or at most three lines from one that is. */
function nearChanges(lines: readonly DiffLine[]): readonly boolean[] {
  const isNear = new Array<boolean>(lines.length).fill(false)
  for (const [at, { kind }] of lines.entries())
    if (kind !== 'same') isNear.fill(true, Math.max(0, at - AROUND), at + AROUND + 1)
  return isNear
}

/** `old` and `fresh` are the numbers of the lines behind it. */
function hunkOf(lines: readonly DiffLine[], old: number, fresh: number): Hunk {
  const count = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length
  const same = count('same')
  const [oldLines, newLines] = [same + count('removed'), same + count('added')]
  return {
    oldStart: old - oldLines,
    oldLines,
    newStart: fresh - newLines,
    newLines,
    lines: lines.map(({ kind, text }) => SIGNS[kind] + text)
  }
}
