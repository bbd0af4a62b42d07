// What the routes and the tools of one agent API share: tokens, the boundary, the mailer behind them.
import { type AdminMailer, createTick } from '@keelson/mailer'
import type { MailHealth } from '@keelson/mailer/contracts'
import type { FastifyInstance } from 'fastify'
import type { Collection, Db } from 'mongodb'
import type { AgentHost } from './agent-host.ts'
import { createBoundary, type TestContacts } from './boundary/test-contacts.ts'
import type { AnswerRow } from './idempotency/answer-row.ts'
import { createKeptAnswers, type KeptAnswers, openAnswers } from './idempotency/kept-answers.ts'
import manifest from './plugin.json' with { type: 'json' }
import { type Admit, createAdmission } from './tokens/admit-callers.ts'
import {
  type AgentToken,
  createTokenRegister,
  type TokenRegister
} from './tokens/token-register.ts'
import { watchSends } from './waiting/send-changes.ts'

/** Options of `createAgentRouter` and `createAgent`. */
export interface AgentOptions {
  readonly tokens: readonly AgentToken[]
  /** Which addresses are of test contacts. Default: none, and operations that need one answer 403. */
  readonly testContacts?: TestContacts | null
  /** How all mail is, for `/status`. Default: unknown. */
  readonly health?: () => Promise<MailHealth | null>
  /** Where answers to requests with an Idempotency-Key are kept. Default: such requests are refused. */
  readonly db?: Db
  /** The same, as an opened collection with its indexes. */
  readonly answers?: Collection<AnswerRow>
}

/** What operations are served with, and until when. */
export interface OpenAgent {
  readonly host: AgentHost
  /** Aborted when the app closes. */
  readonly closing: AbortSignal
}

/** The parts. */
export interface AgentParts {
  readonly tokens: TokenRegister
  /** One count of wrong tokens for all routes. */
  readonly admit: Admit
  /** Undefined without a database for them. */
  keptAnswers(host: AgentHost): KeptAnswers | undefined
  /** Opens the parts with the first app, and closes them with it. */
  open(app: FastifyInstance): OpenAgent
}

/** @throws AGT_NO_TOKEN, AGT_TOKEN_SHORT, AGT_TOKEN_TAKEN, AGT_ACTOR_BLANK */
export function createAgentParts(mailer: AdminMailer, options: AgentOptions): AgentParts {
  const tokens = createTokenRegister(options.tokens)
  const boundary = createBoundary(options.testContacts)
  const collection = answersOf(options)
  let opened: OpenAgent | undefined
  let admit: Admit | undefined
  return {
    tokens,
    admit(request) {
      admit ??= createAdmission(tokens, mailer.getRunnerContext().clock)
      return admit(request)
    },
    keptAnswers: ({ context }) => collection && createKeptAnswers(collection, context.clock),
    open(app) {
      opened ??= openAgent(app, mailer, { ...options, boundary })
      return opened
    }
  }
}

/** Opened with the first request that needs it. */
function answersOf({
  answers,
  db
}: AgentOptions): (() => Promise<Collection<AnswerRow>>) | undefined {
  if (answers !== undefined) return async () => answers
  if (db === undefined) return undefined
  let opening: Promise<Collection<AnswerRow>> | undefined
  return () => {
    opening ??= openAnswers(db).catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
}

function openAgent(
  app: FastifyInstance,
  mailer: AdminMailer,
  { boundary, health }: AgentOptions & Pick<AgentHost, 'boundary'>
): OpenAgent {
  const context = mailer.getRunnerContext()
  const closing = new AbortController()
  const changes = watchSends(context)
  const tick = createTick(context)
  app.addHook('preClose', async () => {
    closing.abort()
    await changes.close()
    await tick.idle()
  })
  return {
    host: {
      mailer,
      context,
      tick,
      boundary,
      changes,
      version: manifest.version,
      health: health ?? (async () => null)
    },
    closing: closing.signal
  }
}
