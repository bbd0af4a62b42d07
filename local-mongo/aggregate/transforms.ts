// Stages that make one document of one: $project, $set, $unset, $replaceRoot and their other names.
import { type Doc, isDoc, type Value } from '../bson/value.ts'
import { type CodeName, CommandError, commandError } from '../errors.ts'
import { type Evaluation, type ReadFields, typeOf, unionFields } from '../expressions/expression.ts'
import { parseWhole } from '../expressions/long-expression.ts'
import { namedDoc } from '../expressions/operator-arguments.ts'
import type { ExpressionContext } from '../expressions/parse-expression.ts'
import { readProjection } from '../query/parse-projection.ts'
import {
  addRule,
  computeFields,
  expressionsOf,
  hasComputed,
  keepFields,
  pathsOf,
  type RuleTree
} from '../query/projection-tree.ts'

/** A stage on single documents. The document it is given stays as it is. */
export interface Transform {
  /** `env.root` is the document. */
  apply(doc: Doc, env: Evaluation): Doc
  /** Top-level fields that it reads of what comes in. */
  readonly reads: ReadFields
  /** Whether fields that it does not name pass through. */
  readonly passesOthers: boolean
}

export type TransformParser = (spec: Value, context: ExpressionContext) => Transform

const top = (path: string): string => path.split('.', 1)[0] as string

/** What is computed within a field keeps the rest of the field: it is read. */
function nestedPaths(tree: RuleTree): string[] {
  return pathsOf(tree, 'compute').filter((path) => path.includes('.'))
}

function needDoc(spec: Value, name: string, code: CodeName): Doc {
  if (isDoc(spec)) return spec
  throw commandError(code, `${name} specification must be an object, not ${typeOf(spec)}`)
}

const parseProject: TransformParser = (spec, context) => {
  const object = needDoc(spec, '$project', 'Location15969')
  if (object.size === 0) {
    throw commandError(
      'Location51272',
      'Invalid $project :: caused by :: projection specification must have at least one field'
    )
  }
  const { tree, mode } = within('$project', () => readProjection(object, context, false))
  const isComputed = hasComputed(tree)
  const reads = unionFields(
    new Set([...pathsOf(tree, 'include'), ...nestedPaths(tree)].map(top)),
    ...expressionsOf(tree).map(({ fields }) => fields)
  )
  return {
    reads: mode === 'exclusion' ? new Set() : reads,
    passesOthers: mode === 'exclusion',
    apply: (doc, env) => {
      const kept = keepFields(doc, tree, mode)
      if (isComputed) computeFields(kept, tree, env)
      return kept
    }
  }
}

/** Names the stage in failures of what stands in it; unknown expressions get their own code there. */
function within<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CommandError) || error.codeName !== 'InvalidPipelineOperator')
      throw error
    throw commandError('Location31325', `Invalid ${name} :: caused by :: ${error.message}`, {
      cause: error
    })
  }
}

function parseSet(name: string): TransformParser {
  return (spec, context) => {
    const object = needDoc(spec, name, 'Location40272')
    const tree: RuleTree = new Map()
    collectComputed(tree, object, '', context)
    return {
      reads: unionFields(
        new Set(nestedPaths(tree).map(top)),
        ...expressionsOf(tree).map(({ fields }) => fields)
      ),
      passesOthers: true,
      apply: (doc, env) => {
        const result: Doc = new Map(doc)
        computeFields(result, tree, env)
        return result
      }
    }
  }
}

/** A document without operators sets the fields in it, and leaves others beside them. */
function collectComputed(
  tree: RuleTree,
  spec: Doc,
  prefix: string,
  context: ExpressionContext
): void {
  for (const [name, value] of spec) {
    const path = `${prefix}${name}`
    const isNested = isDoc(value) && value.size > 0 && ![...value.keys()][0]?.startsWith('$')
    if (isNested) collectComputed(tree, value, `${path}.`, context)
    else addRule(tree, path, { kind: 'compute', expression: parseWhole(value, context) })
  }
}

const parseUnset: TransformParser = (spec) => {
  const paths = Array.isArray(spec) ? spec : [spec]
  if (paths.length === 0)
    throw commandError(
      'Location31119',
      '$unset specification must be a string or an array with at least one field'
    )
  const tree: RuleTree = new Map()
  for (const path of paths) {
    if (typeof path !== 'string') {
      throw commandError(
        'Location31120',
        '$unset specification must be a string or an array containing only string values'
      )
    }
    addRule(tree, path, { kind: 'exclude' })
  }
  return {
    reads: new Set(),
    passesOthers: true,
    apply: (doc) => keepFields(doc, tree, 'exclusion')
  }
}

function parseReplace(name: string): TransformParser {
  return (spec, context) => {
    const value =
      name === '$replaceRoot' ? namedDoc(name, spec, ['newRoot'], []).get('newRoot') : spec
    const expression = parseWhole(value, context)
    return {
      reads: expression.fields,
      passesOthers: false,
      apply: (_doc, env) => {
        const result = expression.evaluate(env)
        if (isDoc(result)) return result
        throw commandError(
          'Location40228',
          `'newRoot' expression must evaluate to an object, but resulting value was of type: ${typeOf(result)}`
        )
      }
    }
  }
}

export const TRANSFORMS: ReadonlyMap<string, TransformParser> = new Map([
  ['$project', parseProject],
  ['$set', parseSet('$set')],
  ['$addFields', parseSet('$addFields')],
  ['$unset', parseUnset],
  ['$replaceRoot', parseReplace('$replaceRoot')],
  ['$replaceWith', parseReplace('$replaceWith')]
])
