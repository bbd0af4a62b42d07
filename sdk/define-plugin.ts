// definePlugin: a plugin as an ordinary Fastify plugin that carries its manifest.
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { defineErrors, type ErrorTable } from './errors.ts'
import type { Host, MigrationHost, PrepareHost } from './host.ts'
import type { CheckedManifest } from './manifest/checked-manifest.ts'
import type { Manifest } from './manifest/schema.ts'
import type { Operation } from './operation/operation.ts'
import { type Static, type TSchema, Type } from './typebox.ts'

/** Where the kernel puts itself on the Fastify instance. */
export const KERNEL = Symbol.for('keelson.kernel')
/** Where a plugin carries its definition. */
export const DEFINITION = Symbol.for('keelson.plugin')

/** The rows of the errors that the SDK raises where it defines plugins. */
export const sdkErrorTable = {
  KRN_KERNEL_MISSING: {
    message: 'Plugin {plugin} was registered on a Fastify app that has no Keelson kernel.',
    remedy: 'Register the kernel first: await app.register(keelson, { config }).',
    status: 500
  },
  KRN_REFUSAL_UNDECLARED: {
    message:
      'The operation {operation} refused a call with {refusal}, which its errors do not name.',
    remedy: 'Add the word to the errors of the operation.',
    status: 500
  }
} as const satisfies ErrorTable

/** The errors that the SDK raises where it defines plugins. */
export const sdkErrors = defineErrors(sdkErrorTable)

/** What a plugin is made of, besides its manifest. */
export interface PluginParts<C extends TSchema = TSchema> {
  /**
   * TypeBox schema of the plugin's config. Mark fields `{ secret: true }` or `{ public: true }`. Beside a `pattern`
   * say in `form` what it asks for, in words that go on from "must be".
   */
  readonly config?: C
  /** Runs before registration, outside Fastify's deadline. */
  readonly prepare?: (host: PrepareHost, config: Static<C>) => Promise<void> | void
  /** The code of each declared migration, by id. */
  readonly migrations?: Readonly<Record<string, (host: MigrationHost) => Promise<void>>>
  /** The operations that `register` serves: plugin.json lists them. */
  readonly operations?: readonly Operation<never>[]
  readonly register: (host: Host, config: Static<C>) => Promise<void> | void
  /** The folder of plugin.json as a URL (`new URL('.', import.meta.url)`); needed for pages when inline. */
  readonly folder?: URL
}

/** What `definePlugin` takes, with a manifest of any type. */
export interface PluginOptions<C extends TSchema = TSchema> extends PluginParts<C> {
  /** The content of plugin.json; `config` may be left out, it is taken from `config` below. */
  readonly manifest: Manifest | Readonly<Record<string, unknown>>
}

/** A definition as the kernel reads it; unchecked until the validate phase. */
export interface PluginDefinition {
  readonly manifest: unknown
  readonly config: TSchema
  readonly prepare: ((host: PrepareHost, config: never) => Promise<void> | void) | undefined
  readonly migrations: Readonly<Record<string, (host: MigrationHost) => Promise<void>>>
  readonly operations: readonly Operation<never>[]
  readonly register: (host: Host, config: never) => Promise<void> | void
  readonly folder: URL | undefined
}

/** What the kernel offers to plugins that are registered by hand. */
export interface KernelSeam {
  adopt(definition: PluginDefinition, fastify: FastifyInstance, options: unknown): Promise<void>
}

/** A plugin: a Fastify plugin that carries its definition. Made by `definePlugin`. */
export interface KeelsonPlugin {
  (fastify: FastifyInstance, options: unknown): Promise<void>
  readonly [DEFINITION]: PluginDefinition
}

/**
 * Makes a plugin. The result is a named Fastify plugin: give it to the kernel in `plugins`, name its
 * package in the config, or register it by hand on an app that has the kernel.
 *
 * The manifest is the content of plugin.json, imported (`with { type: 'json' }`) or written in place; its
 * `config` may be left out, it is taken from the TypeBox schema beside it.
 *
 * @throws KRN_KERNEL_MISSING when it is registered on an app without the kernel.
 * @example
 * export default definePlugin({
 *   manifest,
 *   config: Type.Object({ limit: Type.Integer({ default: 10 }) }),
 *   register(host, { limit }) {
 *     host.route({ method: 'GET', path: '/limit', handler: async () => ({ limit }) })
 *   }
 * })
 */
export function definePlugin<const M extends object, C extends TSchema = TSchema>(
  options: PluginParts<C> & { readonly manifest: M & CheckedManifest<M> }
): KeelsonPlugin {
  const definition: PluginDefinition = Object.freeze({
    manifest: options.manifest,
    config: options.config ?? Type.Object({}, { additionalProperties: false }),
    prepare: options.prepare,
    migrations: options.migrations ?? {},
    operations: options.operations ?? [],
    register: options.register,
    folder: options.folder
  })
  const declaredId = (options.manifest as { id?: unknown }).id
  const name = typeof declaredId === 'string' ? declaredId : 'unnamed'
  const plugin = async (fastify: FastifyInstance, given: unknown): Promise<void> => {
    const kernel = (fastify as unknown as Record<symbol, KernelSeam | undefined>)[KERNEL]
    if (kernel === undefined) throw sdkErrors.KRN_KERNEL_MISSING({ plugin: name })
    await kernel.adopt(definition, fastify, given)
  }
  // The kernel makes the scope: this function itself must not get one.
  const marked = fastifyPlugin(plugin, { name: `keelson:${name}`, fastify: '5.x' })
  return Object.assign(marked, { [DEFINITION]: definition })
}

/** The definition that a value carries, when it was made by `definePlugin` of any copy of the SDK. */
export function definitionOf(value: unknown): PluginDefinition | undefined {
  if (typeof value !== 'function') return undefined
  return (value as Partial<KeelsonPlugin>)[DEFINITION]
}

/**
 * The config of a plugin as plain JSON Schema: what belongs under `config` in its plugin.json.
 * `secret` and `public` stay as marks. Undefined for what `definePlugin` did not make.
 */
export function configJsonSchema(plugin: unknown): Readonly<Record<string, unknown>> | undefined {
  const definition = definitionOf(plugin)
  return definition && JSON.parse(JSON.stringify(definition.config))
}
