// `GET /suppressions/export`: a route, because it answers a file and an operation answers JSON.
import { errorBody, partCheck, Type } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { exportSuppressions } from '../audience/contacts/csv/export-suppressions.ts'
import type { SuppressionFilter } from '../audience/contacts/list-suppressions.ts'
import { audit } from '../ledger/audit/audit.ts'
import type { MailerContext } from '../ledger/context.ts'
import type { Acting } from '../ledger/template-input.ts'
import { suppressionReasonSchema } from './suppression-answers.ts'

/** Which suppressions a list or a file has; what is set must hold. */
export const suppressionFilter = {
  email: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
  scope: Type.Optional(
    Type.String({ pattern: '^(all|marketing|transactional|marketing_pause|category:.{1,64})$' })
  ),
  reason: Type.Optional(suppressionReasonSchema)
}

/** The route, as plugin.json declares it. */
export const suppressionFile = {
  method: 'GET',
  path: '/suppressions/export',
  permission: 'mailer.manageSuppressions',
  schema: { summary: 'Suppressions as text/csv', querystring: Type.Object(suppressionFilter) }
} as const

const readQuery = partCheck(suppressionFile.schema.querystring, 'querystring')

/** Answers the file, row by row as it is read, and audits that it was taken. */
export async function sendSuppressionFile(
  { query }: Pick<FastifyRequest, 'query'>,
  reply: FastifyReply,
  { context, acting }: { readonly context: MailerContext; readonly acting: Acting }
): Promise<FastifyReply> {
  const read = readQuery(query)
  if ('error' in read) {
    const { message, fields } = read.error
    return reply.code(400).send(errorBody({ error: 'validation_failed', message, fields }))
  }
  const filter = read.value as SuppressionFilter
  const resource = { collection: context.collections.suppressions.collectionName }
  await audit(context, { ...acting, action: 'suppression.export', resource, after: filter })
  return reply
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="suppressions.csv"')
    .send(exportSuppressions(context, filter))
}
