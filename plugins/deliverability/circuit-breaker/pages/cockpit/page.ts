// The Deliverability page: for each sender domain, can I send now, why not, what next.
import {
  controls,
  define,
  definePage,
  icon,
  KeelsonCopy,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  Load,
  registerCatalog,
  Shortcuts,
  saidWords,
  timeText
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { healthApi, type Trip } from '../api.ts'
import { beforeResume, beforeStyles, mailsBehind, STATUS } from '../before-resume.ts'
import { bucketName } from '../bucket-name.ts'
import { type Rate, rateBars, rateStyles } from '../rates.ts'
import { type Facts, readFacts } from '../read-facts.ts'
import { resumeWays } from '../resume-ways.ts'
import { registerTexts } from '../texts.ts'
import { checklist, copyAll } from './checklist.ts'
import { listsCard } from './lists-card.ts'
import { receiverCards } from './receiver-cards.ts'
import { sourcesCard } from './sources-card.ts'
import { cockpitStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }
import { type Verdict, verdictsOf, type Words } from './verdicts.ts'

const TONES = { yes: 'good', care: 'warn', no: 'bad' } as const
const ICONS = { yes: 'check', care: 'alert', no: 'close' } as const
const INCIDENTS = 6

class CockpitPage extends KeelsonPage {
  static override readonly styles = [controls, rateStyles, beforeStyles, cockpitStyles]
  readonly #api = healthApi(this)
  readonly #facts = new Load(this, {
    args: () => [] as const,
    run: (_args, signal) => readFacts(this.#api, signal)
  })

  constructor() {
    super()
    const step = (by: number) => () => this.#move(by)
    new Shortcuts(this, () => [
      { keys: 'r', label: this.t('ui.refresh'), run: () => void this.#facts.reload() },
      { keys: 'j', label: this.t('cockpit.review'), run: step(1) },
      { keys: 'k', label: this.t('cockpit.review'), run: step(-1) }
    ])
  }

  protected override get windowTitle(): string {
    return this.t('cockpit.title')
  }

  get #verdicts(): readonly Verdict[] {
    const { value } = this.#facts
    return value === undefined ? [] : verdictsOf(value)
  }

  /** The row of the address, else the first. */
  get #chosen(): Verdict | undefined {
    const verdicts = this.#verdicts
    const id = this.params.get('sender')
    return verdicts.find((one) => one.id === id) ?? verdicts[0]
  }

  #move(by: number): void {
    const verdicts = this.#verdicts
    const at = verdicts.findIndex(({ id }) => id === this.#chosen?.id) + by
    const next = verdicts[at]
    if (next !== undefined) this.go({ sender: next.id }, { replace: true })
  }

  protected override content(): TemplateResult {
    const tripped = this.#verdicts.filter(({ answer }) => answer === 'no').length
    const count = tripped
    return html`<keelson-page-header heading=${this.t('cockpit.title')}>
        ${tripped === 0 ? nothing : html`<span slot="tags" class="tag bad">${this.t('cockpit.tripped', { count })}</span>`}
        <button class="btn" @click=${() => void this.#facts.reload()}>${icon('refresh', 14)}${this.t('ui.refresh')}</button>
      </keelson-page-header>
      <div class="main">${this.#body()}</div>`
  }

  #body(): TemplateResult {
    const { value, failure } = this.#facts
    if (value === undefined) {
      return failure === undefined
        ? html`<div class="card bones" aria-busy="true">${[1, 2, 3].map(() => html`<span class="bone"></span>`)}</div>`
        : html`<p class="card reason">${this.#api.words(failure)}</p>`
    }
    const chosen = this.#chosen
    if (chosen === undefined) {
      return html`<div class="card"><keelson-empty heading=${this.t('cockpit.empty')} text=${this.t('cockpit.emptyText')}></keelson-empty></div>`
    }
    const minutes = this.format.number(value.health.thresholds.windowMinutes)
    return html`<div class="ask"><h2>${this.t('cockpit.question')}</h2><span>${this.t('cockpit.window', { minutes })}</span></div>
      <section class="card"><ul class="verdicts">${this.#verdicts.map((one) => this.#verdict(one, one === chosen))}</ul></section>
      ${this.#before(chosen, value)}
      ${receiverCards(chosen.domain, value, this)}
      <div class="pair">${this.#readiness(chosen, value)} ${this.#incidents(value.trips)}</div>
      ${sourcesCard(chosen.domain, value.readiness?.domains.find((one) => one.domain === chosen.domain)?.senders, this)}
      ${listsCard(chosen.domain, value.lists?.checks, this)}`
  }

  #say({ key, values = {}, text, label }: Words): string {
    const { at } = values
    return this.t(key, {
      ...values,
      ...(at !== undefined && { at: this.format.relative(at) }),
      ...(text !== undefined && { text: saidWords(text, this) }),
      ...(label !== undefined && { label: this.t(label) })
    })
  }

  /** The mails behind a rate: while a domain is tripped, of the broadcast that they are all from. */
  #mailsOf({ domain, kind, bucket }: Verdict, rate: Rate['id']): string {
    const key = { senderDomain: domain, kind }
    const { at, params } = mailsBehind(key, STATUS[rate], bucket?.origin)
    return this.linkTo(at, params)
  }

  #verdict(verdict: Verdict, isChosen: boolean): TemplateResult {
    const { id, domain, kind, answer, why, next, rates, isCertain } = verdict
    const name = `${domain ?? this.t('health.noDomain')} · ${this.t(`health.kind.${kind}`)}`
    return html`<li class="verdict ${isChosen ? 'on' : ''}">
      <div class="can"><span class=${TONES[answer]}>${icon(ICONS[answer], 20)}</span>
        <strong class=${TONES[answer]}>${this.t(isCertain ? `cockpit.answer.${answer}` : 'cockpit.answer.unsure')}</strong>
        <a href=${this.address({ sender: id })} aria-current=${isChosen ? 'true' : nothing}>${name}</a></div>
      <div class="why"><p><b>${this.#say(why)}</b></p><p>${this.t('cockpit.next')} ${this.#say(next)}</p></div>
      ${rates.length === 0 ? html`<p class="dim">${this.t('cockpit.noMail')}</p>` : rateBars(rates, this, (id) => this.#mailsOf(verdict, id))}
      <a class="btn" href=${this.address({ sender: id })} aria-label=${this.t('cockpit.reviewOf', { name })}>${this.t('cockpit.review')}</a>
    </li>`
  }

  /** What to look at before a tripped domain is resumed, and the ways to do so. */
  #before({ answer, bucket }: Verdict, facts: Facts): TemplateResult | typeof nothing {
    if (answer !== 'no' || bucket === undefined) return nothing
    const ways = resumeWays(this, bucket, () => void this.#facts.reload())
    return beforeResume(bucket, facts, this, ways)
  }

  #readiness({ domain }: Verdict, { readiness }: Facts): TemplateResult {
    const found = readiness?.domains.find((one) => one.domain === domain)
    const isDnsOff = readiness?.dnsChecks === false
    const met = found?.items.filter(({ state }) => state === 'met').length ?? 0
    const [heading, text] =
      readiness == null
        ? ['cockpit.noReadiness', 'cockpit.noReadinessText']
        : ['cockpit.noReadiness', 'cockpit.noDomainText']
    return html`<section class="card">
      <header><h2>${this.t('cockpit.ready')}</h2>
        ${
          found === undefined
            ? nothing
            : html`<span class="dim">${found.domain} · ${this.t('cockpit.readyNote', { met: String(met), all: String(found.items.length) })}</span>
              <span class="push"></span>${copyAll(found, this.t)}
              ${isDnsOff ? nothing : html`<button class="btn" @click=${() => void this.#checkDns(found.domain)}>${this.t('cockpit.checkDns')}</button>`}`
        }
      </header>
      ${
        found === undefined
          ? html`<keelson-empty heading=${this.t(heading ?? '')} text=${this.t(text ?? '')}></keelson-empty>`
          : html`${isDnsOff ? html`<p class="reason off">${icon('info', 14)} ${this.t('cockpit.dnsOff')}</p>` : nothing}
            ${checklist(found, this, isDnsOff)}`
      }
    </section>`
  }

  async #checkDns(domain: string): Promise<void> {
    const isDone = await this.#api.attempt(() =>
      this.#api.act('POST', '/dmarc/dns/check', { domain })
    )
    if (!isDone) return
    this.toast({ text: this.t('cockpit.dnsDone'), tone: 'good' })
    void this.#facts.reload()
  }

  #incidents(trips: readonly Trip[]): TemplateResult {
    const shown = trips.slice(0, INCIDENTS)
    return html`<section class="card">
      <header><h2>${this.t('cockpit.incidents')}</h2><a class="link push" href=${this.linkTo('/admin/mailer/health')}>${this.t('cockpit.more')}</a></header>
      ${
        shown.length === 0
          ? html`<keelson-empty heading=${this.t('cockpit.noIncidents')} text=${this.t('cockpit.noIncidentsText')}></keelson-empty>`
          : html`<ol class="log">${shown.map(
              (trip) => html`<li>${this.#incident(trip)}</li>`
            )}</ol>`
      }
    </section>`
  }

  #incident({ action, resource, after, at }: Trip): TemplateResult {
    const isTrip = action === 'health.trip'
    return html`<span class=${isTrip ? 'bad' : 'good'}>${icon(isTrip ? 'close' : 'check', 14)}</span>
      <div><b>${this.t(isTrip ? 'health.trip' : 'health.resumedWord')}</b> <span class="quiet">${bucketName(resource.slug, this.t)}</span>
        ${isTrip && after.reason !== null ? html`<p>${saidWords({ message: after.reason, said: after.said }, this)}</p>` : nothing}
        <time datetime=${at} title=${this.format.dateTime(at)}>${timeText(at, Date.now(), this.format)}</time></div>`
  }
}

registerTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonEmpty, KeelsonCopy)
definePage('circuit-breaker-cockpit', CockpitPage)
