// The Flows page: every flow with its state, and a form for a new one.
import {
  choiceField,
  definePage,
  KeelsonDialog,
  type KeelsonPage,
  Load,
  listPage,
  registerCatalog,
  type TableColumn,
  timeColumn
} from '@keelson/ui'
import { html, nothing } from 'lit'
import type { FlowTrigger } from '../../ledger/flow-rows.ts'
import { oneHref } from '../addresses.ts'
import { type EventsAnswer, type FlowLine, STATE_TONES, stateOf } from '../flow/answers.ts'
import { registerEditTexts } from '../flow/edit-texts.ts'
import { choicesOf, type FieldChoices } from '../flow/field-choices.ts'
import { EMPTY_FLOW, flowBody, flowFields } from '../flow/flow-form.ts'
import { scheduleOf } from '../flow/schedule-words.ts'
import { registerStepTexts } from '../flow/step-texts.ts'
import { triggerWords } from '../flow/trigger-words.ts'
import { mailApi } from '../mail-api.ts'
import { panelStyles } from '../panel-styles.ts'
import { pageStyles } from '../styles.ts'
import texts from './texts.en.json' with { type: 'json' }

const STATES = ['live', 'paused', 'new'] as const

const columns = (page: KeelsonPage): TableColumn<FlowLine>[] => {
  const { t, format } = page
  const wordsOf = (trigger: FlowTrigger) => triggerWords(trigger, page, scheduleOf(trigger, page))
  return [
    {
      id: 'name',
      header: t('flows.name'),
      grow: 2,
      link: true,
      cell: ({ name }) => name,
      hint: ({ slug }) => slug
    },
    {
      id: 'state',
      header: t('flows.state'),
      width: 170,
      cell: (flow) => {
        const state = stateOf(flow)
        return html`<span class="tag ${STATE_TONES[state]}">${t(`flow.state.${state}`, { version: flow.version })}</span>
          ${!flow.hasDraft || flow.version === 0 ? nothing : html`<span class="tag warn">${t('flow.draft')}</span>`}`
      }
    },
    {
      id: 'trigger',
      header: t('flows.trigger'),
      hideBelow: 620,
      cell: ({ trigger }) => {
        const { title } = wordsOf(trigger)
        return trigger.type === 'event' ? html`<span class="mono">${title}</span>` : title
      },
      hint: ({ trigger }) => wordsOf(trigger).note
    },
    {
      id: 'steps',
      header: t('flows.steps'),
      width: 72,
      align: 'end',
      hideBelow: 520,
      cell: ({ stepCount }) => format.number(stepCount)
    },
    timeColumn(page, ({ updatedAt }) => updatedAt, {
      id: 'updated',
      header: t('flows.updated'),
      hideBelow: 420
    })
  ]
}

const FlowsPage = listPage<FlowLine>({
  styles: [pageStyles, panelStyles],
  uses: [KeelsonDialog],
  open(page) {
    const { t } = page
    const api = mailApi(page)
    let type: FlowTrigger['type'] = 'event'
    const choices = new Load(page, {
      quiet: true,
      args: () => (page.params.get('dialog') === 'new' ? ([] as const) : null),
      run: async (_args, signal): Promise<FieldChoices> => {
        return choicesOf([], await api.read<EventsAnswer>('/events', signal))
      }
    })
    const newLink = () =>
      html`<a class="btn primary" href=${page.address({ dialog: 'new' })}>${t('flows.new')}</a>`
    return {
      texts: 'flows',
      source: {
        idOf: ({ slug }) => slug,
        words: api.words,
        read: (_narrowing, _position, signal) => api.read('/flows', signal),
        keeps: (flow, { state }) => state === undefined || stateOf(flow) === state
      },
      filters: { params: ['state'] },
      header: () =>
        html`${choiceField(page, 'state', {
          label: t('flows.state'),
          choices: [
            ['', t('flows.all')],
            ...STATES.map((one) => [one, t(`flow.filter.${one}`)] as const)
          ]
        })}
        ${newLink()}`,
      emptyAction: newLink,
      href: ({ slug }) => oneHref(page, 'flow', slug),
      dialogs: {
        new: () => ({
          heading: t('flowForm.new'),
          action: t('flowForm.create'),
          width: 520,
          body: flowFields({
            t,
            fields: EMPTY_FLOW,
            api,
            type,
            choices: choices.value ?? { templates: [], events: [] },
            onType(next) {
              type = next
              page.requestUpdate()
            }
          }),
          async send(form) {
            const body = flowBody(new FormData(form), true)
            const { slug } = await api.act<Pick<FlowLine, 'slug'>>('POST', '/flows', body)
            page.page.navigate(oneHref(page, 'flow', slug))
            return null
          }
        })
      },
      columns
    }
  }
})

registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
registerStepTexts()
registerEditTexts()
definePage('mailer-flows', FlowsPage)
