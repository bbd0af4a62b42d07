// The projection of find and findAndModify.
import type { Doc } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import type { Filter } from './filter.ts'

export interface Projection {
  readonly kind: 'all' | 'inclusion' | 'exclusion'
  /** The dotted paths that the result is made of; `all` when it cannot be said. */
  readonly fields: ReadonlySet<string> | 'all'
  apply(doc: Doc): Doc
  /** The same on encoded documents; copies bytes where it can. */
  applyBytes(bytes: Uint8Array): Uint8Array
}

export interface ProjectionOptions {
  /** The query's filter, for the positional `a.$`. */
  readonly filter?: Filter | undefined
  readonly let?: Doc | undefined
  readonly now?: Date | undefined
}

/** Fails with MongoDB's codes (31253, 31254, 31250 …) for a projection that contradicts itself. */
export function parseProjection(_spec: Doc, _options: ProjectionOptions = {}): Projection {
  throw commandError('NotImplemented', 'projection')
}
