// What plugins contribute to the admin API asks the mailer about its caller before it does anything.
import blockLists from '@keelson/block-lists'
import circuitBreaker from '@keelson/circuit-breaker'
import contentLinter from '@keelson/content-linter'
import contentScorer from '@keelson/content-scorer'
import dmarc from '@keelson/dmarc'
import listHygiene from '@keelson/list-hygiene'
import { MAILER_ADMIN_API } from '@keelson/mailer/contracts'
import { createGivenMailer } from '@keelson/mailer/testing'
import postmaster from '@keelson/postmaster'
import { type Actor, type Call, definitionOf, type Operation } from '@keelson/sdk'
import snds from '@keelson/snds'
import { test } from 'tap'

const plugins = [
  blockLists,
  circuitBreaker,
  contentLinter,
  contentScorer,
  dmarc,
  listHygiene,
  postmaster,
  snds
]
const contributed = plugins
  .flatMap((plugin) => definitionOf(plugin)?.operations ?? [])
  .filter(({ base }) => base === MAILER_ADMIN_API)
const acting = contributed.filter(({ effect }) => effect !== 'read')

const bob: Actor = { tenantId: 'acme', viewerRef: 'user:bob', name: 'human:bob', via: 'session' }

/** What operations are served with, where anything but the mailer counts as done. */
function watchedHost(done: string[]): object {
  const mailer = createGivenMailer({ admits: () => false })
  const get = (_target: object, name: string | symbol): unknown => {
    if (name === 'mailer') return Object.assign(() => mailer, mailer)
    if (name === 'open') return () => host
    done.push(String(name))
    return undefined
  }
  const host: object = new Proxy({}, { get })
  return host
}

async function answerOf(operation: Operation<never>, host: object): Promise<unknown> {
  const input = { params: {}, query: {}, body: {}, files: async function* () {} }
  const call = { actor: bob, host, signal: new AbortController().signal }
  return operation.run(input, call as unknown as Call<never>)
}

test('plugins contribute operations that change, send or let mail go', (t) => {
  t.ok(acting.length >= 12, `${acting.length} of ${contributed.length}`)
  t.end()
})

for (const operation of acting)
  test(`${operation.id} refuses a caller whom the mailer refuses, and does nothing`, async (t) => {
    const done: string[] = []
    t.same(await answerOf(operation, watchedHost(done)), { ok: false, code: 'forbidden' })
    t.same(done, [])
  })
