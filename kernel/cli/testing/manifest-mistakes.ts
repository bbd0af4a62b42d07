// Mistakes in plugin.json, and in the routes that it declares.
import type { AuthorMistake } from './author-mistake.ts'
import { answering, registering, route } from './plugin-source.ts'

export const manifestMistakes: readonly AuthorMistake[] = [
  {
    what: 'a trailing comma in plugin.json',
    manifest: '{\n  "id": "alpha",\n}',
    code: 'KRN_MANIFEST_UNREADABLE',
    path: 'plugin.json',
    says: ['plugin.json', 'line 3, column 1', 'remove the comma before }']
  },
  {
    what: 'a misspelt key',
    manifest: { rotues: [] },
    code: 'KRN_MANIFEST_UNKNOWN_KEY',
    path: 'rotues',
    says: ['Did you mean routes?']
  },
  {
    what: 'a version of one number',
    manifest: { version: '2' },
    code: 'KRN_VERSION_INVALID',
    path: 'version',
    says: ['"2"', 'Write it as 1.2.3']
  },
  {
    what: 'a kernel that is too old',
    manifest: { kernel: '^99.0.0' },
    code: 'KRN_KERNEL_RANGE',
    path: 'kernel',
    says: ['asks for kernel ^99.0.0', 'Install a version of the plugin']
  },
  {
    what: 'a wrong type',
    manifest: { routes: [route('/days', { bodyLimit: 'large' })] },
    code: 'KRN_MANIFEST_INVALID',
    path: 'routes[0].bodyLimit',
    says: ['must be a whole number', 'plugin-manifest.schema.json']
  },
  {
    what: 'an allowed host as an address',
    manifest: { network: ['https://api.example.com/v1'] },
    code: 'KRN_MANIFEST_INVALID',
    path: 'network[0]',
    says: ['must be host or host:port, without https://']
  },
  {
    what: 'a migration without code',
    manifest: { migrations: [{ id: 'split-names', summary: 'Splits names.' }] },
    code: 'KRN_MIGRATION_CODE',
    path: 'migrations[0]',
    says: ['split-names', 'Give its code to definePlugin']
  },
  {
    what: 'a main module that is not built',
    manifest: { main: './dist/index.js' },
    code: 'KRN_CLI_FILE_MISSING',
    path: 'main',
    says: ['./dist/index.js', 'Write the file']
  }
]

export const routeMistakes: readonly AuthorMistake[] = [
  {
    what: 'a route without a band',
    manifest: { routes: [{ method: 'GET', path: '/days', summary: 'Reads days.' }] },
    code: 'KRN_MANIFEST_INVALID',
    path: 'routes[0].auth',
    says: ['is missing', '"public", "viewer", "admin", "machine", "bearer"']
  },
  {
    what: 'an unknown band',
    manifest: { routes: [route('/days', { auth: 'user' })] },
    code: 'KRN_MANIFEST_INVALID',
    path: 'routes[0].auth',
    says: ['must be one of "public", "viewer", "admin"']
  },
  {
    what: 'a path without a slash',
    manifest: { routes: [route('days')] },
    code: 'KRN_MANIFEST_INVALID',
    path: 'routes[0].path',
    says: ['must be an address that begins with /']
  },
  {
    what: 'a route that is not declared',
    source: registering(answering('/days', 'return {}')),
    code: 'KRN_ROUTE_UNDECLARED',
    path: 'routes',
    says: ['GET /alpha/days', 'Declare it under `routes`']
  },
  {
    what: 'a route that is declared and not served',
    manifest: { routes: [route('/days')] },
    code: 'KRN_ROUTE_MISSING',
    path: 'routes[0]',
    says: ['GET /alpha/days', 'host.route']
  },
  {
    what: 'a machine route that verifies no one',
    manifest: { routes: [route('/hook', { auth: 'machine' })] },
    source: registering(answering('/hook', 'return {}')),
    code: 'KRN_ROUTE_VERIFY',
    path: 'routes',
    says: ['GET /alpha/hook', 'verify(request)']
  },
  {
    what: 'a bearer route without scopes',
    manifest: { routes: [route('/days', { auth: 'bearer' })] },
    code: 'KRN_ROUTE_SCOPES',
    path: 'routes[0].scopes',
    says: ['is missing: the route is of band bearer', 'at least one scope']
  },
  {
    what: 'tenants of a setting that does not exist',
    manifest: { routes: [route('/days', { auth: 'admin', tenants: '${tenants}' })] },
    source: registering(answering('/days', 'return {}')),
    code: 'KRN_SETTING_UNKNOWN',
    path: 'routes[0].tenants',
    says: ['the setting tenants', 'Declare tenants in the config schema']
  },
  {
    what: 'a handler that throws',
    manifest: { routes: [route('/days', { auth: 'viewer' })] },
    source: registering(answering('/days', "throw new TypeError('days is undefined')")),
    code: 'KRN_CLI_ROUTE_FAILED',
    path: 'GET /alpha/days',
    says: ['answers 500: days is undefined (index.js, line ', 'Correct the handler']
  },
  {
    what: 'an answer that does not fit its schema',
    manifest: { routes: [route('/days')] },
    source: registering(
      "host.route({ method: 'GET', path: '/days', schema: { response: { 200: Type.Object({ day: Type.String() }) } }, handler: async () => ({ days: 1 }) })"
    ),
    code: 'KRN_CLI_ROUTE_FAILED',
    path: 'GET /alpha/days',
    says: ['"day" is required']
  }
]
