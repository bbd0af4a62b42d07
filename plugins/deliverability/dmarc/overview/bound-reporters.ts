// What one reporter may add to the figures of a domain: reports cannot be authenticated, so each counts up to a bound. Pure.

/** What a reporter says of a domain, by the organisation that it claims to be. */
export interface Reported {
  readonly orgName: string
  readonly messages: number
}

/** A reporter, and what of it counts. */
export interface BoundReporter extends Reported {
  /** Messages that count. */
  readonly counted: number
}

/** A reporter counts up to nine times what all smaller ones count: at most 90 % beside them. */
const TIMES_THE_OTHERS = 9
/** Up to here it counts whatever the others say: a large provider beside a small one. */
const FREE_MESSAGES = 100_000
/** Of one that has nothing smaller beside it. */
const MOST_ALONE = 1_000_000_000

/** The reporters of one domain, the largest first. */
export function boundReporters(reported: readonly Reported[]): readonly BoundReporter[] {
  const ascending = [...reported].sort((a, b) => a.messages - b.messages || compare(a, b))
  let others = 0
  const bound = ascending.map(({ orgName, messages }): BoundReporter => {
    const most = others === 0 ? MOST_ALONE : Math.max(FREE_MESSAGES, TIMES_THE_OTHERS * others)
    const counted = Math.min(messages, most)
    others += counted
    return { orgName, messages, counted }
  })
  return bound.reverse()
}

/** A part of what a reporter says, in the share in which the reporter counts. */
export const countedPart = (part: number, { messages, counted }: BoundReporter): number =>
  messages === counted ? part : Math.round((part * counted) / messages)

const compare = (a: Reported, b: Reported) => (a.orgName < b.orgName ? -1 : 1)
