// Holds the parts of a request to the schemas of a route.
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'
import type { AdminRouteSchema } from '../contracts/mailer-admin-api.ts'
import type { FieldFault } from '../http/error-body.ts'
import { schemaFault } from '../manifest/schema-fault.ts'

/** The parts of a request. */
export interface AdminInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** The parts with defaults and, in address and query, with the types of the schemas; or what is wrong. */
export type CheckedInput =
  | { readonly ok: true; readonly input: AdminInput }
  | { readonly ok: false; readonly fault: FieldFault }

type Part = (value: unknown) => { readonly value: unknown } | { readonly fault: FieldFault }

/** Compiles the schemas of a route. Types in JSON are never coerced; texts of an address are. */
export function inputChecker({ params, querystring, body }: AdminRouteSchema) {
  const parts: { readonly [K in keyof AdminInput]: Part } = {
    params: partChecker(params, { name: 'params', isText: true }),
    query: partChecker(querystring, { name: 'query', isText: true }),
    body: partChecker(body, { name: 'body', isText: false })
  }
  return (given: AdminInput): CheckedInput => {
    const input: Record<string, unknown> = {}
    for (const name of ['params', 'query', 'body'] as const) {
      const checked = parts[name](given[name])
      if ('fault' in checked) return { ok: false, fault: checked.fault }
      input[name] = checked.value
    }
    return { ok: true, input: input as unknown as AdminInput }
  }
}

function partChecker(
  schema: TSchema | undefined,
  { name, isText }: { readonly name: string; readonly isText: boolean }
): Part {
  if (schema === undefined) return (value) => ({ value })
  const compiled = Compile(schema)
  return (given) => {
    const filled = Value.Default(schema, isText ? { ...(given as object) } : given)
    const value = isText ? Value.Convert(schema, filled) : filled
    if (compiled.Check(value)) return { value }
    const { path, problem } = schemaFault(schema, value) ?? { path: '', problem: 'is invalid' }
    return { fault: { path: path === '' ? name : path, message: problem } }
  }
}
