// The LMDB environment: ranges, snapshots, undoing, and what is there after opening again.
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { serialize } from 'bson'
import { open } from 'lmdb'
import { test } from 'tap'
import { type Cleaner, temporaryFolder } from '../engine/open-engine.test.data.ts'
import { dictionaryOf } from './dictionary.ts'
import { openEnvironment } from './environment.ts'
import { openFormat } from './format.ts'
import { residentBytes } from './mapped-memory.ts'
import { TREE, treeKey } from './tree-keys.ts'
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

test('putIfAbsent tells whether it did something, and remove may find nothing', async (t) => {
  const environment = await openLetters(t)
  const told = await environment.write((view) => {
    const put = [view.putIfAbsent(key('a'), key('x')), view.putIfAbsent(key('z'), key('x'))]
    view.remove(key('z'))
    view.remove(key('z'))
    return [...put, view.has(key('z'))]
  })
  t.same(told, [false, true, false])
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

test('a snapshot is the present until something is being written', async (t) => {
  const environment = await openLetters(t)
  const snapshot = environment.snapshot()
  t.equal(snapshot.isPresent(), true)
  const writing = environment.write((view) => view.put(key('b'), key('x')))
  t.equal(snapshot.isPresent(), false)
  const during = environment.snapshot()
  await writing
  t.equal(snapshot.isPresent(), false)
  t.equal(during.isPresent(), false, 'one taken meanwhile may be from before or after')
  snapshot.close()
  during.close()
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
  t.equal(commits, 2, 'the first made the file')
  await first.copyTo(join(folder, 'copy.mdb'))
  await first.close()
  t.ok(existsSync(join(folder, 'copy.mdb')))
  for (const name of ['data.mdb', 'copy.mdb']) {
    const again = openEnvironment(join(folder, name))
    t.equal(Buffer.from(again.live.get(key('k')) ?? []).toString(), 'v', name)
    await again.close()
  }
})

test('pages that were read are released when too many are mapped, and reads go on', async (t) => {
  const path = join(await temporaryFolder(t), 'data.mdb')
  const environment = openEnvironment(path, { mostResident: 1 })
  t.teardown(() => environment.close())
  const keys = Array.from({ length: 3_000 }, (_, i) => key(String(i).padStart(6, '0')))
  const value = randomBytes(20_000)
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
  t.ok(environment.learned(), 'asking what is known does not open the file again')
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

test('closing waits for what is at work, and nothing opens the file again', async (t) => {
  const folder = await temporaryFolder(t)
  const path = join(folder, 'data.mdb')
  const environment = openEnvironment(path)
  await environment.write((view) => view.put(key('a'), Buffer.alloc(5_000_000, 1)))
  const order: string[] = []
  const note = (what: string) => () => order.push(what)
  await Promise.all([
    environment.write((view) => view.put(key('b'), key('1'))).then(note('written')),
    environment.copyTo(join(folder, 'copy.mdb')).then(note('copied')),
    environment.learn(70, Buffer.from('what they have in common')).then(note('learned')),
    environment.close().then(note('closed'))
  ])
  t.equal(order.at(-1), 'closed')
  t.throws(() => environment.live.get(key('a')), { code: 91 })
  await t.rejects(
    environment.write((view) => view.put(key('c'), key('1'))),
    { code: 91 }
  )
  await t.rejects(environment.learn(71, Buffer.from('more')), { code: 91 })
})

/** Documents that have much in common and differ a little. */
function documentsOf(count: number): Buffer[] {
  return Array.from({ length: count }, (_, n) =>
    Buffer.from(
      serialize({
        n,
        kind: 'event',
        name: 'page.viewed',
        own: randomUUID(),
        more: 'x'.repeat(n % 90)
      })
    )
  )
}

test('values come back whatever the dictionary was when they were written', async (t) => {
  const path = join(await temporaryFolder(t), 'data.mdb')
  let environment = openEnvironment(path)
  t.teardown(() => environment.close())
  const stored = new Map<string, Buffer>()
  const round = async (name: string) => {
    const documents = documentsOf(300)
    await environment.write((view) => {
      for (const [n, bytes] of documents.entries()) {
        const at = `${name}${String(n).padStart(4, '0')}`
        stored.set(at, bytes)
        view.put(key(at), bytes)
      }
    })
    return documents
  }
  const readsRightly = (view: View) => {
    const walk = view.range(key('a'), key('z'), false)
    for (const [at, bytes] of stored) {
      const entry = walk.next()
      if (Buffer.from(entry?.key ?? []).toString() !== at) return false
      if (!bytes.equals(entry?.value ?? Buffer.alloc(0))) return false
      if (!bytes.equals(view.get(key(at)) ?? Buffer.alloc(0))) return false
    }
    walk.close()
    return true
  }
  const before = await round('a')
  t.same([...(environment.learned() ?? [])], [])
  const snapshot = environment.snapshot()
  await environment.learn(70, dictionaryOf(before))
  t.ok(readsRightly(snapshot), 'a snapshot from before')
  snapshot.close()
  await round('b')
  t.same([...(environment.learned() ?? [])], [70])
  await environment.learn(71, Buffer.from('something else altogether'))
  await round('c')
  t.ok(readsRightly(environment.live))
  await environment.close()
  environment = openEnvironment(path)
  t.ok(readsRightly(environment.live), 'after opening again')
  t.same([...(environment.learned() ?? [])], [70, 71])
  for (let n = 0; n < 4; n++) await environment.learn(80 + n, randomBytes(700))
  await round('d')
  t.ok(readsRightly(environment.live))
  t.equal(environment.learned(), undefined, 'there is room for no more')
})

test('a file of format 1 is read and written as it is', async (t) => {
  const path = join(await temporaryFolder(t), 'data.mdb')
  const made = open<Uint8Array, Uint8Array>({
    path,
    noSubdir: true,
    keyEncoding: 'binary',
    encoding: 'binary'
  })
  const bytes = documentsOf(251).map((document) =>
    Buffer.concat([document, Buffer.alloc(251 - (document.length % 251))])
  )
  made.putSync(treeKey(TREE.settings, key('format')), key('1'))
  for (const [n, value] of bytes.entries())
    made.putSync(key(`v${n}`), Buffer.concat([Buffer.of(250 + (n % 6)), value]))
  await made.close()
  const environment = openEnvironment(path)
  t.teardown(() => environment.close())
  await openFormat(environment)
  t.equal(environment.learned(), undefined, 'it learns nothing')
  const isSame = (value: Buffer, n: number) =>
    Buffer.compare(
      environment.live.get(key(`v${n}`)) ?? Buffer.alloc(0),
      Buffer.concat([Buffer.of(250 + (n % 6)), value])
    ) === 0
  t.ok(bytes.every(isSame), 'also what looks as if it were compressed')
  await environment.write((view) => view.put(key('w'), Buffer.of(254, 0, 0, 9)))
  t.same([...(environment.live.get(key('w')) ?? [])], [254, 0, 0, 9])
})
