// Mistakes that people make in keelson.config.json, and what the answer to each must name.
import { sampleManifest } from './sample-manifest.ts'

/** One mistake in the config or in the options of `app.register(keelson, …)`. */
export interface ConfigMistake {
  /** Reads after "The mistake:". */
  readonly what: string
  /** The content of the config file; a string is written as it is. Default: no settings. */
  readonly config?: unknown
  /** The name of the config file. Default: keelson.config.json. */
  readonly file?: string
  /** Files beside the config. */
  readonly files?: Readonly<Record<string, unknown>>
  /** Options of the kernel, over those of the test. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Ids of the sample plugins that are given in code. Default: alpha. */
  readonly plugins?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Parts of the answer: the place, the value or name that is wrong, and what to do. */
  readonly says: readonly string[]
}

const alpha = (entry: object) => ({ plugins: { alpha: entry } })
const settings = (config: object) => alpha({ config })

const beta = (more: object = {}, source = 'export default {}') => ({
  'beta/package.json': { name: 'beta', type: 'module' },
  'beta/plugin.json': sampleManifest('beta', { main: './index.js', ...more }),
  'beta/index.js': source
})

const files: readonly ConfigMistake[] = [
  {
    what: 'the path of a file that does not exist',
    options: { config: './keelson.conf.json' },
    says: ['keelson.conf.json', 'there is no such file', 'Correct the path']
  },
  {
    what: 'a trailing comma',
    config: '{\n  "shell": {\n    "title": "Shop",\n  }\n}',
    says: [
      'keelson.config.json',
      'line 4, column 3',
      'remove the comma before }',
      'Correct it there'
    ]
  },
  {
    what: 'a comment in JSON',
    config: '{\n  // the shop\n  "shell": {}\n}',
    says: ['line 2, column 3', 'JSON has no comments']
  },
  {
    what: 'a name without quotes',
    config: '{ shell: {} }',
    says: ['line 1, column 3', 'a name in double quotes']
  },
  {
    what: 'an empty file',
    config: '',
    says: ['keelson.config.json', 'line 1', 'expected a value']
  },
  {
    what: 'a list in place of the config',
    config: [{ plugins: {} }],
    says: ['keelson.config.json', 'must be an object', 'schema of keelson.config.json']
  },
  {
    what: 'a module without a default export',
    file: 'keelson.config.mjs',
    config: 'export const config = {}',
    says: ['keelson.config.mjs', 'default export', 'export default defineConfig']
  },
  {
    what: 'a module that throws',
    file: 'keelson.config.mjs',
    config: "throw new Error('no DATABASE')",
    says: ['keelson.config.mjs', 'no DATABASE']
  }
]

const keys: readonly ConfigMistake[] = [
  {
    what: 'a section that is misspelt',
    config: { plugin: { alpha: {} } },
    says: ['unknown key', 'at plugin', 'Did you mean plugins?']
  },
  {
    what: 'plugins as a list',
    config: { plugins: ['alpha'] },
    says: ['plugins', 'must be an object']
  },
  {
    what: 'an id in capital letters',
    config: { plugins: { Alpha: {} } },
    says: ['plugins.Alpha', 'the id of a plugin, in lower case']
  },
  {
    what: 'a setting outside of `config`',
    config: alpha({ keepDays: 30 }),
    says: ['plugins.alpha.keepDays', 'plugins.alpha.config']
  },
  {
    what: 'a plugin switched off with a word',
    config: alpha({ enabled: 'no' }),
    says: ['plugins.alpha.enabled', 'must be true or false']
  },
  {
    what: 'a mount without a slash',
    config: alpha({ mount: 'orders' }),
    says: ['plugins.alpha.mount', 'an address that begins with /']
  },
  {
    what: 'an unknown onFailure',
    config: alpha({ onFailure: 'ignore' }),
    says: ['plugins.alpha.onFailure', '"abort", "disable"']
  },
  {
    what: 'a misspelt address of the kernel',
    config: { addresses: { metric: '/m' } },
    says: ['addresses.metric', 'Did you mean metrics?']
  },
  {
    what: 'an address without a slash',
    config: { addresses: { health: 'health' } },
    says: ['addresses.health', 'an address that begins with /']
  },
  {
    what: 'two addresses of the kernel that are equal',
    config: { addresses: { docs: '/ops', metrics: '/ops' } },
    says: ['addresses.docs', 'addresses.metrics', '/ops']
  }
]

const plugins: readonly ConfigMistake[] = [
  {
    what: 'a plugin that is not installed',
    config: { plugins: { invoices: {} } },
    says: ['plugins.invoices', '@keelson/invoices and invoices', 'install one']
  },
  {
    what: 'the id of a plugin, misspelt',
    config: { plugins: { alhpa: {} } },
    says: ['plugins.alhpa', 'Did you mean alpha?']
  },
  {
    what: 'a package that is not there',
    config: { plugins: { beta: { package: './plugins/beta' } } },
    says: ['./plugins/beta', 'plugins.beta.package', 'does not exist: /', 'Install it, or correct']
  },
  {
    what: 'a package that is not installed',
    config: { plugins: { beta: { package: '@acme/beta' } } },
    says: ['"@acme/beta"', 'is not installed: looked in /', 'Install it, or correct']
  },
  {
    what: 'a package that is no plugin',
    config: { plugins: { beta: { package: './beta' } } },
    files: { 'beta/package.json': { name: 'beta' } },
    says: ['"./beta"', 'plugins.beta.package', 'is not a plugin', 'has no plugin.json']
  },
  {
    what: 'a plugin under another id',
    config: { plugins: { invoices: { package: './beta' } } },
    files: beta(),
    says: ['plugins.invoices', '"beta"', 'Use the id of plugin.json']
  },
  {
    what: 'a package without the export of a plugin',
    config: { plugins: { beta: { package: './beta' } } },
    files: beta(),
    says: ['beta', 'index.js', 'definePlugin', 'default export']
  },
  {
    what: 'a plugin that is not built',
    config: { plugins: { beta: { package: './beta' } } },
    files: beta({ main: './dist/index.js' }),
    says: ['beta', 'dist/index.js cannot be loaded: there is no such file', 'Build the plugin']
  },
  {
    what: 'a plugin whose need is not in the config',
    plugins: ['needy'],
    says: ['needy', 'requires.alpha', 'Add alpha to the plugins of the config']
  },
  {
    what: 'two plugins whose versions do not fit',
    plugins: ['alpha', 'needy'],
    says: ['needy', '^2.0.0', 'version 1.0.0 of alpha', 'Install a version']
  },
  {
    what: 'a capability that no plugin provides',
    plugins: ['sender'],
    says: ['sender', 'mailer.core/v1', 'Add the plugin mailer', '@keelson/mailer']
  },
  {
    what: 'the same mount for two plugins',
    config: alpha({ mount: '/orders' }),
    plugins: ['alpha', 'orders'],
    says: ['/orders/ping', 'orders', 'alpha', 'mount']
  },
  {
    what: 'one plugin given twice',
    plugins: ['alpha', 'alpha'],
    says: ['alpha', 'plugins[0]', 'plugins[1]', 'Remove one']
  }
]

const values: readonly ConfigMistake[] = [
  {
    what: 'a setting of the wrong type',
    config: settings({ keepDays: 'thirty' }),
    says: ['plugins.alpha.config.keepDays', 'must be a whole number', 'config of the platform']
  },
  {
    what: 'a setting below its minimum',
    config: settings({ keepDays: 0 }),
    says: ['plugins.alpha.config.keepDays', '1 or more']
  },
  {
    what: 'a misspelt setting',
    config: settings({ keepDay: 3 }),
    says: ['plugins.alpha.config.keepDay', 'Did you mean keepDays?']
  },
  {
    what: 'a required setting that is missing',
    plugins: ['locked'],
    says: ['plugins.locked.config.token', 'is missing']
  },
  {
    what: 'a variable that is not set',
    config: settings({ token: '${SHOP_TOKEN}' }),
    says: ['plugins.alpha.config.token', 'SHOP_TOKEN', 'Set SHOP_TOKEN', '${SHOP_TOKEN:default}']
  },
  {
    what: 'a variable of the wrong type',
    config: settings({ keepDays: '${KEEP_DAYS}' }),
    env: { KEEP_DAYS: 'many' },
    says: ['plugins.alpha.config.keepDays', 'must be a whole number', 'variable KEEP_DAYS']
  },
  {
    what: 'a public address without https://',
    config: { auth: { publicUrl: 'keelson.example.com' } },
    says: ['auth.publicUrl', 'https://app.example']
  },
  {
    what: 'every origin as embed origin',
    config: { auth: { embedOrigins: '*' } },
    says: ['auth.embedOrigins', 'https://app.example']
  },
  {
    what: 'all subdomains as embed origin',
    config: { auth: { embedOrigins: ['https://*.example.com'] } },
    says: ['auth.embedOrigins', 'https://app.example']
  },
  {
    what: 'a host with a scheme',
    config: { auth: { hosts: ['https://app.example'] } },
    says: ['auth.hosts', 'without http://']
  },
  {
    what: 'a sign-in page without a slash',
    config: { auth: { signIn: 'login' } },
    says: ['auth.signIn', 'begins with / or https://']
  },
  {
    what: 'a time zone that does not exist',
    config: { shell: { timeZone: 'Berlin' } },
    says: ['shell.timeZone', 'Europe/Berlin']
  },
  {
    what: 'a language by its English name',
    config: { shell: { locale: 'german' } },
    says: ['shell.locale', 'language tag such as de']
  },
  {
    what: 'a title that is too long',
    config: { shell: { title: 'x'.repeat(81) } },
    says: ['shell.title', '80']
  }
]

const storage: readonly ConfigMistake[] = [
  {
    what: 'a connection string without mongodb://',
    config: { storage: { uri: 'localhost:27017' } },
    says: ['storage.uri', 'mongodb://']
  },
  {
    what: 'a database that does not answer',
    config: { storage: { uri: 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=50' } },
    says: ['127.0.0.1:1', 'cannot be reached', 'Check that it runs']
  },
  {
    what: 'an engine that is not installed',
    config: { storage: { engine: '@keelson/other-engine' } },
    says: ['@keelson/other-engine', 'not installed', 'storage.uri']
  },
  {
    what: 'a data folder that is a file',
    config: { storage: { dataDir: './data' } },
    files: { data: 'a file' },
    says: ['data', 'storage.dataDir']
  },
  {
    what: 'a mongod that is not there',
    config: { storage: { mongod: '/opt/none/mongod' } },
    says: ['storage.mongod', '/opt/none/mongod']
  },
  {
    what: 'an unknown way to apply changes',
    config: { storage: { apply: 'manual' } },
    says: ['storage.apply', '"auto", "check", "off"']
  },
  {
    what: 'a database name that MongoDB refuses',
    config: { storage: { database: 'my.shop' } },
    says: ['storage.database', 'my.shop']
  }
]

const options: readonly ConfigMistake[] = [
  {
    what: 'an unknown option',
    options: { resolveUser: () => null },
    says: ['"resolveUser"', 'Did you mean resolveViewer?']
  },
  {
    what: 'a viewer that is not a function',
    options: { resolveViewer: { tenantId: 'acme' } },
    says: ['`resolveViewer`', 'must be a function']
  },
  {
    what: 'plugins as an object',
    options: { plugins: {} },
    says: ['`plugins`', 'must be a list']
  },
  {
    what: 'the name of a plugin in place of the plugin',
    options: { plugins: ['./plugins/alpha'] },
    says: ['plugins[0]', 'a string', 'plugins.<id>.package']
  },
  {
    what: 'a config of a wrong type',
    options: { config: 7 },
    says: ['`config`', 'must be a path or an object']
  },
  { what: 'an unknown role', options: { role: 'boss' }, says: ['"boss"', 'all, web or worker'] },
  {
    what: 'a prefix that is switched off',
    options: { prefix: false },
    says: ['`prefix`', 'must be a path like /platform']
  },
  {
    what: 'an address to listen on that is a port',
    options: { listenHost: 3000 },
    says: ['`listenHost`', 'must be a name or an address']
  },
  {
    what: 'the controller in place of its signal',
    options: { signal: new AbortController() },
    says: ['`signal`', 'AbortSignal']
  }
]

export const configMistakes: readonly ConfigMistake[] = [
  ...files,
  ...keys,
  ...plugins,
  ...values,
  ...storage,
  ...options
]
