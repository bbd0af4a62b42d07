// One call with a query and a body of a few fields, as a route or as an operation; says its address to the parent.
import keelson from '@keelson/kernel'
import { definePlugin, operation, withOperations } from '@keelson/sdk'
import Fastify from 'fastify'
import { Type } from 'typebox'

const [kind = 'route', dataDir = '.'] = process.argv.slice(2)
const app = Fastify()
const query = Type.Object(
  { limit: Type.Optional(Type.Integer({ minimum: 1, default: 20 })) },
  { additionalProperties: false }
)
const body = Type.Object({ name: Type.String(), tags: Type.Array(Type.String()) })
const answer = Type.Object({ name: Type.String(), limit: Type.Integer() })
const summary = 'Answers.'

const greet = operation({
  id: 'trivial.greetings.make',
  method: 'POST',
  path: '/greet',
  summary,
  access: { auth: 'public' },
  effect: 'change',
  query,
  body,
  answer,
  run: ({ query: { limit = 20 }, body: { name } }) => ({ name, limit })
})
const isOperation = kind === 'operation'
const trivial = definePlugin({
  manifest: {
    manifestVersion: 1,
    id: 'trivial',
    name: 'Trivial',
    version: '1.0.0',
    kernel: '^1.0.0',
    description: 'One call.',
    license: 'MIT',
    mount: '/',
    routes: isOperation
      ? [...withOperations([], [greet])]
      : [{ method: 'POST' as const, path: '/greet', auth: 'public' as const, summary }]
  },
  operations: isOperation ? [greet] : [],
  register: (host) => {
    if (isOperation) host.serve([greet])
    else
      host.route({
        method: 'POST',
        path: '/greet',
        schema: { querystring: query, body, response: { 200: answer } },
        handler: async (request) => ({
          name: request.body.name,
          limit: request.query.limit ?? 20
        })
      })
  }
})
await app.register(keelson, {
  config: { storage: { dataDir }, plugins: { trivial: { enabled: true } } },
  plugins: [trivial]
})
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.(`${address}/greet?limit=5`)
process.once('SIGTERM', () => {
  void app.close().then(() => process.exit(0))
})
