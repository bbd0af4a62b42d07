// Erases a subject from saved views: private ones it owns go, the others stay without mentioning it.
import type { Document } from 'mongodb'
import type { TelemetryStorage } from '../storage/storage.ts'
import type { Mentions } from './mentions.ts'
import type { Pseudonyms } from './pseudonym.ts'

/** Views that the refs own, and views that mention them. */
export const viewsOf = (
  scopes: readonly string[],
  refs: readonly string[],
  { patterns }: Mentions
): readonly Document[] => [
  { tenantId: { $in: [...scopes] }, ownerRef: { $in: [...refs] } },
  ...patterns.map(($regex) => ({
    tenantId: { $in: [...scopes] },
    $or: [{ name: { $regex, $options: 'i' } }, { query: { $regex, $options: 'i' } }]
  }))
]

/** Returns how many views were removed or changed. */
export async function eraseViews(
  { collections: { views } }: TelemetryStorage,
  scopes: readonly string[],
  pseudonyms: Pseudonyms,
  mentions: Mentions
): Promise<number> {
  if (views === undefined) return 0
  let touched = 0
  for (const filter of viewsOf(scopes, [...pseudonyms.keys()], mentions)) {
    for (const view of await views.find(filter).toArray()) {
      const { _id, ownerRef, shared, name, query } = view
      const pseudonym = pseudonyms.get(String(ownerRef))
      touched++
      if (pseudonym !== undefined && shared !== true) {
        await views.deleteOne({ _id })
        continue
      }
      await views.updateOne(
        { _id },
        {
          $set: {
            ...(pseudonym !== undefined && { ownerRef: pseudonym }),
            ...(typeof name === 'string' && { name: mentions.replaceIn(name) }),
            ...(typeof query === 'string' && { query: mentions.replaceInJson(query) })
          }
        }
      )
    }
  }
  return touched
}
