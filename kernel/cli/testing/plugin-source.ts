// Parts of a plugin in plain JavaScript, for tests that write its files.
import { manifestOf, sourceOf } from './platform-folder.ts'

/** A public GET route. */
export const route = (path: string, more: object = {}) => ({
  method: 'GET',
  path,
  auth: 'public',
  summary: `Reads ${path}.`,
  ...more
})

/** A collection with one index. */
export const collection = {
  name: 'alpha_items',
  indexes: [{ name: 'by_a', keys: { a: 1 } }]
}

/** The code of a plugin whose `register(host, config)` is this. */
export const registering = (body: string, options = '') =>
  sourceOf(options).replace('register() {}', `async register(host, config) { ${body} }`)

/** Serves a path by this body. */
export const answering = (path: string, body: string) =>
  `host.route({ method: 'GET', path: '${path}', handler: async () => { ${body} } })`

/** The files of another plugin, in its own folder. */
export const other = (id: string, more: object = {}) => ({
  [`${id}/package.json`]: { type: 'module' },
  [`${id}/plugin.json`]: manifestOf(id, more),
  [`${id}/index.js`]: sourceOf()
})

/** Two settings, as options of definePlugin. */
export const config =
  'config: Type.Object({ keepDays: Type.Integer({ default: 30 }), token: Type.Optional(Type.String()) })'
