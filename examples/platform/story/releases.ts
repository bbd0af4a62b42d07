// Which release of the shop ran when, counted back from the end of the story.

const DAY_MS = 86_400_000

/** The newest first, each with how many days before the end it came out. */
const RELEASES = [
  { release: 'shop@1.4.0', daysBefore: 2.4 },
  { release: 'shop@1.3.1', daysBefore: 9 },
  { release: 'shop@1.3.0', daysBefore: 26 },
  { release: 'shop@1.2.0', daysBefore: Number.POSITIVE_INFINITY }
] as const

export type Release = (typeof RELEASES)[number]['release']

/** What runs at the end of the story. */
export const NEWEST_RELEASE: Release = RELEASES[0].release

export function releaseAt(atMs: number, endMs: number): Release {
  const daysBefore = (endMs - atMs) / DAY_MS
  const found = RELEASES.find((one) => daysBefore <= one.daysBefore)
  return found?.release ?? NEWEST_RELEASE
}
