// What a person does with a broadcast: schedule, resume, retry, copy, pause, cancel, delete.
import { momentAt } from '@keelson/sdk/zoned-time'
import { type KeelsonPage, RequestError, Sending } from '@keelson/ui'
import { nothing, type TemplateResult } from 'lit'
import { mailHref, oneHref } from '../addresses.ts'
import type { Broadcast, BroadcastDetail, RecipientCount } from '../broadcasts/answers.ts'
import type { MailApi } from '../mail-api.ts'
import { nameSegmentDialog, previewDialog, whoDialog } from './audience-dialogs.ts'
import { copyGate, type Gate, resumeGate, retryGate, scheduleGate } from './gate.ts'
import type { Matching } from './matching.ts'
import { type ResumeChoice, resumeBody } from './resume-choice.ts'
import type { Words } from './words.ts'

const NO_CHOICE: ResumeChoice = { size: '', way: 'limit', limit: '' }

/** What acts work on. */
export interface ActingOn {
  readonly api: MailApi
  /** The path of the broadcast in the API, with what follows it. */
  path(rest?: string): string
  /** Saves what is edited; false when it was refused. */
  save(): Promise<boolean>
  /** Why it was refused, in words. */
  unsaved(): string
  reload(): Promise<void>
  recount(): Promise<void>
  /** Reads the named segments again. */
  renamed(): Promise<void>
}

/** What the dialog shows. */
export interface DialogOf {
  readonly words: Words
  readonly broadcast: BroadcastDetail
  /** Which dialog: a parameter of the address. */
  readonly show: string
  /** Undefined while it is counted. */
  readonly count: RecipientCount | undefined
  /** The filters of the draft as they are edited. */
  readonly segmentDefinition: unknown
  readonly who: { readonly value: readonly Matching[] | undefined; readonly failure: unknown }
}

/** The acts, and the state of their dialogs. */
export class BroadcastActs {
  readonly #page: KeelsonPage
  readonly #on: ActingOn
  readonly #sending: Sending
  #typed = ''
  #hasChanged = false
  #isLater = false
  choice: ResumeChoice = NO_CHOICE

  constructor(page: KeelsonPage, on: ActingOn) {
    this.#page = page
    this.#on = on
    this.#sending = new Sending(page, on.api.words)
  }

  /** The dialog that the address asks for. */
  dialog(shown: DialogOf): TemplateResult | typeof nothing {
    const { words, broadcast, show, count } = shown
    if (broadcast.status === 'draft' && show !== 'schedule') return this.#audience(shown)
    const { status, retryable } = broadcast
    const held = status === 'paused' ? (count?.heldSends ?? 0) : 0
    const expected = count === undefined ? undefined : count.recipientCount + held
    const gate = this.#gate({ words, broadcast, count, expected })
    if (show === 'retry') return retryGate({ ...gate, expected: retryable })
    if (show === 'duplicate' || show === 'again') return copyGate(gate, show)
    if (show === 'resume' && status === 'paused') return resumeGate(gate)
    return show === 'schedule' && status === 'draft' ? scheduleGate(gate) : nothing
  }

  /** Dialogs of a draft about its filters. */
  #audience({
    words,
    broadcast,
    show,
    who,
    segmentDefinition
  }: DialogOf): TemplateResult | typeof nothing {
    const onClose = () => this.#close()
    if (show === 'who') {
      const problem = who.failure === undefined ? '' : this.#on.api.words(who.failure)
      return whoDialog({ words, contacts: who.value, problem, onClose })
    }
    if (show === 'preview') {
      const { templateSlug, splitTest, subject, preheader } = broadcast
      const own = { ...(subject != null && { subject }), ...(preheader != null && { preheader }) }
      const mails = splitTest?.variants ?? [{ name: '', templateSlug }]
      const arms = mails.map((mail) => ({ ...own, ...mail }))
      // Without contacts that match, the sample contact is shown.
      const contacts = who.value ?? (who.failure === undefined ? undefined : [])
      return previewDialog(words, { api: this.#on.api, arms, contacts }, onClose)
    }
    if (show !== 'saveSegment') return nothing
    const onName = (named: object) => void this.#nameSegment({ ...named, segmentDefinition })
    return nameSegmentDialog({ words, sending: this.#sending, onClose, onName })
  }

  async #nameSegment(segment: object): Promise<void> {
    const made = await this.#sending.send(() =>
      this.#on.api.act<object>('POST', '/segments', segment)
    )
    if (made === undefined) return
    this.#close()
    this.#page.toast({ text: this.#page.t('broadcast.segmentSaved'), tone: 'good' })
    await this.#on.renamed()
  }

  #gate(shown: Pick<Gate, 'words' | 'broadcast' | 'count' | 'expected'>): Gate {
    const redraw = () => this.#page.requestUpdate()
    const { broadcast } = shown
    return {
      ...shown,
      sending: this.#sending,
      typed: this.#typed,
      hasChanged: this.#hasChanged,
      isLater: this.#isLater,
      choice: this.choice,
      onTyped: (text) => {
        this.#typed = text
        redraw()
      },
      onLater: (isLater) => {
        this.#isLater = isLater
        redraw()
      },
      onChoice: (change) => {
        this.choice = { ...this.choice, ...change }
        redraw()
      },
      onClose: () => this.#close(),
      onSchedule: (at) => void this.#schedule(at),
      onResume: () =>
        void this.#confirmed('/resume', resumeBody(broadcast, this.choice), 'broadcast.resumed'),
      onRetry: () => void this.#confirmed('/retry', {}, 'broadcast.retried'),
      onCopy: (copy) => void this.#copy(copy)
    }
  }

  #close(): void {
    this.#typed = ''
    this.#hasChanged = false
    this.choice = NO_CHOICE
    this.#sending.clear()
    this.#page.go({ show: null }, { replace: true })
  }

  /** Schedules for now, or for what clocks of the page's time zone show. */
  async #schedule(at: string | undefined): Promise<void> {
    const { format, t } = this.#page
    const now = Date.now()
    const time = at === undefined ? now : momentAt(Date.parse(`${at}Z`), format.timeZone)
    if (!(time >= now)) return this.#sending.refuse(t('broadcast.notLater'))
    if (!(await this.#on.save())) return this.#sending.refuse(this.#on.unsaved())
    const scheduledAt = new Date(time).toISOString()
    await this.#confirmed('/schedule', { scheduledAt }, 'broadcast.scheduled')
  }

  /** Sends what a typed number confirms; another number now is counted and typed again. */
  async #confirmed(path: string, body: object, words: string): Promise<void> {
    const { api } = this.#on
    const done = await this.#sending.send(async () => {
      try {
        const confirmedCount = Number(this.#typed)
        return await api.act<object>('POST', this.#on.path(path), { ...body, confirmedCount })
      } catch (error) {
        if (!(error instanceof RequestError) || error.code !== 'count_mismatch') throw error
        this.#hasChanged = true
        return undefined
      }
    })
    if (done === undefined) return path === '/retry' ? this.#on.reload() : this.#on.recount()
    this.#close()
    this.#page.toast({ text: this.#page.t(words), tone: 'good' })
    await this.#on.reload()
  }

  /** Makes a copy, or the mail to those who did not open the first, and opens it. */
  async #copy(copy: { readonly name: string; readonly slug: string }): Promise<void> {
    const path = this.#page.params.get('show') === 'again' ? '/resend' : '/duplicate'
    const made = await this.#sending.send(() =>
      this.#on.api.act<Broadcast>('POST', this.#on.path(path), copy)
    )
    if (made === undefined) return
    this.#page.toast({ text: this.#page.t('broadcast.madeDraft'), tone: 'good' })
    this.#page.page.navigate(oneHref(this.#page, 'broadcast', made.slug))
  }

  /** Lets the next wave out before its time. */
  readonly nextWave = (): Promise<void> => this.#change('/next-wave', 'broadcast.nextWaveSent')

  /** Pauses the broadcast. */
  readonly pause = (): Promise<void> => this.#change('/pause', 'broadcast.paused')

  async #change(path: string, words: string): Promise<void> {
    const { act, attempt } = this.#on.api
    const isDone = await attempt(() => act('POST', this.#on.path(path), {}))
    if (isDone) this.#page.toast({ text: this.#page.t(words), tone: 'good' })
    // After a failure too: what the server did before it failed is shown.
    await this.#on.reload()
  }

  /** Asks, and cancels the broadcast. */
  async cancel(name: string): Promise<void> {
    const { t } = this.#page
    const isSure = await this.#page.confirm({
      heading: t('broadcast.cancelHeading', { name }),
      text: t('broadcast.cancelText'),
      action: t('broadcast.cancel'),
      keep: t('broadcast.keepSending'),
      tone: 'bad'
    })
    if (isSure) await this.#change('/cancel', 'broadcast.cancelled')
  }

  /** Asks, and deletes the draft. */
  async delete(name: string): Promise<void> {
    const { t } = this.#page
    const heading = t('broadcast.deleteHeading', { name })
    const isSure = await this.#page.confirm({ heading, action: t('broadcast.delete'), tone: 'bad' })
    const { act, attempt } = this.#on.api
    if (!isSure || !(await attempt(() => act('DELETE', this.#on.path())))) return
    this.#page.toast({ text: t('broadcast.deleted'), tone: 'good' })
    this.#page.page.navigate(mailHref(this.#page, 'broadcasts'))
  }
}
