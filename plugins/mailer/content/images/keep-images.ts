// Uploaded pictures: taken, listed, deleted. Their bytes are in the database, or where a plugin keeps them.
import { createHash } from 'node:crypto'
import { type Static, Type } from '@keelson/sdk'
import { Binary } from 'mongodb'
import type { ImageStore } from '../../contracts/mailer-images.ts'
import { audit } from '../../ledger/audit/audit.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { ImageRow } from '../../ledger/image-row.ts'
import type { Acting } from '../../ledger/template-input.ts'
import { imageFacts } from './image-facts.ts'

/** Limits of pictures. */
export const IMAGE_LIMITS = { bytes: 1_048_576, count: 500 } as const

/** A picture in an answer. */
export const imageSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: Type.Enum(['png', 'jpeg', 'gif', 'webp']),
    width: Type.Integer({ description: 'Pixels.' }),
    height: Type.Integer({ description: 'Pixels.' }),
    size: Type.Integer({ description: 'Bytes.' }),
    url: Type.String({ description: 'Where every reader gets it. What is there never changes.' }),
    createdAt: Type.String({ format: 'date-time' }),
    createdBy: Type.String()
  },
  { title: 'MailImage' }
)

/** The ends of addresses. */
const ENDS: Readonly<Record<ImageRow['type'], string>> = {
  png: 'png',
  jpeg: 'jpg',
  gif: 'gif',
  webp: 'webp'
}
const MOST_TEMPLATES = 1_000

const shown = ({ config }: MailerContext, row: ImageRow) => {
  const { _id: id, bytes: _bytes, type, createdAt, ...rest } = row
  const url = `${config.publicUrl}/m/image/${id}.${ENDS[type]}`
  return { id, ...rest, type, url, createdAt: createdAt as unknown as string } as Static<
    typeof imageSchema
  >
}

/** The store of a plugin; undefined: the rows themselves. */
const storeOf = ({ extensions }: MailerContext): ImageStore | undefined => extensions.imageStore()

type Refusal<Code extends string> = {
  readonly ok: false
  readonly code: Code
  readonly message: string
}

/** Takes a picture. The same bytes again are the same picture. */
export async function addImage(
  context: MailerContext,
  { name, bytes }: { readonly name: string; readonly bytes: Buffer },
  acting: Acting
): Promise<
  | { readonly ok: true; readonly image: Static<typeof imageSchema> }
  | Refusal<'not_an_image' | 'too_many_images'>
> {
  const facts = imageFacts(bytes)
  if (facts === undefined) {
    const message = 'The file must be a PNG, JPEG, GIF or WebP picture of at most 10,000 pixels.'
    return { ok: false, code: 'not_an_image', message }
  }
  const { images } = context.collections
  const _id = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  const known = await images.findOne({ _id }, { projection: { bytes: 0 } })
  if (known !== null) return { ok: true, image: shown(context, known) }
  if ((await images.countDocuments({}, { limit: IMAGE_LIMITS.count })) >= IMAGE_LIMITS.count) {
    const message = `There are ${IMAGE_LIMITS.count} pictures, which is the most. Delete one first.`
    return { ok: false, code: 'too_many_images', message }
  }
  const store = storeOf(context)
  await store?.put(_id, bytes)
  const { clock } = context
  const made = { createdAt: clock.now(), createdBy: acting.actor, size: bytes.length }
  const row: ImageRow = { _id, name, ...facts, ...made }
  const stored = store === undefined ? { ...row, bytes: new Binary(bytes) } : row
  await context.withTransaction(async (session) => {
    const { _id: id, ...rest } = stored
    await images.updateOne({ _id: id }, { $setOnInsert: rest }, { upsert: true, session })
    const resource = { collection: images.collectionName, id }
    const after = { name, ...facts, size: row.size }
    await audit(context, { ...acting, action: 'image.upload', resource, after }, { session })
  })
  return { ok: true, image: shown(context, row) }
}

/** The newest pictures, without their bytes. */
export async function listImages(
  context: MailerContext,
  { limit = IMAGE_LIMITS.count }: { readonly limit?: number | undefined } = {}
): Promise<readonly Static<typeof imageSchema>[]> {
  const rows = await context.collections.images
    .find({}, { projection: { bytes: 0 } })
    .sort({ createdAt: -1, _id: -1 })
    .limit(Math.min(limit, IMAGE_LIMITS.count))
    .toArray()
  return rows.map((row) => shown(context, row))
}

/** A picture with its bytes; null: there is none of this id and type. */
export async function readImage(
  context: MailerContext,
  { id, end }: { readonly id: string; readonly end: string }
): Promise<{ readonly type: ImageRow['type']; readonly bytes: Uint8Array } | null> {
  const row = await context.collections.images.findOne({ _id: id })
  if (row === null || ENDS[row.type] !== end) return null
  const bytes = row.bytes?.buffer ?? (await storeOf(context)?.read(id)) ?? null
  return bytes === null ? null : { type: row.type, bytes }
}

/** Deletes a picture that no template shows. Mails that show it were sent, and lose it. */
export async function removeImage(
  context: MailerContext,
  id: string,
  acting: Acting
): Promise<{ readonly ok: true } | Refusal<'not_found' | 'image_in_use'>> {
  const { images } = context.collections
  const row = await images.findOne({ _id: id }, { projection: { bytes: 0 } })
  if (row === null) return { ok: false, code: 'not_found', message: 'The picture was not found.' }
  const users = await usersOf(context, id)
  if (users.length > 0) {
    const message = `These show the picture: ${users.slice(0, 5).join(', ')}.`
    return { ok: false, code: 'image_in_use', message }
  }
  await context.withTransaction(async (session) => {
    await images.deleteOne({ _id: id }, { session })
    const resource = { collection: images.collectionName, id }
    const before = { name: row.name, type: row.type, size: row.size }
    await audit(context, { ...acting, action: 'image.delete', resource, before }, { session })
  })
  await storeOf(context)?.remove(id)
  return { ok: true }
}

/** Slugs of templates and senders whose source names a picture. */
async function usersOf({ collections }: MailerContext, id: string): Promise<readonly string[]> {
  const users: string[] = []
  const projection = { slug: 1, body: 1, 'draft.body': 1 }
  const templates = collections.templates
    .find({}, { projection })
    .sort({ _id: 1 })
    .limit(MOST_TEMPLATES)
  for await (const { slug, body, draft } of templates)
    if (JSON.stringify([body, draft?.body]).includes(id)) users.push(slug)
  const brands = await collections.brands
    .find({}, { projection: { logoUrl: 1 } })
    .limit(MOST_TEMPLATES)
    .toArray()
  return [
    ...users,
    ...brands.filter(({ logoUrl }) => logoUrl.includes(id)).map(({ _id }) => String(_id))
  ]
}
