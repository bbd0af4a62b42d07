// What each variable of a template is for one contact. Pure.
import type { VariableSpec } from '../../ledger/template-rows.ts'
import { fillVariables } from './fill-variables.ts'
import { isEmpty } from './value-functions.ts'

/** A variable for the contact of a preview. */
export interface VariableValue {
  /** As `contact.fields.name`. */
  readonly path: string
  /** As text, cut at 200 characters; left out for addresses that are made for each mail. */
  readonly value?: string
  /** Nothing would be printed. */
  readonly isMissing: boolean
}

/** Built-in addresses: what they hold is for their recipient alone. */
const ADDRESSES = ['unsubscribeUrl', 'preferencesUrl', 'preferenceCenterUrl', 'viewInBrowserUrl']
const MOST_CHARACTERS = 200

/** The values, in the order of the paths; declared variables that are not used come last. */
export function valuesOf(
  paths: readonly string[],
  roots: Readonly<Record<string, unknown>>,
  specs: Readonly<Record<string, VariableSpec>>
): readonly VariableValue[] {
  const given = (roots['vars'] ?? {}) as Readonly<Record<string, unknown>>
  const filled = fillVariables(specs, given)
  const all = { ...roots, vars: filled.ok ? filled.vars : given }
  const declared = Object.keys(specs).map((name) => `vars.${name}`)
  return [...new Set([...paths, ...declared])].map((path) => {
    if (ADDRESSES.includes(path)) return { path, isMissing: false }
    const value = valueAt(all, path)
    return { path, value: textOf(value), isMissing: isEmpty(value) }
  })
}

/** Own properties alone, as in templates. */
function valueAt(roots: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    return (at as Readonly<Record<string, unknown>>)[name]
  }, roots)
}

function textOf(value: unknown): string {
  const text =
    value instanceof Date
      ? value.toISOString()
      : typeof value === 'object' && value !== null
        ? JSON.stringify(value)
        : String(value ?? '')
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}
