// Keeps failures of nested Fastify plugins out of Fastify's queue, for plugins the host can do without.
import type { FastifyInstance } from 'fastify'

type Loose = (this: unknown, ...args: unknown[]) => unknown

/**
 * Fastify leaves the routes of a plugin that failed half made: a request to one of them would throw.
 * So nested plugins of this scope never fail as far as Fastify can see; `note` receives the error instead.
 */
export function noteNestedFailures(scope: FastifyInstance, note: (error: unknown) => void): void {
  const register = scope.register as unknown as Loose
  // Child scopes inherit it.
  scope.register = function (this: FastifyInstance, plugin: unknown, options: unknown) {
    return register.call(this, guarded(plugin, note), options)
  } as unknown as typeof scope.register
}

function guarded(plugin: unknown, note: (error: unknown) => void): unknown {
  if (typeof plugin === 'object' && plugin !== null) {
    if ('then' in plugin) {
      return Promise.resolve(plugin as PromiseLike<unknown>).then(
        (found) => ({ default: guarded(found, note) }),
        (error) => {
          note(error)
          return { default: async () => {} }
        }
      )
    }
    if ('default' in plugin) return guarded(plugin.default, note)
  }
  if (typeof plugin !== 'function') return plugin
  const call = plugin as Loose
  const wrapped = noting(call, note)
  // Fastify tells a plugin with a callback from others by its parameters: the wrapper shows the same.
  Object.defineProperty(wrapped, 'length', { value: plugin.length })
  // Fastify's marks (no own scope, name, versions) are symbols on the function.
  for (const mark of Object.getOwnPropertySymbols(plugin)) {
    Object.defineProperty(wrapped, mark, { value: (plugin as never)[mark] })
  }
  return Object.defineProperty(wrapped, 'name', { value: plugin.name })
}

/** The plugin as given, except that its failure goes to `note`. A second `done` has no effect. */
function noting(call: Loose, note: (error: unknown) => void) {
  return function (this: unknown, scope: unknown, options: unknown, done: () => void): unknown {
    const noted = (error: unknown) => {
      if (error !== undefined && error !== null) note(error)
      done()
    }
    try {
      const returned = call.call(this, scope, options, noted)
      return isThenable(returned) ? returned.then(() => undefined, note) : undefined
    } catch (error) {
      noted(error)
      return undefined
    }
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value
}
