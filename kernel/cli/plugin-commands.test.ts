// Commands of plugins: found by package.json, run on the plugin's collections with its config.
import { test } from 'tap'
import {
  keelson,
  platformFolder,
  sourceOf,
  testStorage,
  writeFiles
} from './testing/platform-folder.ts'

const items = (...fields: string[]) => ({
  collections: [
    {
      name: 'alpha_items',
      indexes: fields.map((field) => ({ name: `by_${field}`, keys: { [field]: 1 } }))
    }
  ]
})

const commandModule = `export default [
  {
    name: 'keys create',
    summary: 'Makes a key.',
    positionals: '<name>',
    options: { kind: { type: 'string', description: 'Its kind.' } },
    async run(host, { args: [name], options: { kind = 'secret' } }) {
      if (kind === 'odd') return { wrongUse: 'There is no kind odd.' }
      if (kind === 'broken') throw new Error('no luck')
      const keys = host.collection('alpha_items')
      await host.withTransaction(session => keys.insertOne({ _id: name, at: host.clock.now() }, { session }))
      const key = await keys.findOne({ _id: name })
      return { text: 'made ' + key._id, json: { id: key._id, greeting: host.config.greeting, plugin: host.id } }
    }
  }
]
`
const withCommands = (module = commandModule) => ({
  'plugins/alpha/package.json': {
    name: 'alpha',
    type: 'module',
    keelson: { commands: './commands.js' }
  },
  'plugins/alpha/commands.js': module,
  'plugins/alpha/index.js': sourceOf(
    `config: Type.Object({ greeting: Type.String({ default: 'hello' }) })`
  )
})

test('a command without a database opens none, and is refused one', async (t) => {
  const module = `export default [
    {
      name: 'print',
      summary: 'Prints.',
      database: false,
      options: { all: { type: 'boolean', description: 'Reads, too.' } },
      async run(host, { options }) {
        if (options.all) host.collection('alpha_items')
        return { text: host.config.greeting, json: {} }
      }
    }
  ]`
  const folder = await platformFolder(t, { alpha: items('a') }, withCommands(module))
  // Nothing listens there.
  const plugins = { alpha: { package: './plugins/alpha' } }
  const config = { storage: { uri: 'mongodb://127.0.0.1:1', database: 'none' }, plugins }
  await writeFiles(folder, { 'keelson.config.json': config })
  t.match(await keelson(folder, ['alpha', 'print']), { code: 0, stdout: /^hello/, stderr: '' })
  t.match(await keelson(folder, ['alpha', 'print', '--all']), {
    code: 1,
    stderr: /declares that it needs no database/
  })
})

test('a command of a plugin works on its collections with its config', async (t) => {
  const folder = await platformFolder(t, { alpha: items('a') }, withCommands())
  t.match(await keelson(folder, ['--help']), { stdout: /alpha keys create +Makes a key\./ })
  t.match(await keelson(folder, ['alpha', 'keys', 'create', '--help']), {
    code: 0,
    stdout: /keelson alpha keys create <name>[\s\S]*--kind KIND[\s\S]*--json/
  })
  t.match(await keelson(folder, ['alpha', 'keys', 'create', 'one', '--json']), {
    code: 0,
    json: { id: 'one', greeting: 'hello', plugin: 'alpha' }
  })
  t.match(await keelson(folder, ['alpha', 'keys', 'create', 'two']), {
    code: 0,
    stdout: 'made two\n'
  })
  t.match((await keelson(folder, ['plan', '--json'])).json, { steps: [] })
})

test('a command adds items to a declared queue, for the running platform', async (t) => {
  const module = `export default [
    {
      name: 'send',
      summary: 'Sends.',
      options: { to: { type: 'string', description: 'A queue.' } },
      async run(host, { options: { to = 'letters' } }) {
        const { added } = await host.queue(to).add([{ _id: 'one' }])
        const item = await host.collection('alpha_items').findOne({ _id: 'one' })
        return { text: 'sent', json: { added, isDue: item.dueAt <= host.clock.now() } }
      }
    }
  ]`
  const queues = [{ name: 'letters', collection: 'alpha_items' }]
  const folder = await platformFolder(t, { alpha: { ...items('a'), queues } }, withCommands(module))
  t.match(await keelson(folder, ['alpha', 'send', '--json']), {
    code: 0,
    json: { added: 1, isDue: true }
  })
  t.match(await keelson(folder, ['alpha', 'send', '--to', 'nowhere']), {
    code: 1,
    stderr: /queue "nowhere", which its plugin.json does not declare/
  })
})

test('a command of a plugin can be used wrongly and can fail', async (t) => {
  const folder = await platformFolder(t, { alpha: items('a') }, withCommands())
  const create = ['alpha', 'keys', 'create']
  t.match(await keelson(folder, create), { code: 2, stderr: /<name> is missing/ })
  t.match(await keelson(folder, [...create, 'x', '--kind', 'odd']), {
    code: 2,
    stderr: /There is no kind odd[\s\S]*keelson alpha keys create --help/
  })
  t.match(await keelson(folder, [...create, 'x', '--kind', 'broken', '--json']), {
    code: 1,
    stderr: /no luck/,
    json: { error: { message: 'no luck' } }
  })
})

test('bad config of a plugin stops its commands', async (t) => {
  const folder = await platformFolder(t, { alpha: items('a') }, withCommands())
  await writeFiles(folder, {
    'keelson.config.json': {
      storage: await testStorage(),
      plugins: { alpha: { package: './plugins/alpha', config: { greeting: 7 } } }
    }
  })
  t.match(await keelson(folder, ['alpha', 'keys', 'create', 'x']), {
    code: 1,
    stderr: /greeting/
  })
})

const brokenModules: [string, string, RegExp][] = [
  ['that does not load', 'throw new Error("not today")', /not today/],
  ['without an array', 'export default {}', /not an array of commands/],
  ['with something else in it', 'export default [{ name: "x" }]', /not an array of commands/]
]
for (const [name, module, message] of brokenModules) {
  test(`a module of commands ${name} is named when no other command fits`, async (t) => {
    const folder = await platformFolder(t, { alpha: items('a') }, withCommands(module))
    t.match(await keelson(folder, ['alpha', 'keys', 'create', 'x']), { code: 2, stderr: message })
  })
}
