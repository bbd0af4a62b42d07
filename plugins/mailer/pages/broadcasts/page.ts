// The Broadcasts page: every broadcast with its state; a new one.
import {
  definePage,
  formField,
  formText,
  icon,
  KeelsonDialog,
  type KeelsonPage,
  Load,
  listPage,
  type TableColumn,
  timeColumn
} from '@keelson/ui'
import { html, nothing } from 'lit'
import { mailHref, oneHref } from '../addresses.ts'
import { mailApi } from '../mail-api.ts'
import { nameFields } from '../name-fields.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { type Broadcast, type BroadcastLine, STATUS_TONES } from './answers.ts'
import { registerBroadcastsTexts } from './texts.ts'

const EVERYONE = { filters: [{ kind: 'subscriptionStatus', equals: 'subscribed' }] }

interface TemplateChoice {
  readonly slug: string
  readonly name: string
  readonly kind: string
}

const columns = (page: KeelsonPage): TableColumn<BroadcastLine>[] => {
  const { t, format } = page
  return [
    {
      id: 'name',
      header: t('mail.name'),
      grow: 2,
      link: true,
      cell: ({ name }) => name,
      hint: ({ slug }) => slug
    },
    {
      id: 'status',
      header: t('mail.status'),
      width: 100,
      cell: ({ status }) =>
        html`<span class="tag ${STATUS_TONES[status]}">${t(`broadcast.status.${status}`)}</span>`
    },
    {
      id: 'template',
      header: t('broadcasts.template'),
      quiet: true,
      hideBelow: 620,
      cell: ({ templateSlug, names }) => names?.template ?? templateSlug
    },
    {
      id: 'recipients',
      header: t('broadcasts.recipients'),
      width: 96,
      align: 'end',
      hideBelow: 460,
      cell: ({ queuedCount, recipientCount }) =>
        recipientCount === undefined && queuedCount === 0
          ? t('mail.none')
          : format.number(Math.max(queuedCount, recipientCount ?? 0))
    },
    timeColumn(page, ({ startedAt, scheduledAt }) => startedAt ?? scheduledAt, {
      id: 'when',
      header: t('broadcasts.when'),
      quiet: false,
      hideBelow: 540
    }),
    timeColumn(page, ({ createdAt }) => createdAt, {
      id: 'created',
      header: t('broadcasts.created'),
      hideBelow: 760
    })
  ]
}

/** The fields of a new one; there must be a template to send. */
function fields(page: KeelsonPage, templates: readonly TemplateChoice[] | undefined) {
  const { t } = page
  const choice = html`<select class="field" name="templateSlug">
    ${(templates ?? []).map(({ slug, name }) => html`<option value=${slug}>${name}</option>`)}
  </select>`
  return html`${nameFields(t)}
    ${formField(t('broadcasts.template'), choice, t('broadcasts.templateHint'))}
    ${templates?.length === 0 ? html`<p class="problem">${t('broadcasts.noTemplate')} <a class="link" href=${mailHref(page, 'templates', { dialog: 'new' })}>${t('broadcasts.template')}</a></p>` : nothing}`
}

const BroadcastsPage = listPage<BroadcastLine>({
  styles: pageStyles,
  uses: [KeelsonDialog],
  open(page) {
    const { t } = page
    const api = mailApi(page)
    const templates = new Load(page, {
      quiet: true,
      args: () => (page.params.get('dialog') === 'new' ? ([] as const) : null),
      run: async (_args, signal) => {
        const all = await api.read<readonly TemplateChoice[]>('/templates', signal)
        return all.filter(({ kind }) => kind === 'marketing')
      }
    })
    return {
      texts: 'broadcasts',
      source: { idOf: ({ slug }) => slug, words: api.words, read: api.pages('/broadcasts') },
      header: () =>
        html`<a class="btn primary" href=${page.address({ dialog: 'new' })}>${icon('plus', 14)}${t('broadcasts.new')}</a>`,
      emptyAction: () =>
        html`<a class="btn" href=${page.address({ dialog: 'new' })}>${t('broadcasts.new')}</a>`,
      href: ({ slug }) => oneHref(page, 'broadcast', slug),
      columns,
      dialogs: {
        new: () => ({
          heading: t('broadcasts.new'),
          action: t('mail.create'),
          isLocked: (templates.value?.length ?? 0) === 0,
          body: fields(page, templates.value),
          async send(form) {
            const [name, slug, templateSlug] = ['name', 'slug', 'templateSlug'].map((field) =>
              formText(form, field)
            )
            const body = { name, slug, templateSlug, segmentDefinition: EVERYONE }
            const made = await api.act<Broadcast>('POST', '/broadcasts', body)
            page.page.navigate(oneHref(page, 'broadcast', made.slug))
            return null
          }
        })
      }
    }
  }
})

registerTexts()
registerBroadcastsTexts()
definePage('mailer-broadcasts', BroadcastsPage)
