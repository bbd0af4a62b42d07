// What the routes and the tools of one agent API share: tokens, the boundary, the mailer behind them.
import { type PlainLogger, plainLog } from '@keelson/kernel/standalone'
import {
  mailerBreaker,
  mailerCore,
  mailerOperations,
  mailerWorkbench
} from '@keelson/mailer/contracts'
import type { Clock, Host, Operation } from '@keelson/sdk'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Collection } from 'mongodb'
import type { AgentHost } from './agent-host.ts'
import { boundSchemas } from './answers/mailer-schemas.ts'
import { createBoundary, type TestContacts } from './boundary/test-contacts.ts'
import type { AnswerRow } from './idempotency/answer-row.ts'
import { createKeptAnswers, type KeptAnswers } from './idempotency/kept-answers.ts'
import { agentOperationsWith } from './operations/all-operations.ts'
import type { TokenHost } from './operations/token-operations.ts'
import manifest from './plugin.json' with { type: 'json' }
import type { TaskRow } from './tasks/task-row.ts'
import { createTaskRuns, type TaskRuns } from './tasks/task-runs.ts'
import { createTaskStore } from './tasks/task-store.ts'
import { type Admit, createAdmission } from './tokens/admit-callers.ts'
import { createOwnerRule } from './tokens/owner-rule.ts'
import { createStoredTokens } from './tokens/stored-tokens.ts'
import { type AgentToken, createTokenRegister } from './tokens/token-register.ts'
import { createTokenResolver, type TokenResolver } from './tokens/token-resolver.ts'
import type { TokenRow } from './tokens/token-row.ts'
import { createTokenStore } from './tokens/token-store.ts'

/** Options of `createAgentRouter` and `createAgent`. */
export interface AgentOptions {
  readonly tokens: readonly AgentToken[]
  /** Which addresses are of test contacts. Default: none, and operations that need one answer 403. */
  readonly testContacts?: TestContacts | null
  /** Default: the logger of the app. */
  readonly logger?: PlainLogger
}

/** On the platform the config need not name tokens: administrators make them. */
type PartsOptions = Omit<AgentOptions, 'tokens'> & {
  readonly tokens: AgentOptions['tokens'] | undefined
  /** Those whose administrators make tokens. Default: all. */
  readonly adminTenants?: ReadonlySet<string>
}

type TokenSeams = Pick<AgentSeams, 'core' | 'clock' | 'tokenRows' | 'withTransaction'>

/** What the host of the plugin gives. */
export interface AgentSeams
  extends Pick<AgentHost, 'core' | 'operations' | 'workbench' | 'health'>,
    Pick<Host, 'withTransaction'> {
  readonly clock: Clock
  /** Where answers to requests with an Idempotency-Key are kept. */
  answers(): Promise<Collection<AnswerRow>>
  /** Where long calls of tools and their results are kept. */
  tasks(): Promise<Collection<TaskRow>>
  /** Tokens that administrators made. */
  tokenRows(): Promise<Collection<TokenRow>>
}

/** The mailer by its contracts, and the plugin's own collection. `open` comes before its first use. */
export const seamsOf = (
  host: Host,
  open: () => Promise<void> = async () => undefined
): AgentSeams => ({
  core: host.use(mailerCore),
  operations: host.use(mailerOperations),
  workbench: host.use(mailerWorkbench),
  clock: host.clock,
  health: async () => (await host.use(mailerBreaker, { optional: true })?.health()) ?? null,
  async answers() {
    await open()
    return host.collection<AnswerRow>('agent_answers')
  },
  async tasks() {
    await open()
    return host.collection<TaskRow>('agent_tasks')
  },
  async tokenRows() {
    await open()
    return host.collection<TokenRow>('agent_tokens')
  },
  withTransaction: host.withTransaction
})

/** What operations are served with, and until when. */
export interface OpenAgent {
  readonly host: AgentHost
  /** With the schemas of the mailer in them. */
  readonly operations: readonly Operation<AgentHost>[]
  /** Aborted when the app closes. */
  readonly closing: AbortSignal
}

/** The parts. */
export interface AgentParts {
  readonly tokens: TokenResolver
  /** What administrators make tokens with. */
  readonly tokenHost: TokenHost
  /** One count of wrong tokens for all routes. */
  readonly admit: Admit
  /** Default: the log of each request. */
  readonly log: FastifyBaseLogger | undefined
  keptAnswers(host: AgentHost): KeptAnswers
  taskRuns(host: AgentHost, closing: AbortSignal): TaskRuns
  /** Opens the parts with the first app, and closes them with it. */
  open(app: FastifyInstance): OpenAgent
}

/** @throws AGT_NO_TOKEN, AGT_TOKEN_SHORT, AGT_TOKEN_TAKEN, AGT_ACTOR_BLANK */
export function createAgentParts(
  { tokens: given, testContacts, logger, adminTenants }: PartsOptions,
  seams: AgentSeams
): AgentParts {
  const { answers, tasks, tokenRows: rows, withTransaction: _withTransaction, ...mailer } = seams
  const tokenHost = tokenHostOf(seams, adminTenants)
  const { isOwned } = tokenHost
  const tokens = createTokenResolver(
    createTokenRegister(given),
    createStoredTokens({ rows, isOwned })
  )
  const boundary = createBoundary(testContacts)
  const host: AgentHost = { ...mailer, boundary, version: manifest.version }
  let opened: OpenAgent | undefined
  let admit: Admit | undefined
  return {
    tokens,
    tokenHost,
    admit(request) {
      admit ??= createAdmission(tokens, seams.clock)
      return admit(request)
    },
    log: logger && plainLog(logger),
    keptAnswers: ({ clock }) => createKeptAnswers(answers, clock),
    taskRuns: ({ clock }, closing) => createTaskRuns(createTaskStore(tasks, clock), clock, closing),
    open(app) {
      opened ??= openAgent(app, host)
      return opened
    }
  }
}

/** The tokens that administrators make, with their audit log. */
export function tokenHostOf(
  { core, clock, tokenRows: rows, withTransaction }: TokenSeams,
  tenants?: ReadonlySet<string>
): TokenHost {
  const tokens = createTokenStore({ rows, core, clock, withTransaction })
  return { core, clock, tokens, isOwned: createOwnerRule({ core, clock, tenants }) }
}

function openAgent(app: FastifyInstance, host: AgentHost): OpenAgent {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  const operations = agentOperationsWith(boundSchemas(host.operations.own))
  return { host, operations, closing: closing.signal }
}
