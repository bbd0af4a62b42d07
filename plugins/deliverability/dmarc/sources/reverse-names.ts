// Names of addresses by reverse look-ups: a job asks, everyone else reads what it stored.
import type { DmarcContext } from '../context.ts'
import type { Dns } from '../dns/dns-lookup.ts'

const KEPT_MS = 86_400_000
const LOOKED_UP_AT_ONCE = 8

type NameContext = Pick<DmarcContext, 'collections' | 'clock'>

/** The names that are known, by address. */
export async function readReverseNames(
  { collections }: Pick<DmarcContext, 'collections'>,
  ips: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  if (ips.length === 0) return new Map()
  const rows = await collections.reverseNames.find({ _id: { $in: [...new Set(ips)] } }).toArray()
  return new Map(rows.flatMap(({ _id, name }) => (name === null ? [] : [[_id, name] as const])))
}

/** Looks up what is unknown or older than a day. @returns how many addresses were asked for */
export async function refreshReverseNames(
  { collections, clock }: NameContext,
  ips: readonly string[],
  dns: Pick<Dns, 'names'>,
  signal?: AbortSignal
): Promise<number> {
  const fresh = await collections.reverseNames
    .find({ _id: { $in: [...new Set(ips)] }, lookedUpAt: { $gt: expiredAt(clock.now()) } })
    .project<{ readonly _id: string }>({ _id: 1 })
    .toArray()
  const known = new Set(fresh.map(({ _id }) => _id))
  const due = [...new Set(ips)].filter((ip) => !known.has(ip))
  for (let at = 0; at < due.length; at += LOOKED_UP_AT_ONCE) {
    signal?.throwIfAborted()
    const asked = due.slice(at, at + LOOKED_UP_AT_ONCE)
    const lookedUpAt = clock.now()
    const found = await Promise.all(asked.map((ip) => nameOf(ip, dns)))
    await collections.reverseNames.bulkWrite(
      asked.map((_id, index) => ({
        updateOne: {
          filter: { _id },
          update: { $set: { name: found[index] ?? null, lookedUpAt } },
          upsert: true
        }
      })),
      { ordered: false }
    )
  }
  return due.length
}

const expiredAt = (now: Date) => new Date(now.getTime() - KEPT_MS)

/** Null: no name, or no answer. It is asked for again tomorrow. */
async function nameOf(ip: string, dns: Pick<Dns, 'names'>): Promise<string | null> {
  const answer = await dns.names(ip)
  return answer.kind === 'found' ? (answer.values[0]?.toLowerCase().slice(0, 253) ?? null) : null
}
