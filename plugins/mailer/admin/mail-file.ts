// A route of the admin API that answers a file as it is read: an operation answers JSON.
import type { Readable } from 'node:stream'
import { errorBody, partCheck, type Static, type Type } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { audit } from '../ledger/audit/audit.ts'
import type { MailerContext } from '../ledger/context.ts'
import type { Acting } from '../ledger/template-input.ts'

/** Of one request. */
interface Served {
  readonly context: MailerContext
  readonly acting: Acting
}

/** A file, as plugin.json declares its route. */
export interface MailFile {
  readonly method: 'GET'
  readonly path: string
  readonly permission: string
  readonly schema: { readonly summary: string; readonly querystring: Type.TObject }
  /** Answers the file, row by row, and audits that it was taken. */
  send(
    request: Pick<FastifyRequest, 'query'>,
    reply: FastifyReply,
    served: Served
  ): Promise<FastifyReply>
}

/** What a file is made of. */
interface FileParts<Query extends Type.TObject> {
  readonly path: string
  readonly name: string
  readonly summary: string
  readonly query: Query
  /** The act that is audited, with what narrowed the file. */
  readonly action: string
  readonly collection: 'suppressions' | 'subscriptions'
  rows(context: MailerContext, filter: Static<Query>): Readable
}

/** A file of comma-separated values, which the right over suppressions gives. */
export function csvFile<Query extends Type.TObject>(parts: FileParts<Query>): MailFile {
  const { path, name, summary, query: querystring, action, collection, rows } = parts
  const readQuery = partCheck(querystring, 'querystring')
  return {
    method: 'GET',
    path,
    permission: 'mailer.manageSuppressions',
    schema: { summary, querystring },
    async send({ query }, reply, { context, acting }) {
      const read = readQuery(query)
      if ('error' in read) {
        const { message, fields } = read.error
        return reply.code(400).send(errorBody({ error: 'validation_failed', message, fields }))
      }
      const filter = read.value as Static<Query>
      const resource = { collection: context.collections[collection].collectionName }
      await audit(context, { ...acting, action, resource, after: filter })
      return reply
        .header('cache-control', 'no-store')
        .header('x-content-type-options', 'nosniff')
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(rows(context, filter))
    }
  }
}
