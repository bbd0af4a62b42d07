// Whether a value fits a schema, by a check that is compiled once for each schema.
import { Compile, type TSchema } from './typebox.ts'

interface Compiled {
  Check(value: unknown): boolean
}

const compiled = new WeakMap<TSchema, Compiled>()

/** The check is compiled at the first call with a schema: make schemas once, not per call. */
export function fitsSchema(schema: TSchema, value: unknown): boolean {
  let check = compiled.get(schema)
  if (check === undefined) {
    check = Compile(schema)
    compiled.set(schema, check)
  }
  return check.Check(value)
}
