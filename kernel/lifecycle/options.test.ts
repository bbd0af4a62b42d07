// Options that a host gives wrongly: each is refused by its name when the app starts.
import Fastify from 'fastify'
import { test } from 'tap'
import { createKernel } from '../index.ts'

for (const [what, options, expected] of [
  ['an unknown option', { resolveUser: () => null }, /"resolveUser".*Did you mean resolveViewer\?/],
  ['a viewer that is not a function', { resolveViewer: {} }, /`resolveViewer` that must be a func/],
  ['plugins that are not a list', { plugins: {} }, /`plugins` that must be a list/],
  ['a config of a wrong type', { config: 7 }, /`config` that must be a path or an object/],
  ['an unknown role', { role: 'boss' }, /role "boss" is unknown/]
] as const) {
  test(`${what} is refused by its name`, async (t) => {
    const app = Fastify()
    t.teardown(() => app.close())
    app.register(createKernel(options as object))
    await t.rejects(async () => app.ready(), { message: expected })
  })
}
