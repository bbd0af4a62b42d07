// mailer.core/v1 for tests: answers from lists that a test fills, and records every call.
import { type Actor, KeelsonError } from '@keelson/sdk'
import type {
  ActingMailer,
  MailerCore,
  MailerReads,
  MailOutcome,
  OperatorMail,
  SenderDomain,
  Subscriber,
  TemplateContent
} from '../contracts/index.ts'
import type { MailAuditEntry } from '../contracts/mailer-audit.ts'

/** What the stand-in answers from. A test may change the lists at any time. */
export interface MailerData {
  /** Append to it: `outcomes` hands out what is new since a cursor. */
  readonly outcomes: MailOutcome[]
  readonly subscribers: Subscriber[]
  readonly senderDomains: SenderDomain[]
  readonly templates: TemplateContent[]
}

type Acts = Omit<ActingMailer, 'allowed' | 'audit'>

/** The functions of the mailer, those of an actor among them: what a test gives, and what is recorded. */
export interface MailerFunctions extends MailerReads, Acts {
  /** Called with who acts, and from where, besides the entry. */
  audit(entry: MailAuditEntry): Promise<void>
}

/** Functions that a test gives instead of the stand-in's. */
export interface GivenMailer extends Partial<MailerFunctions> {
  /** Whether an actor may act. Default: every one. */
  readonly admits?: (actor: Actor) => boolean
}

/** A function of the mailer. */
export type MailerFunction = keyof MailerFunctions

/** One call of a function of the mailer, in the order they came. */
export interface MailerCall {
  readonly name: MailerFunction
  /** Who acts, as the audit log names them; left out for a read. */
  readonly actor?: string
  readonly args: readonly unknown[]
}

const READS = [
  'registerEvent',
  'exportContactData',
  'template',
  'compileTemplate',
  'sampleMessage',
  'senderDomains',
  'outcomes',
  'countHeld',
  'heldBroadcasts',
  'broadcastBehind',
  'subscribers'
] as const satisfies readonly (keyof MailerReads)[]

/** The functions, with the ones that a test gives instead of them. Each call is added to `calls`. */
export function createRecordedMailer(
  data: MailerData,
  calls: MailerCall[],
  { admits = () => true, ...given }: GivenMailer
): MailerCore {
  const functions = { ...functionsOf(data), ...given } as Readonly<Record<MailerFunction, Recorded>>
  const reads = READS.map((name) => [
    name,
    (...args: readonly unknown[]) => {
      calls.push({ name, args })
      return functions[name](...args)
    }
  ])
  return {
    ...(Object.fromEntries(reads) as unknown as MailerReads),
    as(actor) {
      const acts = Object.keys(functions).map((each) => {
        const name = each as MailerFunction
        const act = async (...given: readonly unknown[]) => {
          if (!admits(actor)) throw forbidden(actor)
          const args = name === 'audit' ? [{ ...(given[0] as object), ...actingOf(actor) }] : given
          calls.push({ name, args, actor: actor.name })
          return functions[name](...args)
        }
        return [name, act]
      })
      const acting = Object.fromEntries(acts) as unknown as ActingMailer
      return { ...acting, allowed: async () => admits(actor) }
    }
  }
}

/** A mailer with the functions that a test gives, where nothing is recorded. */
export function createGivenMailer(given: GivenMailer = {}): MailerCore {
  const data = { outcomes: [], subscribers: [], senderDomains: [], templates: [] }
  return createRecordedMailer(data, [], given)
}

/** As the mailer refuses. */
const forbidden = ({ name: actor }: Actor): KeelsonError =>
  new KeelsonError(
    'MLR_ACTOR_FORBIDDEN',
    { message: '{actor} may not change or send mail.', remedy: '', status: 403 },
    { actor }
  )

/** As the mailer keeps it. */
function actingOf({ name, ip, requestId, userAgent }: Actor) {
  return {
    actor: name,
    ...(ip !== undefined && { ip }),
    ...(requestId !== undefined && { requestId }),
    ...(userAgent !== undefined && { userAgent })
  }
}

type Recorded = (...args: readonly unknown[]) => unknown

const NOTHING_ABORTED = { abortedRuns: 0, cancelledSends: 0 }
const nothing = async (): Promise<void> => {}
/** The mailer makes better text of HTML. */
const wordsOf = (html: string): string => html.replace(/<[^>]*>/g, ' ').trim()

function functionsOf(data: MailerData): MailerFunctions {
  return {
    sendOneOff: async ({ dedupeKey }) => ({ sendId: `send-${dedupeKey}` }),
    notify: onceByKey(),
    sendTest: async ({ to }) => ({ providerId: `test-${to}` }),
    registerEvent: nothing,
    fire: nothing,
    fireFromSession: nothing,
    upsertSubscription: nothing,
    resubscribe: async () => ({ removedSuppressions: 0 }),
    unsubscribe: nothing,
    suppress: nothing,
    recordFeedback: async ({ sendId, messageId }) => ({ sendId: sendId ?? messageId ?? null }),
    tag: nothing,
    untag: nothing,
    abortFlow: async () => NOTHING_ABORTED,
    abortAllFlows: async () => NOTHING_ABORTED,
    forget: nothing,
    exportContactData: async () => ({}),
    audit: nothing,
    template: async (slug, version) =>
      data.templates.find((each) => each.slug === slug && each.version === version) ?? null,
    async compileTemplate(slug, { html, mjml, editorJson, ...change }) {
      const drafts = data.templates.filter((each) => each.slug === slug)
      const saved = drafts.find(({ version }) => version === 'draft') ?? drafts[0]
      if (saved === undefined) return null
      const template = { ...saved, ...change, version: 'draft' as const }
      if (html === undefined) return { template, compileError: null }
      const source = { html, mjml: null, editorJson: null }
      return { template: { ...template, html, text: wordsOf(html), source }, compileError: null }
    },
    sampleMessage: async (slug) => Buffer.from(`Subject: ${slug}\r\n\r\n`),
    senderDomains: () => [...data.senderDomains],
    async outcomes({ after = '0', limit = 1000 } = {}) {
      const items = data.outcomes.slice(Number(after), Number(after) + limit)
      return { items, cursor: String(Number(after) + items.length) }
    },
    countHeld: async () => 0,
    heldBroadcasts: async () => [],
    broadcastBehind: async () => null,
    async subscribers({ after = '', limit = 1000, status } = {}) {
      return data.subscribers
        .filter((each) => each.externalId > after && (status ?? each.status) === each.status)
        .sort((a, b) => (a.externalId < b.externalId ? -1 : 1))
        .slice(0, limit)
    },
    pauseBroadcasts: async () => ({ paused: 0 }),
    resumeBroadcasts: async () => ({ resumed: 0 })
  }
}

function onceByKey(): MailerFunctions['notify'] {
  const seen = new Set<string>()
  return async ({ dedupeKey }: OperatorMail) => {
    const isNew = !seen.has(dedupeKey)
    seen.add(dedupeKey)
    return { isNew }
  }
}
