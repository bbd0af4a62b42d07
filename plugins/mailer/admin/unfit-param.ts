// Which part of an address has a form that no row can have. Pure.
import { schemaFault, Type } from '@keelson/sdk'
import { inputs } from '../ledger/checked-input.ts'

const FORMS = {
  slug: inputs.slug,
  id: Type.String({ pattern: '^[0-9A-Za-z][0-9A-Za-z:._-]{0,199}$' }),
  version: Type.String({ pattern: '^[1-9][0-9]{0,8}$' }),
  externalId: inputs.externalId
} as const

/** The name of the first parameter that does not fit; undefined when all do. */
export const unfitParam = (params: Readonly<Record<string, string>>): string | undefined =>
  Object.entries(params).find(
    ([name, value]) =>
      Object.hasOwn(FORMS, name) &&
      schemaFault(FORMS[name as keyof typeof FORMS], value) !== undefined
  )?.[0]
