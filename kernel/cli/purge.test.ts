// keelson purge: what goes, what stays, and that it asks.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { silentLog } from '../schedule/testing/silent-log.ts'
import { connectStorage } from '../storage/connect.ts'
import { keelson, platformFolder, writeFiles } from './testing/platform-folder.ts'

const alpha = { collections: [{ name: 'alpha_items', indexes: [{ name: 'a', keys: { a: 1 } }] }] }
const beta = {
  collections: [
    { name: 'beta_items', indexes: [{ name: 'a', keys: { a: 1 } }] },
    { name: 'beta_totals', indexes: [] }
  ]
}

/** A platform with data of two plugins and of the host; beta is switched off or gone. */
async function start(t: Test, isGone: boolean) {
  const folder = await platformFolder(t, { alpha, beta })
  await keelson(folder, ['apply'])
  const config = JSON.parse(await readFile(join(folder, 'keelson.config.json'), 'utf8'))
  const storage = await connectStorage(config.storage, { baseDir: folder, log: silentLog })
  t.teardown(() => storage.close())
  const { db } = storage
  for (const name of ['alpha_items', 'beta_items', 'beta_notes_of_the_host']) {
    await db.collection(name).insertOne({ a: 1 })
  }
  const { alpha: on, beta: entry } = config.plugins
  const plugins = { alpha: on, ...(!isGone && { beta: { ...entry, enabled: false } }) }
  await writeFiles(folder, { 'keelson.config.json': { ...config, plugins } })
  const collections = async () => {
    const listed = await db.listCollections({}, { nameOnly: true }).toArray()
    return listed
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('keelson_'))
      .sort()
  }
  return { folder, db, collections }
}

for (const isGone of [false, true]) {
  test(`the collections of a plugin that is ${isGone ? 'gone' : 'switched off'} go, all others stay`, async (t) => {
    const { folder, db, collections } = await start(t, isGone)
    const { code, json } = await keelson(folder, ['purge', 'beta', '--yes', '--json'])
    t.equal(code, 0)
    t.match(json, {
      plugin: 'beta',
      purged: true,
      collections: [
        { collection: 'beta_items', documents: 1, bytes: Number },
        { collection: 'beta_totals', documents: 0 }
      ]
    })
    t.same(await collections(), ['alpha_items', 'beta_notes_of_the_host'])
    t.equal(await db.collection('keelson_indexes').countDocuments({ plugin: 'beta' }), 0)
    t.match(await keelson(folder, ['purge', 'beta']), { code: 0, stdout: /has nothing/ })
  })
}

test('without --yes the plan is printed and the id must be typed', async (t) => {
  const { folder, collections } = await start(t, false)
  const before = await collections()
  for (const input of ['', 'yes\n', 'alpha\n']) {
    const { code, stderr, stdout } = await keelson(folder, ['purge', 'beta'], {}, input)
    t.equal(code, 1)
    t.match(stderr, /beta_items +1 documents +\d/)
    t.match(stdout, /Nothing was removed/)
  }
  t.same(await collections(), before)
  t.match(await keelson(folder, ['purge', 'beta'], {}, 'beta\n'), { code: 0, stdout: /Removed 2/ })
  t.same(await collections(), ['alpha_items', 'beta_notes_of_the_host'])
})

test('a plugin that is enabled is refused', async (t) => {
  const { folder, collections } = await start(t, false)
  const before = await collections()
  t.match(await keelson(folder, ['purge', 'alpha', '--yes', '--json']), {
    code: 1,
    json: { error: { code: 'KRN_CLI_PURGE_ENABLED', plugin: 'alpha' } }
  })
  t.same(await collections(), before)
})

test('a collection that another plugin declares stays, whatever the registry says', async (t) => {
  const { folder, db, collections } = await start(t, true)
  await db
    .collection<{ _id: string; plugin: string }>('keelson_indexes')
    .updateOne({ _id: 'alpha_items' }, { $set: { plugin: 'beta' } })
  await keelson(folder, ['purge', 'beta', '--yes'])
  t.same(await collections(), ['alpha_items', 'beta_notes_of_the_host'])
})
