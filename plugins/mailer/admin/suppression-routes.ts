// Suppressions in the admin API: the list, adding and removing one, import and export as CSV.
import type { Readable } from 'node:stream'
import { Type } from '@keelson/sdk'
import { exportSuppressions } from '../audience/contacts/csv/export-suppressions.ts'
import {
  importReportSchema,
  importSuppressions
} from '../audience/contacts/csv/import-suppressions.ts'
import { listSuppressions } from '../audience/contacts/list-suppressions.ts'
import { suppressionId } from '../audience/contacts/merge-suppression.ts'
import { scopeSchema, suppress, suppressSchema } from '../audience/contacts/record-suppressions.ts'
import { removeSuppression } from '../audience/contacts/remove-suppression.ts'
import { audit } from '../ledger/audit/audit.ts'
import { checkedInput, inputs } from '../ledger/checked-input.ts'
import { defined } from '../ledger/defined.ts'
import {
  type AdminAnswer,
  type AdminCall,
  type AdminRefusal,
  type AdminRoute,
  answered,
  bodyOf,
  dateOf,
  fieldsOf,
  idOf,
  pageOf
} from './admin-route.ts'

const MEGABYTE = 1_048_576
const MOST_BYTES = 64 * MEGABYTE
const removeBody = Type.Object(
  { reason: Type.Optional(inputs.reason) },
  { additionalProperties: false }
)
const defaultsSchema = Type.Object(
  { scope: scopeSchema, reason: suppressSchema.properties.reason, source: inputs.source },
  { additionalProperties: false }
)
const canManage = { permission: 'canManageSuppressions' } as const

async function add({ context, body, acting }: AdminCall): Promise<AdminAnswer> {
  const { email, expiresAt, ...more } = fieldsOf(body)
  const options = { ...more, ...defined({ expiresAt: dateOf(expiresAt) }) }
  const row = checkedInput('suppress', suppressSchema, { ...options, email })
  const { suppressions } = context.collections
  const id = suppressionId(row.email, row.scope)
  const before = await suppressions.findOne({ _id: id }, { projection: { _id: 0, emailHash: 0 } })
  await suppress(context, row.email, row)
  const resource = { collection: suppressions.collectionName, id }
  await audit(context, { ...acting, action: 'suppression.add', resource, before, after: body })
  return { body: { ok: true } }
}

async function importCsv({ context, body, query, acting }: AdminCall) {
  const { scope = 'marketing', reason = 'manual', source = 'import' } = query
  const defaults = checkedInput('import', defaultsSchema, { scope, reason, source })
  const upload = limited(body as Readable)
  const result = await importSuppressions(context, upload.pieces(), { ...acting, defaults })
  if (!upload.isCut()) return answered(result, ({ report }) => report)
  const message = `A file has at most ${MOST_BYTES / MEGABYTE} MB. The rows before that are taken.`
  return { ok: false, code: 'too_large', message } as const satisfies AdminRefusal
}

/** The bytes up to the limit, and whether there were more. */
function limited(body: Readable) {
  let bytes = 0
  return {
    isCut: () => bytes > MOST_BYTES,
    async *pieces(): AsyncGenerator<Uint8Array> {
      for await (const piece of body as AsyncIterable<Uint8Array>) {
        bytes += piece.length
        if (bytes > MOST_BYTES) return
        yield piece
      }
    }
  }
}

async function exportCsv({ context, query, acting }: AdminCall): Promise<AdminAnswer> {
  const filter = defined({ scope: query['scope'], reason: query['reason'] })
  const resource = { collection: context.collections.suppressions.collectionName }
  await audit(context, { ...acting, action: 'suppression.export', resource, after: filter })
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="suppressions.csv"'
  }
  return { body: exportSuppressions(context, filter), headers }
}

/** Routes below `/suppressions`. */
export const suppressionRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/suppressions',
    summary: 'Suppressions, those added last first; by `email`, `scope`, `reason`',
    handler: async ({ context, query }) => {
      const { email, scope, reason } = query
      const filter = defined({ email, scope, reason })
      const { rows, nextCursor } = await listSuppressions(context, { ...filter, ...pageOf(query) })
      return { body: rows, nextCursor }
    }
  },
  {
    method: 'POST',
    path: '/suppressions',
    summary: 'Suppresses an address',
    ...canManage,
    handler: add
  },
  {
    method: 'POST',
    path: '/suppressions/import',
    summary: 'Takes suppressions from text/csv; broken lines are named, the rest is taken',
    ...canManage,
    takesCsv: true,
    response: importReportSchema,
    handler: importCsv
  },
  {
    method: 'GET',
    path: '/suppressions/export',
    summary: 'Suppressions as text/csv; by `scope`, `reason`',
    ...canManage,
    handler: exportCsv
  },
  {
    method: 'DELETE',
    path: '/suppressions/:id',
    summary: 'Takes a suppression away; after a bounce or complaint with a reason',
    ...canManage,
    handler: async (call) => {
      const options = { ...call.acting, ...bodyOf(call, removeBody) }
      const removed = await removeSuppression(call.context, idOf(call), options)
      return answered(removed, () => ({ ok: true }))
    }
  }
]
