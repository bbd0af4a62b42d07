// The Audit page: the log by client and person, each entry with its details.
import {
  definePage,
  KeelsonDrawer,
  type KeelsonPage,
  listPage,
  plainName,
  recordStyles,
  registerCatalog,
  type TableColumn
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { AuditEntry } from '../../operations/answers.ts'
import { Admin } from '../admin.ts'
import { NARROWED, narrowedHeader, narrowedQuery } from '../narrowed-list.ts'
import { registerTexts } from '../texts.ts'
import { beforeOf, isAlarm, kindOf, metaText } from './entry.ts'
import texts from './texts.en.json' with { type: 'json' }

const SIZE = 100

/** The text of a type; a type without one is shown as it is. */
function what({ type }: AuditEntry, t: KeelsonPage['t']): string {
  const key = `type.${kindOf(type)}`
  const words = t(key)
  return words === key ? type : words
}

function columns({ t }: KeelsonPage, admin: Admin): TableColumn<AuditEntry>[] {
  const none = html`<span class="dim">–</span>`
  return [
    {
      id: 'time',
      header: t('admin.time'),
      width: 136,
      quiet: true,
      cell: ({ createdAt }) => admin.moment(createdAt),
      hint: ({ createdAt }) => admin.wholeTime(createdAt)
    },
    {
      id: 'what',
      header: t('audit.what'),
      grow: 2,
      link: true,
      cell: (entry) =>
        html`${what(entry, t)} ${isAlarm(entry) ? html`<span class="tag bad">${t('audit.alarm')}</span>` : nothing}`
    },
    {
      id: 'client',
      header: t('admin.client'),
      wraps: true,
      cell: ({ clientId }) => (clientId === undefined ? none : admin.nameOf(clientId)),
      hint: ({ clientId }) => clientId
    },
    {
      id: 'person',
      header: t('audit.person'),
      hideBelow: 640,
      cell: ({ userId, person = userId }) => (person === undefined ? none : plainName(person)),
      hint: ({ userId }) => userId
    },
    {
      id: 'actor',
      header: t('audit.actor'),
      width: 128,
      hideBelow: 860,
      cell: ({ actor, actorId, actorName = actorId }) =>
        actorName === undefined ? t(`actor.${actor}`) : plainName(actorName),
      hint: ({ actor, actorId }) =>
        actorId === undefined ? undefined : `${t(`actor.${actor}`)} ${actorId}`
    },
    {
      id: 'ip',
      header: t('audit.ip'),
      width: 120,
      mono: true,
      quiet: true,
      hideBelow: 960,
      cell: ({ ip }) => ip ?? none,
      hint: ({ ip }) => ip
    }
  ]
}

function panel(page: KeelsonPage, admin: Admin, entry: AuditEntry): TemplateResult {
  const { t } = page
  const { clientId, userId, actorId, grantId, ip, requestId, meta = {} } = entry
  const { person: name = userId ?? '', actorName = actorId } = entry
  const idOf = (id: string | undefined, shown: string) =>
    id === undefined || id === shown ? nothing : html` <span class="mono dim">${id}</span>`
  const fact = (name: string, value: unknown) =>
    value === undefined ? nothing : html`<dt>${t(name)}</dt><dd>${value}</dd>`
  const client =
    clientId === undefined
      ? undefined
      : html`<a class="link" href=${admin.href('clients', { client: clientId })}>${admin.nameOf(clientId)}</a>`
  const person =
    userId === undefined
      ? undefined
      : html`<a class="link" href=${page.address({ user: userId, entry: null })}>${plainName(name)}</a>${idOf(userId, name)}`
  const administrator =
    actorName === undefined ? undefined : html`${plainName(actorName)}${idOf(actorId, actorName)}`
  return html`<div slot="header" class="panel-head">
      <h2>${what(entry, t)}</h2>
      <p class="dim">${page.format.dateTime(entry.createdAt, { millis: true })}</p>
    </div>
    <section class="panel-part">
      <h3>${t('audit.facts')}</h3>
      <dl class="facts">
        ${fact('audit.type', entry.type)} ${fact('audit.actor', t(`actor.${entry.actor}`))}
        ${fact('audit.administrator', administrator)}
        ${fact('admin.client', client)} ${fact('audit.person', person)}
        ${fact('audit.ip', ip)} ${fact('audit.grant', grantId)} ${fact('audit.request', requestId)}
      </dl>
    </section>
    ${
      Object.keys(meta).length === 0
        ? nothing
        : html`<section class="panel-part">
          <h3>${t('audit.meta')}</h3>
          <dl class="facts">
            ${Object.entries(meta).map(([name, value]) => html`<dt>${name}</dt><dd class="mono">${metaText(value)}</dd>`)}
          </dl>
        </section>`
    }`
}

const AuditPage = listPage<AuditEntry>({
  styles: recordStyles,
  uses: [KeelsonDrawer],
  open(page) {
    const { t } = page
    const admin = new Admin(page, { refresh: () => void page.list.reload() })
    return {
      texts: 'audit',
      source: {
        size: SIZE,
        read(narrowing, { rows }, signal) {
          const before = beforeOf(rows)
          const query = narrowedQuery(narrowing, {
            limit: String(SIZE),
            ...(before !== undefined && { before })
          })
          return admin.api.read<{ items: AuditEntry[] }>(`/admin/audit?${query}`, signal)
        }
      },
      filters: NARROWED,
      header: () => narrowedHeader(admin, page.list, t),
      panel: {
        param: 'entry',
        label: (entry) =>
          entry === undefined
            ? ''
            : t('audit.label', {
                what: what(entry, t),
                time: page.format.dateTime(entry.createdAt)
              }),
        view: (entry) => panel(page, admin, entry)
      },
      columns: () => columns(page, admin)
    }
  }
})

registerTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
definePage('oauth-audit', AuditPage)
