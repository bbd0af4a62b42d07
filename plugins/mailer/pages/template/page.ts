// The Template page: write a mail, see it as any contact, check, test and publish it.
import {
  controls,
  define,
  definePage,
  KeelsonDialog,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  Load,
  registerCatalog,
  Sending,
  Shortcuts
} from '@keelson/ui'
import { html, type nothing, type TemplateResult } from 'lit'
import { mailHref, slugOf } from '../addresses.ts'
import { bones } from '../bones.ts'
import { diffStyles } from '../diff-styles.ts'
import { mailApi } from '../mail-api.ts'
import { MailFrame } from '../mail-frame.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { TemplateActs } from './acts.ts'
import type { TemplateAnswer } from './answers.ts'
import type { BlockEditor } from './blocks/block-editor.ts'
import { type Dialogs, openDialog } from './dialogs.ts'
import { rowOf, TemplateDraft } from './draft.ts'
import { editingHalf, fieldStrip } from './editing.ts'
import { EditorPane } from './editor-pane.ts'
import { type Finding, findingsOf } from './findings.ts'
import { templateHeader } from './header.ts'
import { templateLoads } from './loads.ts'
import { previewHalf, VIEWS } from './preview.ts'
import { templateStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }
import type { Words } from './words.ts'

class TemplatePage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, diffStyles, templateStyles]
  readonly #api = mailApi(this)
  readonly #sending = new Sending(this, this.#api.words)
  readonly #draft: TemplateDraft = new TemplateDraft(this, {
    save: (changes, request) => this.#api.revise(`${this.#path}/draft`, changes, request),
    read: async () => {
      const row = await this.#api.read<TemplateAnswer>(this.#path)
      this.#loads.row.set(row)
      return rowOf(row)
    },
    words: this.#api.words
  })
  readonly #loads = templateLoads(this, {
    api: this.#api,
    draft: this.#draft,
    asked: () => ({
      slug: slugOf(this.sub),
      contact: this.params.get('contact') ?? '',
      compared: this.params.get('show') === 'diff' ? this.#compared : undefined
    })
  })
  readonly #blocks = new Load(this, {
    args: () => (this.params.get('source') === 'blocks' ? ([] as const) : null),
    run: async () => {
      const { defineBlockEditor } = await import('./blocks/block-editor.ts')
      defineBlockEditor()
      return true
    }
  })
  readonly #me = new Load(this, {
    quiet: true,
    args: () => [] as const,
    run: (_args, signal) => this.#api.read<{ readonly actor: string }>('/me', signal)
  })
  readonly #acts = new TemplateActs(this, {
    api: this.#api,
    sending: this.#sending,
    draft: this.#draft,
    reload: () => this.#loads.row.reload()
  })
  #findings: readonly Finding[] = []
  #nextError = 0

  constructor() {
    super()
    new Shortcuts(this, () => [
      { keys: 'mod+s', label: this.t('template.saveDraft'), run: () => void this.#draft.flush() },
      { keys: 'f8', label: this.t('template.nextError'), run: () => this.#goToError() }
    ])
  }

  protected override get windowTitle(): string {
    return this.#draft.fields?.name ?? this.t('template.templates')
  }

  get #path(): string {
    return `/templates/${encodeURIComponent(slugOf(this.sub))}`
  }

  get #compared(): readonly [string, string] {
    return [this.params.get('from') ?? 'published', this.params.get('to') ?? 'draft']
  }

  get #words(): Words {
    const { format, t, linkTo } = this
    return { format, t, linkTo, now: Date.now(), address: (changes) => this.address(changes) }
  }

  /** The language that is shown: that of the address, else the one that is sent. */
  get #language(): 'mjml' | 'html' {
    const source = this.params.get('source')
    if (source === 'blocks') return 'mjml'
    return source === 'html' || source === 'mjml' ? source : this.#draft.language
  }

  /** The editor that is shown: of code or of blocks. */
  get #pane(): EditorPane | BlockEditor | null {
    return this.renderRoot.querySelector<EditorPane | BlockEditor>(
      'mailer-editor-pane, mailer-block-editor'
    )
  }

  get #shownBlocks() {
    if (this.params.get('source') !== 'blocks') return undefined
    const { value, failure } = this.#blocks
    return { isOpen: value === true, failure, selected: this.params.get('block') ?? '' }
  }

  #goToError(): void {
    const placed = this.#findings.filter(({ at }) => at !== undefined)
    const finding = placed[this.#nextError % Math.max(1, placed.length)]
    this.#nextError += 1
    if (finding?.at !== undefined) this.#pane?.goTo(finding.at)
    else this.renderRoot.querySelector('.finding')?.scrollIntoView({ block: 'center' })
  }

  protected override content(): TemplateResult {
    const { row, check } = this.#loads
    const slug = slugOf(this.sub)
    if (slug === '' || row.value === null) return this.#notFound()
    this.#acts.for(row.value)
    const fields = this.#draft.fields
    this.#findings = findingsOf(check.value, fields?.[this.#draft.language] ?? '')
    const words = this.#words
    const errors = this.#findings.filter(({ severity }) => severity === 'error').length
    return html`${templateHeader({
      words,
      slug,
      draft: this.#draft,
      row: row.value,
      errors,
      onSave: () => void this.#draft.flush(),
      onDelete: () => row.value && void this.#acts.delete(row.value),
      onNextError: () => this.#goToError()
    })}
    ${row.value === undefined ? this.#waiting(row.failure) : this.#work(row.value, words)}`
  }

  #waiting(failure: unknown): TemplateResult {
    return failure === undefined
      ? html`<div class="strip" aria-busy="true">${[1, 2, 3].map(() => html`<span class="pad"><span class="bone"></span></span>`)}</div>
          <div class="work"><div>${bones(12)}</div><div class="side">${bones(12)}</div></div>`
      : html`<div class="main"><p class="card pad">${this.#api.words(failure)}</p></div>`
  }

  #notFound(): TemplateResult {
    return html`<keelson-page-header heading=${this.t('template.notFound')}></keelson-page-header>
      <div class="main">
        <keelson-empty heading=${this.t('template.notFound')} text=${this.t('template.notFoundText')}>
          <a class="btn" href=${mailHref(this, 'templates')}>${this.t('template.templates')}</a>
        </keelson-empty>
      </div>`
  }

  #work(row: TemplateAnswer, words: Words): TemplateResult {
    const { check, preview, contacts, versions } = this.#loads
    const draft = this.#draft
    const view = VIEWS.find((one) => one === this.params.get('view')) ?? 'desktop'
    return html`${fieldStrip({ words, draft })}
      <div class="work">
        ${editingHalf({
          words,
          draft,
          language: this.#language,
          findings: this.#findings,
          check,
          blocks: this.#shownBlocks,
          onFinding: ({ at }) => at && this.#pane?.goTo(at),
          onCode: () => this.go({ source: 'mjml' }),
          onBlock: (path) => this.go({ block: path || null }, { replace: true })
        })}
        ${previewHalf({
          words,
          view,
          row,
          mail: preview.value,
          failure: preview.failure === undefined ? '' : this.#api.words(preview.failure),
          contact: this.params.get('contact') ?? '',
          contacts: contacts.value ?? [],
          variables: check.value?.variables ?? [],
          versions: versions.value ?? [],
          onContact: (contact) => this.go({ contact }, { replace: true }),
          onInsert: (path) => this.#pane?.insert(`{{${path}}}`),
          onDeclare: (name) => this.#declare(name),
          onRestore: (version) => void this.#acts.restore(row, version)
        })}
      </div>
      ${this.#dialog(row, words)} ${draft.notice()}`
  }

  #declare(name: string): void {
    const { variablesSchema = {} } = this.#draft.fields ?? {}
    this.#draft.change({ variablesSchema: { ...variablesSchema, [name]: { type: 'string' } } })
  }

  #dialog(row: TemplateAnswer, words: Words): TemplateResult | typeof nothing {
    const { diff } = this.#loads
    const contact = this.params.get('contact') ?? ''
    const close = () => {
      this.#sending.clear()
      this.go({ show: null, from: null, to: null }, { replace: true })
    }
    const dialogs: Dialogs = {
      words,
      row,
      contact,
      sending: this.#sending,
      draft: this.#draft,
      diff,
      findings: this.#findings,
      me: /^human:(\S+@\S+)$/.exec(this.#me.value?.actor ?? '')?.[1] ?? '',
      compared: this.#compared,
      onClose: close,
      onPublish: () => void this.#acts.publish(row),
      onTest: (to) => void this.#acts.test(row, to, contact),
      onSettings: (fields) => {
        this.#draft.change(fields)
        void this.#draft.flush().then((isSaved) => isSaved && close())
      },
      onDuplicate: (copy) => void this.#acts.duplicate(row, copy)
    }
    return openDialog(this.params.get('show') ?? '', dialogs)
  }
}

registerTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonDialog, KeelsonEmpty, MailFrame, EditorPane)
definePage('mailer-template', TemplatePage)
