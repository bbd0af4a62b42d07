// Multipart bodies, for plugins that declare a route which takes them.
import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { KnownPlugin } from '../platform/platform.ts'

const MAX_FILES = 20
const MAX_FIELDS = 200
/** Fastify's own default, for routes that declare no bodyLimit. */
const DEFAULT_BYTES = 1_048_576

/** Other routes of the plugin refuse such bodies before they are read. */
export function acceptMultipart(scope: FastifyInstance, plugin: KnownPlugin): void {
  const taking = plugin.routes.filter(({ declared }) => declared.multipart === true)
  if (taking.length === 0) return
  acceptForms(scope, Math.max(...taking.map(({ declared }) => declared.bodyLimit ?? DEFAULT_BYTES)))
}

/** Reads multipart forms on a scope, with files of up to `fileSize` bytes, where nothing does yet. */
export function acceptForms(scope: FastifyInstance, fileSize: number): void {
  if (scope.hasContentTypeParser('multipart/form-data')) return
  scope.register(multipart, { limits: { fileSize, files: MAX_FILES, fields: MAX_FIELDS } })
}
