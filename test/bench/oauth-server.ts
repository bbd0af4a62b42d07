// One route behind a static bearer check, or behind the OAuth host with or without its cache; says where it is.
import { timingSafeEqual } from 'node:crypto'
import { createOAuthHost } from '@keelson/oauth'
import Fastify from 'fastify'
import { MongoClient } from 'mongodb'

const [kind = 'static', uri = '', token = ''] = process.argv.slice(2)
const app = Fastify()
const answer = { hello: 'world' }
const ISSUER = 'http://127.0.0.1:1'
const mongo = new MongoClient(uri)

if (kind === 'static') {
  const right = Buffer.from(`Bearer ${token}`)
  app.get('/guarded', {
    preHandler: async (request, reply) => {
      const given = Buffer.from(request.headers.authorization ?? '')
      if (given.length === right.length && timingSafeEqual(given, right)) return
      return reply.code(401).send({ error: 'unauthenticated' })
    },
    handler: async () => answer
  })
} else {
  const host = createOAuthHost({
    issuer: ISSUER,
    connection: mongo.db('oauth_bench'),
    resources: [{ id: `${ISSUER}/api`, scopes: ['read'] }],
    scopes: ['openid', 'read'],
    consentUrl: '/consent',
    loadUser: () => null,
    ...(kind === 'cached' && { tokenCache: { ttlMs: 60_000 } })
  })
  app.get('/guarded', { preHandler: host.protect(['read']), handler: async () => answer })
}
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.(`${address}/guarded`)
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.once('SIGTERM', () => {
  void app
    .close()
    .then(() => mongo.close())
    .then(() => process.exit(0))
})
