// What the kernel relies on in Fastify: every way to close an app goes through app.close.
import Fastify, { type FastifyInstance } from 'fastify'
import { test } from 'tap'
import { onEarlyClose } from './early-close.ts'

/** An app whose start waits for `finish`, and the order of events. */
function startingApp() {
  const app = Fastify()
  const events: string[] = []
  let finish = () => {}
  const waiting = new Promise<void>((resolve) => {
    finish = resolve
  })
  app.register(async () => waiting)
  app.addHook('preClose', async () => void events.push('preClose'))
  onEarlyClose(app, () => void events.push('early'))
  return { app, events, finish: () => finish() }
}

test('a close during the start is heard at once, and by the hooks of Fastify after it', async (t) => {
  const { app, events, finish } = startingApp()
  const closed = app.close()
  await new Promise((resolve) => setImmediate(resolve))
  t.same(events, ['early'], 'without this reach a start in progress would not hear of the close')
  finish()
  await closed
  t.same(events, ['early', 'preClose'])
})

const WAYS: Readonly<Record<string, (app: FastifyInstance) => Promise<unknown>>> = {
  'close with a callback': (app) =>
    new Promise((resolve) => {
      app.close(() => resolve(undefined))
    }),
  'Symbol.asyncDispose': async (app) => app[Symbol.asyncDispose](),
  'close of a child scope': async (app) => {
    let child = app
    app.register(async (scope) => {
      child = scope
    })
    await app.ready()
    await child.close()
  }
}
for (const [way, close] of Object.entries(WAYS)) {
  test(`${way} is heard too`, async (t) => {
    const { app, events, finish } = startingApp()
    finish()
    await close(app)
    t.same(events, ['early', 'preClose'])
  })
}
