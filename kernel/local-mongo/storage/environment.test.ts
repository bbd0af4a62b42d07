// The LMDB environment: ranges, snapshots, undoing, and what is there after opening again.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { type Cleaner, temporaryFolder } from '../engine/open-engine.test.data.ts'
import { openEnvironment } from './environment.ts'
import { residentBytes } from './mapped-memory.ts'
import type { View, Walk } from './view.ts'

const key = (text: string) => Buffer.from(text)

function keysOf(walk: Walk): string {
  let keys = ''
  for (let entry = walk.next(); entry !== undefined; entry = walk.next()) {
    keys += Buffer.from(entry.key).toString()
  }
  return keys
}

function range(view: View, low: string, high: string, reverse = false): string {
  return keysOf(view.range(key(low), key(high), reverse))
}

async function openLetters(t: Cleaner) {
  const environment = openEnvironment(join(await temporaryFolder(t), 'data.mdb'))
  t.teardown(() => environment.close())
  await environment.write((view) => {
    for (const letter of 'abcdef') view.put(key(letter), key(letter.toUpperCase()))
  })
  return environment
}

test('a range holds its low end and not its high end, forwards and backwards', async (t) => {
  const { live } = await openLetters(t)
  t.equal(range(live, 'b', 'e'), 'bcd')
  t.equal(range(live, 'b', 'e', true), 'dcb')
  t.equal(range(live, 'bb', 'dd', true), 'dc')
  t.equal(range(live, 'x', 'z'), '')
  t.equal(live.countRange(key('b'), key('e')), 3)
})

test('a value comes back, also an empty one and one of sixteen megabytes', async (t) => {
  const environment = await openLetters(t)
  const large = Buffer.alloc(16 * 1024 * 1024, 7)
  await environment.write((view) => {
    view.put(key('empty'), Buffer.alloc(0))
    view.put(key('large'), large)
  })
  t.equal(environment.live.get(key('empty'))?.length, 0)
  t.ok(Buffer.compare(environment.live.get(key('large')) ?? Buffer.alloc(0), large) === 0)
  t.equal(environment.live.get(key('nothing')), undefined)
  t.ok(environment.live.has(key('a')))
  t.notOk(environment.live.has(key('nothing')))
})

test('putIfAbsent and remove tell whether they did something', async (t) => {
  const environment = await openLetters(t)
  const told = await environment.write((view) => [
    view.putIfAbsent(key('a'), key('x')),
    view.putIfAbsent(key('z'), key('x')),
    view.remove(key('z')),
    view.remove(key('z'))
  ])
  t.same(told, [false, true, true, false])
  t.equal(Buffer.from(environment.live.get(key('a')) ?? []).toString(), 'A')
})

test('a write transaction sees its own changes, and a throw undoes all of them', async (t) => {
  const environment = await openLetters(t)
  await t.rejects(
    environment.write((view) => {
      view.put(key('bb'), key('x'))
      view.remove(key('c'))
      t.equal(range(view, 'a', 'e'), 'abbbd')
      throw new Error('no')
    }),
    { message: 'no' }
  )
  t.equal(range(environment.live, 'a', 'z'), 'abcdef')
})

test('a snapshot stays as it was', async (t) => {
  const environment = await openLetters(t)
  const snapshot = environment.snapshot()
  await environment.write((view) => {
    view.remove(key('a'))
    view.put(key('b'), key('changed'))
  })
  t.equal(range(snapshot, 'a', 'z'), 'abcdef')
  t.equal(Buffer.from(snapshot.get(key('b')) ?? []).toString(), 'B')
  t.equal(range(environment.live, 'a', 'z'), 'bcdef')
  snapshot.close()
})

test('what was written is there after opening again, and in a copy', async (t) => {
  const folder = await temporaryFolder(t)
  const first = openEnvironment(join(folder, 'data.mdb'))
  await first.write((view) => view.put(key('k'), key('v')))
  const { bytes, commits } = first.usage()
  t.ok(bytes > 0)
  t.equal(commits, 1)
  await first.copyTo(join(folder, 'copy.mdb'))
  await first.close()
  t.ok(existsSync(join(folder, 'copy.mdb')))
  for (const name of ['data.mdb', 'copy.mdb']) {
    const again = openEnvironment(join(folder, name))
    t.equal(Buffer.from(again.live.get(key('k')) ?? []).toString(), 'v', name)
    await again.close()
  }
})

test('pages that were read are let go when too many are mapped, and nobody notices', async (t) => {
  const path = join(await temporaryFolder(t), 'data.mdb')
  const environment = openEnvironment(path, { mostResident: 1 })
  t.teardown(() => environment.close())
  const keys = Array.from({ length: 3_000 }, (_, i) => key(String(i).padStart(6, '0')))
  const value = Buffer.alloc(20_000, 1)
  await environment.write((view) => {
    for (const one of keys) view.put(one, value)
  })
  const readAll = () => keys.filter((one) => environment.live.get(one)?.length !== value.length)
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const snapshot = environment.snapshot()
  t.same(readAll(), [])
  await turn()
  await environment.write((view) => view.put(key('a'), key('1')))
  const { mapped } = residentBytes()
  t.equal(range(snapshot, 'a', 'b'), '', 'a snapshot keeps its pages')
  snapshot.close()
  await turn()
  if (mapped > 0) t.ok(residentBytes().mapped < mapped - 30e6, 'they are let go when it is closed')
  for (let round = 0; round < 5; round++) {
    const [written] = await Promise.all([
      environment.write((view) => view.put(key('a'), key(String(round)))),
      turn().then(readAll),
      environment.copyTo(`${path}-${round}`)
    ])
    t.equal(written, undefined)
    t.same(readAll(), [])
    await turn()
    t.equal(Buffer.from(environment.live.get(key('a')) ?? []).toString(), String(round))
  }
})
