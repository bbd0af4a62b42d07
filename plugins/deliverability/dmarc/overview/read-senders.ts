// Who sends for a domain by its reports of the last 30 days: each source with what it sent and how it aligned.
import type { DmarcContext } from '../context.ts'
import { readTags } from '../sources/read-tags.ts'
import { readReverseNames } from '../sources/reverse-names.ts'
import type { FindTag } from '../sources/source-tags.ts'
import { daysBefore } from './read-domains.ts'

const DAYS = 30
/** Records that are summed of a domain, the newest first: so many that pass, and so many that fail. */
const MOST_RECORDS = 5_000
const SHOWN = 8

/** A source that sends mail with the domain in From. */
export interface Sender {
  readonly sourceIp: string
  /** Its name by reverse look-up. */
  readonly ptr: string | null
  /** What an operator or the config calls it. */
  readonly label: string | null
  /** Its failures are expected. */
  readonly ignored: boolean
  readonly messages: number
  readonly aligned: number
  /** Of `messages`, those that passed with an aligned domain. */
  readonly dkim: number
  readonly spf: number
  /** A day, as 2026-11-20. */
  readonly lastSeen: string
}

/** The senders of a domain. */
export interface Senders {
  /** Those to look at first: unknown ones that fail, then the others by their mails. */
  readonly shown: readonly Sender[]
  /** How many there are. */
  readonly total: number
}

/** What is read. */
export type SenderContext = Pick<DmarcContext, 'collections' | 'clock' | 'knownSources'>
type Summed = Omit<Sender, 'ptr' | 'label' | 'ignored'>

/** The senders of each of the domains. Four queries for one domain, whatever it receives. */
export async function readSenders(
  context: SenderContext,
  domains: readonly string[]
): Promise<ReadonlyMap<string, Senders>> {
  const findTag = await readTags(context)
  const entries = await Promise.all(
    domains.map(async (domain) => [domain, await sendersOf(context, domain, findTag)] as const)
  )
  return new Map(entries)
}

async function sendersOf(
  context: SenderContext,
  domain: string,
  findTag: FindTag
): Promise<Senders> {
  const [passing, failing] = await Promise.all([
    sumBySource(context, domain, true),
    sumBySource(context, domain, false)
  ])
  const tagged = mergedSums([...passing, ...failing]).map((sum) => {
    const { label = null, ignored = false } = findTag(sum.sourceIp) ?? {}
    return { ...sum, label, ignored }
  })
  const shown = inOrder(tagged).slice(0, SHOWN)
  const names = await readReverseNames(
    context,
    shown.map(({ sourceIp }) => sourceIp)
  )
  return {
    shown: shown.map((one) => ({ ...one, ptr: names.get(one.sourceIp) ?? null })),
    total: tagged.length
  }
}

/** The part of a record that is summed, by the index `domain_failing`. */
export const senderStages = (domain: string, aligned: boolean, endedSince: Date) => {
  const passed = (field: string) => ({
    $sum: { $cond: [{ $eq: [field, 'pass'] }, '$count', 0] }
  })
  return [
    { $match: { domain, aligned, rangeEnd: { $gte: endedSince } } },
    { $sort: { rangeEnd: -1 } },
    { $limit: MOST_RECORDS },
    { $match: { sourceIp: { $ne: null } } },
    {
      $group: {
        _id: '$sourceIp',
        messages: { $sum: '$count' },
        dkim: passed('$dkim'),
        spf: passed('$spf'),
        lastSeen: { $max: '$day' }
      }
    }
  ] as const
}

async function sumBySource(
  { collections, clock }: SenderContext,
  domain: string,
  aligned: boolean
): Promise<readonly Summed[]> {
  const stages = senderStages(domain, aligned, daysBefore(clock.now(), DAYS))
  const rows = await collections.records
    .aggregate<Omit<Summed, 'sourceIp' | 'aligned'> & { readonly _id: string }>([...stages])
    .toArray()
  return rows.map(({ _id, ...sum }) => ({
    ...sum,
    sourceIp: _id,
    aligned: aligned ? sum.messages : 0
  }))
}

/** One row for each source, whether it was found by mails that pass, that fail, or both. Pure. */
export function mergedSums(sums: readonly Summed[]): readonly Summed[] {
  const bySource = new Map<string, Summed>()
  for (const sum of sums) {
    const other = bySource.get(sum.sourceIp)
    bySource.set(sum.sourceIp, other === undefined ? sum : together(other, sum))
  }
  return [...bySource.values()].filter(({ messages }) => messages > 0)
}

const together = (one: Summed, other: Summed): Summed => ({
  sourceIp: one.sourceIp,
  messages: one.messages + other.messages,
  aligned: one.aligned + other.aligned,
  dkim: one.dkim + other.dkim,
  spf: one.spf + other.spf,
  lastSeen: one.lastSeen > other.lastSeen ? one.lastSeen : other.lastSeen
})

/** Unknown sources with failing mails first, then those with most mails. Pure. */
export const inOrder = <T extends Summed & { readonly label: string | null }>(
  senders: readonly T[]
): readonly T[] => {
  const isSuspect = ({ label, aligned, messages }: T) => label === null && aligned < messages
  return [...senders].sort(
    (one, other) =>
      Number(isSuspect(other)) - Number(isSuspect(one)) ||
      other.messages - one.messages ||
      (one.sourceIp < other.sourceIp ? -1 : 1)
  )
}
