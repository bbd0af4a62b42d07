// Reads a view that is to be saved, or a change of one: by schema, and by what a schema cannot say.
import { partCheck, type Static, Type } from '@keelson/sdk'
import { dashboardRefusals, type Invalid, invalid } from '../refusals.ts'
import { PAGES, type ViewQuery, type ViewSpec } from './view.ts'

export interface ViewRequest {
  readonly spec: ViewSpec
  readonly shared: boolean
}

/** Characters in the name of a view. */
export const MAX_VIEW_NAME = 200
/** Levels of objects and arrays in the query of a view. */
export const MAX_QUERY_DEPTH = 12

const parts = {
  name: Type.String({ minLength: 1, maxLength: MAX_VIEW_NAME, pattern: '\\S' }),
  query: Type.Unsafe<ViewQuery>({
    type: 'object',
    description: 'State of the page: range, filters, display and more.'
  })
}
const shared = Type.Optional(
  Type.Boolean({
    description: 'Everyone of the tenant sees it. Default false.',
    'x-refusal': 'shared must be true or false'
  })
)

export const viewBodySchema = Type.Object(
  { spec: Type.Object({ ...parts, page: Type.Enum([...PAGES]) }), shared },
  { 'x-refusal': 'view spec required' }
)

export const changeBodySchema = Type.Object({
  name: Type.Optional(parts.name),
  query: Type.Optional(parts.query),
  shared
})

const checkView = partCheck(viewBodySchema, 'body')

function isTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((part) => isTooDeep(part, levels - 1))
}

const TOO_DEEP = invalid(`query must be at most ${MAX_QUERY_DEPTH} levels deep`)
const NO_OWNER = invalid('private views need a viewer identity')

/** The view that a body asks to save, by a viewer with or without an identity. */
export function readViewRequest(
  body: unknown,
  viewerRef: string | undefined
): ViewRequest | Invalid {
  const checked = checkView(body)
  if ('error' in checked) {
    const { message, fields } = checked.error
    return dashboardRefusals.refuse('validation_failed', { message, fields })
  }
  const { spec, shared = false } = checked.value as Static<typeof viewBodySchema>
  const { name, page, query } = spec
  if (isTooDeep(query, MAX_QUERY_DEPTH)) return TOO_DEEP
  if (!shared && viewerRef === undefined) return NO_OWNER
  return { spec: { name, page, query }, shared }
}

export type ViewChange = Partial<Static<typeof changeBodySchema>>

/** The change that a body asks for: any of `name`, `query` and `shared`, at least one. */
export function readViewChange(
  { name, query, shared }: Static<typeof changeBodySchema>,
  viewerRef: string | undefined
): ViewChange | Invalid {
  const present = Object.entries({ name, query, shared }).filter(([, value]) => value !== undefined)
  if (present.length === 0) return invalid('view change required')
  if (isTooDeep(query, MAX_QUERY_DEPTH)) return TOO_DEEP
  if (shared === false && viewerRef === undefined) return NO_OWNER
  return Object.fromEntries(present)
}
