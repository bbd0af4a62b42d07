// A host in a process in which the engine and lmdb are not installed. Prints how its start ended.
import { register } from 'node:module'
import Fastify from 'fastify'

const HOOKS = `export async function resolve(name, context, next) {
  if (name !== '@keelson/local-mongo' && name !== 'lmdb') return next(name, context)
  throw Object.assign(new Error('Cannot find package ' + name), { code: 'ERR_MODULE_NOT_FOUND' })
}`

register(`data:text/javascript,${encodeURIComponent(HOOKS)}`)
const { default: keelson } = await import('../../index.ts')
const app = Fastify()
try {
  await app.register(keelson, { config: { storage: JSON.parse(process.argv[2] ?? '{}') } })
  await app.ready()
  process.stdout.write(JSON.stringify({ ready: true }))
} catch (error) {
  const { code, message, remedy } = error as Record<string, unknown>
  process.stdout.write(JSON.stringify({ code, message, remedy }))
} finally {
  await app.close()
}
