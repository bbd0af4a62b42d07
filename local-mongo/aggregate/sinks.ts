// $out and $merge: where the results go instead of to the client.
import { type Doc, isDoc, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { type Expression, MISSING, type Scope } from '../expressions/expression.ts'
import { parseWhole } from '../expressions/long-expression.ts'
import { checkVariableName } from '../expressions/parse-expression.ts'
import { stageList } from './nested-pipeline.ts'
import type { StageContext } from './stage.ts'
import { stageOptions, textOption } from './stage-options.ts'

/** Where the results go instead of to the client. */
export type PipelineSink =
  | { readonly kind: 'out'; readonly db: string; readonly collection: string }
  | MergeSink

export interface MergeSink {
  readonly kind: 'merge'
  readonly db: string
  readonly collection: string
  /** The fields that identify a document; a unique index must cover exactly them. Default `_id`. */
  readonly on: readonly string[]
  readonly whenMatched: 'replace' | 'keepExisting' | 'merge' | 'fail' | 'pipeline'
  readonly whenNotMatched: 'insert' | 'discard' | 'fail'
  /** For `pipeline`: the stages, to be given to `parseUpdate` with `let` from `bindings(result)`. */
  readonly pipeline: readonly Doc[]
  bindings(result: Doc): Doc
}

type Target = { readonly db: string; readonly collection: string }

/** Reads the last stage when it is `$out` or `$merge`. */
export function parseSink(
  stage: Doc,
  context: StageContext,
  scope: Scope | undefined
): PipelineSink | undefined {
  if (stage.has('$out')) return { kind: 'out', ...target('$out', stage.get('$out'), context) }
  return stage.has('$merge') ? parseMerge(stage.get('$merge'), context, scope) : undefined
}

function target(name: string, value: Value, { db }: StageContext): Target {
  if (typeof value === 'string') return { db, collection: textOption(value, name, 'Location16990') }
  const options = stageOptions(name, value, {
    required: ['coll'],
    optional: ['db'],
    code: 'Location16990'
  })
  return {
    db: options.has('db') ? textOption(options.get('db'), `${name}.db`, 'TypeMismatch') : db,
    collection: textOption(options.get('coll'), `${name}.coll`, 'TypeMismatch')
  }
}

const WHEN_MATCHED = ['replace', 'keepExisting', 'merge', 'fail'] as const
const WHEN_NOT_MATCHED = ['insert', 'discard', 'fail'] as const

function parseMerge(spec: Value, context: StageContext, scope: Scope | undefined): MergeSink {
  const options: Doc =
    typeof spec === 'string'
      ? new Map([['into', spec]])
      : stageOptions('$merge', spec, {
          required: ['into'],
          optional: ['on', 'let', 'whenMatched', 'whenNotMatched'],
          code: 'Location51182'
        })
  const whenMatched = options.has('whenMatched') ? options.get('whenMatched') : 'merge'
  const isPipeline = Array.isArray(whenMatched)
  if (options.has('let') && !isPipeline) {
    throw commandError(
      'Location51199',
      "Cannot use 'let' variables with 'whenMatched: fail/replace/keepExisting/merge' mode"
    )
  }
  const variables = readLet(options, context)
  return {
    kind: 'merge',
    ...target('$merge', options.get('into'), context),
    on: fieldsOf(options.get('on')),
    whenMatched: isPipeline ? 'pipeline' : oneOf(whenMatched, WHEN_MATCHED, 'whenMatched'),
    whenNotMatched: oneOf(
      options.has('whenNotMatched') ? options.get('whenNotMatched') : 'insert',
      WHEN_NOT_MATCHED,
      'whenNotMatched'
    ),
    pipeline: isPipeline ? stageList(whenMatched, '$merge') : [],
    bindings: (result) => bind(variables, result, context, scope)
  }
}

function oneOf<T extends string>(value: Value, allowed: readonly T[], name: string): T {
  const found = allowed.find((one) => one === value)
  if (found !== undefined) return found
  throw commandError(
    'BadValue',
    `Enumeration value '${String(value)}' for field '$merge.${name}' is not a valid value.`
  )
}

function fieldsOf(value: Value): readonly string[] {
  if (value === undefined) return ['_id']
  const fields = Array.isArray(value) ? value : [value]
  if (fields.length === 0)
    throw commandError(
      'Location51187',
      "If explicitly specifying $merge 'on', must include at least one field"
    )
  return fields.map((field) => textOption(field, "$merge 'on' field", 'Location51134'))
}

type Variables = readonly (readonly [string, Expression])[]

function readLet(options: Doc, { expressions }: StageContext): Variables {
  const spec = options.has('let') ? options.get('let') : new Map([['new', '$$ROOT']])
  if (!isDoc(spec)) throw commandError('TypeMismatch', "the 'let' of $merge must be an object")
  return [...spec].map(([name, value]) => {
    checkVariableName(name)
    return [name, parseWhole(value, expressions)]
  })
}

/** The variables of a result, as constants that `let` reads back. */
function bind(
  variables: Variables,
  result: Doc,
  { now }: StageContext,
  scope: Scope | undefined
): Doc {
  const bound: Doc = new Map()
  for (const [name, expression] of variables) {
    const value = expression.evaluate({ root: result, scope, now })
    if (value !== MISSING) bound.set(name, new Map([['$literal', value]]))
  }
  return bound
}
