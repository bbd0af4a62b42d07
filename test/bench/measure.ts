// Shared by the measurements: medians, ratios, and how they are printed.

/** The middle of a list of numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  if (sorted.length % 2 === 1) return upper
  return ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** Prints one line: what was measured, the figure, what it should be, and the raw numbers. */
export function printFigure(
  name: string,
  value: number,
  aim: { readonly atLeast: number } | { readonly atMost: number },
  detail: string
): void {
  const isMet = 'atLeast' in aim ? value >= aim.atLeast : value <= aim.atMost
  const bound = 'atLeast' in aim ? `>= ${aim.atLeast}` : `<= ${aim.atMost}`
  const shown = value >= 100 ? value.toFixed(0) : value.toFixed(3)
  console.log(`${isMet ? 'met ' : 'MISS'} ${name}: ${shown} (${bound})  ${detail}`)
}

/** Runs two ways of one thing in turn, so that both meet the same weather; returns both medians. */
export async function inTurns(
  rounds: number,
  first: () => Promise<number>,
  second: () => Promise<number>
): Promise<{ readonly first: number; readonly second: number }> {
  const firsts: number[] = []
  const seconds: number[] = []
  for (let round = 0; round < rounds; round++) {
    firsts.push(await first())
    seconds.push(await second())
  }
  return { first: median(firsts), second: median(seconds) }
}
