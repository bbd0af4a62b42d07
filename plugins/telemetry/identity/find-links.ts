// Reads the links of anonymous refs from the database.
import type { Collection } from 'mongodb'
import type { StoredAlias } from '../storage/storage.ts'
import { byTime, type Link, type Reach, reachesOf } from './links.ts'

const REFS_A_READ = 1000

/** The anonymous refs that were a person's, with the times. Under `*` of every tenant. */
export async function findReaches(
  aliases: Collection<StoredAlias>,
  scope: string,
  userRef: string
): Promise<readonly Reach[]> {
  const tenant = scope === '*' ? {} : { tenantId: scope }
  const own = await aliases.find({ ...tenant, userRef }).toArray()
  if (own.length === 0) return []
  const refs = [...new Set(own.map(({ anonRef }) => anonRef))]
  const keys = new Set(own.map((link) => linkKey(link.tenantId, link.anonRef)))
  const links = await findLinks(aliases, scope, refs)
  return [...links].flatMap(([key, some]) => (keys.has(key) ? reachesOf(some, userRef) : []))
}

/** The anonymous refs that were ever those of some people. Under `*` of every tenant. */
export async function findAnonymousRefs(
  aliases: Collection<StoredAlias>,
  scope: string,
  userRefs: readonly string[]
): Promise<ReadonlySet<string>> {
  const tenant = scope === '*' ? {} : { tenantId: scope }
  const refs = new Set<string>()
  for (let at = 0; at < userRefs.length; at += REFS_A_READ) {
    const part = userRefs.slice(at, at + REFS_A_READ)
    const links = aliases.find({ ...tenant, userRef: { $in: part } })
    for (const { anonRef } of await links.toArray()) refs.add(anonRef)
  }
  return refs
}

/** Key of a tenant's ref in the answer of `findLinks`. */
export const linkKey = (tenantId: string, anonRef: string): string => `${tenantId}\n${anonRef}`

/** All links of anonymous refs, oldest first, by `linkKey`. */
export async function findLinks(
  aliases: Collection<StoredAlias>,
  scope: string,
  anonRefs: readonly string[]
): Promise<ReadonlyMap<string, readonly Link[]>> {
  const tenant = scope === '*' ? {} : { tenantId: scope }
  const links = new Map<string, Link[]>()
  for (let at = 0; at < anonRefs.length; at += REFS_A_READ) {
    const part = anonRefs.slice(at, at + REFS_A_READ)
    for (const link of await aliases.find({ ...tenant, anonRef: { $in: part } }).toArray()) {
      const key = linkKey(link.tenantId, link.anonRef)
      const known = links.get(key)
      if (known === undefined) links.set(key, [link])
      else known.push(link)
    }
  }
  for (const some of links.values()) some.sort(byTime)
  return links
}
