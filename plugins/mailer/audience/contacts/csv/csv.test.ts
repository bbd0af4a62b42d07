// Suppressions as CSV: columns, exports of other services, imports with broken lines, our own export.
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { test } from 'tap'
import { testContext } from '../../../test/test-context.ts'
import { hashOf, idOf } from '../merge-suppression.ts'
import { REASONS } from '../suppression-rules.ts'
import { formOf } from './csv-form.ts'
import { exportSuppressions } from './export-suppressions.ts'
import { withFormulaEscape, withoutFormulaEscape } from './formula-escape.ts'
import { importSuppressions } from './import-suppressions.ts'
import { inPieces } from './in-pieces.ts'
import { KNOWN_EXPORTS, knownExportOf } from './known-exports.ts'
import { previewImport } from './preview-import.ts'
import { readCsv } from './read-csv.ts'
import { type ReadRow, readRow } from './read-suppressions.ts'

const defaults = { scope: 'marketing', reason: 'manual', source: 'import' } as const
const fileDefaults = { reason: 'manual', source: 'import' } as const
const acting = { actor: 'human:ann', defaults }

/** What each row comes to, in short. */
function wordsOf(read: ReadRow): string {
  if (read.kind !== 'suppression') return read.kind
  const { email, scope, reason, notes, addedAt } = read.suppression
  return [email, scope, reason, notes, addedAt?.toISOString().slice(0, 10)]
    .filter(Boolean)
    .join(' ')
}

test('columns are known by their names in any order, or a file is a list of addresses', async (t) => {
  const columnsOf = (line: string) => formOf(line.split(','))?.columns
  t.same(columnsOf('Reason,E-Mail,Colour,Expires at'), ['reason', 'email', undefined, 'expiresAt'])
  t.same(columnsOf('Email Address,Name'), ['email', undefined])
  t.same(columnsOf('email,address'), ['email', undefined], 'each field is one column')
  t.match(formOf(['a@example.test']), { names: undefined, columns: ['email'] })
  t.match(formOf(['a@example.test', 'BOUNCE']), { columns: ['email', 'reason'] })
  t.equal(formOf(['name', 'city']), undefined)
  t.match(formOf(['name', 'city'], [undefined, 'email']), { columns: [undefined, 'email'] })
})

/** Files of other services, and what their rows come to. */
const FILES: readonly [string, string, ...(readonly [string, string])[]][] = [
  [
    'sendgrid-bounces',
    'status,reason,email,created',
    [
      '5.1.1,"550 5.1.1 No such user\n2nd line",a@x.test,1714557600',
      'a@x.test all hard_bounce 550 5.1.1 No such user\n2nd line 2024-05-01'
    ],
    [',bounced,a@x.test,1714557600', 'a@x.test all hard_bounce bounced 2024-05-01'],
    ['5.7.1,554 5.7.1 blocked using a list,a@x.test,1714557600', 'left_out'],
    ['4.2.2,452 4.2.2 full,a@x.test,1714557600', 'left_out'],
    [',552 mailbox is full,a@x.test,1714557600', 'left_out'],
    ['550,550 blocked using a block list,a@x.test,1714557600', 'left_out'],
    [',421 try again later,a@x.test,1714557600', 'left_out']
  ],
  [
    'sendgrid-invalid',
    'reason,email,created',
    [
      'Mail domain unknown,a@x.test,1714557600',
      'a@x.test all hard_bounce Mail domain unknown 2024-05-01'
    ]
  ],
  [
    'sendgrid-spam',
    'ip,email,created',
    ['192.0.2.1,a@x.test,1714557600', 'a@x.test all complaint 2024-05-01']
  ],
  [
    'sendgrid-unsubscribes',
    'email,created',
    ['a@x.test,1714557600', 'a@x.test marketing unsubscribed 2024-05-01']
  ],
  [
    'sendgrid-contacts',
    'EMAIL,FIRST_NAME,LAST_NAME,ADDRESS_LINE_1,CONTACT_ID',
    ['a@x.test,A,B,,1', 'left_out']
  ],
  [
    'mailchimp-unsubscribed',
    'Email Address,First Name,MEMBER_RATING,OPTIN_TIME,UNSUB_TIME,UNSUB_REASON,NOTES',
    [
      'a@x.test,A,2,2023-01-01 09:00:00,2024-05-01 10:00:00,N/A,',
      'a@x.test marketing unsubscribed 2024-05-01'
    ]
  ],
  [
    'mailchimp-cleaned',
    'Email Address,MEMBER_RATING,CLEAN_TIME,CLEAN_CAMPAIGN_TITLE',
    ['a@x.test,1,2024-05-01 10:00:00,May', 'a@x.test all hard_bounce 2024-05-01']
  ],
  [
    'mailchimp-contacts',
    'Email Address,First Name,MEMBER_RATING,OPTIN_TIME',
    ['a@x.test,A,2,2024-05-01 10:00:00', 'left_out']
  ],
  [
    'postmark-suppressions',
    'EmailAddress,SuppressionReason,Origin,CreatedAt',
    [
      'a@x.test,HardBounce,Recipient,2024-05-01T10:00:00-05:00',
      'a@x.test all hard_bounce 2024-05-01'
    ],
    [
      'a@x.test,SpamComplaint,Recipient,2024-05-01T10:00:00-05:00',
      'a@x.test all complaint 2024-05-01'
    ],
    [
      'a@x.test,ManualSuppression,Recipient,2024-05-01T10:00:00-05:00',
      'a@x.test marketing unsubscribed 2024-05-01'
    ],
    [
      'a@x.test,ManualSuppression,Customer,2024-05-01T10:00:00-05:00',
      'a@x.test all manual 2024-05-01'
    ]
  ],
  [
    'ses-suppressions',
    'EmailAddress,Reason,LastUpdateTime',
    ['a@x.test,BOUNCE,2024-05-01T10:00:00Z', 'a@x.test all hard_bounce 2024-05-01'],
    ['a@x.test,COMPLAINT,2024-05-01T10:00:00Z', 'a@x.test all complaint 2024-05-01']
  ],
  [
    'mailgun-bounces',
    'address,code,error,created_at',
    [
      'a@x.test,550,5.1.1 No such user,"Wed, 01 May 2024 10:00:00 UTC"',
      'a@x.test all hard_bounce 5.1.1 No such user 2024-05-01'
    ],
    ['a@x.test,550,5.7.1 refused,"Wed, 01 May 2024 10:00:00 UTC"', 'left_out']
  ],
  [
    'mailgun-unsubscribes',
    'address,tags,created_at',
    ['a@x.test,*,"Wed, 01 May 2024 10:00:00 UTC"', 'a@x.test marketing unsubscribed 2024-05-01']
  ],
  [
    'mailgun-complaints',
    'address,created_at',
    ['a@x.test,"Wed, 01 May 2024 10:00:00 UTC"', 'a@x.test all complaint 2024-05-01']
  ],
  [
    'mailgun-members',
    'address,name,vars,subscribed',
    ['a@x.test,A,{},no', 'a@x.test marketing unsubscribed'],
    ['a@x.test,A,{},yes', 'left_out']
  ],
  [
    'listmonk-subscribers',
    'uuid,email,name,attributes,status,created_at,updated_at',
    [
      '1,a@x.test,A,"{""city"": ""Rome""}",blocklisted,2024-05-01T10:00:00Z,',
      'a@x.test all manual 2024-05-01'
    ],
    ['1,a@x.test,A,{},enabled,2024-05-01T10:00:00Z,', 'left_out']
  ]
]

test('the exports of other mail services are known, and who may be mailed is left out', async (t) => {
  t.same(FILES.map(([id]) => id).sort(), KNOWN_EXPORTS.map(({ id }) => id).sort())
  const { context } = await testContext(t)
  for (const [id, header, ...rows] of FILES) {
    t.equal(knownExportOf(header.split(','))?.id, id, header)
    const file = [header, ...rows.map(([row]) => row)].join('\r\n')
    const options = { actor: 'human:ann', defaults: fileDefaults }
    const result = await importSuppressions(context, inPieces(file), options)
    t.match(result, { report: { broken: 0, rows: rows.length } }, id)
    const form = formOf(header.split(','))
    for (const [row, words] of rows) {
      const preview = await previewImport(inPieces(`${header}\n${row}`), options)
      if ('code' in preview || form === undefined) throw new Error(id)
      t.equal(preview.export, form.known?.name)
      const read: string[] = []
      for await (const one of readCsv(inPieces(`${header}\n${row}`)))
        read.push(wordsOf(readRow(one, form, fileDefaults)))
      t.equal(read[1], words, `${id}: ${row}`)
    }
  }
})

test('a row is a suppression or a fault that names the cell', async (t) => {
  const form = {
    columns: ['email', 'scope', 'reason', 'notes'],
    names: [],
    known: undefined
  } as const
  const read = (...cells: string[]) => readRow({ line: 2, cells }, form, fileDefaults)
  const email = 'a@example.test'
  t.equal(wordsOf(read(email, 'all', '', 'a, note')), `${email} all manual a, note`)
  t.equal(wordsOf(read(email, '', 'Hard Bounce', '')), `${email} all hard_bounce`)
  t.equal(wordsOf(read(email, '', 'opt-out', '')), `${email} marketing unsubscribed`)
  t.equal(
    wordsOf(read(email, '', '550 no such user', '')),
    `${email} marketing manual 550 no such user`
  )
  t.equal(wordsOf(read(email, 'category:news', '', '')), `${email} category:news manual`)
  t.match(read(`'-a@example.test`), { suppression: { email: '-a@example.test' } })
  for (const [cells, message] of [
    [['no address', 'all'], /email must be a mail address/],
    [[email, 'everything'], /scope/],
    [['', 'all'], /email is missing/],
    [[email, 'all', '', 'note', 'more'], /5 cells, expected 4/]
  ] as const)
    t.match(read(...cells), { kind: 'fault', message }, cells.join())
  const ends = { columns: ['email', 'expiresAt'], names: [], known: undefined } as const
  const ending = (cell: string) => readRow({ line: 2, cells: [email, cell] }, ends, fileDefaults)
  t.match(ending('05/01/2024'), { kind: 'fault', message: /expiresAt/ })
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
  t.same(counts, { rows: 20_000, taken: 19_960, leftOut: 0, broken: 40 })
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

test('the quote before a formula is taken away as it was set', async () => {
  const unit = fc.constantFrom("'", '=', '+', '@', '\t', 'a', '\uFF1D')
  fc.assert(
    fc.property(
      fc.string({ unit }),
      (cell) => withoutFormulaEscape(withFormulaEscape(cell)) === cell
    )
  )
})

test('our own export comes back whole, whatever its cells hold', async (t) => {
  const { context } = await testContext(t)
  const { suppressions } = context.collections
  const past = fc.date({
    min: new Date('2000-01-01'),
    max: context.clock.now(),
    noInvalidDate: true
  })
  const cell = fc.string({
    unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', '\t', '=', "'", 'é'),
    minLength: 1,
    maxLength: 20
  })
  const address = fc.stringMatching(/^[a-z'+=-][a-z0-9]{0,5}@[a-z]{1,4}\.test$/)
  const suppression = fc.record(
    {
      email: fc.option(address),
      scope: fc.constantFrom('all', 'marketing', 'marketing_pause', 'category:news' as const),
      reason: fc.constantFrom(...REASONS.filter((reason) => reason !== 'gdpr_forget')),
      source: cell,
      notes: cell,
      addedAt: past,
      expiresAt: fc.option(
        fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      )
    },
    { requiredKeys: ['email', 'scope', 'reason', 'addedAt', 'expiresAt'] }
  )
  const rows = fc.uniqueArray(suppression, {
    minLength: 1,
    maxLength: 20,
    selector: ({ email, scope }) => `${email}${scope}`
  })
  await fc.assert(
    fc.asyncProperty(rows, async (made) => {
      const stored = made.map((row, at) => {
        const isErased = row.email === null
        const emailHash = hashOf({ email: row.email, emailHash: String(at).padStart(64, '0') })
        const scope = isErased ? 'all' : row.scope
        return {
          ...row,
          _id: idOf({ ...row, emailHash, scope }),
          emailHash,
          scope,
          ...(isErased && { reason: 'gdpr_forget' as const })
        }
      })
      await suppressions.deleteMany({})
      await suppressions.insertMany(stored)
      const read = () => suppressions.find().sort({ _id: 1 }).toArray()
      const before = await read()
      const exported = await text(exportSuppressions(context))
      const bring = () =>
        importSuppressions(context, Readable.from([Buffer.from(exported)]), acting)
      t.match(await bring(), { report: { broken: 0, taken: made.length } })
      t.same(await read(), before, 'a second time changes nothing')
      await suppressions.deleteMany({})
      await bring()
      t.same(await read(), before)
    }),
    { numRuns: 25 }
  )
})

test('a file without addresses is refused whole, and its columns are still shown', async (t) => {
  const { context } = await testContext(t)
  for (const file of ['', 'name,city\nAnn,Rome\n'])
    t.match(await importSuppressions(context, inPieces(file), acting), {
      ok: false,
      code: 'no_email_column'
    })
  t.equal(await context.collections.auditLog.estimatedDocumentCount(), 0)
  const file = 'Kontakt,Text\na@x.test,Hello\nb,\n'
  t.match(await previewImport(inPieces(file), { defaults }), {
    export: null,
    columns: [{ name: 'Kontakt', field: null, samples: ['a@x.test', 'b'] }, { name: 'Text' }],
    rows: []
  })
  const columns = ['email', 'notes'] as const
  t.match(await previewImport(inPieces(file), { defaults, columns }), {
    columns: [{ field: 'email' }, { field: 'notes' }],
    rows: [
      { line: 2, outcome: 'suppression', email: 'a@x.test', scope: 'marketing' },
      { line: 3, outcome: 'fault', message: /email must be/ }
    ]
  })
  const result = await importSuppressions(context, inPieces(file), { ...acting, columns })
  t.match(result, { report: { taken: 1, broken: 1 } })
})
