// Suppressions in the admin API: the list, adding and removing one, import of CSV.
import {
  answered,
  type Call,
  type Operation,
  operation,
  type Static,
  Type,
  type UploadedFile
} from '@keelson/sdk'
import { type Columns, FIELDS, type Field } from '../audience/contacts/csv/columns.ts'
import {
  importReportSchema,
  importSuppressions
} from '../audience/contacts/csv/import-suppressions.ts'
import { importPreviewSchema, previewImport } from '../audience/contacts/csv/preview-import.ts'
import { listSuppressions } from '../audience/contacts/list-suppressions.ts'
import { suppressionId } from '../audience/contacts/merge-suppression.ts'
import { scopeSchema, suppress, suppressSchema } from '../audience/contacts/record-suppressions.ts'
import { removeSuppression } from '../audience/contacts/remove-suppression.ts'
import { actingOf } from '../ledger/acting.ts'
import { audit } from '../ledger/audit/audit.ts'
import { inputs } from '../ledger/checked-input.ts'
import { type Mentions, withNames } from '../ledger/names.ts'
import { mailRefusals as refusals } from '../ledger/refusals.ts'
import {
  type AdminHost,
  access,
  closed,
  done,
  idParams,
  MAIL_API,
  pageParameters,
  time
} from './admin-operation.ts'
import {
  suppressionFilter,
  suppressionReasonSchema,
  suppressionSchema
} from './suppression-answers.ts'

const base = MAIL_API
const CATEGORY = 'category:'
const MEGABYTE = 1_048_576
const MOST_BYTES = 64 * MEGABYTE
const OK = { ok: true } as const

/** The category that a scope names. */
const suppressionMentions = ({ scope }: { readonly scope: string }): Mentions =>
  scope.startsWith(CATEGORY) ? { category: scope.slice(CATEGORY.length) } : {}

const list = operation({
  id: 'mailer.suppressions.list',
  method: 'GET',
  base,
  path: '/suppressions',
  summary: 'Suppressions, those added last first',
  access: access.read,
  effect: 'read',
  query: Type.Object({ ...suppressionFilter, ...pageParameters(500, 500) }),
  answer: Type.Array(suppressionSchema),
  async run({ query }, { host: { context } }: Call<AdminHost>) {
    const { rows, nextCursor } = await listSuppressions(context, query)
    return answered(await withNames(context, rows, suppressionMentions), { nextCursor })
  }
})

const add = operation({
  id: 'mailer.suppressions.create',
  method: 'POST',
  base,
  path: '/suppressions',
  summary: 'Suppresses an address',
  access: access.manageSuppressions,
  effect: 'stop',
  hints: { idempotent: true },
  body: Type.Object(
    {
      ...suppressSchema.properties,
      expiresAt: Type.Optional(Type.Union([time, Type.Null()], { description: 'null: never.' }))
    },
    closed
  ),
  answer: done,
  async run({ body }, { host: { context }, actor }: Call<AdminHost>) {
    const { email, expiresAt, ...more } = body
    const { suppressions } = context.collections
    const id = suppressionId(email, more.scope)
    const before = await suppressions.findOne({ _id: id }, { projection: { _id: 0, emailHash: 0 } })
    const until = expiresAt == null ? {} : { expiresAt: new Date(expiresAt) }
    await suppress(context, email, { ...more, ...until })
    const resource = { collection: suppressions.collectionName, id }
    const entry = { ...actingOf(actor), action: 'suppression.add', resource }
    await audit(context, { ...entry, before, after: body })
    return OK
  }
})

/** How a file is read. */
const importQuery = Type.Object({
  scope: Type.Optional(scopeSchema),
  reason: Type.Optional(suppressionReasonSchema),
  source: Type.Optional(inputs.source),
  columns: Type.Optional(
    Type.String({
      maxLength: 4096,
      pattern: `^(${FIELDS.join('|')})?(,(${FIELDS.join('|')})?)*$`,
      description: 'What each column is, as `email,,notes`; empty: it is left out.'
    })
  )
})

function importOptions({
  columns,
  scope,
  reason = 'manual',
  source = 'import'
}: Static<typeof importQuery>) {
  const mapped: Columns | undefined = columns
    ?.split(',')
    .map((field) => (field === '' ? undefined : (field as Field)))
  return { defaults: { scope, reason, source }, columns: mapped }
}

const previewCsv = operation({
  id: 'mailer.suppressions.previewImport',
  method: 'POST',
  base,
  path: '/suppressions/import/preview',
  summary: 'Shows what an import would make of the beginning of a file; changes nothing',
  access: access.manageSuppressions,
  effect: 'read',
  query: importQuery,
  upload: { kind: 'body', contentType: 'text/csv', maxFileBytes: MEGABYTE },
  answer: importPreviewSchema,
  errors: refusals.only('no_email_column'),
  run: ({ query, files }, _call: Call<AdminHost>) =>
    previewImport(upToLimit(files()).pieces(), importOptions(query))
})

const importCsv = operation({
  id: 'mailer.suppressions.import',
  method: 'POST',
  base,
  path: '/suppressions/import',
  summary: 'Takes suppressions from text/csv; broken lines are named, the rest is taken',
  access: access.manageSuppressions,
  effect: 'stop',
  hints: { idempotent: true, long: true },
  query: importQuery,
  upload: { kind: 'body', contentType: 'text/csv', maxFileBytes: MOST_BYTES },
  answer: importReportSchema,
  errors: refusals.only('no_email_column', 'too_large'),
  async run({ query, files }, { host: { context }, actor }: Call<AdminHost>) {
    const upload = upToLimit(files())
    const options = { ...actingOf(actor), ...importOptions(query) }
    const result = await importSuppressions(context, upload.pieces(), options)
    if (upload.isCut())
      return refusals.refuse('too_large', {
        message: `A file has at most ${MOST_BYTES / MEGABYTE} MB. The rows before that are taken.`
      })
    return result.ok ? result.report : result
  }
})

/** The file up to the limit; `isCut` once there was more. */
function upToLimit(files: AsyncIterable<UploadedFile>) {
  let isCut = false
  return {
    isCut: () => isCut,
    async *pieces(): AsyncGenerator<Uint8Array> {
      try {
        for await (const { content } of files) yield* content as AsyncIterable<Uint8Array>
      } catch (error) {
        if ((error as { readonly statusCode?: unknown }).statusCode !== 413) throw error
        isCut = true
      }
    }
  }
}

const remove = operation({
  id: 'mailer.suppressions.delete',
  method: 'DELETE',
  base,
  path: '/suppressions/:id',
  // A hash, and a category of up to 64 characters.
  longParam: true,
  summary: 'Takes a suppression away; after a bounce or complaint with a reason',
  access: access.manageSuppressions,
  effect: 'release',
  params: idParams,
  body: Type.Object({ reason: Type.Optional(inputs.reason) }, closed),
  answer: done,
  errors: refusals.only('bad_id', 'not_found', 'reason_required', 'not_removable'),
  async run({ params: { id }, body }, { host, actor }: Call<AdminHost>) {
    const removed = await removeSuppression(host.context, id, { ...actingOf(actor), ...body })
    return removed.ok ? OK : removed
  }
})

/** The operations of suppressions. The export is a route: see mail-files.ts. */
export const suppressionOperations: readonly Operation<AdminHost>[] = [
  list,
  add,
  previewCsv,
  importCsv,
  remove
]
