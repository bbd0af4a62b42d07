// The process of the demo that npm start runs, and replaces when its settings change.
import { once } from 'node:events'

// The first one is here before the build has ended, and loads what no build changes.
const isBuilt = process.env.KEELSON_WAITS === '1' ? once(process, 'message') : undefined
await Promise.all([isBuilt, import('fastify'), import('mongodb')])
const { run } = await import('./dist/main.js')
await run(process.env)
