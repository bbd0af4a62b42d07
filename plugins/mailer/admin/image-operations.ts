// Uploaded pictures in the admin API.
import { type Call, type Operation, operation, Type, type UploadedFile } from '@keelson/sdk'
import {
  addImage,
  IMAGE_LIMITS,
  imageSchema,
  listImages,
  removeImage
} from '../content/images/keep-images.ts'
import { actingOf } from '../ledger/acting.ts'
import { mailRefusals as refusals } from '../ledger/refusals.ts'
import { type AdminHost, access, done, limitParameter, MAIL_API } from './admin-operation.ts'

const { bytes, count } = IMAGE_LIMITS

const upload = operation({
  id: 'mailer.images.upload',
  method: 'POST',
  base: MAIL_API,
  path: '/images',
  summary: 'Takes a PNG, JPEG, GIF or WebP picture of at most 1 MiB, for mails',
  access: access.change,
  effect: 'change',
  hints: { idempotent: true },
  query: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 200, description: 'The name of the file.' })
  }),
  upload: { kind: 'body', contentType: 'application/octet-stream', maxFileBytes: bytes },
  status: 201,
  answer: imageSchema,
  errors: refusals.only('not_an_image', 'too_many_images'),
  async run({ query: { name }, files }, { host, actor }: Call<AdminHost>) {
    const file = { name, bytes: await bytesOf(files()) }
    const added = await addImage(host.context, file, actingOf(actor))
    return added.ok ? added.image : added
  }
})

/** The upload keeps to its limit while it is read. */
async function bytesOf(files: AsyncIterable<UploadedFile>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const { content } of files) for await (const part of content) parts.push(part)
  return Buffer.concat(parts)
}

const list = operation({
  id: 'mailer.images.list',
  method: 'GET',
  base: MAIL_API,
  path: '/images',
  summary: 'Uploaded pictures, newest first',
  access: access.read,
  effect: 'read',
  query: Type.Object({ limit: limitParameter(count, count) }),
  answer: Type.Array(imageSchema),
  run: ({ query }, { host }: Call<AdminHost>) => listImages(host.context, query)
})

const remove = operation({
  id: 'mailer.images.delete',
  method: 'DELETE',
  base: MAIL_API,
  path: '/images/:id',
  summary: 'Deletes a picture that no template shows; sent mails lose it',
  access: access.change,
  effect: 'change',
  hints: { destructive: true },
  params: Type.Object({ id: Type.String({ pattern: '^[0-9a-f]{32}$' }) }),
  answer: done,
  errors: refusals.only('bad_id', 'not_found', 'image_in_use'),
  async run({ params: { id } }, { host, actor }: Call<AdminHost>) {
    const removed = await removeImage(host.context, id, actingOf(actor))
    return removed.ok ? { ok: true as const } : removed
  }
})

/** The operations about pictures. */
export const imageOperations: readonly Operation<AdminHost>[] = [upload, list, remove]
