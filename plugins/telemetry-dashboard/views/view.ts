// What a view is: named query state of one page, of one of three origins.
import { Type } from '@keelson/sdk'

export const PAGES = [
  'errors',
  'traces',
  'events',
  'journeys',
  'usage',
  'overview',
  'system'
] as const

export type PageId = (typeof PAGES)[number]

/** What a view shows. `range` is a duration such as `24h` or `7d`. */
export interface ViewQuery {
  readonly range?: string
  readonly filters?: Readonly<Record<string, unknown>>
  /** `table`, `series`, `breakdown` or `stream`. */
  readonly display?: string
  readonly [field: string]: unknown
}

export interface ViewSpec {
  readonly name: string
  readonly page: PageId
  readonly query: ViewQuery
}

export interface DerivedView extends ViewSpec {
  readonly origin: 'derived'
}

export interface ConfiguredView extends ViewSpec {
  readonly origin: 'configured'
}

export interface SavedView extends ViewSpec {
  readonly origin: 'saved'
  readonly id: string
  /** Null when a viewer without an identity saved it; such a view is always shared. */
  readonly ownerRef: string | null
  /** The scope it was saved in. */
  readonly tenantId: string
  readonly shared: boolean
}

export type View = DerivedView | ConfiguredView | SavedView

/** A view as the API shows it. */
export const viewSchema = Type.Unsafe<View>(
  Type.Object(
    {
      name: Type.String(),
      page: Type.Enum([...PAGES]),
      origin: Type.Enum(['derived', 'configured', 'saved']),
      query: Type.Object({}, { additionalProperties: true }),
      id: Type.Optional(Type.String({ description: 'Of saved views, as the fields below.' })),
      ownerRef: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
      tenantId: Type.Optional(Type.String()),
      shared: Type.Optional(Type.Boolean())
    },
    { title: 'TelemetryView' }
  )
)
