// The block editor of templates: MJML as blocks, edited in place. Loaded when it is opened.
import {
  controls,
  define,
  KeelsonDialog,
  KeelsonElement,
  registerCatalog,
  Shortcuts,
  toast
} from '@keelson/ui'
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { dragCard } from '../../drag.ts'
import type { MailApi } from '../../mail-api.ts'
import { changed, type History, newHistory, redone, undone } from '../../undo.ts'
import type { Fields } from '../answers.ts'
import { noteStyles } from '../finding-note.ts'
import type { Finding } from '../findings.ts'
import {
  addBlock,
  addBlockAt,
  fitsInto,
  holderOf,
  type NewBlock,
  newBlocks,
  newBlocksAt
} from './block-kinds.ts'
import { blockList, wrapSelection } from './block-list.ts'
import { blockPanel } from './block-panel.ts'
import { blockStyles } from './block-styles.ts'
import texts from './block-texts.en.json' with { type: 'json' }
import {
  allBlocks,
  blockAt,
  duplicateBlock,
  type Edited,
  moveBlock,
  moveBlockTo,
  removeBlock,
  setAttribute,
  setText,
  withPicture
} from './edit-blocks.ts'
import { movedTo } from './move-focus.ts'
import { type BlockDocument, readBlocks } from './read-blocks.ts'
import type { StartGallery } from './start-gallery.ts'

/** Sends `editor-text` with the new source, `editor-block` with the selected path, `editor-code` to be shown as code. */
export class BlockEditor extends KeelsonElement {
  static readonly tag = 'mailer-block-editor'
  static override readonly styles = [controls, blockStyles, noteStyles]
  static override readonly properties = {
    text: {},
    findings: { attribute: false },
    names: { attribute: false },
    selected: { attribute: false },
    kind: { attribute: false },
    note: { attribute: false },
    api: { attribute: false },
    _isChoosing: { state: true },
    _gallery: { state: true },
    _path: { state: true },
    _isAdding: { state: true }
  }
  declare text: string
  declare findings: readonly Finding[]
  declare names: readonly string[]
  /** The block that the page selects, by its path. */
  declare selected: string
  /** Which examples a new mail is offered. */
  declare kind: Fields['kind']
  /** Draws a finding beside its block. */
  declare note: ((finding: Finding) => TemplateResult) | undefined
  /** The admin API, for pictures; undefined: none can be chosen. */
  declare api: MailApi | undefined
  declare _isChoosing: boolean
  declare _gallery: ((gallery: StartGallery) => TemplateResult) | undefined
  /** The selected block; empty for none. */
  declare _path: string
  declare _isAdding: boolean
  #history: History<Edited> = newHistory({ source: '', path: '' })
  #document: BlockDocument = readBlocks('')
  /** Where the dialog adds; undefined: behind the selected block. */
  #place: string | undefined

  constructor() {
    super()
    this.text = ''
    this.findings = []
    this.names = []
    this.selected = ''
    this.kind = 'marketing'
    this._path = ''
    this._isAdding = false
    this._isChoosing = false
    // A field of the page keeps its own undo.
    const inside = (run: () => void) => (event: KeyboardEvent) =>
      event.composedPath().includes(this) || !isField(event) ? run() : false
    new Shortcuts(this, () => [
      { keys: 'a', label: this.t('block.add'), run: () => this.#openAdd() },
      { keys: 'mod+z', label: this.t('block.undo'), run: inside(() => this.#travel(undone)) },
      { keys: 'mod+y', label: this.t('block.redo'), run: inside(() => this.#travel(redone)) }
    ])
  }

  /** Writes a text at the cursor of the open text. */
  insert(text: string): void {
    const field = this.renderRoot.querySelector('textarea')
    if (field === null) toast(this, { text: this.t('block.noText') })
    else wrapSelection(field, text, '')
  }

  /** Selects the block at a place of the source. */
  goTo({ from }: { readonly from: number }): void {
    const path = this.#pathAt(from)
    if (path !== '') this.#select(path, 'pick')
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.has('selected')) this._path = this.selected
    if (!changes.has('text')) return
    this.#follow()
    if (this.text === this.#document.source) return
    this.#document = readBlocks(this.text)
    if (blockAt(this.#document, this._path) === undefined) this._path = ''
  }

  /** What the page changes can be taken back like an edit of this editor. */
  #follow(): void {
    const { source } = this.#history.present
    if (this.text === source) return
    const now = { source: this.text, path: this._path }
    this.#history = source === '' ? newHistory(now) : changed(this.#history, now)
  }

  #pathAt(place: number): string {
    const around = ({ block: { from, to } }: { block: { from: number; to: number } }) =>
      from <= place && place < to
    return allBlocks(this.#document).findLast(around)?.path ?? ''
  }

  /** Shows a block, and puts the focus on it or into it. */
  #select(path: string, focus: 'pick' | 'inside' | 'none'): void {
    if (path !== this._path) this.send('editor-block', { path })
    this._path = path
    if (focus === 'none') return
    void this.updateComplete.then(() => {
      const pick = this.renderRoot.querySelector<HTMLElement>(`[data-path="${path}"]`)
      const field = this.renderRoot.querySelector<HTMLElement>(
        'textarea, .panel input, .panel select'
      )
      const target = focus === 'inside' ? (field ?? pick) : pick
      target?.focus()
      pick?.scrollIntoView({ block: 'nearest' })
    })
  }

  /** Takes an edit over. Edits that follow each other with the same `about` are undone together. */
  #apply(edited: Edited, { about, focus = 'none' }: ApplyOptions = {}): void {
    if (edited.source === this.#document.source) return
    this.#history = changed(this.#history, edited, about)
    this.#show(edited, focus)
  }

  #show({ source, path }: Edited, focus: 'pick' | 'inside' | 'none'): void {
    this.text = source
    this.#document = readBlocks(source)
    this.#select(blockAt(this.#document, path) === undefined ? '' : path, focus)
    this.send('editor-text', { text: source })
  }

  #travel(step: typeof undone<Edited>): void {
    const history = step(this.#history)
    if (history === this.#history) return
    this.#history = history
    this.#show(history.present, 'pick')
  }

  /** Asks what to add: in a place, else behind the selected block. */
  #openAdd(place?: string): void {
    this.#place = place
    if (this.#document.body !== undefined) this._isAdding = true
  }

  #add(kind: NewBlock): void {
    this._isAdding = false
    const place = this.#place
    const edited =
      place === undefined
        ? addBlock(this.#document, this._path, kind)
        : addBlockAt(this.#document, place, kind)
    // The dialog gives the focus back when it is gone; the new block takes it then.
    void this.updateComplete.then(() => this.#apply(edited, { focus: 'pick' }))
  }

  #delete(path: string): void {
    this.#apply(removeBlock(this.#document, path), { focus: 'pick' })
    const action = { label: this.t('block.undo'), run: () => this.#travel(undone) }
    toast(this, { text: this.t('block.deleted'), action })
  }

  #move(path: string, by: -1 | 1): void {
    this.#apply(moveBlock(this.#document, path, by), { focus: 'pick' })
  }

  readonly #onPointer = (event: PointerEvent): void => {
    const document = this.#document
    dragCard(event, {
      card: '[data-path]',
      grip: 'svg',
      allows(from, place) {
        const block = blockAt(document, from)
        return block !== undefined && fitsInto(block.kind, holderOf(document, place))
      },
      move: (from, place) => this.#apply(moveBlockTo(document, from, place), { focus: 'pick' })
    })
  }

  #duplicate(path: string): void {
    this.#apply(duplicateBlock(this.#document, path), { focus: 'pick' })
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement
    const path = target.dataset['path']
    if (event.key === 'Escape' && target.matches('textarea')) this.#select(this._path, 'pick')
    else if (path === undefined || event.ctrlKey || event.metaKey || !this.#act(event, path)) return
    event.preventDefault()
    event.stopPropagation()
  }

  #act({ key, altKey }: KeyboardEvent, path: string): boolean {
    if (altKey) {
      const by = /^Arrow(Up|Left)$/.test(key) ? -1 : /^Arrow(Down|Right)$/.test(key) ? 1 : 0
      if (by !== 0) this.#move(path, by)
      return by !== 0
    }
    if (key === 'Enter') this.#select(path, 'inside')
    else if (key === 'Delete' || key === 'Backspace') this.#delete(path)
    else {
      const to = movedTo(this.#document, path, key)
      if (to !== undefined) this.#select(to, 'pick')
      return to !== undefined
    }
    return true
  }

  get #faults(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { at, severity } of this.findings) {
      const path = at === undefined || severity === 'info' ? '' : this.#pathAt(at.from)
      if (path !== '') counts.set(path, (counts.get(path) ?? 0) + 1)
    }
    return counts
  }

  override render(): TemplateResult | typeof nothing {
    const { t } = this
    const { body } = this.#document
    if (this.text === '') return this.#start()
    if (body === undefined) return this.#unreadable()
    return html`<div class="tools">
        <button class="btn" @click=${() => this.#openAdd()}>${t('block.add')} <small>A</small></button>
        <button class="btn quiet" ?disabled=${this.#history.past.length === 0} @click=${() => this.#travel(undone)}>${t('block.undo')}</button>
        <button class="btn quiet" ?disabled=${this.#history.future.length === 0} @click=${() => this.#travel(redone)}>${t('block.redo')}</button>
        <span class="dim keys">${t('block.keys')}</span>
      </div>
      <div class="both" @keydown=${this.#onKey}>
        <div class="canvas" @pointerdown=${this.#onPointer}>${body.children.length === 0 ? this.#none() : this.#list()}</div>
        ${this.#panel()}
      </div>
      ${this._isAdding ? this.#dialog() : this._isChoosing ? this.#images() : nothing}`
  }

  #start(): TemplateResult | typeof nothing {
    if (this._gallery === undefined) {
      void import('./start-gallery.ts').then(({ startGallery }) => {
        this._gallery = startGallery
      })
      return nothing
    }
    const begin = (source: string) => this.#show({ source, path: '' }, 'none')
    return this._gallery({
      kind: this.kind,
      t: this.t,
      onStart: begin,
      onEmpty: (source) => {
        begin(source)
        this.#openAdd()
      },
      onCode: () => this.send('editor-code', {})
    })
  }

  /** The findings within a block and not within a block of it. */
  #notesOf(path: string): readonly TemplateResult[] {
    const { note } = this
    const own = ({ at }: Finding) => at !== undefined && this.#pathAt(at.from) === path
    return note === undefined ? [] : this.findings.filter(own).map((finding) => note(finding))
  }

  #list(): TemplateResult {
    return blockList({
      document: this.#document,
      selected: this._path,
      names: this.names,
      t: this.t,
      faults: this.#faults,
      notes: (path) => this.#notesOf(path),
      onPlace: (place) => this.#openAdd(place),
      onSelect: (path) => this.#select(path, 'pick'),
      onText: (text) => {
        const block = blockAt(this.#document, this._path)
        if (block === undefined) return
        const source = setText(this.#document, block, text)
        this.#apply({ source, path: this._path }, { about: `${this._path} text` })
      }
    })
  }

  #panel(): TemplateResult {
    const path = this._path
    const block = blockAt(this.#document, path)
    if (block === undefined) return html`<p class="idle quiet">${this.t('block.select')}</p>`
    return blockPanel({
      block,
      t: this.t,
      onAttribute: (name, value) => {
        const source = setAttribute(this.#document, block, { name, value })
        this.#apply({ source, path }, { about: `${path} ${name}` })
      },
      onImage: this.api && (() => void this.#openImages()),
      onMove: (by) => this.#move(path, by),
      onDuplicate: () => this.#duplicate(path),
      onDelete: () => this.#delete(path)
    })
  }

  async #openImages(): Promise<void> {
    const { defineImagePicker } = await import('../image-picker.ts')
    defineImagePicker()
    this._isChoosing = true
  }

  #images(): TemplateResult {
    const close = () => {
      this._isChoosing = false
    }
    const choose = ({ detail }: CustomEvent<{ url: string; width: number }>) => {
      close()
      this.#apply(withPicture(this.#document, this._path, detail))
    }
    return html`<keelson-dialog open heading=${this.t('block.chooseImage')} width="560" @keelson-close=${close}>
      <mailer-image-picker .api=${this.api} @image-chosen=${choose}></mailer-image-picker>
    </keelson-dialog>`
  }

  #dialog(): TemplateResult {
    const { t } = this
    const place = this.#place
    const kinds =
      place === undefined
        ? newBlocks(this.#document, this._path)
        : newBlocksAt(this.#document, place)
    const close = () => {
      this._isAdding = false
    }
    return html`<keelson-dialog open heading=${t('block.addHeading')} width="520" @keelson-close=${close}>
      <div class="kinds">${kinds.map((kind) => html`<button class="btn" @click=${() => this.#add(kind)}>${t(`block.kind.${kind}`)}</button>`)}</div>
    </keelson-dialog>`
  }

  #none(): TemplateResult {
    return html`<p class="quiet"><b>${this.t('block.none')}</b>. ${this.t('block.noneText')}</p>`
  }

  #unreadable(): TemplateResult {
    const { t } = this
    return html`<div class="canvas"><p><b>${t('block.unreadable')}</b></p>
      <p class="quiet">${t('block.unreadableText')}</p>
      <button class="btn" @click=${() => this.send('editor-code', {})}>${t('block.openCode')}</button></div>`
  }
}

interface ApplyOptions {
  readonly about?: string
  readonly focus?: 'pick' | 'inside' | 'none'
}

const isField = (event: Event): boolean =>
  (event.composedPath()[0] as HTMLElement).matches?.('input, textarea, [contenteditable="true"]')

/** Registers texts and elements; cheap to call again. */
export function defineBlockEditor(): void {
  registerCatalog('en', texts, {
    de: () => import('./block-texts.de.json', { with: { type: 'json' } })
  })
  define(KeelsonDialog, BlockEditor)
}
