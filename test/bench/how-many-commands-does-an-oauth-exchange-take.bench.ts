// Database commands of a code exchange and a refresh, and what 200,000 pairwise subjects of one client cost a token.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalMongo } from '@keelson/local-mongo'
import { type Db, MongoClient } from 'mongodb'
import { median, printFigure } from './measure.ts'
import { startActor } from './oauth-actor.ts'

const TRIES = 40
const MANY = 200_000

const dataDir = await mkdtemp(join(tmpdir(), 'keelson-bench-'))
const engine = await startLocalMongo({ dataDir })
const mongo = new MongoClient(engine.uri, { monitorCommands: true })
let sent = 0
mongo.on('commandStarted', () => sent++)

/** Mean of the commands that a piece of work sends, with what it writes in the background. */
async function commandsOf(work: () => Promise<unknown>): Promise<number> {
  const before = sent
  await work()
  await new Promise((resolve) => setTimeout(resolve, 200))
  return sent - before
}

const limited = { token: { max: 10_000, windowMs: 3_600_000 } }
const actor = await startActor(mongo.db('oauth_commands'), { rateLimits: limited })
await actor.exchange(await actor.toCode())
const pair = await actor.toCode()
let refreshToken = ''
const exchange = await commandsOf(async () => {
  refreshToken = (await actor.exchange(pair)).refresh_token
})
const refresh = await commandsOf(() =>
  actor.token({ grant_type: 'refresh_token', refresh_token: refreshToken })
)
printFigure('commands of a code exchange', exchange, { atMost: 6 }, '')
printFigure('commands of a refresh', refresh, { atMost: 6 }, '')
await actor.close()

/** Median milliseconds of a refresh when the client has so many people. */
async function refreshMs(db: Db, people: number): Promise<number> {
  const one = await startActor(db, {
    subjectMode: 'pairwise',
    pairwiseSalt: 'a salt for the measurement'
  })
  const now = new Date()
  for (let at = 0; at < people; at += 2000) {
    await one.host.models.OAuthGrant.insertMany(
      Array.from({ length: Math.min(2000, people - at) }, (_, index) => ({
        _id: `g${at + index}`,
        userId: `person-${at + index}`,
        clientId: one.clientId,
        contextId: null,
        scopes: ['openid', 'read'],
        resources: [],
        version: 1,
        revokedAt: null,
        createdAt: now,
        updatedAt: now
      }))
    )
  }
  let { refresh_token: token } = await one.exchange(await one.toCode())
  const times: number[] = []
  for (let tries = 0; tries < TRIES; tries++) {
    const before = performance.now()
    token = (await one.token({ grant_type: 'refresh_token', refresh_token: token })).refresh_token
    times.push(performance.now() - before)
  }
  await one.close()
  return median(times)
}

const few = await refreshMs(mongo.db('oauth_few'), 10)
const many = await refreshMs(mongo.db('oauth_many'), MANY)
const detail = `${many.toFixed(2)} ms against ${few.toFixed(2)} ms`
printFigure(
  `a token with ${MANY} pairwise subjects against 10`,
  many / few,
  { atMost: 1.2 },
  detail
)
await mongo.close()
await engine.close()
await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
