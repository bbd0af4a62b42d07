// Updates by a pipeline of stages that make one document of one.

import { TRANSFORMS, type Transform } from '../aggregate/transforms.ts'
import type { Collation } from '../bson/collation.ts'
import { encodeDoc } from '../bson/encode.ts'
import type { Doc } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import type { Evaluation } from '../expressions/expression.ts'
import { bindVariables, expressionContext } from '../expressions/expression-context.ts'

export interface PipelineUpdateOptions {
  readonly let: Doc | undefined
  readonly now: Date
  readonly collation: Collation | undefined
}

/** Fails with InvalidOptions (72) for stages that have no place in an update. */
export function parsePipelineUpdate(
  stages: readonly Doc[],
  { let: variables, now, collation }: PipelineUpdateOptions
): (doc: Doc) => Doc {
  const scope = bindVariables(variables, now)
  const context = expressionContext({ scope, collation })
  const transforms = stages.map((stage) => {
    const [name] = stage.keys()
    if (name === undefined || stage.size !== 1) {
      throw commandError(
        'Location40323',
        'A pipeline stage specification object must contain exactly one field.'
      )
    }
    const parser = TRANSFORMS.get(name)
    if (parser) return parser(stage.get(name), context)
    throw commandError('InvalidOptions', `${name} is not allowed to be used within an update`)
  })
  /** How far an interrupted update has come: what it drew at random must not change. */
  let reached: { readonly of: Uint8Array; readonly stage: number; readonly doc: Doc } | undefined
  return (doc) => {
    const last = reached
    reached = undefined
    const isAgain = last !== undefined && Buffer.compare(last.of, encodeDoc(doc)) === 0
    let current = isAgain ? last.doc : doc
    for (let stage = isAgain ? last.stage : 0; stage < transforms.length; stage++) {
      const env: Evaluation = { root: current, scope, now }
      try {
        current = (transforms[stage] as Transform).apply(current, env)
      } catch (error) {
        reached = { of: encodeDoc(doc), stage, doc: current }
        throw error
      }
    }
    return current
  }
}
