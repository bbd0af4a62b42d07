// What the documents of each family are keyed by, kept in the database: documents of two shapes would be mixed.
import { errors } from '../errors.ts'
import type { Registry, RollupFamily } from '../registry/types.ts'
import type { StorageCollections } from '../storage/storage.ts'

const PREFIX = '$family:'

/** Dimensions, bucket and subject types. */
export const shapeOf = ({ by, bucket, subjects }: RollupFamily): string =>
  JSON.stringify([by, bucket ?? null, [...subjects].sort()])

/**
 * Stores the shapes of new families.
 *
 * @throws TEL_FAMILY_CHANGED when documents of another shape are stored.
 */
export async function checkShapes(
  collections: StorageCollections,
  registry: Registry,
  at: Date
): Promise<void> {
  const { checkpoints } = collections
  const found = await checkpoints.find({ _id: { $gte: PREFIX, $lt: '$family;' } }).toArray()
  const known = new Map(found.map(({ _id, shape }) => [_id.slice(PREFIX.length), shape]))
  const changed: string[] = []
  for (const family of registry.families.values()) {
    const shape = shapeOf(family)
    if (known.get(family.as) === shape) continue
    if (await holdsOthers(collections, family, known.get(family.as))) changed.push(family.as)
    else await rememberShape(collections, family, at)
  }
  if (changed.length > 0) throw errors.TEL_FAMILY_CHANGED({ families: changed.join(', ') })
}

export async function rememberShape(
  { checkpoints }: StorageCollections,
  family: RollupFamily,
  at: Date
): Promise<void> {
  const update = { $set: { at, shape: shapeOf(family) } }
  await checkpoints.updateOne({ _id: PREFIX + family.as }, update, { upsert: true })
}

/** Whether the documents of a family have another shape than it is declared with. */
export async function isChanged(
  collections: StorageCollections,
  family: RollupFamily
): Promise<boolean> {
  const known = await collections.checkpoints.findOne({ _id: PREFIX + family.as })
  if (known?.shape === shapeOf(family)) return false
  return holdsOthers(collections, family, known?.shape)
}

/** Documents from before shapes were kept show only whether they have buckets. */
async function holdsOthers(
  { rollups }: StorageCollections,
  { as, bucket }: RollupFamily,
  known: string | undefined
): Promise<boolean> {
  const holds = async (filter: object) =>
    (await rollups.findOne({ as, ...filter }, { projection: { _id: 1 } })) !== null
  const bucketed = { bucketAt: { $exists: true } }
  const lifetime = { lifetime: true } as const
  if (known === undefined) return holds(bucket === undefined ? bucketed : lifetime)
  return (await holds(bucketed)) || holds(lifetime)
}
