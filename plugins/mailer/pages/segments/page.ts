// The Segments page: named filters of contacts, who matches, what uses them; making, changing and deleting them.
import type { Static } from '@keelson/sdk'
import {
  definePage,
  formText,
  KeelsonDialog,
  KeelsonDrawer,
  type KeelsonListPage,
  type KeelsonPage,
  type ListDialog,
  Load,
  listPage,
  type ParamChanges,
  registerCatalog,
  type TableColumn,
  timeColumn
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type {
  segmentCountSchema,
  segmentLineSchema,
  segmentPreviewSchema
} from '../../admin/segment-answers.ts'
import type { SegmentFilter } from '../../audience/segments/segment-schema.ts'
import { mailHref, oneHref } from '../addresses.ts'
import { filtersOf } from '../broadcast/segment.ts'
import { withTexts } from '../late-part.ts'
import { type MailApi, mailApi } from '../mail-api.ts'
import { panelStyles } from '../panel-styles.ts'
import { slugFrom } from '../slug.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { segmentStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }

type Segment = Static<typeof segmentLineSchema>
type Page = KeelsonListPage<Segment>

/** The filters that a dialog edits, of the segment whose slug it is; empty for a new one. */
interface Edited {
  readonly slug: string
  readonly filters: readonly SegmentFilter[]
}

const columns = (page: KeelsonPage): TableColumn<Segment>[] => {
  const { t, format } = page
  return [
    { id: 'name', header: t('segments.name'), grow: 2, link: true, cell: ({ name }) => name },
    {
      id: 'usedBy',
      header: t('segments.usedBy'),
      hideBelow: 420,
      quiet: true,
      cell: ({ usedBy }) =>
        usedBy.length === 0 ? t('segments.unused') : usedBy.map(({ name }) => name).join(', '),
      hint: ({ usedBy }) => usedBy.map(({ name }) => name).join(', ')
    },
    {
      id: 'filters',
      header: t('segments.filters'),
      width: 90,
      align: 'end',
      hideBelow: 600,
      cell: ({ segmentDefinition }) => format.number(filtersOf(segmentDefinition).length)
    },
    timeColumn(page, ({ updatedAt }) => updatedAt, {
      id: 'updated',
      header: t('segments.updated'),
      hideBelow: 520
    })
  ]
}

/** Who matches the segment that is open, counted and by name. */
function openMatches(page: Page, api: MailApi) {
  const asked = () => {
    const { open } = page.list
    return open ? ([JSON.stringify({ segmentDefinition: open.segmentDefinition })] as const) : null
  }
  const post = <T>(path: string) =>
    new Load(page, {
      quiet: true,
      args: asked,
      run: ([body]: readonly [string]) => api.act<T>('POST', path, JSON.parse(body))
    })
  return {
    count: post<Static<typeof segmentCountSchema>>('/segments/count'),
    who: post<Static<typeof segmentPreviewSchema>>('/segments/preview')
  }
}

function panel(
  page: Page,
  { name, slug, usedBy }: Segment,
  { count, who }: ReturnType<typeof openMatches>
): TemplateResult {
  const { t, format } = page
  const contacts = who.value?.contacts
  const counted = count.value
  return html`<div slot="header" class="panel-head"><h2>${name}</h2><p class="dim mono">${slug}</p></div>
    <section class="panel-part">
      <h3>${t('segments.who')}</h3>
      <p role="status">${
        counted === undefined
          ? t('segments.counting')
          : t('segments.counted', {
              count: counted.matched,
              matched: format.number(counted.matched),
              eligible: format.number(counted.eligible)
            })
      }</p>
      <ul class="who">${contacts?.map(
        ({ externalId, email }) =>
          html`<li><a class="link" href=${mailHref(page, `contact/${encodeURIComponent(externalId)}`)}>${email}</a></li>`
      )}</ul>
      ${contacts !== undefined && contacts.length > 0 && counted !== undefined && counted.eligible > contacts.length ? html`<p class="dim">${t('segments.first', { count: contacts.length })}</p>` : nothing}
    </section>
    <section class="panel-part">
      <h3>${t('segments.usedBy')}</h3>
      ${
        usedBy.length === 0
          ? html`<p class="dim">${t('segments.unusedText')}</p>`
          : html`<ul class="who">${usedBy.map((user) => html`<li><span class="dim">${t(`segments.kind.${user.kind}`)}</span> <a class="link" href=${oneHref(page, user.kind, user.slug)}>${user.name}</a></li>`)}</ul>`
      }
    </section>
    <div class="panel-part row">
      <a class="btn" href=${page.address({ dialog: 'edit' })}>${t('segments.edit')}</a>
      ${
        usedBy.length === 0
          ? html`<a class="btn quiet push" href=${page.address({ dialog: 'delete' })}>${t('segments.delete')}</a>`
          : html`<span class="dim push">${t('segments.stays')}</span>`
      }
    </div>`
}

async function done(page: Page, text: string, changes: ParamChanges = {}): Promise<ParamChanges> {
  page.toast({ text, tone: 'good' })
  await page.list.reload()
  return changes
}

function deleteDialog(page: Page, api: MailApi): ListDialog | undefined {
  const { t, list } = page
  const { open } = list
  if (!open) return undefined
  return {
    heading: t('segments.deleteHeading', { name: open.name }),
    action: t('segments.delete'),
    tone: 'danger',
    body: html`<p>${t('segments.deleteText')}</p>`,
    async send() {
      await api.act('DELETE', pathOf(open))
      return done(page, t('segments.deleted'), { segment: null })
    }
  }
}

const pathOf = ({ slug }: Segment) => `/segments/${encodeURIComponent(slug)}`

/** The dialogs: a new segment, a changed one, and deleting one. */
function dialogsOf(page: Page, api: MailApi) {
  const { t } = page
  const editor = new Load(page, {
    args: () => (['new', 'edit'].includes(page.params.get('dialog') ?? '') ? ([] as const) : null),
    run: async () => withTexts(await import('./editor.ts'))
  })
  let edited: Edited | undefined
  const form = (segment?: Segment) => {
    const slug = segment?.slug ?? ''
    if (edited?.slug !== slug) edited = { slug, filters: filtersOf(segment?.segmentDefinition) }
    const { filters } = edited
    const views = editor.value
    return {
      width: 720,
      isLocked: views === undefined || !views.isComplete(filters),
      body:
        views === undefined
          ? html`<p aria-busy="true">${t('segments.loading')}</p>`
          : views.segmentEditor({
              t,
              name: segment?.name,
              filters,
              onFilters: (next) => {
                edited = { slug, filters: next }
                page.requestUpdate()
              }
            })
    }
  }
  const ended = async (text: string, changes?: ParamChanges) => {
    edited = undefined
    return done(page, text, changes)
  }
  const definition = () => ({ segmentDefinition: { filters: edited?.filters ?? [] } })
  return {
    new: (): ListDialog => ({
      ...form(),
      heading: t('segments.new'),
      action: t('segments.create'),
      async send(element) {
        const name = formText(element, 'name')
        const slug = formText(element, 'slug') || slugFrom(name)
        await api.act('POST', '/segments', { name, slug, ...definition() })
        return ended(t('segments.created'), { segment: slug })
      }
    }),
    edit: (): ListDialog | undefined => {
      const { open } = page.list
      return open
        ? {
            ...form(open),
            heading: t('segments.editHeading', { name: open.name }),
            action: t('mail.save'),
            async send(element) {
              const body = { name: formText(element, 'name'), ...definition() }
              await api.edit('PATCH', pathOf(open), body, open.revision)
              return ended(t('segments.saved'))
            }
          }
        : undefined
    },
    delete: () => deleteDialog(page, api)
  }
}

const SegmentsPage = listPage<Segment>({
  styles: [pageStyles, panelStyles, segmentStyles],
  uses: [KeelsonDrawer, KeelsonDialog],
  open(page) {
    const api = mailApi(page)
    const matches = openMatches(page, api)
    const newLink = () =>
      html`<a class="btn primary" href=${page.address({ dialog: 'new' })}>${page.t('segments.new')}</a>`
    return {
      texts: 'segments',
      source: { idOf: ({ slug }) => slug, words: api.words, read: api.pages('/segments') },
      header: newLink,
      emptyAction: newLink,
      panel: {
        param: 'segment',
        closes: { dialog: null },
        view: (row) => panel(page, row, matches)
      },
      dialogs: dialogsOf(page, api),
      columns
    }
  }
})

registerTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
definePage('mailer-segments', SegmentsPage)
