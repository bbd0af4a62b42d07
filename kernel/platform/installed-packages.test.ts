// Plugins among the dependencies of an app: which are found, and that none of their code runs.
import { join } from 'node:path'
import { test } from 'tap'
import { manifestOf, writeFiles } from '../cli/testing/platform-folder.ts'
import { installedPackages } from './installed-packages.ts'

const packageOf = (folder: string, id: string, more: object = {}) => ({
  [`${folder}/plugin.json`]: manifestOf(id, more),
  [`${folder}/index.js`]: 'throw new Error("loaded")'
})

test('plugins among the dependencies of the app are found, whatever their package is called', async (t) => {
  const folder = t.testdir()
  await writeFiles(folder, {
    'package.json': {
      dependencies: { '@acme/bimi': '1', plain: '1', faulty: '1', other: '1', gone: '1' },
      optionalDependencies: { maybe: '1' },
      devDependencies: { tool: '1' }
    },
    ...packageOf('node_modules/@acme/bimi', 'bimi-records'),
    ...packageOf('node_modules/maybe', 'maybe'),
    ...packageOf('node_modules/tool', 'tool'),
    ...packageOf('node_modules/brought-along', 'brought-along'),
    ...packageOf('node_modules/faulty', 'faulty', { kernel: 'whatever' }),
    'node_modules/other/plugin.json': { type: 'datasource', name: 'A plugin of another product' },
    'node_modules/plain/package.json': { name: 'plain' }
  })
  const found = (await installedPackages(join(folder, 'config'))).map(({ name, manifest }) => [
    name,
    manifest.id
  ])
  t.same(found, [
    ['@acme/bimi', 'bimi-records'],
    ['maybe', 'maybe']
  ])
})

test('an app without a readable package.json has none', async (t) => {
  const folder = t.testdir()
  await writeFiles(folder, { 'package.json': '{ "dependencies": { "a": "1" },' })
  t.same(await installedPackages(folder), [])
  await writeFiles(folder, { 'package.json': '{ "dependencies": "a" }' })
  t.same(await installedPackages(folder), [])
})
