// The known name that a mistyped one is nearest to.

/** Undefined when nothing is near enough to be worth a hint. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  // Something of the name must be left, however short it is.
  let bestDistance = Math.min(Math.max(2, Math.floor(name.length / 2)) + 1, name.length)
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** What to say about an unknown name: the nearest known one, or the whole list when it is short. */
export function nameHint(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  if (nearest !== undefined) return `Did you mean ${nearest}?`
  if (known.length === 0) return 'Remove it: nothing is allowed here.'
  if (known.length > 30) return 'Remove it.'
  return `Remove it, or use one of: ${known.join(', ')}.`
}

/** Insertions, deletions, replacements and swaps of neighbours; at least `limit` when it is that far. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        (last[column] ?? limit) + 1,
        (current[column - 1] ?? limit) + 1,
        (last[column - 1] ?? limit) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? limit) + 1 : limit
      )
    }
    beforeLast = last
    last = current
  }
  return last[b.length] ?? limit
}
