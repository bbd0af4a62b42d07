// Runs in an existing app before its own code: tells keelson dev when the app listens, and why it failed.
import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { describeFailure } from './dev-failure.ts'

const { KEELSON_DEV_NAME: plugin } = process.env

// Fastify publishes each app that is made (https://fastify.dev/docs/latest/Reference/Hooks/#diagnostics-channel-hooks).
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { readonly fastify: FastifyInstance }
  fastify.addHook('onListen', async () => {
    const address = fastify.server.address()
    // On a socket of the file system there is no address to open.
    if (address === null || typeof address === 'string') return
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
    process.send?.({ ready: `http://${host}:${address.port}` })
  })
})

process.on('uncaughtExceptionMonitor', (error) => {
  const configFile = 'the config of the app'
  process.send?.({ failed: describeFailure(error, { plugin, configFile }) })
})
// When the watcher dies, so does the app.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
