// Where a job is done: a demo, what a job finds there, and names that no other way of acting uses.
import type { APIResponse } from 'playwright-core'
import { type Hand, WAYS, type Way } from './hand.ts'

const ADMIN = 'admin@acme.test'
const MAIL = '/admin/mailer/api'

// biome-ignore lint/suspicious/noExplicitAny: an answer of any route, looked at by jobs
type Answer = any

/** A job of the table: done by a hand, and ended by looking whether it is done. */
export interface Job {
  readonly name: string
  /** It changes what the other ways see: they wait. */
  readonly isAlone?: true
  run(hand: Hand, stage: Stage): Promise<void>
}

export class Stage {
  readonly way: Way
  readonly #url: string
  readonly #hand: Hand

  constructor(url: string, hand: Hand) {
    this.#url = url
    this.#hand = hand
    this.way = hand.way
  }

  /** Signs the hand in, as an administrator. */
  async signIn(): Promise<void> {
    await this.call('POST', '/login', { email: ADMIN, password: 'keelson-demo' })
  }

  address(path: string): string {
    return `${this.#url}${path}`
  }

  /** Opens a page below `/admin/mailer`, or one of the whole demo. */
  async open(path: string): Promise<void> {
    await this.#hand.page.goto(
      `${this.#url}${path.startsWith('/') ? path : `/admin/mailer/${path}`}`
    )
  }

  /** Calls the demo as the person who is signed in. */
  async call(method: string, path: string, data?: object): Promise<Answer> {
    const url = path.startsWith('/') ? `${this.#url}${path}` : `${this.#url}${MAIL}/${path}`
    const reply: APIResponse = await this.#hand.page.request.fetch(url, {
      method,
      headers: { origin: new URL(this.#url).origin },
      ...(data !== undefined && { data })
    })
    const text = await reply.text()
    if (!reply.ok())
      throw new Error(`${method} ${url} answered ${reply.status()}: ${text.slice(0, 300)}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  /** Does what is due now, so that nothing has to be waited for. */
  async settle(): Promise<void> {
    await this.call('PUT', '/demo/clock', { at: null })
  }

  /** Asks until the answer is as wanted. */
  async until(path: string, isThere: (answer: Answer) => boolean): Promise<Answer> {
    for (let turn = 0; turn < 40; turn += 1) {
      const answer = await this.call('GET', path)
      if (isThere(answer)) return answer
      await this.settle()
    }
    throw new Error(`${path} does not get there`)
  }

  /** A name that this way alone uses. */
  named(name: string): string {
    return `${name} by ${this.way}`
  }

  slug(name: string): string {
    return `${name}-by-${this.way}`
  }

  /** So many customers from a number on, subscribed and with a tag of this way: a segment. */
  async audience(name: string, from: number, count: number): Promise<object> {
    const tag = this.slug(name)
    for (const number of this.numbers(from, count)) {
      await this.call('POST', `contacts/u${number}/resubscribe`, {})
      await this.call('POST', `contacts/u${number}/tags`, { add: [tag] })
    }
    return { filters: [{ kind: 'hasTag', tag }] }
  }

  /** Numbers of customers that no other way uses. */
  numbers(from: number, count: number): readonly number[] {
    const first = from + WAYS.indexOf(this.way) * count
    return Array.from({ length: count }, (_, at) => first + at)
  }

  /** A broadcast that is scheduled for now, its first mails handed over. */
  async started(name: string, fields: object): Promise<string> {
    const slug = this.slug(name)
    const made = { slug, name: this.named(name), templateSlug: 'newsletter', ...fields }
    await this.call('POST', 'broadcasts', made)
    const { recipientCount } = await this.call('POST', `broadcasts/${slug}/segment/count`, {})
    const scheduledAt = new Date().toISOString()
    await this.call('POST', `broadcasts/${slug}/schedule`, {
      scheduledAt,
      confirmedCount: recipientCount
    })
    await this.until(
      `broadcasts/${slug}`,
      ({ status, progress, queuedCount }) =>
        status === 'paused' || (queuedCount > 0 && progress.handed === queuedCount)
    )
    return slug
  }

  /** A published template. */
  async template(name: string, body = HTML): Promise<string> {
    const slug = this.slug(name)
    await this.call('POST', 'templates', { slug, name: this.named(name), kind: 'marketing' })
    await this.call('PATCH', `templates/${slug}/draft`, { subject: 'News of the shop', html: body })
    await this.call('POST', `templates/${slug}/publish`)
    return slug
  }
}

/** A mail without faults. */
export const HTML =
  '<p>Hello {{contact.fields.firstName}}</p><p>{{senderAddress}}</p><a href="{{unsubscribeUrl}}">Unsubscribe</a>'
