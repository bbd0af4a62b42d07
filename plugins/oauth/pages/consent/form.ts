// What is asked for, and the two buttons, as a template.
import { type Format, icon, plainName } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { ConsentView } from '../../consent/consent-schema.ts'
import {
  type ConsentScope,
  contextOf,
  isFixed,
  keepsAccess,
  leftOut,
  marksOf,
  OFFLINE
} from './answer.ts'

export interface ConsentFormOptions {
  readonly answer: ConsentView
  readonly name: string
  /** The address of the client's logo, on our own origin. */
  readonly logo: string | undefined
  readonly without: ReadonlySet<string>
  readonly offline: boolean | undefined
  readonly context: string
  readonly problem: string
  readonly isSending: boolean
  readonly isCalm: boolean
  readonly canAllow: boolean
  readonly format: Format
  t(key: string, values?: Readonly<Record<string, string | number>>): string
  onScope(id: string, isOn: boolean): void
  onOffline(isOn: boolean): void
  onContext(id: string): void
  onAllow(): void
  onDeny(): void
}

export function consentForm(options: ConsentFormOptions): TemplateResult {
  const { t, name, answer, format } = options
  const { displayName, email } = answer.user
  const who = [displayName, email].filter((part) => part !== null && part !== undefined)
  const until = new Intl.DateTimeFormat(format.locale, {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: format.timeZone
  })
  return html`${brand(answer.issuer)}
    <header class="head">
      <div class="asks">
        ${options.logo === undefined ? nothing : html`<img class="logo" src=${options.logo} alt="" width="40" height="40" @error=${hideImage} />`}
        <h1 tabindex="-1">${t('consent.heading', { name })}</h1>
      </div>
      <p class="quiet">
        ${t('consent.as', { name: who.join(' · ') || '?' })}
        ${
          answer.switchAccount === undefined
            ? nothing
            : html`<a class="link" href=${answer.switchAccount}>${t('consent.switch')}</a>`
        }
      </p>
    </header>
    <div class="part">${facts(options)} ${warning(options)}</div>
    ${contexts(options)} ${scopes(options)}
    <div class="part">
      <p class="quiet">${t('consent.end')}</p>
      ${options.problem === '' ? nothing : html`<p class="problem" role="alert">${options.problem}</p>`}
      ${missing(options)} ${buttons(options)}
      <p class="foot dim">
        <span>${t('consent.until', { time: until.format(new Date(answer.expiresAt)) })}</span>
        ${links(options)}
      </p>
    </div>`
}

/** The host, so that people see whom they grant access at. */
function brand({ name, logoUrl }: ConsentView['issuer']): TemplateResult {
  const [first = '?'] = name
  return html`<p class="brand">
    ${
      logoUrl === undefined
        ? html`<span class="mark" aria-hidden="true">${first.toUpperCase()}</span>`
        : html`<img class="mark" src=${logoUrl} alt="" width="24" height="24" />`
    }
    ${plainName(name)}
  </p>`
}

/** A logo that cannot be shown leaves no gap. */
const hideImage = (event: Event): void => {
  ;(event.target as HTMLElement).hidden = true
}

function facts({ t, name, answer }: ConsentFormOptions): TemplateResult {
  const { client, redirect, resources } = answer
  const { publisher, host } = client
  return html`<dl class="facts">
    <dt>${t('consent.client')}</dt>
    <dd>
      ${name}
      ${publisher === undefined ? nothing : html`<span class="quiet"> ${t('consent.by', { publisher: plainName(publisher) })}</span>`}
      ${host === undefined ? nothing : html`<span class="quiet"> ${t('consent.proven', { host })}</span>`}
    </dd>
    ${
      answer.device === true
        ? nothing
        : html`<dt>${t('consent.target')}</dt><dd class="target">${redirect.host}</dd>`
    }
    <dt>${t('consent.for')}</dt>
    <dd>${resources.join(', ')}</dd>
  </dl>`
}

/** A host can be anybody's proof of who they are; a program or app on this device is none. */
function warning({ t, name, answer }: ConsentFormOptions): TemplateResult | typeof nothing {
  if (answer.device === true) return caution(t('consent.device', { name }))
  const { host, loopback } = answer.redirect
  const isApp = /^[a-z][a-z0-9+.-]*:(\/\/|$)/i.test(host)
  if (!loopback && !isApp) return nothing
  return caution(t(loopback ? 'consent.loopback' : 'consent.app', { name }))
}

const caution = (text: string): TemplateResult => html`<div class="warning" role="note">
    ${icon('alert', 16)}
    <p>${text}</p>
  </div>`

function contexts(options: ConsentFormOptions): TemplateResult | typeof nothing {
  const { t, answer, context } = options
  if (answer.contexts === undefined) return nothing
  const chosen = contextOf(answer, context)
  if (answer.contexts.length === 0) {
    return html`<div class="part"><p class="problem">${t('consent.noContexts')}</p></div>`
  }
  return html`<div class="part">
    <label class="label" for="context">${t('consent.context')}</label>
    <select
      id="context"
      class="field"
      @change=${(event: Event) => options.onContext((event.target as HTMLSelectElement).value)}
    >
      ${chosen === undefined ? html`<option value="" selected>${t('consent.choose')}</option>` : nothing}
      ${answer.contexts.map(
        ({ id, label }) =>
          html`<option value=${id} ?selected=${id === chosen}>${plainName(label)}</option>`
      )}
    </select>
    ${
      answer.contextsHasMore === true
        ? html`<p class="dim">${t('consent.moreContexts', { count: answer.contexts.length })}</p>`
        : nothing
    }
  </div>`
}

function scopes(options: ConsentFormOptions): TemplateResult {
  const { t, answer } = options
  const shown = answer.scopes.filter(({ id }) => id !== OFFLINE)
  const marks = marksOf(shown)
  return html`<div class="part"><fieldset>
    <legend>${t('consent.scopes')}</legend>
    ${shown.map((scope) => scopeRow(scope, marks, options))}
    ${offlineRow(options)}
    ${
      shown.every((scope) => !isFixed(scope) && options.without.has(scope.id))
        ? html`<p class="problem" role="status">${t('consent.noScopes')}</p>`
        : nothing
    }
  </fieldset></div>`
}

function scopeRow(
  scope: ConsentScope,
  marks: ReturnType<typeof marksOf>,
  { t, without, onScope }: ConsentFormOptions
): TemplateResult {
  const { id, label, description, sensitive } = scope
  const fixed = isFixed(scope)
  const more = fixed ? (description ?? t('consent.always')) : description
  return html`<label class=${fixed ? 'scope fixed' : 'scope'}>
    <input
      type="checkbox"
      name="scope"
      value=${id}
      .checked=${fixed || !without.has(id)}
      ?disabled=${fixed}
      @change=${(event: Event) => onScope(id, (event.target as HTMLInputElement).checked)}
    />
    <span class="name">
      ${label}
      ${sensitive === true ? html`<span class="tag warn">${t('consent.sensitive')}</span>` : nothing}
      ${marks === 'new' && scope.isNew ? html`<span class="tag info">${t('consent.new')}</span>` : nothing}
      ${marks === 'before' && !scope.isNew ? html`<span class="tag">${t('consent.before')}</span>` : nothing}
    </span>
    ${more === undefined ? nothing : html`<small>${more}</small>`}
  </label>`
}

/** For every client: each of them could refresh its access. */
function offlineRow({ t, answer, offline, format, onOffline }: ConsentFormOptions): TemplateResult {
  const minutes = Math.round(answer.offline.accessSeconds / 60)
  return html`<label class="scope apart">
    <input
      type="checkbox"
      name="offline"
      .checked=${keepsAccess(answer, offline)}
      @change=${(event: Event) => onOffline((event.target as HTMLInputElement).checked)}
    />
    <span class="name">${t('consent.offline')}</span>
    <small>${t('consent.offlineText', { time: format.duration(minutes * 60_000) })}</small>
  </label>`
}

/** What Allow does not allow, so that nobody expects it afterwards. */
function missing({ t, answer, without, canAllow }: ConsentFormOptions): unknown {
  const names = leftOut(answer.scopes, without)
  return names.length === 0 || !canAllow
    ? nothing
    : html`<p id="left-out" class="quiet" role="status">${t('consent.leftOut', { names: names.join(', ') })}</p>`
}

function buttons(options: ConsentFormOptions): TemplateResult {
  const { t, isSending, isCalm, canAllow, onAllow, onDeny } = options
  return html`<div class="answer" ?data-calm=${isCalm}>
    <button class="btn" ?disabled=${isSending} @click=${onDeny}>${t('consent.deny')}</button>
    <button class="btn primary" aria-describedby="left-out"
      ?disabled=${isSending || !canAllow} @click=${onAllow}>
      ${t('consent.allow')}
    </button>
  </div>`
}

function links({ t, answer }: ConsentFormOptions): unknown {
  const { homepageUrl, privacyUrl, tosUrl } = answer.client
  const all = [
    ['consent.homepage', homepageUrl],
    ['consent.privacy', privacyUrl],
    ['consent.terms', tosUrl]
  ] as const
  return all.map(([key, href]) =>
    href?.startsWith('https://')
      ? html`<a class="link" href=${href} target="_blank" rel="noreferrer noopener">${t(key)}</a>`
      : nothing
  )
}
