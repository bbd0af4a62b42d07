// Whether anything is known about a person: the host knows them now, or rows name them.
import type { Services } from '../services.ts'

const ONE = { projection: { _id: 1 } } as const

/** People whom the host has forgotten may still have access, which administrators end. */
export async function isKnownPerson(
  userId: string,
  { collections, settings }: Pick<Services, 'collections' | 'settings'>
): Promise<boolean> {
  const user = await settings.loadUser?.(userId)
  if (user !== null && user !== undefined) return true
  const { grants, families, tokens, codes, requests, audit, attempts } = collections
  const rows = await Promise.all([
    grants.findOne({ userId }, ONE),
    families.findOne({ userId }, ONE),
    tokens.findOne({ userId }, ONE),
    codes.findOne({ userId }, ONE),
    requests.findOne({ userId }, ONE),
    attempts.findOne({ userId }, ONE),
    audit.findOne({ userId }, ONE),
    audit.findOne({ actorId: userId }, ONE)
  ])
  return rows.some((row) => row !== null)
}
