// Connect an assistant: the address of MCP, settings to copy, scopes, first prompts, and the boundary.
import {
  apiOf,
  controls,
  define,
  definePage,
  icon,
  KeelsonCopy,
  KeelsonError,
  KeelsonPage,
  KeelsonPageHeader,
  Load,
  type Messages,
  registerCatalog
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { Guide } from '../../guide/guide-answer.ts'
import { here, reachedAt } from '../reached-at.ts'
import { checkEndpoint, readSignIn } from './check-endpoint.ts'
import {
  type Block,
  CLIENTS,
  type Client,
  isLocal,
  type SignIn,
  settingsOf
} from './client-settings.ts'
import { guideStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }

/** The elements bring English along. */
const elements: Messages = {}

const PROMPTS = [1, 2, 3, 4, 5]
const BOUNDARIES = [1, 2, 3, 4, 5]
/** The page on which administrators make tokens; the manifest has the same. */
const TOKENS = '/admin/agent/tokens'

class GuidePage extends KeelsonPage {
  static override readonly styles = [controls, guideStyles]
  static override readonly properties = { ...KeelsonPage.properties, _asked: { state: true } }
  declare _asked: number
  readonly #api = apiOf(this)
  readonly #guide = new Load(this, {
    quiet: true,
    args: () => [],
    run: (_args, signal) => this.#api.read<Guide>('/guide', signal)
  })
  /** What the endpoint answered; `asked` starts it, because the answer to ask for is a 401. */
  readonly #check = new Load(this, {
    quiet: true,
    args: (): [string, number] | null => {
      const { value } = this.#guide
      return value === undefined || this._asked === 0
        ? null
        : [here(this.apiBase, value.mcpPath), this._asked]
    },
    run: ([url], signal) => checkEndpoint(url, signal)
  })
  readonly #signIn = new Load(this, {
    quiet: true,
    args: (): [string] | null => {
      const { value } = this.#guide
      return value?.hasSignIn === true ? [here(this.apiBase, value.mcpPath)] : null
    },
    run: ([url], signal) => readSignIn(url, signal)
  })

  constructor() {
    super()
    this._asked = 0
  }

  protected override get windowTitle(): string {
    return this.t('guide.title')
  }

  get #client(): Client {
    const wanted = this.params.get('client')
    return CLIENTS.find((one) => one === wanted) ?? 'claude-code'
  }

  protected override content(): TemplateResult {
    return html`<keelson-page-header heading=${this.t('guide.title')}></keelson-page-header>
      <div class="main">
        <p class="quiet">${this.t('guide.text')}</p>
        ${this.#body()}
      </div>`
  }

  #body(): TemplateResult {
    const { value, missing } = this.#guide
    if (missing !== undefined) {
      return html`<keelson-error
        .error=${missing}
        retry
        @keelson-retry=${() => this.#guide.reload()}
      ></keelson-error>`
    }
    // Settings depend on how assistants register: shown later, they would move what is below.
    if (value === undefined || (value.hasSignIn && this.#signIn.isFirst)) {
      return html`<div class="bones" aria-hidden="true">
        <span class="bone"></span><span class="bone"></span><span class="bone"></span>
      </div>`
    }
    return html`${value.mayUseMail ? nothing : this.#note('guide.mailNeedsAdmin')}
      ${value.hasTestContacts ? nothing : this.#note('guide.noTestContacts', 'warn')}
      <div class="columns">
        <div>${this.#address(value)} ${this.#settings(value)} ${this.#scopes(value)}</div>
        <div>${this.#prompts()} ${this.#boundary()}</div>
      </div>`
  }

  #note(text: string, tone = ''): TemplateResult {
    return html`<p class="note ${tone}">${this.t(text)}</p>`
  }

  #urlOf({ publicUrl, mcpPath }: Guide): string {
    return reachedAt({ apiBase: this.apiBase, publicUrl }, mcpPath)
  }

  #address(guide: Guide): TemplateResult {
    const url = this.#urlOf(guide)
    return html`<section class="card" aria-labelledby="address">
      <h2 id="address">${this.t('guide.address')}</h2>
      <div class="address">
        <code>${url}</code>
        <keelson-copy .text=${url} label=${this.t('guide.copyAddress')}></keelson-copy>
      </div>
      ${this.#checkRow()}
    </section>`
  }

  #checkRow(): TemplateResult {
    const { isPending } = this.#check
    const isFirst = this._asked === 0
    const ask = () => {
      this._asked += 1
    }
    return html`<div class="check">
      <button class="btn" ?disabled=${isPending} @click=${ask}>
        ${this.t(isFirst ? 'guide.check' : 'guide.checkAgain')}
      </button>
      <span class="found" role="status">${isFirst ? nothing : this.#found()}</span>
    </div>`
  }

  #found(): unknown {
    const { value, failure, isPending } = this.#check
    if (isPending) return this.t('guide.checking')
    if (failure !== undefined) return this.#failed(this.t('guide.unreachable'))
    if (value?.kind === 'unexpected')
      return this.#failed(this.t('guide.unexpected', { status: value.status }))
    return html`<span class="good">${icon('check')}</span> ${this.t('guide.answers')}`
  }

  #failed(words: string): TemplateResult {
    return html`<span class="bad">${icon('alert')}</span> ${words} ${this.t('guide.unreachableFix')}`
  }

  #settings(guide: Guide): TemplateResult {
    const client = this.#client
    const signIn: SignIn =
      this.params.get('auth') === 'token' || !guide.hasSignIn ? 'token' : 'oauth'
    return html`<section class="card" aria-labelledby="settings">
      <h2 id="settings">${this.t('guide.settings')}</h2>
      <nav class="tabs" aria-label=${this.t('guide.assistants')}>
        <span>${this.t('guide.assistant')}</span>
        ${CLIENTS.map((one) =>
          this.#tab(this.address({ client: one }), {
            text: this.t(`guide.client.${one}`),
            isCurrent: one === client
          })
        )}
      </nav>
      <nav class="tabs" aria-label=${this.t('guide.signInWays')}>
        <span>${this.t('guide.signIn')}</span>
        ${(['oauth', 'token'] as const).map((one) =>
          this.#tab(this.address({ auth: one === 'token' ? one : null }), {
            text: this.t(`guide.${one}`),
            isCurrent: one === signIn
          })
        )}
      </nav>
      <p class="quiet">
        ${this.t(`guide.${signIn}Text`)}
        ${
          signIn === 'token' && guide.mayUseMail
            ? html`<a class="link" href=${this.linkTo(TOKENS)}>${this.t('guide.makeToken')}</a>`
            : nothing
        }
      </p>
      ${guide.hasSignIn ? nothing : this.#note('guide.noSignIn')}
      ${this.#steps(client, { url: this.#urlOf(guide), signIn })}
    </section>`
  }

  #steps(
    client: Client,
    { url, signIn }: { readonly url: string; readonly signIn: SignIn }
  ): TemplateResult {
    const server = signIn === 'oauth' ? this.#signIn.value : undefined
    const needsClientId = server?.registersClients === false
    const isBridged = client === 'claude-desktop' && signIn === 'oauth' && isLocal(url)
    const then = this.t(`guide.then.${client}.${isBridged ? 'local' : signIn}`)
    const blocks = settingsOf(client, { url, signIn, needsClientId })
    return html`${client === 'other' ? html`<p>${then}</p>` : nothing}
      ${blocks.map((block) => this.#block(block))}
      ${client === 'other' ? nothing : html`<p>${then}</p>`}
      ${needsClientId ? html`<p class="quiet">${this.t('guide.clientId')}</p>` : nothing}
      ${
        server === undefined
          ? nothing
          : html`<p class="quiet">${this.t('guide.signsIn', { issuer: server.issuer })}</p>`
      }`
  }

  #tab(href: string, { text, isCurrent }: { readonly text: string; readonly isCurrent: boolean }) {
    return html`<a class="btn" href=${href} aria-current=${isCurrent ? 'true' : nothing}>${text}</a>`
  }

  #block({ where, text }: Block): TemplateResult {
    const heading = this.t(`guide.where.${where}`)
    return html`<div class="block">
      <h3>${heading}</h3>
      <pre><code>${text}</code><keelson-copy .text=${text} label="${this.t('guide.copy')}: ${heading}"></keelson-copy></pre>
    </div>`
  }

  #scopes({ scopes, hasSignIn }: Guide): TemplateResult {
    return html`<section class="card" aria-labelledby="scopes">
      <h2 id="scopes">${this.t('guide.scopes')}</h2>
      ${hasSignIn ? html`<p class="quiet">${this.t('guide.tick')}</p>` : nothing}
      <div>${scopes.map((scope) => this.#scope(scope))}</div>
    </section>`
  }

  #scope({ id, needsPerson, tools }: Guide['scopes'][number]): TemplateResult {
    return html`<div class="scope">
      <h3>
        ${this.t(needsPerson ? 'guide.scopeName.other' : `guide.scopeName.${id}`)}
        <code>${id}</code>
        ${needsPerson ? this.#notForTokens() : nothing}
      </h3>
      <p>${this.t(needsPerson ? 'guide.scope.other' : `guide.scope.${id}`)}</p>
      <details>
        <summary>${this.t('guide.tools', { count: tools.length })}</summary>
        <dl class="tools">
          ${tools.map(
            (tool) => html`<dt class="mono">${tool.name}</dt>
              <dd>
                ${tool.summary}
                ${tool.needsPerson && !needsPerson ? this.#notForTokens() : nothing}
              </dd>`
          )}
        </dl>
      </details>
    </div>`
  }

  #notForTokens(): TemplateResult {
    return html`<span class="tag">${this.t('guide.notForTokens')}</span>`
  }

  #prompts(): TemplateResult {
    const values = {
      contact: this.t('guide.example.contact'),
      flow: this.t('guide.example.flow'),
      template: this.t('guide.example.template')
    }
    return html`<section class="card" aria-labelledby="prompts">
      <h2 id="prompts">${this.t('guide.prompts')}</h2>
      <ul class="prompts">
        ${PROMPTS.map((at) => {
          const text = this.t(`guide.prompt.${at}`, values)
          return html`<li>
            <span>${text}</span>
            <keelson-copy .text=${text} label="${this.t('guide.copy')}: ${text}"></keelson-copy>
          </li>`
        })}
      </ul>
    </section>`
  }

  #boundary(): TemplateResult {
    return html`<section class="card" aria-labelledby="boundary">
      <h2 id="boundary">${this.t('guide.boundary')}</h2>
      <ul class="boundary">
        ${BOUNDARIES.map((at) => html`<li>${this.t(`guide.boundary.${at}`)}</li>`)}
      </ul>
    </section>`
  }
}

registerCatalog('en', elements, { de: () => import('@keelson/ui/german') })
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonCopy, KeelsonError)
definePage('agent-guide', GuidePage)
