// A host for production, told by environment variables: one program for web and worker processes.
import keelson from '@keelson/kernel'
import Fastify from 'fastify'

const { HOST = '127.0.0.1', PORT = '3000', KEELSON_ROLE = 'all', TRUST_PROXY } = process.env
const { KEELSON_PREFIX = '' } = process.env

/** With the prefix, also where the proxy has stripped it. Standards fix addresses below /.well-known. */
const withPrefix = (url) =>
  [KEELSON_PREFIX, '/.well-known'].some((start) => url.startsWith(`${start}/`))
    ? url
    : `${KEELSON_PREFIX}${url}`

const app = Fastify({
  logger: true,
  // The addresses of the proxies in front: forwarded headers of others do not count.
  trustProxy: TRUST_PROXY ? TRUST_PROXY.split(',') : false,
  requestTimeout: 60_000,
  rewriteUrl: ({ url }) => withPrefix(url)
})
await app.register(keelson, {
  config: 'keelson.config.json',
  role: KEELSON_ROLE,
  prefix: KEELSON_PREFIX,
  listenHost: HOST,
  // Your sign-in: docs/sign-in.md has it for passport, sessions, tokens and others.
  resolveViewer: () => null
})
await app.listen({ host: HOST, port: Number(PORT) })

// Takes no more requests, lets jobs end, and leaves with 0.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => app.close())
