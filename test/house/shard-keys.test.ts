// Each collection that declares a shard key can be sharded by it.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '@keelson/sdk'
import { test } from 'tap'
import { ROOT } from '../hosts/processes.ts'

const sharded = execFileSync('git', ['ls-files', '*plugin.json'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .map((file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Manifest)
  .flatMap(({ collections = [] }) => collections)
  .flatMap(({ name, indexes, shardKey }) =>
    shardKey === undefined ? [] : [{ name, indexes, shardKey }]
  )

test('a unique index of a sharded collection begins with the shard key', async (t) => {
  t.ok(sharded.length > 0)
  for (const { name, indexes, shardKey } of sharded) {
    const key = Object.keys(shardKey)
    for (const { name: index, keys } of indexes.filter(({ unique }) => unique === true))
      t.same(Object.keys(keys).slice(0, key.length), key, `${name} ${index}`)
  }
})
