// The Diagnostics page: the authorization attempts of a client, step by step.
import {
  definePage,
  icon,
  KeelsonDrawer,
  type KeelsonListPage,
  KeelsonStat,
  listPage,
  type Messages,
  recordStyles,
  registerCatalog,
  saidWords,
  type TableColumn,
  type TableEmpty,
  timeColumn
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { AttemptsAnswer } from '../../operations/answers.ts'
import { Admin } from '../admin.ts'
import { registerTexts } from '../texts.ts'
import {
  type Attempt,
  type AttemptStep,
  countEndings,
  type Ending,
  meaningOf,
  outcomeOf
} from './ending.ts'
import { attemptStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }

type Page = KeelsonListPage<Attempt>

/** English is what the server says. */
const said: Messages = {}

/** In the address: requests that name no known client. No client id starts like this. */
const UNKNOWN = '-'
const ENDINGS: readonly Ending[] = ['done', 'refused', 'left', 'open']
const TONES = { done: 'good', refused: 'bad', left: 'warn', open: 'info' } as const
const ICONS = { passed: 'check', refused: 'close', waiting: 'chevron-right' } as const

/** `rows` are undefined until they are of the client that is looked at. */
function tiles(page: Page, rows: readonly Attempt[] | undefined): TemplateResult {
  const { failure } = page.list.load
  const counts = countEndings(rows ?? [], Date.now())
  return html`<div class="tiles">
    ${ENDINGS.map(
      (ending) => html`<keelson-stat
        label=${page.t(`ending.${ending}`)}
        value=${page.format.number(counts[ending])}
        against=${page.t(`ending.${ending}Text`)}
        .error=${rows === undefined ? failure : undefined}
        ?loading=${rows === undefined && failure === undefined}
      ></keelson-stat>`
    )}
  </div>`
}

function columns(page: Page): TableColumn<Attempt>[] {
  const { t } = page
  const now = Date.now()
  return [
    timeColumn(page, ({ startedAt }) => startedAt, {
      id: 'started',
      header: t('attempts.started')
    }),
    {
      id: 'ending',
      header: t('attempts.ending'),
      width: 140,
      cell: (attempt) => endingTag(page, outcomeOf(attempt, now).ending)
    },
    {
      id: 'last',
      header: t('attempts.last'),
      width: 124,
      hideBelow: 520,
      cell: (attempt) => stepName(page, outcomeOf(attempt, now).last)
    },
    {
      id: 'detail',
      header: t('attempts.detail'),
      wraps: true,
      cell: (attempt) => detailOf(page, outcomeOf(attempt, now).last) ?? '–',
      hint: (attempt) => detailOf(page, outcomeOf(attempt, now).last)
    }
  ]
}

const endingTag = ({ t }: Page, ending: Ending): TemplateResult =>
  html`<span class="tag ${TONES[ending]}">${t(`ending.${ending}`)}</span>`

/** What a step says, in the language of the page; what the client was answered is quoted. */
function detailOf(page: Page, step: AttemptStep | undefined): string | undefined {
  if (step === undefined) return undefined
  const { detail, said } = step
  if (said === undefined) return page.t('attempts.answered', { detail })
  return saidWords({ message: detail, said }, page)
}

const stepName = ({ t }: Page, step: AttemptStep | undefined): string =>
  step === undefined ? '–' : t(`step.${step.step}`)

function empty({ t }: Page, admin: Admin, client: string | undefined): TableEmpty {
  const isUnknown = client === UNKNOWN
  if (isUnknown && admin.clients.value?.items.length === 0) {
    return {
      heading: t('attempts.noClients'),
      text: t('attempts.noClientsText'),
      action: html`<a class="btn" href=${admin.href('clients')}>${t('attempts.toClients')}</a>`
    }
  }
  return {
    heading: t('attempts.none'),
    text: t(isUnknown ? 'attempts.noneUnknown' : 'attempts.noneText')
  }
}

function panel(page: Page, admin: Admin, attempt: Attempt): TemplateResult {
  const { t } = page
  const outcome = outcomeOf(attempt, Date.now())
  const meaning = meaningOf(outcome)
  return html`<div slot="header" class="panel-head">
      <h2>${labelOf(page, attempt)}</h2>
      <p>${endingTag(page, outcome.ending)}</p>
    </div>
    ${facts(page, admin, attempt)} ${unknownClient(page, admin, attempt)}
    <section class="panel-part">
      <h3>${t('attempts.steps')}</h3>
      ${
        attempt.steps.length === 0
          ? html`<p class="dim">${t('attempts.noSteps')}</p>`
          : html`<ol class="step-list">${attempt.steps.map((step) => stepItem(page, step))}</ol>`
      }
    </section>
    ${
      meaning === undefined
        ? nothing
        : html`<section class="panel-part">
          <h3>${t('attempts.meaning')}</h3>
          <p>${t(meaning)}</p>
        </section>`
    }`
}

const labelOf = ({ t, format }: Page, attempt: Attempt | undefined): string =>
  t('attempts.label', { time: attempt === undefined ? '' : format.dateTime(attempt.startedAt) })

/** The person and the address of an attempt, where they are known. */
function facts(
  { t }: Page,
  admin: Admin,
  { userId, ip }: Attempt
): TemplateResult | typeof nothing {
  if (userId === undefined && ip === undefined) return nothing
  const person =
    userId === undefined
      ? html`<span class="dim">${t('attempts.signedOut')}</span>`
      : html`<a class="link" href=${admin.href('grants', { user: userId })}>${userId}</a>`
  return html`<section class="panel-part">
    <dl class="facts">
      <dt>${t('attempts.person')}</dt>
      <dd>${person}</dd>
      <dt>${t('attempts.address')}</dt>
      <dd>${ip ?? '–'}</dd>
    </dl>
  </section>`
}

/** Which client was unknown, and what would let it in. */
function unknownClient(
  page: Page,
  admin: Admin,
  { sentId, refusedHost }: Attempt
): TemplateResult | typeof nothing {
  const { t } = page
  if (sentId === undefined || sentId === '') return nothing
  return html`<section class="panel-part">
    <dl class="facts">
      <dt>${t('attempts.sentId')}</dt>
      <dd class="mono">${sentId}</dd>
    </dl>
    ${
      refusedHost === undefined
        ? nothing
        : html`<button class="btn" @click=${() => void allowHost(page, admin, refusedHost)}>
          ${t('attempts.allow', { host: refusedHost })}
        </button>`
    }
  </section>`
}

async function allowHost(page: Page, { api }: Admin, host: string): Promise<void> {
  const { t } = page
  const isSure = await page.confirm({
    heading: t('attempts.allowHeading', { host }),
    text: t('attempts.allowText'),
    action: t('attempts.allowAction')
  })
  if (!isSure) return
  await api.attempt(async () => {
    await api.act('POST', '/admin/metadata-hosts', { host })
    page.toast({ text: t('attempts.allowed', { host }), tone: 'good' })
  })
}

function stepItem(page: Page, step: AttemptStep): TemplateResult {
  const { at, outcome } = step
  return html`<li class="step">
    <span class=${outcome}>${icon(ICONS[outcome], 16)}</span>
    <b>${stepName(page, step)} <span class="dim">${page.t(`outcome.${outcome}`)}</span></b>
    <time datetime=${at}>${page.format.time(at)}</time>
    <p>${detailOf(page, step)}</p>
  </li>`
}

const AttemptsPage = listPage<Attempt>({
  styles: [recordStyles, attemptStyles],
  uses: [KeelsonStat, KeelsonDrawer],
  open(page) {
    const admin = new Admin(page, { refresh: () => void page.list.reload() })
    /** The client that is looked at: the named one, else the newest. */
    const chosen = (): string | undefined => {
      const named = page.params.get('client')
      if (named !== null && named !== '') return named
      const items = admin.clients.value?.items
      return items === undefined ? undefined : (items[0]?.clientId ?? UNKNOWN)
    }
    let shown: string | undefined
    return {
      texts: 'attempts',
      source: {
        needs: admin.clients,
        about: () => {
          const client = chosen()
          return client === undefined ? null : [client]
        },
        async read(_narrowing, _position, signal) {
          const client = chosen() ?? UNKNOWN
          const query = client === UNKNOWN ? '' : `?${new URLSearchParams({ clientId: client })}`
          const path = `/admin/attempts${query}`
          const { items } = await admin.api.read<AttemptsAnswer>(path, signal)
          shown = client
          return items
        }
      },
      header: () =>
        html`${admin.clientChoice(chosen() ?? UNKNOWN, [UNKNOWN, page.t('attempts.unknown')])}
        ${admin.refreshButton()}`,
      above: () => tiles(page, shown === chosen() ? page.list.load.value?.rows : undefined),
      columns: () => columns(page),
      empty: () => empty(page, admin, chosen()),
      panel: {
        param: 'attempt',
        label: (attempt) => labelOf(page, attempt),
        view: (attempt) => panel(page, admin, attempt)
      }
    }
  }
})

registerTexts()
registerCatalog('en', said, { de: () => import('./said.de.json', { with: { type: 'json' } }) })
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
definePage('oauth-attempts', AttemptsPage)
