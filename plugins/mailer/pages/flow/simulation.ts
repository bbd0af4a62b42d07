// The simulation of a flow and its strip: who is simulated, the stops on a line, how it ends.
import { dayText, icon, type KeelsonPage, type Load, registerCatalog } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { Found } from '../../campaigns/flows/interpret/found-by.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { exitWords, registerExitWords } from '../exit-words.ts'
import type { MailApi } from '../mail-api.ts'
import type { SimulationAnswer } from './answers.ts'
import texts from './simulation-texts.en.json' with { type: 'json' }
import type { Words } from './step-words.ts'
import { type Stop, stopsOf, type Walked, walkedOf } from './walked-path.ts'

const SECOND = 1000

/** Simulates steps of a flow for a contact, who is named by id or by address. */
export async function simulate(
  api: MailApi,
  flow: string,
  { contact, steps }: { readonly contact: string; readonly steps: readonly FlowStep[] }
): Promise<SimulationAnswer> {
  const contactId = contact.includes('@') ? await idOf(api, contact) : contact
  return api.act('POST', `${flow}/simulate`, { contactId, steps })
}

async function idOf(api: MailApi, address: string): Promise<string> {
  const { contacts } = await api.read<{
    readonly contacts: readonly { readonly externalId: string }[]
  }>(`/contacts?${new URLSearchParams({ search: address })}`)
  return contacts[0]?.externalId ?? address
}

/** What a simulation draws on the canvas. */
export interface Drawn {
  readonly walked: Walked
  /** The card of the stop that is looked at. */
  readonly stop: string | undefined
  /** How it ends, at its last stop. */
  readonly end: string | undefined
}

/** What a simulation of these steps draws up to a stop. */
export function drawnOf(
  answer: SimulationAnswer,
  { steps, at, words }: { steps: readonly FlowStep[]; at: number; words: Words }
): Drawn {
  const stops = stopsOf(answer.path)
  return {
    walked: walkedOf(steps, stops.slice(0, at + 1)),
    stop: stops[at]?.path,
    end: at === stops.length - 1 ? endWords(answer, words) : undefined
  }
}

/** What the strip shows. */
export interface Strip {
  readonly words: Words
  /** The contact that was asked for; empty for none yet. */
  readonly contact: string
  readonly answer: SimulationAnswer | undefined
  readonly problem: string
  readonly isLoading: boolean
  /** The index of the stop that is looked at. */
  readonly at: number
  stopHref(index: number): string
  readonly endHref: string
  onContact(contact: string): void
}

/** What the strip reads. */
interface SimulationLoads {
  readonly simulation: Pick<
    Load<readonly unknown[], SimulationAnswer>,
    'value' | 'failure' | 'isPending'
  >
  readonly api: MailApi
  words(): Words
}

/** The strip of a page whose address names a contact to simulate, or `-` for none yet. */
export function stripOf(
  page: KeelsonPage,
  { simulation, api, ...loads }: SimulationLoads,
  stopAt: (count: number) => number
): TemplateResult {
  const contact = (page.params.get('sim') ?? '').replace(/^-$/, '')
  const { value, failure, isPending } = simulation
  const isAsked = contact !== ''
  return simulationStrip({
    words: loads.words(),
    contact,
    answer: isAsked ? value : undefined,
    problem: isAsked && failure !== undefined ? api.words(failure) : '',
    isLoading: isAsked && isPending,
    at: stopAt(value?.path.length ?? 0),
    stopHref: (index) => page.address({ stop: String(index) }),
    endHref: page.address({ sim: null, stop: null }),
    onContact: (who) => page.go({ sim: who || '-', stop: null })
  })
}

/** How a simulation ends, for the foot of the canvas. */
function endWords({ terminal }: SimulationAnswer, { t }: Words): string {
  const { kind, reason } = terminal
  return kind === 'exited'
    ? t('sim.exited', { reason: exitWords(reason ?? '', t) })
    : t(`sim.${kind}`)
}

/** Adds the texts: before they are shown, so that their translation is waited for. */
export function registerTexts(): void {
  registerCatalog('en', texts, {
    de: () => import('./simulation-texts.de.json', { with: { type: 'json' } })
  })
  registerExitWords()
}

/** The strip below the canvas. */
function simulationStrip(strip: Strip): TemplateResult {
  const { words, contact, answer, problem, isLoading, endHref, onContact } = strip
  const { t } = words
  return html`<section class="sim" aria-label=${t('sim.label')}>
    <div class="row">
      <form class="row" @submit=${(event: Event) => {
        event.preventDefault()
        const [field] = event.currentTarget as unknown as [HTMLInputElement]
        onContact(field.value.trim())
      }}>
        <label class="row"><b>${t('sim.as')}</b>
          <input id="simulated" class="field who" placeholder=${t('sim.contact')} autocomplete="off" spellcheck="false" .value=${contact} />
        </label>
        <button class="btn">${t('sim.run')}</button>
      </form>
      <span class="dim" role="status">${isLoading ? t('sim.running') : nothing}</span>
      <a class="btn quiet push" href=${endHref}>${t('sim.end')}</a>
    </div>
    ${problem === '' ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
    ${answer === undefined ? nothing : walked(strip, answer)}
  </section>`
}

function walked(strip: Strip, answer: SimulationAnswer): TemplateResult {
  const { words, at, stopHref } = strip
  const { t, format } = words
  const stops = stopsOf(answer.path)
  const last = stops.length - 1
  const step = (to: number, name: 'chevron-left' | 'chevron-right', label: string) =>
    to < 0 || to > last
      ? html`<span class="btn icon" aria-disabled="true">${icon(name, 14)}</span>`
      : html`<a class="btn icon" href=${stopHref(to)} aria-label=${t(label)}>${icon(name, 14)}</a>`
  const took = Date.parse(answer.terminal.at) - Date.parse(answer.enteredAt)
  return html`${
    answer.reasonCodes.length === 0
      ? nothing
      : html`<p class="warn">${icon('alert', 14)} ${t('sim.notNow')} ${answer.reasonCodes.map((code) => t(`sim.why.${code}`)).join(' ')}</p>`
  }
    <ol class="stops">${stops.map((stop, index) => stopView(stop, index, strip))}</ol>
    <div class="row">
      <p>
        <b>${endWords(answer, words)}</b>
        ${t(took < SECOND ? 'sim.sumAtOnce' : 'sim.sum', { time: format.duration(took), at: dayText(Date.parse(answer.terminal.at), Date.now(), format), count: answer.sends.length })}
      </p>
      <span class="row push">
        ${step(at - 1, 'chevron-left', 'sim.back')}
        <span class="dim">${t('sim.of', { at: stops.length === 0 ? 0 : at + 1, count: stops.length })}</span>
        ${step(at + 1, 'chevron-right', 'sim.next')}
      </span>
    </div>`
}

/** What a test found: `plan is free, has tag beta`. */
export function foundWords(found: readonly Found[], { t, format, templateName }: Words): string {
  const said = found.map(({ what, name, value }) => {
    if (what === 'tag')
      return t(`predicate.${value === true ? 'hasTag' : 'notHasTag'}.words`, { name })
    if (what === 'opened' || what === 'clicked') {
      const template = name === '' ? t('predicate.anyMail') : templateName(name)
      return t(`sim.found.${what}`, { template, count: Number(value) })
    }
    if (what === 'subscription') return t(`sim.found.subscription.${value ?? 'none'}`)
    if (value === null) return t(`sim.found.no.${what}`, { name })
    if (what === 'event')
      return t('sim.found.event', {
        name,
        at: dayText(Date.parse(String(value)), Date.now(), format)
      })
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return t(`predicate.${what === 'field' ? 'fieldEquals' : 'triggerPropertyEquals'}.words`, {
      name,
      value: text
    })
  })
  return said.join(', ')
}

function stopView(stop: Stop, index: number, { words, at, stopHref }: Strip): TemplateResult {
  const { t, format } = words
  const outcome = t(`outcome.${stop.outcome}`)
  const { templateSlug, reason, found: values, ...own } = stop.detail ?? {}
  const found = Array.isArray(values) ? foundWords(values, words) : ''
  // The arms of a branch are in its outcome.
  const arm = stop.type === 'branch' ? undefined : own['arm']
  const why = typeof reason === 'string' ? exitWords(reason, t) : undefined
  const mail = typeof templateSlug === 'string' ? words.templateName(templateSlug) : undefined
  const detail = mail ?? why ?? arm
  const state = index === at ? 'now' : index > at ? 'later' : ''
  return html`<li class=${state}>
    <a href=${stopHref(index)} aria-current=${index === at ? 'step' : nothing}>
      <b>${dayText(Date.parse(stop.at), Date.now(), format)}</b>
      <span>${outcome}${typeof detail === 'string' ? ` ${detail}` : ''}${found === '' ? '' : `: ${found}`}</span>
    </a>
  </li>`
}
