// What an entry of the audit log mentions by slug, by the collection or the campaign that it is about.
import type { AuditRow } from '../audit-row.ts'
import type { MailerContext } from '../context.ts'
import type { Mentions } from '../names.ts'

type Entry = Pick<AuditRow, 'action' | 'resource'>

/** Of entries without a slug, and of other resources, nothing. */
export function auditMentions({
  collections: { templates, flows, broadcasts, segments },
  extensions
}: Pick<MailerContext, 'collections' | 'extensions'>): (entry: Entry) => Mentions {
  const kinds = new Set(extensions.campaigns().map(({ kind }) => kind))
  const keys = new Map<string, 'templateSlug' | 'flowSlug' | 'broadcastSlug' | 'segmentSlug'>([
    [templates.collectionName, 'templateSlug'],
    [flows.collectionName, 'flowSlug'],
    [broadcasts.collectionName, 'broadcastSlug'],
    [segments.collectionName, 'segmentSlug']
  ])
  return ({ action, resource: { collection, slug } }) => {
    if (slug === undefined) return {}
    const key = keys.get(collection)
    if (key !== undefined) return { [key]: slug }
    const [kind = ''] = action.split('.')
    return kinds.has(kind) ? { campaign: { kind, slug } } : {}
  }
}
