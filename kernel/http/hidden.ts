// What keeps a route of the kernel out of an app's own API document.
import type { FastifySchema } from 'fastify'

/** Options of a route. `hide` is the word of `@fastify/swagger`, which an app may have registered. */
export const HIDDEN = { schema: { hide: true } as FastifySchema } as const
