// What the schemas of plugin.json are made of: ids, addresses, bounded lists.
import { closed } from '../schema-parts.ts'
import { type TSchema, Type } from '../typebox.ts'

/** The form of the names in maps whose names are ids of plugins. */
export const PLUGIN_ID_FORM = 'the id of a plugin, in lower case'

/** Kebab-case. */
export const id = (description: string) =>
  Type.String({
    pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
    form: 'words in lower case with hyphens between them, such as order-mails',
    maxLength: 64,
    description
  })

/** As `mailer.provider/v1`. */
export const versionedId = (description: string) =>
  Type.String({
    pattern: '^[a-z][a-z0-9-]*(\\.[a-z][a-z0-9-]*)+/v[0-9]+$',
    form: 'an id with its version, such as mailer.provider/v1',
    maxLength: 128,
    description
  })

/** It begins with a slash. */
export const address = (description: string) =>
  Type.String({ pattern: '^/', form: 'an address that begins with /', maxLength: 512, description })

/** Optional, and limited in length. */
export const list = <T extends TSchema>(item: T, description: string, maxItems = 200) =>
  Type.Optional(Type.Array(item, { description, maxItems }))

/** Optional: id → semver range. */
export const ranges = (description: string) =>
  Type.Optional(
    Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]*$' }), Type.String({ minLength: 1 }), {
      ...closed,
      nameForm: PLUGIN_ID_FORM,
      description
    })
  )
