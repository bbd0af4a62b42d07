// A plugin of a stranger: a typed route, a contract that it provides and uses, a page.
import { defineCapability, definePlugin, Type } from '@keelson/sdk'
import { telemetryRegistry, telemetryStore } from '@keelson/telemetry/contracts'

interface Greeter {
  greet(name: string): string
}

/** What this plugin offers to others. */
export const greeter = defineCapability<Greeter>('greetings.greeter/v1')

const query = Type.Object({ name: Type.String(), loud: Type.Optional(Type.Boolean()) })

export default definePlugin({
  manifest: {
    manifestVersion: 1,
    id: 'greetings',
    name: 'Greetings',
    version: '1.0.0',
    kernel: '^1.0.0',
    description: 'Greets.',
    license: 'MIT',
    provides: ['greetings.greeter/v1'],
    uses: ['telemetry.registry/v1', 'telemetry.store/v1'],
    routes: [{ method: 'GET', path: '/hello', auth: 'viewer', summary: 'Greets one person.' }],
    collections: [{ name: 'greetings_sent', indexes: [{ name: 'by_name', keys: { name: 1 } }] }],
    pages: [
      {
        id: 'greet',
        element: 'greetings-greet',
        module: './greet-page.js',
        title: 'Greetings',
        role: 'viewer',
        embed: false
      }
    ]
  },
  folder: new URL('.', import.meta.url),
  config: Type.Object({ word: Type.String({ default: 'Hello' }) }),
  register(host, { word }) {
    const sent = host.collection<{ readonly name: string }>('greetings_sent')
    const greet = (name: string) => `${word}, ${name}`
    host.provide(greeter, { greet })
    host.extend(telemetryRegistry, { 'greeting.sent': { kind: 'event', subjects: ['user'] } })
    const telemetry = host.use(telemetryStore)
    host.route({
      method: 'GET',
      path: '/hello',
      schema: {
        querystring: query,
        response: { 200: Type.Object({ text: Type.String(), count: Type.Integer() }) }
      },
      handler: async (request) => {
        const { name, loud = false } = request.query
        // @ts-expect-error: the schema has no such parameter
        void request.query.nmae
        await sent.insertOne({ name })
        const subjects = [{ type: 'user', id: name }]
        await telemetry.emit('greeting.sent', { tenantId: 'acme', subjects })
        const text = greet(name)
        return {
          text: loud ? text.toUpperCase() : text,
          count: await sent.countDocuments({ name })
        }
      }
    })
  }
})

definePlugin({
  manifest: {
    manifestVersion: 1,
    id: 'typo',
    name: 'Typo',
    version: '1.0.0',
    kernel: '*',
    description: 'Does not compile.',
    license: 'MIT',
    // @ts-expect-error: GTE is not a method
    routes: [{ method: 'GTE', path: '/', auth: 'public', summary: 'Fails.' }]
  },
  register() {}
})
