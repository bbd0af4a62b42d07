// What can be done with a template: publish, restore, test, duplicate, delete.
import type { KeelsonPage, Sending } from '@keelson/ui'
import { mailHref, oneHref } from '../addresses.ts'
import type { MailApi } from '../mail-api.ts'
import type { TemplateAnswer } from './answers.ts'
import type { TemplateDraft } from './draft.ts'

/** What the acts work with. */
export interface ActOptions {
  readonly api: MailApi
  readonly sending: Sending
  readonly draft: TemplateDraft
  /** Reads the template again. */
  reload(): Promise<void>
}

/** The acts of a page. */
export class TemplateActs {
  readonly #page: KeelsonPage
  readonly #options: ActOptions

  constructor(page: KeelsonPage, options: ActOptions) {
    this.#page = page
    this.#options = options
  }

  #act<T>(row: TemplateAnswer, path: string, body: unknown): Promise<T> {
    return this.#options.api.act<T>(
      'POST',
      `/templates/${encodeURIComponent(row.slug)}${path}`,
      body
    )
  }

  /** Saves and publishes; the toast takes it back. */
  async publish(row: TemplateAnswer): Promise<void> {
    const { sending, draft } = this.#options
    if (!(await draft.flush())) return sending.refuse(draft.reason)
    const answer = await sending.send(() =>
      this.#act<{ readonly version: number }>(row, '/publish', {})
    )
    if (answer === undefined) return
    await this.#live(answer.version, row.version)
  }

  /** Publishes an earlier version once more. */
  async restore(row: TemplateAnswer, version: number): Promise<void> {
    const { t } = this.#page
    const isSure = await this.#page.confirm({
      heading: t('template.restoreHeading', { version }),
      text: t('template.restoreText', { next: row.version + 1 }),
      action: t('template.restore')
    })
    if (isSure && (await this.#options.draft.flush())) await this.#rollback(row, version)
  }

  async #rollback(row: TemplateAnswer, version: number): Promise<void> {
    const { api } = this.#options
    await api.attempt(async () => {
      const answer = await this.#act<{ readonly version: number }>(row, '/rollback', { version })
      await this.#live(answer.version, 0)
    })
  }

  /** Says that a version is live; `before` is the one that can be taken back to, 0 for none. */
  async #live(version: number, before: number): Promise<void> {
    this.#page.go({ show: null }, { replace: true })
    await this.#options.reload()
    const { t } = this.#page
    this.#page.toast({
      text: t('template.published', { version }),
      tone: 'good',
      ...(before > 0 && {
        action: {
          label: t('template.undo'),
          run: () => void this.#rollback({ slug: this.#slug } as TemplateAnswer, before)
        }
      })
    })
  }

  #slug = ''

  /** The template that the acts are for. */
  for(row: TemplateAnswer | undefined): void {
    this.#slug = row?.slug ?? ''
  }

  /** Sends a test mail of the draft with its unsaved changes. */
  async test(row: TemplateAnswer, to: string, contactId: string): Promise<void> {
    const { sending, draft } = this.#options
    const body = { ...draft.changes, to, isMarked: true, ...(contactId !== '' && { contactId }) }
    const answer = await sending.send(() => this.#act<object>(row, '/send-test', body))
    if (answer === undefined) return
    this.#page.go({ show: null }, { replace: true })
    this.#page.toast({ text: this.#page.t('template.testSent', { to }), tone: 'good' })
  }

  /** Makes a copy and opens it. */
  async duplicate(
    row: TemplateAnswer,
    copy: { readonly slug: string; readonly name: string }
  ): Promise<void> {
    const made = await this.#options.sending.send(() =>
      this.#act<TemplateAnswer>(row, '/duplicate', copy)
    )
    if (made !== undefined) this.#page.page.navigate(oneHref(this.#page, 'template', made.slug))
  }

  /** Asks, deletes and goes to the list. */
  async delete(row: TemplateAnswer): Promise<void> {
    const { t } = this.#page
    const isSure = await this.#page.confirm({
      heading: t('template.deleteHeading', { name: row.name }),
      text: t('template.deleteText'),
      action: t('template.deleteAction'),
      tone: 'bad'
    })
    const { api } = this.#options
    const path = `/templates/${encodeURIComponent(row.slug)}`
    if (!isSure || !(await api.attempt(() => api.act('DELETE', path)))) return
    this.#page.toast({ text: t('template.deleted'), tone: 'good' })
    this.#page.page.navigate(mailHref(this.#page, 'templates'))
  }
}
