// The settings as they are in force, without secrets; and the categories with what belongs to them.
import { type Static, Type } from '@keelson/sdk'
import { listTemplates } from '../../content/templates/read-templates.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { categoryPolicy, fileSettings } from '../../ledger/schema.ts'

/** A setting. */
export const settingSchema = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    /** null: it is left out, and has no default. */
    value: Type.Unknown(),
    /** What holds when it is left out; null: nothing. */
    default: Type.Unknown()
  },
  { title: 'MailSetting' }
)

/** A category. */
export const categorySchema = Type.Object(
  {
    id: Type.String(),
    label: Type.String(),
    description: Type.Optional(Type.String()),
    policy: Type.Optional(categoryPolicy),
    /** Slugs of its templates. */
    templates: Type.Array(Type.String()),
    /** Addresses that opted out of it. */
    optOuts: Type.Integer()
  },
  { title: 'MailCategory' }
)

/** Every setting that a file can hold, in the order of the schema. */
export function readSettings({ config }: MailerContext): readonly Static<typeof settingSchema>[] {
  const values = config as unknown as Readonly<Record<string, unknown>>
  return Object.entries(fileSettings).flatMap(([name, schema]) => {
    const { description = '', secret } = schema as { description?: string; secret?: boolean }
    const usual = defaultOf(schema) ?? null
    return secret === true
      ? []
      : [{ name, description, value: values[name] ?? null, default: usual }]
  })
}

/** The default of a schema, or the defaults of its fields. Those of a part that is left out do not hold. */
function defaultOf(schema: object): unknown {
  const { default: own, properties = {} } = schema as { default?: unknown; properties?: object }
  if (own !== undefined) return own
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const { default: value } = field as { default?: unknown }
    return value === undefined ? [] : [[name, value] as const]
  })
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}

/** The categories of the configuration, in its order. */
export async function readCategories(
  context: MailerContext
): Promise<readonly Static<typeof categorySchema>[]> {
  const { config, collections } = context
  const { categories = [] } = config
  if (categories.length === 0) return []
  const templates = await listTemplates(context)
  return Promise.all(
    categories.map(async (category) => ({
      ...category,
      templates: templates.filter((one) => one.category === category.id).map(({ slug }) => slug),
      optOuts: await collections.suppressions.countDocuments({ scope: `category:${category.id}` })
    }))
  )
}
