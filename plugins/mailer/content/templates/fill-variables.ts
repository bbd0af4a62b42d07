// Fills the variables that a template declares: defaults for what is left out, names of what is missing.
import type { VariableSpec } from '../../ledger/template-rows.ts'

type Vars = Readonly<Record<string, unknown>>

/** What filling came to. */
export type FilledVariables =
  | { readonly ok: true; readonly vars: Vars }
  | { readonly ok: false; readonly missing: readonly string[] }

/** `null` and `undefined` count as left out. Variables that are not declared stay. */
export function fillVariables(
  schema: Readonly<Record<string, VariableSpec>>,
  vars: Vars
): FilledVariables {
  const declared = Object.entries(schema)
  if (declared.length === 0) return { ok: true, vars }
  const filled: Record<string, unknown> = { ...vars }
  for (const [name, { defaultValue }] of declared) {
    if ((filled[name] ?? null) === null && defaultValue !== undefined) filled[name] = defaultValue
  }
  const missing = declared
    .filter(([name, { required }]) => required === true && (filled[name] ?? null) === null)
    .map(([name]) => name)
  return missing.length > 0 ? { ok: false, missing } : { ok: true, vars: filled }
}
