// A mailer whose sends are handed to a provider that records them, for tests of what leads there.

import type { Teardown } from '@keelson/sdk/testing'
import { createSendHandler } from '../campaigns/send-handler.ts'
import type { MailContact } from '../contracts/mailer-core.ts'
import type { MailProvider, ProviderMessage } from '../contracts/mailer-provider.ts'
import type { NewSend } from '../delivery/sends/queue-sends.ts'
import type { PreparedTemplate } from '../ledger/prepared-template.ts'
import type { SendRow } from '../ledger/send-row.ts'
import { type TestContext, type TestContextOptions, testContext } from './test-context.ts'

/** Twenty contacts, `c0` to `c19`, with addresses in mixed case. */
export const contacts: readonly MailContact[] = Array.from({ length: 20 }, (_, at) => ({
  externalId: `c${at}`,
  email: `C${at}@Example.test`,
  tags: [],
  fields: {}
}))

/** A template that names its contact and carries its unsubscribe address. */
export function preparedTemplate(
  slug: string,
  more: Partial<PreparedTemplate> = {}
): PreparedTemplate {
  return {
    slug,
    version: 3,
    kind: 'transactional',
    bodyFormat: 'multipart',
    trackOpens: false,
    trackClicks: false,
    fromName: 'Acme',
    fromEmail: 'hello@acme.test',
    replyTo: null,
    bodyHash: 'hash',
    render: ({ contact, addresses }) => ({
      ok: true,
      mail: {
        subject: `For ${contact.externalId}`,
        preheader: '',
        html: `<p>${addresses.unsubscribeUrl}</p>`,
        text: 'text',
        links: []
      }
    }),
    ...more
  }
}

const broken = { ok: false, code: 'template_failed', message: 'no' } as const
/** `notice` is transactional, `news` is marketing, `broken` cannot be rendered. */
const templates = {
  load: async () =>
    new Map([
      ['notice', preparedTemplate('notice')],
      ['news', preparedTemplate('news', { kind: 'marketing' })],
      ['broken', preparedTemplate('broken', { render: () => broken })]
    ])
}

/** What the provider does with a mail; undefined: it takes it. A throw is a throw of the provider. */
export type Answer = (message: ProviderMessage, tries: number) => unknown

/** What a test of sends sets. */
export interface RecordingOptions extends TestContextOptions {
  readonly answer?: Answer
  readonly provider?: Partial<MailProvider>
}

/** A context whose sends run by call, and what was handed over. */
export interface RecordingSends extends TestContext {
  readonly sent: ProviderMessage[]
  readonly messageIds: string[]
  /** Hands over what is due. */
  run(): Promise<void>
  rowOf(externalId: string): Promise<SendRow>
}

/** Opens a mailer that records what it sends. */
export async function recordingSends(
  t: Teardown,
  { answer = () => undefined, provider: more, ...options }: RecordingOptions = {}
): Promise<RecordingSends> {
  const sent: ProviderMessage[] = []
  const messageIds: string[] = []
  const provider: MailProvider = {
    name: 'recording',
    sendRatePerSecond: 100_000,
    async send(message, { messageId }) {
      sent.push(message)
      messageIds.push(messageId)
      const answered = await answer(message, sent.length)
      return (answered ?? { status: 'accepted', providerId: `p${sent.length}` }) as never
    },
    verifyWebhook: () => false,
    parseWebhookEvents: () => [],
    ...more
  }
  const opened = await testContext(t, {
    contacts,
    templates,
    providers: { recording: provider },
    handlers: (context) => {
      const handler = createSendHandler(context)
      return { urgentSends: handler, bulkSends: handler }
    },
    ...options
  })
  const { context, queues } = opened
  return {
    ...opened,
    sent,
    messageIds,
    async run() {
      await Promise.all([queues.urgentSends.runDue(), queues.bulkSends.runDue()])
    },
    async rowOf(externalId) {
      const row = await context.collections.sends.findOne({ externalId })
      if (row === null) throw new Error(`there is no send to ${externalId}`)
      return row
    }
  }
}

/** A transactional mail to a contact, to be queued. */
export function newSend(externalId: string, more: Partial<NewSend> = {}): NewSend {
  return {
    dedupeKey: `oneoff:${externalId}`,
    lane: 'urgent',
    externalId,
    kind: 'transactional',
    templateSlug: 'notice',
    ...more
  }
}
