// CSV as spreadsheets and mail services write it: rows, lines, encodings, faults.
import fc from 'fast-check'
import { test } from 'tap'
import { inPieces } from './in-pieces.ts'
import { readCsv } from './read-csv.ts'
import { timeOf } from './time-of.ts'

async function rowsOf(whole: string | Buffer, size?: number) {
  const rows: string[] = []
  for await (const row of readCsv(inPieces(whole, size)))
    rows.push(`${row.line}:${'cells' in row ? row.cells.join('|') : `! ${row.fault.message}`}`)
  return rows
}

const utf16 = (text: string) => Buffer.from(text, 'utf16le')

test('a file is read as what wrote it meant, whatever its lines, delimiter and encoding', async (t) => {
  const files: readonly [string, string | Buffer, readonly string[]][] = [
    [
      'a byte order mark and empty lines',
      '\uFEFFemail\r\nä@x.test\n\n\nb@x.test',
      ['1:email', '2:ä@x.test', '5:b@x.test']
    ],
    [
      'a quoted line break',
      'email,notes\na@x.test,"550 no\r\nsuch user"\nb@x.test,',
      ['1:email|notes', '2:a@x.test|550 no\r\nsuch user', '4:b@x.test|']
    ],
    [
      'quotes within quotes',
      'email,notes\na@x.test,"say ""no"""',
      ['1:email|notes', '2:a@x.test|say "no"']
    ],
    [
      'lines that end with CR',
      'email\ra@x.test\rb@x.test\r',
      ['1:email', '2:a@x.test', '3:b@x.test']
    ],
    ['semicolons', 'email;notes\na@x.test;"b;c"', ['1:email|notes', '2:a@x.test|b;c']],
    [
      'semicolons with commas in a name',
      '"name, first";email\n;a@x.test',
      ['1:name, first|email', '2:|a@x.test']
    ],
    ['tabs', 'email\tnotes\na@x.test\tb', ['1:email|notes', '2:a@x.test|b']],
    ['a line that names the delimiter', 'sep=;\nemail\na@x.test', ['2:email', '3:a@x.test']],
    [
      'a delimiter that only the line names',
      'sep=^\nemail^notes\na@x.test^b',
      ['2:email|notes', '3:a@x.test|b']
    ],
    [
      'UTF-16 with its mark',
      utf16('\uFEFFemail\tnotes\r\na@x.test\tü'),
      ['1:email|notes', '2:a@x.test|ü']
    ],
    ['UTF-16 without it', utf16('email\na@x.test'), ['1:email', '2:a@x.test']],
    ['UTF-16, the other way', utf16('\uFEFFemail\na@x.test').swap16(), ['1:email', '2:a@x.test']],
    ['rows without content', 'email,notes\n,\n ,""\na@x.test,', ['1:email|notes', '4:a@x.test|']],
    ['blanks around cells', 'email, notes\n a@x.test , " b "', ['1:email|notes', '2:a@x.test| b ']],
    ['one character', 'x', ['1:x']],
    ['nothing', '', []]
  ]
  for (const [name, file, rows] of files)
    for (const size of [1, 7, 65_536]) t.same(await rowsOf(file, size), rows, name)
})

test('a quote that is not closed costs its line alone', async (t) => {
  const rows = await rowsOf(`email,notes\n"a@x.test\nb@x.test,5" disk\nc@x.test,"d"\ne@x.test,`)
  t.match(rows, ['1:email|notes', /^2:! A quote/, /^3:! A quote/, '4:c@x.test|d', '5:e@x.test|'])
  const atEnd = await rowsOf('email\na@x.test\n"b@x.test\nc@x.test')
  t.match(atEnd, ['1:email', '2:a@x.test', /^3:! A quote/, '4:c@x.test'])
  const many = Array.from({ length: 300 }, (_, at) => `p${at}@x.test`)
  t.equal((await rowsOf(`"email\n${many.join('\n')}`)).length, 301)
})

test('a line of many megabytes is a fault, and those behind it are read', async (t) => {
  for (const end of ['\n', '\r']) {
    const file = `email${end}${'a'.repeat(3_000_000)}${end}b@x.test`
    t.match(await rowsOf(file, 65_536), ['1:email', /^2:! .*characters/, '3:b@x.test'])
  }
})

test('rows do not depend on the pieces that a file comes in', async (t) => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é') })
  await fc.assert(
    fc.asyncProperty(cell, fc.integer({ min: 1, max: 9 }), async (content, size) => {
      t.same(await rowsOf(content, size), await rowsOf(content, 1_000))
    })
  )
})

test('a time is read in every form that says one thing, as UTC without a zone', (t) => {
  const time = '2024-05-01T10:00:00.000Z'
  for (const text of [
    time,
    '2024-05-01 10:00:00',
    '2024-05-01 10:00',
    '2024-05-01 10:00:00 UTC',
    '2024-05-01T12:00:00+02:00',
    '2024-05-01 12:00:00 +0200',
    '1714557600',
    '1714557600000',
    'Wed, 01 May 2024 10:00:00 UTC'
  ])
    t.equal(timeOf(text)?.toISOString(), time, text)
  for (const text of ['05/01/2024', '1.5.2024', '5', 'yesterday', '2024-13-01', ''])
    t.equal(timeOf(text), undefined, text)
  t.end()
})
