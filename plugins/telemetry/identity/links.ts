// Whose an anonymous ref was, and when: pure. One browser or device may have had several people over time.

/** An anonymous ref that turned out to be a known one, at a time. */
export interface Link {
  readonly tenantId: string
  readonly anonRef: string
  readonly userRef: string
  readonly linkedAt: Date
}

/** A ref and the time in which it was one person's: from `from` to before `to`, both may be infinite. */
export interface Reach {
  readonly tenantId: string
  readonly ref: string
  readonly from: number
  readonly to: number
}

/** Oldest first. */
export const byTime = (a: Link, b: Link): number => a.linkedAt.getTime() - b.linkedAt.getTime()

/**
 * When an anonymous ref was this person's: from each link to the next one of another person. What came before
 * the first link belongs to the person of that link.
 *
 * @param links all links of one anonymous ref, oldest first.
 */
export function reachesOf(links: readonly Link[], userRef: string): readonly Reach[] {
  const reaches: Reach[] = []
  for (const [at, link] of links.entries()) {
    if (link.userRef !== userRef || links[at - 1]?.userRef === userRef) continue
    const next = links.slice(at).find((one) => one.userRef !== userRef)
    reaches.push({
      tenantId: link.tenantId,
      ref: link.anonRef,
      from: at === 0 ? -Infinity : link.linkedAt.getTime(),
      to: next?.linkedAt.getTime() ?? Infinity
    })
  }
  return reaches
}

/** The person behind an anonymous ref at a time; undefined without links. Links oldest first. */
export function personAt(links: readonly Link[], at: number): string | undefined {
  const latest = links.findLast(({ linkedAt }) => linkedAt.getTime() <= at)
  return (latest ?? links[0])?.userRef
}

/** Whether the ref was the person's at all times. */
export const isWhole = ({ from, to }: Reach): boolean => from === -Infinity && to === Infinity

export const covers = ({ from, to }: Reach, at: number): boolean => at >= from && at < to

/** The time of a reach as a condition on a date field; none when it is all times. */
export function timeTerm(reach: Reach): { readonly $gte?: Date; readonly $lt?: Date } | undefined {
  if (isWhole(reach)) return undefined
  return {
    ...(reach.from !== -Infinity && { $gte: new Date(reach.from) }),
    ...(reach.to !== Infinity && { $lt: new Date(reach.to) })
  }
}
