// mailer.campaign-mail/v1 for tests: keeps what is queued and cancelled, and answers from what a test gives.
import { createHash } from 'node:crypto'
import type {
  CampaignMail,
  CampaignMailer,
  CampaignMailState,
  CampaignMails,
  MailContact,
  PublishedTemplate
} from '../contracts/index.ts'

/** What the stand-in keeps and answers from. A test may change all of it at any time. */
export interface CampaignMailData {
  /** By id, in the order they were queued. */
  readonly queued: Map<string, CampaignMail>
  readonly cancelled: { readonly mails: CampaignMails; readonly reason: string }[]
  /** By id. A mail that is queued waits until a test says otherwise. */
  readonly states: Map<string, CampaignMailState>
  /** By id. */
  readonly contacts: Map<string, MailContact>
  /** By slug. */
  readonly published: Map<string, PublishedTemplate>
}

/** Nothing is queued, and no contact is known. */
export const emptyCampaignMail = (): CampaignMailData => ({
  queued: new Map(),
  cancelled: [],
  states: new Map(),
  contacts: new Map(),
  published: new Map()
})

/** The capability over this data. */
export function createGivenCampaignMail(data: CampaignMailData): CampaignMailer {
  const { queued, cancelled, states, contacts, published } = data
  const mailId = (kind: string, key: string) =>
    createHash('sha256').update(`${kind}:${key}`).digest('hex').slice(0, 24)
  return {
    mailId,
    mailStates: async (ids) => new Map(ids.flatMap((id) => entryOf(states, id))),
    contacts: async (ids) => new Map(ids.flatMap((id) => entryOf(contacts, id))),
    publishedTemplates: async (slugs) => new Map(slugs.flatMap((slug) => entryOf(published, slug))),
    templateNames: async (slugs) =>
      new Map(slugs.flatMap((slug) => (published.has(slug) ? [[slug, slug] as const] : []))),
    async sentMails(kind, slugs) {
      const sent = new Map<string, number>()
      for (const [id, { campaign }] of queued) {
        if (campaign.kind !== kind || !slugs.includes(campaign.slug)) continue
        if (states.get(id)?.kind === 'handed')
          sent.set(campaign.slug, (sent.get(campaign.slug) ?? 0) + 1)
      }
      return sent
    },
    ownerProblem: async () => null,
    as: () => ({
      async queue(mails) {
        const known = mails.filter(({ templateSlug }) => published.has(templateSlug))
        let added = 0
        for (const mail of known) {
          const id = mail.id ?? mailId(mail.campaign.kind, mail.key)
          if (queued.has(id)) continue
          queued.set(id, mail)
          states.set(id, { kind: 'waiting' })
          added++
        }
        const slugs = new Set(mails.map(({ templateSlug }) => templateSlug))
        return { added, unpublished: [...slugs].filter((slug) => !published.has(slug)) }
      },
      async cancel(mails, reason) {
        cancelled.push({ mails, reason })
        const own = [...queued].filter(([id, { campaign }]) => isMeant(mails, id, campaign))
        const waiting = own.filter(([id]) => states.get(id)?.kind === 'waiting')
        for (const [id] of waiting) states.set(id, { kind: 'ended' })
        return { cancelled: waiting.length }
      }
    })
  }
}

const entryOf = <T>(
  map: ReadonlyMap<string, T>,
  key: string
): readonly (readonly [string, T])[] => {
  const value = map.get(key)
  return value === undefined ? [] : [[key, value]]
}

const isMeant = (mails: CampaignMails, id: string, of: CampaignMail['campaign']): boolean =>
  mails.kind === of.kind && ('slug' in mails ? mails.slug === of.slug : mails.ids.includes(id))
