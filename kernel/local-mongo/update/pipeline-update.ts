// An update by an aggregation pipeline.
import type { Doc } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import type { UpdateOptions } from './update.ts'

/** Fails with InvalidOptions (72) for stages that an update may not use. */
export function parsePipelineUpdate(
  _stages: readonly Doc[],
  _options: UpdateOptions
): (doc: Doc) => Doc {
  throw commandError('NotImplemented', 'an update by pipeline')
}
