// Suppressions as CSV: lines, rows, imports with broken lines, exports.
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { test } from 'tap'
import { testContext } from '../../../test/test-context.ts'
import { csvLines } from './csv-lines.ts'
import { exportSuppressions } from './export-suppressions.ts'
import { importSuppressions } from './import-suppressions.ts'
import { formOf, readRow } from './read-suppressions.ts'

const defaults = { scope: 'marketing', reason: 'manual', source: 'import' } as const
const acting = { actor: 'human:ann', defaults }

async function* inPieces(whole: string, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(whole)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function linesOf(whole: string, size?: number) {
  const lines: string[] = []
  for await (const { number, text: line } of csvLines(inPieces(whole, size)))
    lines.push(`${number}:${line}`)
  return lines
}

test('lines keep their numbers and letters, whatever the pieces they come in', async (t) => {
  const whole = '\uFEFFemail\r\nä@example.test\n\n\nb@example.test'
  t.same(await linesOf(whole), ['1:email', '2:ä@example.test', '5:b@example.test'])
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.integer({ min: 1, max: 9 }), async (content, size) => {
      t.same(await linesOf(content, size), await linesOf(content, 1_000))
    }),
    { numRuns: 50 }
  )
})

test('a line of many megabytes is cut, and those behind it are read', async (t) => {
  const lines = await linesOf(`email\n${'a'.repeat(3_000_000)}\nb@example.test`, 65_536)
  t.ok((lines[1] ?? '').length < 10_000)
  t.equal(lines[2], '3:b@example.test')
})

test('columns are known by their names in any order, or a file is a list of addresses', async (t) => {
  const form = formOf('Reason;E-Mail;Colour;Expires at')
  t.match(form, { delimiter: ';', hasHeader: true })
  const columns = ['reason', 'email', undefined, 'expiresat']
  t.same(form?.columns, columns)
  t.match(formOf('a@example.test'), { hasHeader: false, columns: ['email'] })
  t.equal(formOf('name,city'), undefined)
})

test('a line is a row or a fault that names the cell', async (t) => {
  const form = { delimiter: ',', columns: ['email', 'scope', 'notes'], hasHeader: true } as const
  const read = (line: string) => readRow({ number: 2, text: line }, form, defaults)
  const email = 'a@example.test'
  t.match(read(`${email},all,"a, quoted ""note"""`), {
    ok: true,
    suppression: { email, scope: 'all', reason: 'manual', notes: 'a, quoted "note"' }
  })
  t.match(read(`'-a@example.test`), { suppression: { email: '-a@example.test' } })
  for (const [line, message] of [
    ['no address,all', /email must be a mail address/],
    [`${email},everything`, /scope/],
    [',all', /email is missing/],
    [`${email},all,"open`, /quote/],
    [`${email},all,note,more`, /4 cells, expected 3/]
  ] as const)
    t.match(read(line), { ok: false, message }, line)
})

test('any line is a row or a fault', async () => {
  const form = { delimiter: ',', columns: ['email', 'expiresat'], hasHeader: true } as const
  fc.assert(
    fc.property(fc.string(), (line) => {
      const read = readRow({ number: 2, text: line }, form, defaults)
      return read.ok ? read.suppression.email.includes('@') : read.message !== ''
    })
  )
})

test('of 20,000 rows each broken one is named, and the rest is taken', async (t) => {
  const { context } = await testContext(t)
  const rows = Array.from({ length: 20_000 }, (_, at) => {
    if (at % 1_000 === 7) return `"person${at}@example.test`
    if (at % 1_000 === 13) return `person${at}`
    return `person${at}@example.test,,${at % 10 === 9 ? `"row ${at}"` : `row ${at}`}`
  })
  const pieces = inPieces(`email,scope,notes\n${rows.join('\n')}\n`, 65_536)
  const result = await importSuppressions(context, pieces, acting)
  if (!result.ok) throw new Error(result.message)
  const { errors, ...counts } = result.report
  t.same(counts, { rows: 20_000, taken: 19_960, broken: 40 })
  t.equal(errors.length, 40)
  t.match(errors.slice(0, 2), [
    { line: 9, message: /quote/ },
    { line: 15, message: /email must be/ }
  ])
  const { suppressions, auditLog } = context.collections
  t.equal(await suppressions.estimatedDocumentCount(), 19_960)
  const row = await suppressions.findOne({ email: 'person99@example.test' })
  t.match(row, { scope: 'marketing', reason: 'manual', source: 'import', notes: 'row 99' })
  const [last] = await auditLog.find().sort({ at: -1 }).limit(1).toArray()
  t.match(last, { action: 'suppression.imported', actor: 'human:ann', after: counts })
})

test('what is exported is imported as it was, and a second import changes nothing', async (t) => {
  const { context } = await testContext(t)
  const file = [
    'email,scope,reason,notes,expiresAt',
    'a@example.test,all,complaint,"a, b",',
    '=cmd@example.test,marketing,manual,,2030-01-01T00:00:00.000Z'
  ]
  const { suppressions } = context.collections
  const rows = () => suppressions.find().sort({ _id: 1 }).toArray()
  await importSuppressions(context, inPieces(file.join('\n')), acting)
  const before = await rows()
  const exported = await text(exportSuppressions(context))
  t.match(exported, /'=cmd@example.test/)
  await importSuppressions(context, Readable.from([Buffer.from(exported)]), acting)
  t.same(await rows(), before)
  await suppressions.deleteMany({})
  await importSuppressions(context, Readable.from([Buffer.from(exported)]), acting)
  const kept = ({ addedAt: _, ...row }: (typeof before)[number]) => row
  t.same((await rows()).map(kept), before.map(kept))
})

test('a file without addresses is refused whole', async (t) => {
  const { context } = await testContext(t)
  for (const file of ['', 'name,city\nAnn,Rome\n'])
    t.match(await importSuppressions(context, inPieces(file), acting), {
      ok: false,
      code: 'no_email_column'
    })
  t.equal(await context.collections.auditLog.estimatedDocumentCount(), 0)
})
