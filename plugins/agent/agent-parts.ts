// What the routes and the tools of one agent API share: tokens, the boundary, the mailer behind them.
import { type PlainLogger, plainLog } from '@keelson/kernel/standalone'
import type { AdminMailer } from '@keelson/mailer'
import type { MailHealth } from '@keelson/mailer/contracts'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Collection } from 'mongodb'
import type { AgentHost } from './agent-host.ts'
import { createBoundary, type TestContacts } from './boundary/test-contacts.ts'
import type { AnswerRow } from './idempotency/answer-row.ts'
import { createKeptAnswers, type KeptAnswers } from './idempotency/kept-answers.ts'
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
  /** Default: the logger of the app. */
  readonly logger?: PlainLogger
}

/** What the host of the plugin gives. */
export interface AgentSeams {
  /** Where answers to requests with an Idempotency-Key are kept. */
  answers(): Promise<Collection<AnswerRow>>
  /** Of the circuit breaker; null without one. */
  health(): Promise<MailHealth | null>
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
  /** Default: the log of each request. */
  readonly log: FastifyBaseLogger | undefined
  keptAnswers(host: AgentHost): KeptAnswers
  /** Opens the parts with the first app, and closes them with it. */
  open(app: FastifyInstance): OpenAgent
}

/** @throws AGT_NO_TOKEN, AGT_TOKEN_SHORT, AGT_TOKEN_TAKEN, AGT_ACTOR_BLANK */
export function createAgentParts(
  mailer: AdminMailer,
  { tokens: given, testContacts, logger }: AgentOptions,
  seams: AgentSeams
): AgentParts {
  const tokens = createTokenRegister(given)
  const boundary = createBoundary(testContacts)
  let opened: OpenAgent | undefined
  let admit: Admit | undefined
  return {
    tokens,
    admit(request) {
      admit ??= createAdmission(tokens, mailer.getRunnerContext().clock)
      return admit(request)
    },
    log: logger && plainLog(logger),
    keptAnswers: ({ context }) => createKeptAnswers(seams.answers, context.clock),
    open(app) {
      opened ??= openAgent(app, mailer, { boundary, health: seams.health })
      return opened
    }
  }
}

function openAgent(
  app: FastifyInstance,
  mailer: AdminMailer,
  parts: Pick<AgentHost, 'boundary' | 'health'>
): OpenAgent {
  const context = mailer.getRunnerContext()
  const closing = new AbortController()
  const changes = watchSends(context)
  app.addHook('preClose', async () => {
    closing.abort()
    await changes.close()
  })
  return {
    host: {
      mailer,
      context,
      ...parts,
      changes,
      version: manifest.version
    },
    closing: closing.signal
  }
}
