// keelson enable and disable: what they store, what they refuse, and that other commands see it.
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'tap'
import { keelson, manifestOf, platformFolder, sourceOf } from './testing/platform-folder.ts'

const indexes = [{ name: 'by_n', keys: { n: 1 } }]
const collections = [{ name: 'late_rows', indexes }]

test('a plugin is switched, and the other commands see the platform so', async (t) => {
  const folder = await platformFolder(t, { alpha: {}, late: { collections } })
  t.match(await keelson(folder, ['disable', 'late', '--json']), {
    code: 0,
    json: { plugin: 'late', enabled: false, revision: 1 }
  })
  t.match(await keelson(folder, ['disable', 'late']), { code: 0, stdout: /already/ })
  t.same((await keelson(folder, ['plan', '--json'])).json.steps, [])
  t.match(await keelson(folder, ['plan', '--json', '--with', 'late']), {
    json: { steps: [{ plugin: 'late' }] }
  })
  t.match(await keelson(folder, ['enable', 'late']), { code: 0, stdout: /revision 2/ })
  t.match(await keelson(folder, ['plan', '--json']), { json: { steps: [{ plugin: 'late' }] } })
  const off = { KEELSON_SETTINGS: 'off' }
  await keelson(folder, ['disable', 'late'])
  t.match((await keelson(folder, ['plan', '--json'], off)).json.steps, [{ plugin: 'late' }])
})

test('a plugin that the settings enable is not purged', async (t) => {
  const folder = await platformFolder(t, { alpha: {}, late: { collections } })
  const config = JSON.parse(await readText(folder))
  config.plugins.late.enabled = false
  await writeText(folder, JSON.stringify(config))
  t.equal((await keelson(folder, ['enable', 'late'])).code, 0)
  t.match(await keelson(folder, ['purge', 'late', '--yes', '--json']), {
    code: 1,
    json: { error: { code: 'KRN_CLI_PURGE_ENABLED' } }
  })
})

test('where a start may not change the database, what a plugin needs is made first', async (t) => {
  const folder = await platformFolder(t, { alpha: {}, late: { collections } })
  await keelson(folder, ['disable', 'late'])
  const config = JSON.parse(await readText(folder))
  config.storage.apply = 'check'
  await writeText(folder, JSON.stringify(config))
  t.match(await keelson(folder, ['enable', 'late', '--json']), {
    code: 1,
    json: {
      error: {
        code: 'KRN_CHANGE_PENDING',
        message: /late: create late_rows/,
        remedy: /keelson plan --with late/
      }
    }
  })
  t.equal((await keelson(folder, ['apply', '--with', 'late'])).code, 0)
  t.equal((await keelson(folder, ['enable', 'late'])).code, 0)
})

test('each mistake is refused with what, where and what to do', async (t) => {
  const routes = [{ method: 'GET', at: '/same', auth: 'public', summary: 'Answers' }]
  const folder = await platformFolder(
    t,
    { alpha: { routes }, beta: { requires: { alpha: '*' } }, clash: { routes }, bad: {}, gone: {} },
    {
      'plugins/bad/index.js': 'throw new Error("no code")',
      'plugins/gone/plugin.json': '{'
    }
  )
  const config = JSON.parse(await readText(folder))
  for (const id of ['clash', 'bad', 'gone']) config.plugins[id].enabled = false
  await writeText(folder, JSON.stringify(config))
  const rows: [string[], string, RegExp][] = [
    [['disable', 'alpha'], 'KRN_CHANGE_NEEDED', /without it beta would stop.*Disable beta/],
    [['enable', 'clash'], 'KRN_CHANGE_REFUSED', /GET \/same.*alpha/],
    [['enable', 'bad'], 'KRN_CHANGE_REFUSED', /no code/],
    [['enable', 'gone'], 'KRN_CHANGE_UNKNOWN', /gone/],
    [['enable', 'alhpa'], 'KRN_CHANGE_UNKNOWN', /Did you mean alpha/]
  ]
  for (const [args, code, message] of rows) {
    const { json } = await keelson(folder, [...args, '--json'])
    t.match(json, { error: { code, message } }, args.join(' '))
  }
  t.match(await keelson(folder, ['enable']), { code: 2 })
})

test('a plugin that needs another is enabled after it', async (t) => {
  const folder = await platformFolder(
    t,
    { alpha: {}, beta: { requires: { alpha: '*' } } },
    { 'plugins/alpha/index.js': sourceOf() }
  )
  await keelson(folder, ['disable', 'beta'])
  await keelson(folder, ['disable', 'alpha'])
  t.match(await keelson(folder, ['enable', 'beta', '--json']), {
    json: { error: { code: 'KRN_CHANGE_REFUSED', message: /needs alpha, which is disabled/ } }
  })
  t.equal((await keelson(folder, ['enable', 'alpha'])).code, 0)
  t.equal((await keelson(folder, ['enable', 'beta'])).code, 0)
})

async function readText(folder: string): Promise<string> {
  return readFile(`${folder}/keelson.config.json`, 'utf8')
}

async function writeText(folder: string, text: string): Promise<void> {
  await writeFile(`${folder}/keelson.config.json`, text)
}

test('a package that the app has installed is enabled, though the config does not name it', async (t) => {
  const folder = await platformFolder(
    t,
    { alpha: {} },
    {
      'package.json': { type: 'module', dependencies: { '@acme/keelson-bimi': '1.0.0' } },
      'node_modules/@acme/keelson-bimi/package.json': {
        name: '@acme/keelson-bimi',
        type: 'module'
      },
      'node_modules/@acme/keelson-bimi/plugin.json': manifestOf('bimi', {
        collections: [{ name: 'bimi_rows', indexes }]
      }),
      'node_modules/@acme/keelson-bimi/index.js': sourceOf()
    }
  )
  t.match(await keelson(folder, ['enable', 'bimi', '--json']), {
    code: 0,
    json: { plugin: 'bimi', enabled: true, revision: 1 }
  })
  t.match(await keelson(folder, ['plan', '--json']), { json: { steps: [{ plugin: 'bimi' }] } })
  t.equal((await keelson(folder, ['disable', 'bimi'])).code, 0)
  t.same((await keelson(folder, ['plan', '--json'])).json.steps, [])
})
