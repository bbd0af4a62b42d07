// A mail that is written at once is the mail that nodemailer's streams write, but for where soft breaks fall.
import fc from 'fast-check'
import MailComposer from 'nodemailer/lib/mail-composer'
import { test } from 'tap'
import { mimeText } from './mime-text.ts'

const line = fc.oneof(
  fc.string({ maxLength: 200, unit: 'grapheme-ascii' }),
  fc.string({ maxLength: 60, unit: 'binary' }),
  fc.constantFrom('', ' ', '.', 'ü=', 'From me', 'a'.repeat(998), '\t \t', '\r')
)
const body = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n', '\r'))
  .map(([lines, end]) => lines.join(end))

const compiled = (mail: object) =>
  new MailComposer({
    from: { name: 'Ann Ü', address: 'ann@acme.test' },
    to: { name: '', address: 'bob@example.test' },
    subject: 'Grüße',
    messageId: '<1@acme.test>',
    date: new Date(0),
    newline: 'windows',
    ...mail
  }).compile()

const withoutSoftBreaks = (mail: Buffer) => mail.toString().replaceAll('=\r\n', '')

test('any text and HTML come out as the streams write them', async (t) => {
  await fc.assert(
    fc.asyncProperty(body, fc.option(body, { nil: undefined }), async (text, html) => {
      const root = compiled({ text, ...(html !== undefined && { html }) })
      const written = mimeText(root) ?? Buffer.alloc(0)
      t.equal(withoutSoftBreaks(written), withoutSoftBreaks(await root.build()))
    }),
    { numRuns: 300 }
  )
})

test('soft breaks keep lines within 76 characters', async (t) => {
  const lines = `${mimeText(compiled({ text: 'word ü '.repeat(200) }))}`.split('\r\n')
  t.same(
    lines.filter((line) => line.length > 76),
    []
  )
})

test('a mail with a file is left to the streams', async (t) => {
  const files = [{ filename: 'a.bin', content: Buffer.from([0, 255]) }]
  t.equal(mimeText(compiled({ text: 'See the file.', attachments: files })), undefined)
})
