// The property whose value names the branch of a union of objects. Pure.
import { branchesOf, conjunctsOf, isPlainObject, type Part, propertyParts } from './schema-parts.ts'

export interface Discriminator {
  readonly key: string
  /** Values that name a branch, in the order of the branches. */
  readonly values: readonly unknown[]
  /** The branches that the value names; empty when it names none. */
  readonly named: readonly Part[]
  /** The branches that have no properties, which any object may fit. */
  readonly others: readonly Part[]
}

/**
 * A property that every branch which takes an object restricts to constants, when the value has it.
 * Undefined when there is none.
 */
export function discriminatorOf(
  branches: readonly Part[],
  value: unknown
): Discriminator | undefined {
  if (!isPlainObject(value)) return undefined
  const objects = branches
    .map((branch) => ({ branch, parts: conjunctsOf(branch) }))
    .filter(({ parts }) => parts.some(({ schema }) => schema.properties !== undefined))
  const others = branches.filter((each) => objects.every(({ branch }) => branch !== each))
  if (objects.length < 2) return undefined
  for (const key of Object.keys(value)) {
    const constants = objects.map(({ parts }) => constantsOf(propertyParts(parts, key)))
    if (constants.some((each) => each === undefined)) continue
    const values = [...new Set(constants.flatMap((each) => each ?? []))]
    if (values.length < 2) continue
    const named = objects.filter((_, at) => constants[at]?.includes(value[key]))
    return { key, values, named: named.map(({ branch }) => branch), others }
  }
  return undefined
}

/** The values a schema restricts to; undefined when it takes others too. */
export function constantsOf(parts: readonly Part[]): readonly unknown[] | undefined {
  for (const part of parts.flatMap(conjunctsOf)) {
    const { schema } = part
    if ('const' in schema) return [schema.const]
    if (schema.enum !== undefined) return schema.enum
    const branches = branchesOf(part).map((branch) => constantsOf([branch]))
    if (branches.length > 0 && branches.every((each) => each !== undefined)) return branches.flat()
  }
  return undefined
}
