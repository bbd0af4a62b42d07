// Reaches into Fastify: whether a scope has hooks that run after `onRequest` and before the body is validated.
import type { FastifyInstance } from 'fastify'

/** The name of Fastify's own symbol (lib/symbols.js). */
const HOOKS = 'fastify.hooks'

/**
 * Whether `app` or a scope around it has a hook for `preParsing` or `preValidation`, where a sign-in may restore who
 * asks, as @fastify/passport does. False where Fastify keeps its hooks elsewhere.
 */
export function hasLateHooks(app: FastifyInstance): boolean {
  const symbol = Object.getOwnPropertySymbols(app).find(({ description }) => description === HOOKS)
  // Each scope has a copy of the hooks around it.
  const hooks = (symbol && (app as never)[symbol]) as Record<string, unknown> | undefined
  return ['preParsing', 'preValidation'].some((name) => lengthOf(hooks?.[name]) > 0)
}

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0)
