// `GET /api/records/export`: a route, because it answers a file and an operation answers JSON.
import { errorBody, isRefused, partCheck, type Refused, refusalAnswer, Type } from '@keelson/sdk'
import { FILE_FORMATS } from '@keelson/telemetry'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { dashboardRefusals, refusalOfThrown } from '../refusals.ts'
import type { DashboardHost } from './dashboard-operation.ts'
import { type FilterQuery, readSelection } from './filters.ts'
import { filterParameters, rangeParameters } from './parameters.ts'

const formatParameter = {
  format: Type.Unsafe<(typeof FILE_FORMATS)[number]>({
    type: 'string',
    enum: [...FILE_FORMATS],
    description: 'Parquet needs DuckDB on the server; without it the answer is 422.'
  })
}

const query = Type.Object({ ...rangeParameters, ...filterParameters, ...formatParameter })

/** The route, as plugin.json declares it. */
export const recordFile = {
  method: 'GET',
  path: '/api/records/export',
  schema: {
    summary: 'All records that fit, as a file of CSV, JSON or Parquet',
    // Range and filters are those of the other reads, checked with their own words by `readQuery`.
    querystring: Type.Object(formatParameter)
  }
} as const

const readQuery = partCheck(query, 'querystring', { openQuery: true })

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  parquet: 'application/vnd.apache.parquet'
} as const

/** Who may read what: the tenant of the viewer, as for every read. */
export interface Reading {
  readonly host: DashboardHost
  readonly tenantId: string
}

/** Answers the file piece by piece as it is read; what cannot be begun is refused as other reads are. */
export async function sendRecordFile(
  request: Pick<FastifyRequest, 'query' | 'log'>,
  reply: FastifyReply,
  { host, tenantId }: Reading
): Promise<FastifyReply> {
  const read = readQuery(request.query)
  if ('error' in read) {
    const { message, fields } = read.error
    return reply.code(400).send(errorBody({ error: 'validation_failed', message, fields }))
  }
  const { format, ...given } = read.value as FilterQuery & { format: (typeof FILE_FORMATS)[number] }
  const selection = readSelection(given, host.telemetry.clock.now())
  if (isRefused(selection)) return refuse(reply, selection)
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  try {
    const file = await host.queries
      .within(gone.signal)
      .recordFile(tenantId, { ...selection, format })
    return reply
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .header('content-type', TYPES[format])
      .header('content-disposition', `attachment; filename="records.${format}"`)
      .send(file)
  } catch (error) {
    return refuse(reply, refusalOfThrown(error, request.log))
  }
}

function refuse(reply: FastifyReply, refused: Refused): FastifyReply {
  const errors = dashboardRefusals.table
  const { status, body } = refusalAnswer(
    { id: 'telemetry-dashboard.records.export', errors },
    refused
  )
  return reply.header('cache-control', 'no-store').code(status).send(body)
}
