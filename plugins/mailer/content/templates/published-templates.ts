// Published templates, prepared once per version and process.
import { createBoundedMap } from '@keelson/sdk'
import type { MailerContext } from '../../ledger/context.ts'
import type { PreparedTemplate, PublishedTemplates } from '../../ledger/prepared-template.ts'
import type { TemplateRow } from '../../ledger/template-rows.ts'
import { prepareOptions } from './compiler-of.ts'
import { prepareTemplate } from './prepare-template.ts'

/** Versions in memory: some hundred kilobytes each at most. */
const MOST_PREPARED = 200

type Current = Pick<TemplateRow, '_id' | 'slug' | 'version'>

/** Reads templates for sending. */
export function createPublishedTemplates(
  context: Pick<MailerContext, 'config' | 'collections' | 'log'>
): PublishedTemplates {
  const { collections, log } = context
  const options = prepareOptions(context)
  const prepared = createBoundedMap<string, PreparedTemplate>(MOST_PREPARED)
  // A template that was deleted and made again has another id.
  const keyOf = ({ _id, version }: Current) => `${_id}:${version}`

  const prepareMissing = async (missing: readonly Current[]) => {
    const keys = new Map(missing.map((one) => [`${one.slug}:${one.version}`, keyOf(one)]))
    const rows = collections.templateVersions.find({ _id: { $in: [...keys.keys()] } })
    const fresh = new Map<string, PreparedTemplate>()
    for await (const row of rows) {
      const key = keys.get(row._id)
      if (key === undefined) continue
      try {
        const template = prepareTemplate(row, options)
        prepared.set(key, template)
        fresh.set(key, template)
      } catch (error) {
        // It was published with a helper that this process does not have.
        log.error({ err: error, slug: row.slug }, 'mailer: a published template cannot be prepared')
      }
    }
    return fresh
  }

  return {
    async load(slugs) {
      const query = { slug: { $in: [...new Set(slugs)] }, version: { $gt: 0 } }
      const found: Current[] = await collections.templates
        .find(query, { projection: { slug: 1, version: 1 } })
        .toArray()
      const held = new Map(found.map((one) => [keyOf(one), prepared.get(keyOf(one))]))
      const missing = found.filter((one) => held.get(keyOf(one)) === undefined)
      const fresh = missing.length > 0 ? await prepareMissing(missing) : new Map()
      return new Map(
        found.flatMap((one) => {
          const template = held.get(keyOf(one)) ?? fresh.get(keyOf(one))
          return template === undefined ? [] : [[one.slug, template]]
        })
      )
    }
  }
}
