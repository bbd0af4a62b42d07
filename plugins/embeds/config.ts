// The settings of the plugin.
import { type Static, Type } from '@keelson/sdk'

/** Settings in `keelson.config.json`. */
export const configSchema = Type.Object(
  {
    sharers: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description:
          'Administrators who may share pages, by viewerRef (user:7) or email. Default: all administrators.'
      })
    )
  },
  { additionalProperties: false }
)
export type EmbedsConfig = Static<typeof configSchema>
