// The schema of a page in plugin.json.

import { closed } from '../schema-parts.ts'
import { type Static, Type } from '../typebox.ts'
import { address, id } from './fields.ts'

/** A page in plugin.json: a custom element, its module and its place in the navigation. */
export const pageSchema = Type.Object(
  {
    id: id('Unique in the plugin.'),
    element: Type.String({
      pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)+$',
      form: 'a tag in lower case with a hyphen, such as orders-list',
      description: 'The tag. It starts with the id of the plugin.'
    }),
    module: Type.String({
      pattern: '^\\./',
      form: 'a path that begins with ./',
      description: 'An ES module that defines the element, relative to plugin.json.'
    }),
    title: Type.String({ minLength: 1, maxLength: 80 }),
    translations: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$' }),
        Type.Object(
          {
            title: Type.String({ minLength: 1, maxLength: 80 }),
            section: Type.Optional(Type.String({ minLength: 1, maxLength: 40 }))
          },
          closed
        ),
        {
          ...closed,
          nameForm: 'a language tag such as de or pt-BR',
          description:
            'The title, and the section of `nav`, by language tag: `{"de": {"title": "Vorlagen"}}`. The shell takes those of its locale; a page that is `alone`, those that `ui_locales` in its address asks for.'
        }
      )
    ),
    path: Type.Optional(address('Relative to the mount. Default: /<id>. "/" is the mount itself.')),
    at: Type.Optional(address('An absolute address instead of `path`.')),
    nav: Type.Optional(
      Type.Object(
        {
          section: Type.String({ minLength: 1, maxLength: 40 }),
          order: Type.Optional(Type.Number()),
          icon: Type.Optional(Type.String({ maxLength: 40 })),
          badge: Type.Optional(
            address(
              'A GET route of this plugin, relative to the mount, that answers `{"count": 3}`: the number beside the entry, such as alerts that fire. 0 shows none. One that `host.serve` serves comes with the navigation; another is asked by each page.'
            )
          )
        },
        {
          ...closed,
          description: 'Its place in the navigation. Left out: it has an address and no entry.'
        }
      )
    ),
    role: Type.Union([Type.Literal('public'), Type.Literal('viewer'), Type.Literal('admin')]),
    tenants: Type.Optional(
      Type.String({
        pattern: '^\\$\\{[A-Za-z0-9_.-]+\\}$',
        form: 'a setting of the plugin, written as ${setting}',
        description:
          'The setting that lists the tenants whose viewers may open the page, as `${adminTenants}`; viewers of the platform (`*`) always may. Left out: those of every tenant. The API must check it too.'
      })
    ),
    embed: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Serve a self-contained file under /embed.'
      })
    ),
    alone: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Shown without the navigation, and in windows that other sites open: for pages in the middle of their errands.'
      })
    )
  },
  closed
)

/** A page of a manifest. */
export type ManifestPage = Static<typeof pageSchema>
