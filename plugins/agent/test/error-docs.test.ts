// `docs` of an error: an address that explains it, without a token, for every error there is.
import { mailerRefusals } from '@keelson/mailer/contracts'
import { defineErrors, OWN_REFUSALS } from '@keelson/sdk'
import type { FastifyBaseLogger } from 'fastify'
import { test } from 'tap'
import { errorAnswer, withDocs } from '../answers/error-answer.ts'
import { docsOf, errorDocs } from '../answers/error-docs.ts'
import { faultAnswer } from '../answers/fault-answer.ts'
import { type RefusalCode, refusals } from '../answers/refusals.ts'
import { agentApp } from './agent-app.ts'

const WITHOUT_TOKEN = {}
const DOCS = errorDocs('/agent', {})

test('every error of the table has an address in docs that explains it without a token', async (t) => {
  const { call } = await agentApp(t)
  for (const word of Object.keys(refusals.table) as RefusalCode[]) {
    const { docs } = errorAnswer(refusals.refuse(word), DOCS).body as { docs: string }
    const { status, message, fix } = refusals.table[word]
    const page = await call('GET', docs.replace('/agent', ''), undefined, WITHOUT_TOKEN)
    t.match([page.status, page.body], [200, { error: word, status, message, fix, docs }], word)
  }
})

test('every word of the admin API, and every error of the mailer, is explained', async (t) => {
  const { seams } = await agentApp(t)
  const { errors } = seams.operations
  const docs = errorDocs('/agent', errors)
  const codes = Object.entries(errors).flatMap(([code, { status }]) =>
    status === 500 ? [] : [code]
  )
  t.ok(codes.length > 5)
  const words = [...Object.keys(mailerRefusals), ...Object.keys(OWN_REFUSALS), ...codes]
  for (const word of words) {
    t.ok(docs.byWord.has(word), word)
    t.equal(docsOf(docs, word), `/agent/errors/${word}`)
  }
  for (const { error, status, message, fix } of docs.byWord.values()) {
    t.ok(status >= 400 && status < 600, error)
    t.match(message, /^\S.*[.}]$/, error)
    t.match(fix, /^\S.*\.$/, error)
  }
})

test('a word that a plugin chose leads to the list', async (t) => {
  const { call, seams } = await agentApp(t)
  const answer = withDocs({ error: 'score_too_low', message: 'The score is 2.' }, DOCS)
  t.match(answer, { fix: String, docs: '/agent/errors' })
  const { status, body } = await call('GET', '/errors', undefined, WITHOUT_TOKEN)
  t.match([status, body.others], [200, String])
  t.equal(body.errors.length, errorDocs('/agent', seams.operations.errors).byWord.size)
  t.match(await call('GET', '/errors/score_too_low', undefined, WITHOUT_TOKEN), {
    status: 404,
    body: { error: 'not_found', docs: '/agent/errors/not_found' }
  })
})

test('an error of a table brings its own status and remedy', async (t) => {
  const row = { message: 'The shop is closed.', remedy: 'Open it.', status: 409 }
  const errors = defineErrors({ SHP_CLOSED: row })
  const log = {} as FastifyBaseLogger
  t.match(faultAnswer(errors.SHP_CLOSED(), log, DOCS), {
    status: 409,
    body: { error: 'SHP_CLOSED', message: /The shop is closed/, fix: 'Open it.' }
  })
  const large = Object.assign(new Error('The body is too large.'), { statusCode: 413 })
  t.match(faultAnswer(large, log, DOCS), {
    status: 413,
    body: { error: 'request_refused', fix: String }
  })
})
