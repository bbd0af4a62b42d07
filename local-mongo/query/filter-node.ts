// The syntax tree of a filter, as the planner and the matchers read it.

import type { Value } from '../bson/value.ts'
import type { Expression } from '../expressions/expression.ts'
import type { CompiledRegex } from '../regex/regex.ts'
import type { SchemaNode } from './json-schema.ts'

export type CompareOperator = 'eq' | 'lt' | 'lte' | 'gt' | 'gte'
export type BitsOperator = 'allSet' | 'allClear' | 'anySet' | 'anyClear'

/** A condition on the values at one path. `$ne` and `$nin` are a `not` around `eq` and `in`. */
export type LeafNode =
  | {
      readonly kind: 'compare'
      readonly path: string
      readonly operator: CompareOperator
      readonly value: Value
    }
  | {
      readonly kind: 'in'
      readonly path: string
      readonly values: readonly Value[]
      readonly regexes: readonly CompiledRegex[]
    }
  | { readonly kind: 'exists'; readonly path: string }
  | { readonly kind: 'type'; readonly path: string; readonly types: ReadonlySet<number> }
  | { readonly kind: 'regex'; readonly path: string; readonly regex: CompiledRegex }
  | {
      readonly kind: 'mod'
      readonly path: string
      readonly divisor: bigint
      readonly remainder: bigint
    }
  | { readonly kind: 'size'; readonly path: string; readonly size: number }
  | {
      readonly kind: 'bits'
      readonly path: string
      readonly operator: BitsOperator
      readonly mask: bigint
    }
  /** `$elemMatch` of conditions on an element's fields. */
  | { readonly kind: 'elemMatchObject'; readonly path: string; readonly child: FilterNode }
  /** `$elemMatch` of conditions on the element itself: the children's paths are empty. */
  | {
      readonly kind: 'elemMatchValue'
      readonly path: string
      readonly children: readonly FilterNode[]
    }
  /** `$jsonSchema` on the whole document. */
  | { readonly kind: 'schema'; readonly path: ''; readonly schema: SchemaNode }

/** A parsed filter. An `and` without children takes everything. */
export type FilterNode =
  | { readonly kind: 'and'; readonly children: readonly FilterNode[] }
  | { readonly kind: 'or'; readonly children: readonly FilterNode[] }
  | { readonly kind: 'not'; readonly child: FilterNode }
  | { readonly kind: 'always'; readonly value: boolean }
  | { readonly kind: 'expr'; readonly expression: Expression; readonly source: Value }
  | LeafNode
