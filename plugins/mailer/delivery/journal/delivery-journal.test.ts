// The journal of deliveries: what is read back after a process ended, and when nothing follows from it.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { openDeliveryJournal } from './delivery-journal.ts'
import { keyOf, lineOf, markLine, parseJournal, type Recorded } from './journal-lines.ts'
import { hasEnded, ownMark } from './process-mark.ts'

const mark = { machine: 'boot pid:[1]', pid: 7, began: 1 }
const isLinux = ownMark() !== undefined

const recorded: fc.Arbitrary<Recorded> = fc.oneof(
  fc.constant({ kind: 'open' } as const),
  fc.constant({ kind: 'refused' } as const),
  fc.record({ kind: fc.constant('accepted' as const), providerMessageId: fc.string() })
)

test('a journal that is cut off anywhere says the same of all lines before', async (t) => {
  const entry = fc.tuple(fc.string(), fc.nat(9), recorded)
  const entries = fc.uniqueArray(entry, { selector: ([id, number]) => keyOf(id, number) })
  fc.assert(
    fc.property(entries, fc.nat(), (entries, cut) => {
      const lines = entries.map(([id, number, one]) => lineOf(keyOf(id, number), one))
      const head = markLine(mark)
      const text = head + lines.join('')
      const short = text.slice(0, head.length + (cut % (text.length - head.length + 1)))
      const whole = short.split('\n').length - 2
      const known = new Map(
        entries.slice(0, whole).map(([id, number, one]) => [keyOf(id, number), one])
      )
      const read = parseJournal(short)?.deliveries ?? new Map()
      return [...known].every(([key, one]) => JSON.stringify(read.get(key)) === JSON.stringify(one))
    })
  )
  t.pass()
})

test('nothing follows from a file that is not a journal', async (t) => {
  for (const text of ['', '\n', 'null\n', '{}\n', '{"machine":1}\n', 'cut'])
    t.equal(parseJournal(text), undefined, JSON.stringify(text))
})

test('a process ended when this machine has been running since, and its id is free or used again', async (t) => {
  const own = { ...mark, pid: process.pid, began: 5 }
  t.ok(hasEnded({ ...own, began: 4 }, own), 'the id was used again')
  t.notOk(hasEnded(own, own), 'this process')
  t.notOk(hasEnded({ ...mark, pid: process.ppid }, own), 'a process that lives')
  t.ok(hasEnded({ ...mark, pid: 2 ** 30 }, own), 'no such process')
  t.notOk(hasEnded({ ...mark, pid: 2 ** 30, machine: 'another' }, own), 'another machine')
  t.notOk(hasEnded({ ...mark, pid: 2 ** 30 }, undefined), 'a system that does not say')
})

const opened = (folder: string) => openDeliveryJournal(folder, (error) => Promise.reject(error))

test('a journal is read when its batch is over, and not before', { skip: !isLinux }, async (t) => {
  const journal = opened(join(t.testdir({}), 'deep'))
  const batch = journal.open()
  t.ok(batch?.begin('a', 1))
  batch?.end('a', 1, { kind: 'accepted', providerMessageId: 'p1' })
  t.ok(batch?.begin('b', 2))
  t.equal(journal.read(batch?.name ?? ''), undefined)
  batch?.close()
  t.notOk(batch?.begin('c', 1), 'nothing leaves after it')
  const { deliveries } = journal.read(batch?.name ?? '') ?? {}
  t.same(
    [...(deliveries ?? [])],
    [
      ['a.1', { kind: 'accepted', providerMessageId: 'p1' }],
      ['b.2', { kind: 'open' }]
    ]
  )
})

test('a journal of a process that was killed is read by the next', {
  skip: !isLinux
}, async (t) => {
  const folder = t.testdir({})
  const module = new URL('./delivery-journal.js', import.meta.url).href
  const code = `const { openDeliveryJournal } = await import('${module}')
    const batch = openDeliveryJournal('${folder}', () => {}).open()
    batch.begin('a', 1)
    process.kill(process.pid, 'SIGKILL')`
  const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', code])
  t.equal(signal, 'SIGKILL')
  const [name = ''] = readdirSync(folder)
  t.same([...(opened(folder).read(name)?.deliveries ?? [])], [['a.1', { kind: 'open' }]])
  // As if the machine had been started again since.
  const path = join(folder, name)
  const [, ...lines] = readFileSync(path, 'utf8').split('\n')
  truncateSync(path)
  writeFileSync(path, markLine(mark) + lines.join('\n'))
  t.equal(opened(folder).read(name), undefined)
})

test('a folder that cannot be written is reported, and invalid names are not read', async (t) => {
  const failures: unknown[] = []
  const folder = t.testdir({ file: 'in the way' })
  const journal = openDeliveryJournal(join(folder, 'file'), (error) => failures.push(error))
  t.equal(journal.open(), undefined)
  t.equal(failures.length, isLinux ? 1 : 0)
  for (const name of ['', '../file', 'file']) t.equal(journal.read(name), undefined)
})
