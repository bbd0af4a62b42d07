// What a contract between plugins is: a versioned id, the type that travels under it, and its check.
import { fitsSchema } from '../fits-schema.ts'
import { type TSchema, Type, Value } from '../typebox.ts'

declare const TYPE: unique symbol

/** A contract of any type: what is needed to name it and to check a value. */
export interface AnyContract {
  /** As manifests name it: `<owner>.<name>/v<number>`. */
  readonly id: string
  /** What is offered must match it. Undefined: anything is taken. */
  readonly schema: TSchema | undefined
}

/**
 * An agreement between plugins: a versioned id (`mailer.tick/v1`) that manifests name, and the type `T` of
 * what is offered under it. A change that breaks users gets the next version and a contract object of its
 * own; a plugin may serve both for a while.
 */
export interface Contract<T> extends AnyContract {
  /** Carries the type; never present at run time. */
  readonly [TYPE]?: (value: T) => T
}

/** Something that one plugin provides (`host.provide`) and any number use (`host.use`). */
export interface Capability<T> extends Contract<T> {
  readonly kind: 'capability'
}

/** A place where any number of plugins contribute (`host.extend`) to one owner (`host.contributions`). */
export interface ExtensionPoint<T> extends Contract<T> {
  readonly kind: 'extension-point'
}

/** What a contract carries: `ContractType<typeof mailerTick>` is `TickTask`. */
export type ContractType<C> = C extends Contract<infer T> ? T : never

/**
 * Defines a capability. Name its id under `provides` and `uses` in the manifests of both sides.
 *
 * @param id `<owner>.<name>/v<number>`
 * @param schema what a provided value must match; checked by `host.provide`
 * @example
 * export const wordStore = defineCapability<WordStore>('words.store/v1', Type.Object({
 *   ...requiredFunctions('find', 'add')
 * }))
 * const words = host.use(wordStore)
 */
export function defineCapability<T>(id: string, schema?: TSchema): Capability<T> {
  return Object.freeze({ kind: 'capability', id, schema } as const)
}

/**
 * Defines an extension point. The owner names its id under `extensionPoints`, contributors under `uses`.
 *
 * @param id `<owner>.<name>/v<number>`
 * @param schema what a contribution must match; checked by `host.extend`
 * @example
 * export const wordSource = defineExtensionPoint<WordSource>('words.source/v1', Type.Object({
 *   name: Type.String({ minLength: 1 }),
 *   ...requiredFunctions('words')
 * }))
 * host.extend(wordSource, { name: 'mine', words: () => ['act now'] })
 */
export function defineExtensionPoint<T>(id: string, schema?: TSchema): ExtensionPoint<T> {
  return Object.freeze({ kind: 'extension-point', id, schema } as const)
}

/** Matches any function. Parameters and results are the business of the type. */
export const functionSchema: TSchema = Type.Refine(
  Type.Unsafe<(...args: never[]) => unknown>({}),
  (value) => typeof value === 'function',
  () => 'must be a function'
)

/** Properties of a schema that must be functions; methods of a class count. */
export function requiredFunctions(...names: readonly string[]): Record<string, TSchema> {
  return Object.fromEntries(names.map((name) => [name, functionSchema]))
}

/** Properties of a schema that must be functions where they are given. */
export function optionalFunctions(...names: readonly string[]): Record<string, TSchema> {
  return Object.fromEntries(names.map((name) => [name, Type.Optional(functionSchema)]))
}

/** Why a value does not fit a contract. Never holds the value. */
export interface ContractFault {
  /** Where in the value, as `routes[0].path`; empty for the value itself. */
  readonly path: string
  /** What is wrong there, as `must be a function`. */
  readonly reason: string
}

/** The first thing that keeps a value from fitting a contract; undefined when it fits. */
export function contractFault(
  { schema }: Pick<AnyContract, 'schema'>,
  value: unknown
): ContractFault | undefined {
  if (schema === undefined || fitsSchema(schema, value)) return undefined
  const faults = Value.Errors(schema, value).map(readFault)
  // A missing or unknown property says more than what follows from it.
  const first = faults.find(({ isOfKey }) => isOfKey) ?? faults[0]
  return first?.fault
}

type CheckError = ReturnType<typeof Value.Errors>[number]

interface ReadFault {
  readonly fault: ContractFault
  /** Of a key that is missing or unknown. */
  readonly isOfKey: boolean
}

function readFault(error: CheckError): ReadFault {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((base, key) => joinKey(base, key), '')
  if (error.keyword === 'required') {
    const [missing = ''] = error.params.requiredProperties
    return { fault: { path: joinKey(path, missing), reason: 'is missing' }, isOfKey: true }
  }
  if (error.keyword === 'additionalProperties') {
    const [unknown = ''] = error.params.additionalProperties
    return { fault: { path: joinKey(path, unknown), reason: 'is unknown' }, isOfKey: true }
  }
  return { fault: { path, reason: error.message }, isOfKey: false }
}

function joinKey(base: string, key: string): string {
  if (/^\d+$/.test(key)) return `${base}[${key}]`
  return base === '' ? key : `${base}.${key}`
}
