// Tags of sources: what operators say about an address or a range.
import { Type } from '@keelson/sdk'
import { type AdminRoute, adminRoute } from '@keelson/sdk/contracts/mailer-admin-api'
import type { DmarcContext } from '../context.ts'
import { removeTag, setTag } from '../sources/read-tags.ts'
import { sourceKey } from '../sources/source-tags.ts'
import type { SourceTagRow } from '../storage/rows.ts'
import { okSchema } from './schemas.ts'

const params = Type.Object({ ip: Type.String({ minLength: 1, maxLength: 64 }) })

/** Prepares the routes. */
export function sourceRoutes(context: DmarcContext): AdminRoute[] {
  return [
    adminRoute({
      method: 'PUT',
      path: '/dmarc/sources/:ip',
      summary: 'Labels a source: an IP address, or a range such as 192.0.2.0/24.',
      permission: 'publish',
      schema: {
        params,
        body: Type.Object(
          {
            label: Type.String({ minLength: 1, maxLength: 200 }),
            ignored: Type.Optional(Type.Boolean())
          },
          { additionalProperties: false }
        ),
        response: { 200: okSchema }
      },
      async handler({ params: { ip }, body, actor, now, audit }) {
        const _id = sourceKey(ip)
        if (_id === undefined) return BAD_SOURCE
        const tag = { label: body.label, ignored: body.ignored ?? false }
        const before = await setTag(context, { _id, ...tag, setBy: actor, setAt: now })
        await audit({
          action: 'dmarc.source_tag.upsert',
          resource: { collection: 'dmarc_source_tags', id: _id },
          ...(before && { before: tagView(before) }),
          after: tag
        })
        return { body: { ok: true } }
      }
    }),
    adminRoute({
      method: 'DELETE',
      path: '/dmarc/sources/:ip',
      summary: 'Removes the label of a source. A label of the config then counts again.',
      permission: 'publish',
      schema: {
        params,
        response: { 200: Type.Object({ ok: Type.Literal(true), deleted: Type.Integer() }) }
      },
      async handler({ params: { ip }, audit }) {
        const _id = sourceKey(ip)
        if (_id === undefined) return BAD_SOURCE
        const before = await removeTag(context, _id)
        if (before === null) return { body: { ok: true, deleted: 0 } }
        await audit({
          action: 'dmarc.source_tag.delete',
          resource: { collection: 'dmarc_source_tags', id: _id },
          before: tagView(before)
        })
        return { body: { ok: true, deleted: 1 } }
      }
    })
  ]
}

const BAD_SOURCE = {
  status: 400,
  body: {
    error: 'validation_failed',
    message: 'ip must be an IP address, or a range such as 192.0.2.0/24.'
  }
}

const tagView = ({ label, ignored }: SourceTagRow) => ({ label, ignored })
