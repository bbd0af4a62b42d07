// The tags of operators, read and changed.
import { DURABLE } from '@keelson/sdk'
import type { DmarcContext } from '../context.ts'
import type { SourceTagRow } from '../storage/rows.ts'
import { type FindTag, resolveSourceTags } from './source-tags.ts'

const MOST_TAGS = 10_000

type TagContext = Pick<DmarcContext, 'collections' | 'knownSources'>

/** The look-up over all tags as they are now. */
export async function readTags({ collections, knownSources }: TagContext): Promise<FindTag> {
  const stored = await collections.sourceTags.find().limit(MOST_TAGS).toArray()
  return resolveSourceTags(knownSources, stored)
}

/** Sets a tag. @returns the one before */
export function setTag(
  { collections }: TagContext,
  { _id, ...tag }: SourceTagRow
): Promise<SourceTagRow | null> {
  return collections.sourceTags.findOneAndUpdate(
    { _id },
    { $set: tag },
    { upsert: true, returnDocument: 'before', ...DURABLE }
  )
}

/** Removes a tag; one of the config then counts again. @returns the tag that was there */
export function removeTag({ collections }: TagContext, _id: string): Promise<SourceTagRow | null> {
  return collections.sourceTags.findOneAndDelete({ _id }, DURABLE)
}
