// The Sends page: every mail, filtered, and one with its history and its content.

import {
  definePage,
  KeelsonDialog,
  KeelsonDrawer,
  KeelsonFilterChips,
  type KeelsonListPage,
  type KeelsonPage,
  Load,
  listPage,
  registerCatalog,
  type TableColumn,
  timeColumn
} from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import { addressWords } from '../address-words.ts'
import { registerMomentTexts } from '../contact/moment-texts.ts'
import { contactStyles } from '../contact/styles.ts'
import { type SendLine, timeOfSend } from '../contact/timeline.ts'
import { type MailApi, mailApi } from '../mail-api.ts'
import { registerMailEnd } from '../mail-end.ts'
import { MailFrame } from '../mail-frame.ts'
import { panelStyles } from '../panel-styles.ts'
import { statusTag } from '../status-tag.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { ManySends } from './many.ts'
import { isWaiting, type RenderedSend, type SendDetail, sendPanel, type Verdict } from './panel.ts'
import { NARROWED_BY, selectionOf } from './selection.ts'
import { sendFilters } from './send-filters.ts'
import texts from './texts.en.json' with { type: 'json' }

const pathOf = (id: string, rest = ''): string => `/sends/${encodeURIComponent(id)}${rest}`

type Page = KeelsonListPage<SendLine, SendDetail>
type RenderedLoad = Pick<
  Load<readonly [string], RenderedSend & { readonly id: string }>,
  'value' | 'failure'
>

async function resend(page: Page, api: MailApi, send: SendLine): Promise<void> {
  const { t } = page
  const { _id } = send
  const act = isWaiting(send) ? 'sendNow' : 'resend'
  const isSure = await page.confirm({
    heading: t(`sends.${act}Heading`, { email: addressWords(send, t) }),
    text: t(`sends.${act}Text`),
    action: t(`sends.${act}`)
  })
  if (!isSure) return
  await api.attempt(async () => {
    const { sendId } = await api.act<{ readonly sendId: string }>(
      'POST',
      pathOf(_id, '/resend'),
      {}
    )
    const run = () => page.go({ send: sendId, show: null })
    const text = t(act === 'resend' ? 'sends.resent' : 'sends.sentNow')
    page.toast({ text, action: { label: t('sends.open'), run } })
    await page.list.load.reload()
  })
}

async function resolve(page: Page, api: MailApi, send: SendLine, verdict: Verdict): Promise<void> {
  const { t } = page
  const email = addressWords(send, t)
  const isSure =
    verdict !== 'resend' ||
    (await page.confirm({
      heading: t('sends.resolveHeading'),
      text: t('sends.resolveText', { email }),
      action: t('sends.resolve.resend'),
      tone: 'bad'
    }))
  if (!isSure) return
  await api.attempt(async () => {
    const path = pathOf(send._id, '/resolve')
    const { status } = await api.act<{ readonly status: string }>('POST', path, { verdict })
    page.toast({
      text: t('sends.resolved', { status: t(`mail.status.${status}`) }),
      tone: 'good'
    })
    await page.list.reload()
  })
}

/** The mail in a frame without scripts. */
function content(
  { t }: Page,
  api: MailApi,
  { value, failure }: RenderedLoad,
  { _id }: SendLine
): TemplateResult {
  if (value?.id === _id && value.html === null) return html`<pre class="text">${value.text}</pre>`
  if (value?.id === _id)
    return html`<p class="dim">${t('sends.contentNote')}</p>
      <mailer-mail-frame class="mail" .mail=${value.html ?? ''} .about=${_id} .opaque=${api.pictureFrame()} label=${t('sends.content')}></mailer-mail-frame>`
  if (failure === undefined) return html`<p aria-busy="true"><span class="bone"></span></p>`
  return html`<p class="problem">${t('sends.noContent', { problem: api.words(failure) })}</p>`
}

const columns = (page: KeelsonPage): TableColumn<SendLine>[] => {
  const { t } = page
  return [
    {
      id: 'to',
      header: t('sends.to'),
      grow: 1.7,
      link: true,
      cell: (send) => addressWords(send, t),
      hint: ({ externalId }) => externalId
    },
    {
      id: 'status',
      header: t('sends.status'),
      width: 172,
      cell: (send) => statusTag(send, t)
    },
    {
      id: 'subject',
      header: t('sends.subject'),
      grow: 3,
      wraps: true,
      cell: ({ subject, templateSlug, names }) =>
        subject ?? html`<span class="dim">${names?.template ?? templateSlug}</span>`,
      hint: ({ subject }) => subject
    },
    {
      id: 'template',
      header: t('sends.template'),
      grow: 2.5,
      hideBelow: 820,
      quiet: true,
      cell: ({ templateSlug, names }) => names?.template ?? (templateSlug || '–'),
      hint: ({ templateSlug }) => templateSlug
    },
    timeColumn(page, timeOfSend, {
      id: 'time',
      header: t('sends.time'),
      hideBelow: 420
    })
  ]
}

const SendsPage = listPage<SendLine, SendDetail>({
  styles: [contactStyles, pageStyles, panelStyles],
  uses: [KeelsonFilterChips, KeelsonDrawer, KeelsonDialog, MailFrame],
  open(page) {
    const { t } = page
    const api = mailApi(page)
    const many = new ManySends(page, api)
    const mail = new Load(page, {
      quiet: true,
      args: () => {
        const { openId } = page.list
        return page.params.has('show') && openId !== null ? ([openId] as const) : null
      },
      run: async ([id], signal) => ({
        id,
        ...(await api.read<RenderedSend>(pathOf(id, '/rendered'), signal))
      })
    })

    return {
      texts: 'sends',
      source: {
        idOf: ({ _id }) => _id,
        words: api.words,
        read: (narrowing, ...more) =>
          api.pages<SendLine>('/sends')(selectionOf(narrowing, page.format.timeZone), ...more)
      },
      filters: {
        params: NARROWED_BY,
        chips: () => sendFilters(page)
      },
      above: () => many.note(),
      dialogs: many.dialogs,
      panel: {
        param: 'send',
        width: 480,
        also: () => ({ show: null }),
        closes: { show: null },
        read: (id, signal) => api.find(pathOf(id), signal),
        view: (answer) =>
          sendPanel({
            answer,
            t,
            format: page.format,
            linkTo: page.linkTo,
            mail: page.params.has('show') ? content(page, api, mail, answer.send) : undefined,
            onShow: () => page.go({ show: 'mail' }, { replace: true }),
            onResend: () => void resend(page, api, answer.send),
            onResolve: (verdict) => void resolve(page, api, answer.send, verdict)
          })
      },
      columns
    }
  }
})

registerTexts()
registerMomentTexts()
registerMailEnd()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
definePage('mailer-sends', SendsPage)
