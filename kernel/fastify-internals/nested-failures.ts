// Keeps failures of nested Fastify plugins out of Fastify's queue, for plugins the host can do without.
import type { FastifyInstance } from 'fastify'

type Loose = (this: unknown, ...args: unknown[]) => unknown

/**
 * Fastify leaves the routes of a plugin that failed half made: a request to one of them would throw.
 * So nested plugins of this scope never fail as far as Fastify can see; `note` is told instead.
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
  const wrapped = plugin.length >= 3 ? callbackForm(call, note) : promiseForm(call, note)
  // Fastify's marks (no scope of its own, name, versions) are symbols on the function.
  for (const mark of Object.getOwnPropertySymbols(plugin)) {
    Object.defineProperty(wrapped, mark, { value: (plugin as never)[mark] })
  }
  return Object.defineProperty(wrapped, 'name', { value: plugin.name })
}

function callbackForm(call: Loose, note: (error: unknown) => void) {
  return function (this: unknown, scope: unknown, options: unknown, done: () => void): void {
    const noted = (error: unknown) => {
      if (error !== undefined && error !== null) note(error)
      done()
    }
    try {
      call.call(this, scope, options, noted)
    } catch (error) {
      noted(error)
    }
  }
}

function promiseForm(call: Loose, note: (error: unknown) => void) {
  return async function (this: unknown, scope: unknown, options: unknown): Promise<void> {
    try {
      await call.call(this, scope, options)
    } catch (error) {
      note(error)
    }
  }
}
