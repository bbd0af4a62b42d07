// Names that a mistyped one may have meant. Pure.

/** How often each name was used, by name. */
export type UsedNames = Readonly<Record<string, number>>

/** A name that is near, and how often it was used. */
export interface NearName {
  readonly name: string
  readonly count: number
}

const MOST_NEAR = 3

/** The nearest names, the nearest first; of equally near ones the more often used. None that is far off. */
export function nearNames(wanted: string, used: UsedNames): readonly NearName[] {
  const most = Math.max(2, Math.floor(wanted.length / 4))
  return Object.entries(used)
    .map(([name, count]) => ({ name, count, distance: distanceOf(wanted, name, most) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance || b.count - a.count || (a.name < b.name ? -1 : 1))
    .slice(0, MOST_NEAR)
    .map(({ name, count }) => ({ name, count }))
}

/** Letters to add, leave out or change (Levenshtein); `most + 1` when there are more than `most`. */
function distanceOf(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [row, letter] of [...one].entries()) {
    const now = [row + 1]
    for (const [column, counterpart] of [...other].entries()) {
      const changed = (before[column] ?? 0) + (letter === counterpart ? 0 : 1)
      now.push(Math.min(changed, (before[column + 1] ?? 0) + 1, (now[column] ?? 0) + 1))
    }
    before = now
  }
  return before[other.length] ?? most + 1
}
