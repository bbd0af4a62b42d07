// mailer.core/v1 for tests: answers from lists that a test fills, and records every call.
import type { Actor } from '@keelson/sdk'
import type {
  MailerCore,
  MailOutcome,
  OperatorMail,
  SenderDomain,
  Subscriber,
  TemplateContent
} from '../contracts/index.ts'

/** What the stand-in answers from. A test may change the lists at any time. */
export interface MailerData {
  /** Append to it: `outcomes` hands out what is new since a cursor. */
  readonly outcomes: MailOutcome[]
  readonly subscribers: Subscriber[]
  readonly senderDomains: SenderDomain[]
  readonly templates: TemplateContent[]
}

/** A function of the mailer. */
export type MailerFunction = Exclude<keyof MailerCore, 'as'>

/** One call of a function of the mailer, in the order they came. */
export interface MailerCall {
  readonly name: MailerFunction
  readonly args: readonly unknown[]
}

/** The functions, with the ones that a test gives instead of them. Each call is added to `calls`. */
export function createRecordedMailer(
  data: MailerData,
  calls: MailerCall[],
  given: Partial<MailerCore>
): MailerCore {
  const functions = Object.entries({ ...coreOf(data), ...given }) as [MailerFunction, Recorded][]
  const recorded = functions.map(([name, call]) => [
    name,
    (...args: readonly unknown[]) => {
      calls.push({ name, args })
      return call(...args)
    }
  ])
  const mailer = Object.fromEntries(recorded) as unknown as MailerCore
  return {
    ...mailer,
    // Recorded as what was done, an audit entry with who acts and from where.
    as: (actor) => ({
      ...mailer,
      allowed: async () => true,
      audit: (entry) => mailer.audit({ ...entry, ...actingOf(actor) })
    })
  }
}

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

function coreOf(data: MailerData): Omit<MailerCore, 'as'> {
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
    senderDomains: () => [...data.senderDomains],
    async outcomes({ after = '0', limit = 1000 } = {}) {
      const items = data.outcomes.slice(Number(after), Number(after) + limit)
      return { items, cursor: String(Number(after) + items.length) }
    },
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

function onceByKey(): MailerCore['notify'] {
  const seen = new Set<string>()
  return async ({ dedupeKey }: OperatorMail) => {
    const isNew = !seen.has(dedupeKey)
    seen.add(dedupeKey)
    return { isNew }
  }
}
