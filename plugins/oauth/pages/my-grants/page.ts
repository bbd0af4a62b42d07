// The viewer's own grants: which applications have access to what, and how to end it.
import {
  apiOf,
  controls,
  define,
  definePage,
  KeelsonEmpty,
  KeelsonError,
  KeelsonPage,
  KeelsonPageHeader,
  ListLoad,
  type Messages,
  plainName,
  RequestError,
  recordStyles,
  registerCatalog
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { MyGrantsAnswer } from '../../operations/answers.ts'
import { timeWords } from '../times.ts'
import { myGrantsStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }

/** The elements bring English along. */
const elements: Messages = {}

type Words = MyGrantsAnswer['words']
type ListedAnswer = MyGrantsAnswer['items'][number]

/** A grant with the labels of its scopes and resources. */
type MyGrant = Omit<ListedAnswer, 'scopes'> & { readonly scopes: Words['scopes'] }

const SIZE = 50

class MyGrantsPage extends KeelsonPage {
  static override readonly styles = [controls, recordStyles, myGrantsStyles]
  readonly #api = apiOf(this)
  readonly #grants = new ListLoad(this, {
    quiet: true,
    args: () => [],
    size: SIZE,
    idOf: ({ id }: MyGrant) => id,
    page: async (_args, { rows }, signal) => {
      const path = `/me/grants?limit=${SIZE}&skip=${rows.length}`
      return { items: inWords(await this.#api.read<MyGrantsAnswer>(path, signal)) }
    }
  })

  protected override get windowTitle(): string {
    return this.t('mine.title')
  }

  async #end(grant: MyGrant): Promise<void> {
    const name = plainName(grant.client.name)
    const isSure = await this.confirm({
      heading: this.t('mine.endHeading', { name }),
      text: this.t('mine.endText'),
      action: this.t('mine.end'),
      tone: 'bad'
    })
    if (!isSure) return
    try {
      await this.#api.act('DELETE', `/me/grants/${encodeURIComponent(grant.id)}`)
      this.toast({ text: this.t('mine.ended', { name }), tone: 'good' })
    } catch (error) {
      if (error instanceof RequestError && error.status === 404) {
        this.toast({ text: this.t('mine.endedBefore') })
      } else {
        this.toast({ text: this.#api.words(error), tone: 'bad' })
        return
      }
    }
    await this.#grants.reload()
  }

  protected override content(): TemplateResult {
    return html`<keelson-page-header heading=${this.t('mine.title')}></keelson-page-header>
      <div class="main">
        <p class="quiet">${this.t('mine.text')}</p>
        ${this.#body()}
      </div>`
  }

  #body(): TemplateResult {
    const { value, failure } = this.#grants
    if (value === undefined && failure !== undefined) {
      return html`<keelson-error
        .error=${failure}
        retry
        @keelson-retry=${() => this.#grants.reload()}
      ></keelson-error>`
    }
    if (value === undefined) {
      return html`<div class="card bones" aria-hidden="true">
        <span class="bone"></span><span class="bone"></span><span class="bone"></span>
      </div>`
    }
    if (value.rows.length === 0) {
      return html`<div class="card">
        <keelson-empty heading=${this.t('mine.none')} text=${this.t('mine.noneText')}></keelson-empty>
      </div>`
    }
    return html`<ul class="grants">
        ${repeat(
          value.rows,
          ({ id }) => id,
          (grant) => this.#grant(grant)
        )}
      </ul>
      ${value.hasMore ? this.#more() : nothing}`
  }

  #more(): TemplateResult {
    const { isMore, moreError } = this.#grants
    return html`<div class="row">
      <button class="btn" ?disabled=${isMore} @click=${() => void this.#grants.more()}>
        ${this.t(isMore ? 'ui.loading' : 'mine.more')}
      </button>
      ${
        moreError === undefined
          ? nothing
          : html`<p class="problem" role="alert">
            ${this.t('mine.moreFailed', { reason: this.#api.words(moreError) })}
          </p>`
      }
    </div>`
  }

  #grant(grant: MyGrant): TemplateResult {
    const { client, scopes, resources, contextId, contextLabel, createdAt, lastUsedAt } = grant
    const name = plainName(client.name)
    const publisher = client.branding?.publisher
    return html`<li class="card grant">
      <div>
        <h2>${name}</h2>
        ${publisher === undefined ? nothing : html`<p class="dim">${this.t('mine.by', { publisher: plainName(publisher) })}</p>`}
      </div>
      <button
        class="btn"
        aria-label=${this.t('mine.endOf', { name })}
        @click=${() => void this.#end(grant)}
      >
        ${this.t('mine.end')}
      </button>
      <dl class="facts">
        <dt>${this.t('mine.can')}</dt>
        <dd><ul class="can">${scopes.map((scope) => this.#scope(scope))}</ul></dd>
        <dt>${this.t('mine.for')}</dt>
        <dd>${this.format.list(resources)}</dd>
        ${contextId === undefined ? nothing : html`<dt>${this.t('mine.context')}</dt><dd>${plainName(contextLabel ?? contextId)}</dd>`}
        <dt>${this.t('mine.since')}</dt>
        <dd title=${this.format.dateTime(createdAt)}>${this.#time(createdAt)}</dd>
        <dt>${this.t('mine.used')}</dt>
        <dd title=${lastUsedAt === undefined ? nothing : this.format.dateTime(lastUsedAt)}>
          ${this.#time(lastUsedAt)}
        </dd>
      </dl>
    </li>`
  }

  #time(at: string | undefined): unknown {
    return timeWords(at, this.format, this.t('mine.never'))
  }

  #scope({ label, sensitive }: Words['scopes'][number]): TemplateResult {
    return html`<li>
      ${label}
      ${sensitive === true ? html`<span class="tag warn">${this.t('mine.sensitive')}</span>` : nothing}
    </li>`
  }
}

function inWords({ items, words }: MyGrantsAnswer): MyGrant[] {
  const scopes = new Map(words.scopes.map((scope) => [scope.id, scope]))
  const resources = new Map(words.resources.map(({ id, label }) => [id, label]))
  return items.map((item) => ({
    ...item,
    scopes: item.scopes.map((id) => scopes.get(id) ?? { id, label: id }),
    resources: item.resources.map((id) => resources.get(id) ?? id)
  }))
}

registerCatalog('en', elements, { de: () => import('@keelson/ui/german') })
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonEmpty, KeelsonError)
definePage('oauth-my-grants', MyGrantsPage)
