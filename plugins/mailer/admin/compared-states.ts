// Which two states of a versioned document are compared: `from` and `to` of a query.
import { Type } from '@keelson/sdk'

const state = (usual: string) =>
  Type.Optional(
    Type.String({
      pattern: '^(draft|published|[1-9][0-9]{0,8})$',
      default: usual,
      description: 'A version, `draft` or `published`.'
    })
  )

/** The query of a comparison. */
export const comparedQuery = Type.Object({ from: state('published'), to: state('draft') })

const stateOf = (text: string): number | 'draft' | 'published' =>
  text === 'draft' || text === 'published' ? text : Number(text)

/** The states that a query names. */
export const comparedStates = ({
  from = 'published',
  to = 'draft'
}: {
  readonly from?: string
  readonly to?: string
}) => [stateOf(from), stateOf(to)] as const
