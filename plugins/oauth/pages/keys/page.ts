// The Keys page: what signs, what is still published, and the change from one to the next.
import {
  controls,
  define,
  definePage,
  KeelsonEmpty,
  KeelsonError,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonTable,
  Load,
  registerCatalog,
  type TableColumn
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { KeysAnswer } from '../../operations/answers.ts'
import { Admin } from '../admin.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import texts from './texts.en.json' with { type: 'json' }

type Key = KeysAnswer['items'][number]

/** Keeps the place of the button until the algorithms are known. */
const USUAL_ALGORITHM = 'ES256'

class KeysPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles]
  readonly #admin: Admin = new Admin(this, {
    namesClients: false,
    refresh: () => void this.#keys.reload()
  })
  readonly #keys = new Load(this, {
    args: () => [],
    run: (_args, signal) => this.#admin.api.read<KeysAnswer>('/admin/keys', signal)
  })

  protected override get windowTitle(): string {
    return this.t('keys.title')
  }

  async #rotate(alg: string): Promise<void> {
    const isSure = await this.confirm({
      heading: this.t('keys.rotateHeading', { alg }),
      text: this.t('keys.rotateText'),
      action: this.t('keys.rotateAction')
    })
    const { act } = this.#admin.api
    if (isSure) await this.#change('keys.rotated', () => act('POST', '/admin/keys/rotate', { alg }))
  }

  async #delete({ kid }: Key): Promise<void> {
    const isSure = await this.confirm({
      heading: this.t('keys.deleteHeading'),
      text: this.t('keys.deleteText'),
      action: this.t('keys.deleteAction'),
      tone: 'bad'
    })
    const path = `/admin/keys/${encodeURIComponent(kid)}`
    const { act } = this.#admin.api
    if (isSure) await this.#change('keys.deleted', () => act('DELETE', path))
  }

  async #change(words: string, act: () => Promise<unknown>): Promise<void> {
    if (!(await this.#admin.api.attempt(act))) return
    this.toast({ text: this.t(words), tone: 'good' })
    await this.#keys.reload()
  }

  protected override content(): TemplateResult {
    const { value, isFirst, isPending, failure } = this.#keys
    // The active keys first.
    const rows = [...(value?.items ?? [])].sort(
      (a, b) => Number(a.status !== 'active') - Number(b.status !== 'active')
    )
    return html`<keelson-page-header heading=${this.t('keys.title')}>
        ${this.#admin.refreshButton()}
        ${(this.#admin.isRefused ? [] : (value?.algorithms ?? [USUAL_ALGORITHM])).map((alg) => this.#rotateButton(alg))}
      </keelson-page-header>
      <div class="main">
        <p class="quiet">${this.t('keys.note')}</p>
        <keelson-table
          heading=${this.t('keys.heading')}
          skeleton="2"
          .columns=${this.#columns()}
          .rows=${rows}
          .rowId=${({ kid }: Key) => kid}
          .loading=${isFirst || isPending}
          .error=${failure}
          @keelson-retry=${() => this.#keys.reload()}
        >
          <keelson-empty
            slot="empty"
            heading=${this.t('keys.none')}
            text=${this.t('keys.noneText')}
          ></keelson-empty>
        </keelson-table>
      </div>`
  }

  #rotateButton(alg: string): TemplateResult {
    return html`<button
      class="btn primary"
      ?disabled=${this.#keys.value === undefined}
      @click=${() => void this.#rotate(alg)}
    >
      ${this.t('keys.rotate', { alg })}
    </button>`
  }

  #columns(): TableColumn<Key>[] {
    return [
      {
        id: 'kid',
        header: this.t('keys.kid'),
        mono: true,
        cell: ({ kid }) => kid,
        hint: ({ kid }) => kid
      },
      { id: 'alg', header: this.t('keys.alg'), width: 92, hideBelow: 420, cell: ({ alg }) => alg },
      {
        id: 'status',
        header: this.t('keys.status'),
        width: 96,
        cell: ({ status }) =>
          html`<span class=${status === 'active' ? 'tag good' : 'tag'}>${this.t(`keys.${status}`)}</span>`
      },
      {
        id: 'made',
        header: this.t('keys.made'),
        width: 120,
        quiet: true,
        hideBelow: 560,
        cell: ({ createdAt, isConfigured }) =>
          isConfigured ? this.t('keys.configured') : this.#admin.moment(createdAt),
        hint: ({ createdAt }) => this.#admin.wholeTime(createdAt)
      },
      {
        id: 'act',
        header: this.t('admin.act'),
        width: 80,
        align: 'end',
        cell: (key) => this.#deleteButton(key)
      }
    ]
  }

  #deleteButton(key: Key): TemplateResult | typeof nothing {
    if (key.status === 'active' || key.isConfigured) return nothing
    return html`<button
      class="link"
      aria-label=${this.t('keys.deleteOf', { kid: key.kid })}
      @click=${() => void this.#delete(key)}
    >
      ${this.t('keys.delete')}
    </button>`
  }
}

registerTexts()
registerCatalog('en', texts)
define(KeelsonPageHeader, KeelsonTable, KeelsonEmpty, KeelsonError)
definePage('oauth-keys', KeysPage)
