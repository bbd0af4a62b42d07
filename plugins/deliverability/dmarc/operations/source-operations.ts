// Tags of sources: what operators say about an address or a range.

import { adminAccess, MAILER_ADMIN_API as base, type MailerCore } from '@keelson/mailer/contracts'
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import type { DmarcContext } from '../context.ts'
import { removeTag, setTag } from '../sources/read-tags.ts'
import { sourceKey } from '../sources/source-tags.ts'
import type { SourceTagRow } from '../storage/rows.ts'

/** What the operations are served with. */
export interface SourceHost extends DmarcContext {
  readonly mailer: Pick<MailerCore, 'as'>
}

const path = '/dmarc/sources/:ip'
const params = Type.Object({
  ip: Type.Refine(
    Type.String({ minLength: 1, maxLength: 64 }),
    (text) => sourceKey(text) !== undefined,
    () => 'must be an IP address, or a range such as 192.0.2.0/24'
  )
})
const tagSchema = Type.Object(
  {
    label: Type.String({ minLength: 1, maxLength: 200 }),
    ignored: Type.Boolean({ default: false, description: 'Failures of this source are expected.' })
  },
  { additionalProperties: false }
)

const change = operation({
  id: 'dmarc.sources.change',
  method: 'PUT',
  base,
  path,
  summary: 'Labels a source: an IP address, or a range such as 192.0.2.0/24',
  access: adminAccess.publish,
  agent: true,
  effect: 'change',
  hints: { idempotent: true },
  params,
  body: tagSchema,
  answer: Type.Object({ ok: Type.Literal(true) }),
  async run({ params: { ip }, body: tag }, { host, actor }: Call<SourceHost>) {
    const _id = keyOf(ip)
    const set = { _id, ...tag, setBy: actor.name, setAt: host.clock.now() }
    const before = await setTag(host, set)
    await host.mailer.as(actor).audit({
      action: 'dmarc.source_tag.upsert',
      resource: { collection: 'dmarc_source_tags', id: _id },
      ...(before && { before: tagOf(before) }),
      after: tag
    })
    return { ok: true as const }
  }
})

const remove = operation({
  id: 'dmarc.sources.delete',
  method: 'DELETE',
  base,
  path,
  summary: 'Removes the label of a source. A label of the config then counts again',
  access: adminAccess.publish,
  agent: true,
  effect: 'change',
  hints: { idempotent: true, destructive: true },
  params,
  answer: Type.Object({ ok: Type.Literal(true), deleted: Type.Integer() }),
  async run({ params: { ip } }, { host, actor }: Call<SourceHost>) {
    const _id = keyOf(ip)
    const before = await removeTag(host, _id)
    if (before === null) return { ok: true as const, deleted: 0 }
    await host.mailer.as(actor).audit({
      action: 'dmarc.source_tag.delete',
      resource: { collection: 'dmarc_source_tags', id: _id },
      before: tagOf(before)
    })
    return { ok: true as const, deleted: 1 }
  }
})

/** Labels of sources. */
export const sourceOperations: readonly Operation<SourceHost>[] = [change, remove]

/** The usual form of what the schema let through. */
const keyOf = (ip: string): string => sourceKey(ip) ?? ip

const tagOf = ({ label, ignored }: SourceTagRow) => ({ label, ignored })
