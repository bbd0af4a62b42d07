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
import { html, nothing, type TemplateResult } from 'lit'
import { mailHref, slugOf } from '../addresses.ts'
import { bones } from '../bones.ts'
import { diffStyles } from '../diff-styles.ts'
import { mailApi } from '../mail-api.ts'
import { ownAddress } from '../own-address.ts'
import { lintWords } from '../refusals.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { TemplateActs } from './acts.ts'
import type { Fields, TemplateAnswer } from './answers.ts'
import type { BlockEditor } from './blocks/block-editor.ts'
import type { Dialogs } from './dialogs.ts'
import { rowOf, TemplateDraft } from './draft.ts'
import { editingHalf, fieldStrip, SOURCES, type Source } from './editing.ts'
import { EditorPane } from './editor-pane.ts'
import { type FindingActs, findingNote } from './finding-note.ts'
import { type Finding, findingsOf, keyOf, nextFinding, stopsOf } from './findings.ts'
import { type Fix, fixOf } from './fixes.ts'
import { templateHeader } from './header.ts'
import { templateLoads } from './loads.ts'
import { previewHalf, VIEWS } from './preview.ts'
import { templateStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }
import { WhenSeen } from './when-seen.ts'
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
      isSeen: this.#below.isSeen,
      wantsUses: this.params.get('show') === 'publish',
      compared: this.params.get('show') === 'diff' ? this.#compared : undefined
    })
  })
  readonly #below = new WhenSeen(this, '.versions.settled')
  readonly #blocks = new Load(this, {
    args: () => (this.#source === 'blocks' ? ([] as const) : null),
    run: async () => {
      const { defineBlockEditor } = await import('./blocks/block-editor.ts')
      defineBlockEditor()
      return true
    }
  })
  protected override firstUpdated(): void {
    void import('../mail-frame.ts').then(({ MailFrame }) => define(MailFrame))
  }

  readonly #dialogs = new Load(this, {
    args: () => (this.params.has('show') ? ([] as const) : null),
    run: () => import('./dialogs.ts')
  })
  readonly #ownAddress = ownAddress(this, {
    isNeeded: () => this.params.get('show') === 'test',
    api: () => this.#api
  })
  readonly #acts = new TemplateActs(this, {
    api: this.#api,
    sending: this.#sending,
    draft: this.#draft,
    reload: () => this.#loads.row.reload()
  })
  #findings: readonly Finding[] = []
  /** The key of the finding that is shown beside its place. */
  #active = ''

  constructor() {
    super()
    new Shortcuts(this, () => [
      { keys: 'mod+s', label: this.t('template.saveDraft'), run: () => void this.#draft.flush() },
      { keys: 'F8', label: this.t('template.nextFinding'), run: () => this.#goToNext() }
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

  /** How the source is shown: as the address says, else as blocks unless it is HTML. */
  get #source(): Source | undefined {
    const asked = SOURCES.find((one) => one === this.params.get('source'))
    if (asked !== undefined || this.#draft.fields === undefined) return asked
    return this.#draft.language === 'html' ? 'html' : 'blocks'
  }

  /** The editor that is shown: of code or of blocks. */
  get #pane(): EditorPane | BlockEditor | null {
    return this.renderRoot.querySelector<EditorPane | BlockEditor>(
      'mailer-editor-pane, mailer-block-editor'
    )
  }

  get #shownBlocks() {
    if (this.#source !== 'blocks') return undefined
    const { value, failure } = this.#blocks
    return { isOpen: value === true, failure, selected: this.params.get('block') ?? '' }
  }

  /** Goes to the next error; without errors to the next finding. */
  #goToNext(): void {
    const next = nextFinding(stopsOf(this.#findings), this.#active)
    if (next !== undefined) void this.#goTo(next)
  }

  /** Shows a finding where it is: in the source, in its field, else in the list. */
  async #goTo(finding: Finding): Promise<void> {
    this.#active = keyOf(finding)
    this.requestUpdate()
    await this.updateComplete
    const { at, field } = finding
    if (at !== undefined) return this.#pane?.goTo(at)
    const place = field === undefined ? '.finding.on' : `.strip input[name="${field}"]`
    const shown = this.renderRoot.querySelector<HTMLElement>(place)
    shown?.focus()
    shown?.scrollIntoView({ block: 'nearest' })
  }

  get #findingActs(): FindingActs {
    const { t } = this
    const { fields, language } = this.#draft
    const unsubscribe = t('template.unsubscribe')
    return {
      t,
      fixOf: (finding) => fields && fixOf(finding, { fields, language, unsubscribe }),
      onFix: (fix) => this.#fix(fix),
      onNext: () => this.#goToNext()
    }
  }

  #fix({ name, changes }: Fix): void {
    const fields = this.#draft.fields
    if (fields === undefined) return
    const names = Object.keys(changes) as (keyof Fields)[]
    const before = Object.fromEntries(names.map((one) => [one, fields[one]])) as Partial<Fields>
    this.#draft.change(changes)
    this.toast({
      text: this.t(`template.fixed.${name}`),
      tone: 'good',
      action: { label: this.t('template.undo'), run: () => this.#draft.change(before) }
    })
  }

  protected override content(): TemplateResult {
    const { row, check } = this.#loads
    const slug = slugOf(this.sub)
    if (slug === '' || row.value === null) return this.#notFound()
    this.#acts.for(row.value)
    const fields = this.#draft.fields
    // What is not begun has no faults yet.
    const source = fields?.[this.#draft.language] ?? ''
    this.#findings =
      source === ''
        ? []
        : findingsOf(check.value, source, fields).map((one) => lintWords(one, this.t))
    const words = this.#words
    return html`${templateHeader({
      words,
      slug,
      draft: this.#draft,
      row: row.value,
      isEmpty: fields !== undefined && source === '',
      errors: this.#findings.filter(({ severity }) => severity === 'error'),
      onSave: () => void this.#draft.flush(),
      onDelete: () => row.value && void this.#acts.delete(row.value),
      onNextError: () => this.#goToNext()
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
    const { check, preview, contacts, versions, uses } = this.#loads
    const draft = this.#draft
    const view = VIEWS.find((one) => one === this.params.get('view')) ?? 'desktop'
    return html`${fieldStrip({ words, draft })}
      <div class="work">
        ${editingHalf({
          words,
          draft,
          source: this.#source ?? 'blocks',
          findings: this.#findings,
          active: this.#findings.find((one) => keyOf(one) === this.#active),
          acts: this.#findingActs,
          note: this.#note,
          api: this.#api,
          check,
          blocks: this.#shownBlocks,
          onFinding: (finding) => void this.#goTo(finding),
          onCode: () => this.go({ source: 'mjml' }),
          onBlock: (path) => this.go({ block: path || null }, { replace: true })
        })}
        ${previewHalf({
          words,
          view,
          pictureFrame: this.#api.pictureFrame(),
          row,
          mail: preview.value,
          failure: preview.failure === undefined ? '' : this.#api.words(preview.failure),
          contact: this.params.get('contact') ?? '',
          contacts: contacts.value ?? [],
          variables: check.value?.variables ?? [],
          versions: versions.value,
          uses: uses.value,
          onContact: (contact) => this.go({ contact }, { replace: true }),
          onInsert: (path) => this.#pane?.insert(`{{${path}}}`),
          onDeclare: (name) => this.#declare(name),
          onRestore: (version) => void this.#acts.restore(row, version)
        })}
      </div>
      ${this.#dialog(row, words)} ${draft.notice()}`
  }

  readonly #note = (finding: Finding) => findingNote(finding, this.#findingActs)

  #declare(name: string): void {
    const { variablesSchema = {} } = this.#draft.fields ?? {}
    this.#draft.change({ variablesSchema: { ...variablesSchema, [name]: { type: 'string' } } })
  }

  #dialog(row: TemplateAnswer, words: Words): TemplateResult | typeof nothing {
    const { diff, uses } = this.#loads
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
      uses: uses.value,
      findings: this.#findings,
      ownAddress: this.#ownAddress,
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
    return this.#dialogs.value?.openDialog(this.params.get('show') ?? '', dialogs) ?? nothing
  }
}

registerTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonDialog, KeelsonEmpty, EditorPane)
definePage('mailer-template', TemplatePage)
