// What create writes, beside the names of a plugin.
import { test } from 'tap'
import { firstVersion } from './scaffold.ts'

test('a new plugin begins at 0.1.0, whatever version the platform has', async (t) => {
  const files = {
    'package.json': '{ "version": "3.2.1", "peerDependencies": { "@keelson/sdk": "^3.2.1" } }',
    'plugin.json': '{ "version": "3.2.1", "kernel": "^1.0.0" }',
    'README.md': '"version": "3.2.1"'
  }
  t.same(firstVersion(files), {
    'package.json': '{ "version": "0.1.0", "peerDependencies": { "@keelson/sdk": "^3.2.1" } }',
    'plugin.json': '{ "version": "0.1.0", "kernel": "^1.0.0" }',
    'README.md': '"version": "3.2.1"'
  })
})
