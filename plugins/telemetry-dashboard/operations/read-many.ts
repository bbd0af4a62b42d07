// `GET /api/reads`: several reads in one request. A route, because each is answered as soon as it is done.
import { parse } from 'node:querystring'
import { PassThrough } from 'node:stream'
import {
  type Actor,
  bindOperations,
  callOperation,
  errorBody,
  type MatchOperation,
  type Operation,
  operationMatcher,
  refusalAnswer,
  Type
} from '@keelson/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { dashboardRefusals } from '../refusals.ts'
import { access, type DashboardHost } from './dashboard-operation.ts'
import { dashboardOperations } from './dashboard-operations.ts'

/** Reads of one request. */
export const MOST_READS = 16

const query = Type.Object({
  read: Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: MOST_READS })], {
    description: `A read as its own address has it, \`/api/series?from=…\`; given up to ${MOST_READS} times.`
  })
})

/** The route, as plugin.json declares it. */
export const readMany = {
  method: 'GET',
  path: '/api/reads',
  schema: {
    summary: 'Several reads in one request: a line of JSON for each as soon as it is done',
    querystring: query
  }
} as const

/** One line of the answer: which of the reads it is, from 0 on, and what its own address answers. */
export interface ReadLine {
  readonly at: number
  readonly status: number
  readonly body: unknown
}

/** Its callers are those of this route: what a session alone or an administrator may read is left out. */
const isForAll = ({ method, access: given }: Operation<DashboardHost>): boolean =>
  method === 'GET' && given === access.read

const OTHER = {
  status: 404,
  body: errorBody({
    error: 'not_found',
    message: 'There is no such read.',
    fix: 'Ask for an address of the reads for viewers.'
  })
}

const failure = (id: string) =>
  refusalAnswer({ id, errors: dashboardRefusals.table }, dashboardRefusals.refuse('internal_error'))

const HEADERS = {
  'cache-control': 'no-store',
  'content-type': 'application/x-ndjson; charset=utf-8',
  // A proxy that waits for a full buffer would hold the first lines.
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff'
}

/** The answer of one read, as its own address gives it. */
async function answerOf(
  asked: string,
  match: MatchOperation,
  call: Parameters<typeof callOperation>[2]
): Promise<Omit<ReadLine, 'at'>> {
  const [path = '', search = ''] = asked.split(/\?(.*)/s)
  const found = match('GET', path)
  if (found === undefined) return OTHER
  try {
    const parts = { params: found.params, query: parse(search) }
    const { status, body } = await callOperation(found.bound, parts, call)
    return { status, body }
  } catch (error) {
    call.log.error({ err: error }, 'a dashboard request failed')
    return failure(path)
  }
}

/** Answers a request line by line. Reads end with the request, and one that is slow holds no other. */
export type SendReads = (
  request: Pick<FastifyRequest, 'query' | 'log'>,
  reply: FastifyReply,
  actor: Actor
) => FastifyReply

/** Made once: what each address is, is known then. */
export function sendReadsOf(host: DashboardHost): SendReads {
  const match = operationMatcher(bindOperations(dashboardOperations.filter(isForAll), host))
  return (request, reply, actor) => {
    const { read } = request.query as { readonly read: string | readonly string[] }
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    // None of these operations asks for more than its access.
    const call = { actor, log: request.log, signal: gone.signal, may: () => false }
    const lines = new PassThrough()
    const all = [read].flat().map(async (asked, at) => {
      const line: ReadLine = { at, ...(await answerOf(asked, match, call)) }
      lines.write(`${JSON.stringify(line)}\n`)
    })
    void Promise.all(all).then(() => lines.end())
    return reply.headers(HEADERS).send(lines)
  }
}
