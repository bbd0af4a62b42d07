// The form of a rule: what to watch, when to fire, who is notified, and a preview.
import type { Filter, FilterField } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { Dimension } from '../events/dimensions.ts'
import { OF_A_METRIC, OF_RECORDS } from '../events/measures.ts'
import type { Family } from '../journeys/families.ts'
import { CONDITIONS, type Draft, type PreviewAnswer, SOURCES, WINDOWS } from './rule.ts'
import type { Sayable } from './rule-words.ts'

export interface EditorOptions extends Sayable {
  readonly draft: Draft
  readonly isNew: boolean
  readonly isSending: boolean
  readonly problem: string
  readonly preview: PreviewAnswer | undefined
  readonly isTrying: boolean
  readonly fields: readonly FilterField[]
  /** Families with a bucket, those of them by subject alone, milestones. */
  readonly bucketed: readonly Family[]
  readonly activity: readonly Family[]
  readonly milestones: readonly Family[]
  readonly recordMetrics: readonly string[]
  /** The metrics that came over OTLP, what can be read of the chosen one, and what its points have. */
  readonly metricNames: readonly string[]
  readonly reads: readonly string[]
  readonly groupings: readonly string[]
  /** What there may be one alert for each value of. */
  readonly dimensions: readonly Dimension[]
  date(at: string): string
  number(value: number): string
  onChange(change: Partial<Draft>): void
  onTry(): void
  onSave(): void
  onClose(): void
}

type Choice = readonly [value: string, text: string]

function choice(
  label: string,
  choices: readonly Choice[],
  chosen: string,
  onChange: (value: string) => void
): TemplateResult {
  return html`<label>
    <span>${label}</span>
    <select class="field" @change=${(event: Event) => onChange((event.target as HTMLSelectElement).value)}>
      ${choices.map(([value, text]) => html`<option value=${value} .selected=${value === chosen}>${text}</option>`)}
    </select>
  </label>`
}

function input(
  label: string,
  value: string,
  onInput: (value: string) => void,
  more: {
    readonly type?: string
    readonly placeholder?: string
    readonly isRequired?: boolean
    readonly id?: string
  } = {}
): TemplateResult {
  return html`<label>
    <span>${label}</span>
    <input
      class="field"
      id=${more.id ?? nothing}
      type=${more.type ?? 'text'}
      step=${more.type === 'number' ? 'any' : nothing}
      placeholder=${more.placeholder ?? nothing}
      ?required=${more.isRequired === true}
      autocomplete="off"
      .value=${value}
      @input=${(event: Event) => onInput((event.target as HTMLInputElement).value)}
    />
  </label>`
}

const named = (families: readonly Family[]): Choice[] =>
  families.map(({ as, label }) => [as, label])

function measures({ t, recordMetrics }: EditorOptions, withMeans: boolean): Choice[] {
  const means = withMeans ? OF_A_METRIC : (['sum'] as const)
  return [
    ['count', t('alert.measure.count')],
    ...(withMeans ? OF_RECORDS.map((one): Choice => [one, t(`alert.measure.${one}`)]) : []),
    ...recordMetrics.flatMap((metric) =>
      means.map((op): Choice => [`${op}:${metric}`, t(`alert.measure.${op}`, { metric })])
    )
  ]
}

/** The chosen one too: it may be what the list does not have. */
const withChosen = (known: readonly Choice[], chosen: string): readonly Choice[] =>
  chosen === '' || known.some(([id]) => id === chosen)
    ? known
    : [[chosen, chosen.replace(/^attr:/, '')], ...known]

const groups = ({ t, draft }: EditorOptions, known: readonly Choice[]): readonly Choice[] => [
  ['', t('alert.by.none')],
  ...withChosen(known, draft.by)
]

const chips = ({ fields, draft, onChange }: EditorOptions): TemplateResult =>
  html`<keelson-filter-chips
    .fields=${fields}
    .filters=${draft.filters}
    @keelson-filters=${({ detail }: CustomEvent<{ filters: Filter[] }>) =>
      onChange({ filters: detail.filters })}
  ></keelson-filter-chips>`

function watchedMetric(options: EditorOptions): TemplateResult {
  const { draft, t, onChange, metricNames, reads, groupings } = options
  const names = withChosen(
    metricNames.map((name): Choice => [name, name]),
    draft.metric
  )
  if (names.length === 0) return html`<p class="dim" role="status">${t('alert.metric.none')}</p>`
  const known = groupings.map((one): Choice => [one, one.replace(/^attr:/, '')])
  return html`${choice(t('alert.metric'), names, draft.metric, (metric) => onChange({ metric }))}
    ${chips(options)}
    ${choice(
      t('alert.measure'),
      reads.map((read) => [read, t(`alert.read.${read}`)]),
      draft.measure,
      (measure) => onChange({ measure })
    )}
    ${choice(t('alert.by'), groups(options, known), draft.by, (by) => onChange({ by }))}`
}

const peopleOf = ({ draft, t, onChange }: EditorOptions): TemplateResult =>
  input(t('alert.subjectType'), draft.subjectType, (subjectType) => onChange({ subjectType }))

function watched(options: EditorOptions): TemplateResult {
  const { draft, t, onChange, bucketed, activity, milestones, dimensions } = options
  switch (draft.source) {
    case 'series':
      return html`${chips(options)}
        ${choice(t('alert.measure'), measures(options, true), draft.measure, (measure) => onChange({ measure }))}
        ${choice(
          t('alert.by'),
          groups(
            options,
            dimensions.map(({ id, label }) => [id, label])
          ),
          draft.by,
          (by) => onChange({ by })
        )}`
    case 'metric':
      return watchedMetric(options)
    case 'rollup':
      return html`${choice(t('alert.family'), named(bucketed), draft.as, (as) => onChange({ as }))}
      ${input(t('alert.dims'), draft.dims, (dims) => onChange({ dims }), { placeholder: 'plan=pro' })}
      ${choice(t('alert.measure'), measures(options, false), draft.measure, (measure) => onChange({ measure }))}`
    case 'distinct':
      return html`${choice(t('alert.family'), named(activity), draft.as, (as) => onChange({ as }))}
      ${peopleOf(options)}`
    case 'funnel': {
      const stages = draft.stages.split(',')
      const chosen: Choice[] = stages.map((as) => [
        as,
        milestones.find((family) => family.as === as)?.label ?? as
      ])
      const values = (['pctOfFirst', 'pctOfPrevious', 'subjects'] as const).map(
        (value): Choice => [value, t(`alert.value.${value}`)]
      )
      return html`<p class="dim">${chosen.map(([, text]) => text).join(' → ')}</p>
        ${choice(t('alert.value'), values, draft.value, (value) => onChange({ value }))}
        ${choice(t('alert.stage'), chosen, draft.stage || (stages[stages.length - 1] ?? ''), (stage) => onChange({ stage }))}
        ${peopleOf(options)}`
    }
  }
}

function whenToFire({ draft, t, duration, onChange }: EditorOptions): TemplateResult {
  const conditions = CONDITIONS.map((one): Choice => [one, t(`alert.condition.${one}`)])
  const windows = [...new Set([...WINDOWS, draft.windowMinutes])].sort((a, b) => a - b)
  const isChange = draft.condition === 'rise' || draft.condition === 'drop'
  return html`<div class="pair">
      ${choice(t('alert.condition'), conditions, draft.condition, (value) =>
        onChange({ condition: value as Draft['condition'] })
      )}
      ${
        draft.condition === 'no-data'
          ? nothing
          : input(
              t(isChange ? 'alert.percent' : 'alert.amount'),
              draft.amount,
              (amount) => onChange({ amount }),
              { type: 'number', isRequired: true }
            )
      }
    </div>
    <div class="pair">
      ${choice(
        t('alert.window'),
        windows.map((minutes): Choice => [String(minutes), duration(minutes * 60_000)]),
        String(draft.windowMinutes),
        (minutes) => onChange({ windowMinutes: Number(minutes) })
      )}
      ${
        draft.condition === 'no-data'
          ? nothing
          : input(t('alert.minimum'), draft.minimum, (minimum) => onChange({ minimum }), {
              type: 'number',
              placeholder: '1'
            })
      }
    </div>`
}

/** Where the limit of the draft is drawn; undefined for conditions that have none. */
export function limitOf({
  condition,
  amount
}: Pick<Draft, 'condition' | 'amount'>): number | undefined {
  const limit = Number(amount)
  const isLimit = condition === 'above' || condition === 'below'
  return isLimit && amount.trim() !== '' && Number.isFinite(limit) ? limit : undefined
}

/** The values of the past between 0 and their maximum, the limit, and the moments it would have fired in. */
function course(
  { points, changes }: PreviewAnswer,
  { draft, t, number, date }: EditorOptions
): TemplateResult | typeof nothing {
  const first = Date.parse(points[0]?.at ?? '')
  const last = Date.parse(points[points.length - 1]?.at ?? '')
  if (!(last > first)) return nothing
  const limit = limitOf(draft)
  const most = Math.max(...points.map(({ value }) => value ?? 0), limit ?? 0) || 1
  const x = (at: string) => ((Date.parse(at) - first) / (last - first)) * 300
  const y = (value: number) => (76 - (value / most) * 72).toFixed(1)
  const line = points
    .flatMap(({ at, value }) => (value === null ? [] : [`${x(at).toFixed(1)},${y(value)}`]))
    .join(' ')
  const level = (value: number) => `0,${y(value)} 300,${y(value)}`
  return html`${limit === undefined ? nothing : html`<span class="limit">${t('alert.limit', { value: number(limit) })}</span>`}
    <div class="plot dim">
    <div class="scale"><span>${number(most)}</span><span>${number(0)}</span></div>
    <svg class="course" viewBox="0 0 300 80" preserveAspectRatio="none" aria-hidden="true">
    ${changes
      .filter(({ to }) => to === 'firing')
      .map(
        ({ at }) =>
          html`<svg x=${x(at) - 1} y="0" width="2" height="80"><rect class="fired" width="2" height="80"></rect></svg>`
      )}
    <svg><polyline class="zero" points=${level(0)} vector-effect="non-scaling-stroke"></polyline></svg>
    <svg><polyline points=${line} vector-effect="non-scaling-stroke"></polyline></svg>
    ${limit === undefined ? nothing : html`<svg><polyline class="limit" points=${level(limit)} vector-effect="non-scaling-stroke"></polyline></svg>`}
  </svg>
  <div class="ends"><span>${date(points[0]?.at ?? '')}</span><span>${date(points[points.length - 1]?.at ?? '')}</span></div>
  </div>`
}

function tried(options: EditorOptions): TemplateResult | typeof nothing {
  const { preview, t, date } = options
  if (preview === undefined) return nothing
  const fired = preview.changes.filter(({ to }) => to === 'firing')
  return html`<div class="tried" role="status">
    <strong>${t('alert.wouldHave', { count: preview.fired })}</strong>
    ${preview.truncated ? html`<span class="dim">${t('alert.previewPart')}</span>` : nothing}
    ${course(preview, options)}
    <ul>${fired.slice(-5).map(({ at, value, group }) => html`<li class="dim">${date(at)} · ${group === undefined ? nothing : `${group} · `}${value ?? '–'}</li>`)}</ul>
  </div>`
}

/** Whether a change of the rule reaches a webhook or people. */
const isHeard = ({ webhook, mailTo, template, contacts }: Draft): boolean =>
  webhook.trim() !== '' ||
  mailTo.trim() !== '' ||
  (template.trim() !== '' && contacts.trim() !== '')

export function editor(options: EditorOptions): TemplateResult {
  const { draft, t, onChange, isNew, isSending, isTrying, problem } = options
  const sources = SOURCES.map((one): Choice => [one, t(`alert.source.${one}`)])
  return html`<keelson-dialog
    open
    heading=${t(isNew ? 'alert.new' : 'alert.edit')}
    width="520"
    @keelson-close=${options.onClose}
  >
    <form
      id="alert-form"
      class="alert-form"
      @submit=${(event: Event) => {
        event.preventDefault()
        options.onSave()
      }}
    >
      ${input(t('alert.name'), draft.name, (name) => onChange({ name }), { isRequired: true, id: 'alert-name' })}
      <fieldset>
        <legend>${t('alert.watch')}</legend>
        ${choice(t('alert.source'), sources, draft.source, (value) => onChange({ source: value as Draft['source'] }))}
        ${watched(options)}
      </fieldset>
      <fieldset>
        <legend>${t('alert.fire')}</legend>
        ${whenToFire(options)}
        <div class="row">
          <button type="button" class="btn" ?disabled=${isTrying} @click=${options.onTry}>${t('alert.try')}</button>
          ${isTrying ? html`<progress aria-label=${t('alert.trying')}></progress>` : nothing}
        </div>
        ${tried(options)}
      </fieldset>
      <fieldset>
        <legend>${t('alert.tell')}</legend>
        ${input(t('alert.webhook'), draft.webhook, (webhook) => onChange({ webhook }), { type: 'url', placeholder: 'https://' })}
        ${input(t('alert.mailTo'), draft.mailTo, (mailTo) => onChange({ mailTo }), { placeholder: 'ops@example.com' })}
        <div class="pair">
          ${input(t('alert.template'), draft.template, (template) => onChange({ template }))}
          ${input(t('alert.contacts'), draft.contacts, (contacts) => onChange({ contacts }), { placeholder: 'u1, u2' })}
        </div>
        ${isHeard(draft) ? nothing : html`<p class="dim" role="status">${t('alert.unheard')}</p>`}
      </fieldset>
      <label class="row check"
        ><input type="checkbox" .checked=${draft.enabled} @change=${(event: Event) =>
          onChange({
            enabled: (event.target as HTMLInputElement).checked
          })} />${t('alert.enabled')}</label
      >
      ${problem === '' ? nothing : html`<p role="alert" class="problem">${problem}</p>`}
    </form>
    <button slot="actions" class="btn quiet" @click=${options.onClose}>${t('ui.cancel')}</button>
    <button slot="actions" class="btn primary" form="alert-form" ?disabled=${isSending}>${t('alert.save')}</button>
  </keelson-dialog>`
}
