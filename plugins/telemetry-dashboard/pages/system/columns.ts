// The columns of keys and of refused writes.
import { type Format, type TableColumn, timeText } from '@keelson/ui'
import { html, nothing } from 'lit'
import type { KeyAnswer, Reject } from './answer.ts'

export interface SystemWords {
  readonly format: Format
  readonly now: number
  t(key: string, values?: Record<string, string | number>): string
}

/** The public part of a key, by which people recognize it. */
export const keyName = ({ kind, label, id }: KeyAnswer): string =>
  `${kind === 'secret' ? 'sk' : 'pk'}_${label}_${id}`

const moment = (at: string | null, { format, now, t }: SystemWords) =>
  at === null ? html`<span class="dim">${t('key.never')}</span>` : timeText(at, now, format)

const hint = (at: string | null, { format }: SystemWords) =>
  at === null ? undefined : format.dateTime(at)

function keyState(key: KeyAnswer, words: SystemWords) {
  const { format, t } = words
  return key.revokedAt === null
    ? html`<span class="tag good">${t('key.active')}</span>`
    : html`<span class="tag" title=${format.dateTime(key.revokedAt)}>${t('key.revoked')}</span>`
}

export interface KeyActs {
  readonly isPlatform: boolean
  revoke(key: KeyAnswer): void
  /** Where the refused records of a key are listed. */
  refusedHref(id: string): string
}

export function keyColumns(
  words: SystemWords,
  { isPlatform, revoke, refusedHref }: KeyActs
): TableColumn<KeyAnswer>[] {
  const { t, format } = words
  const tenant: TableColumn<KeyAnswer> = {
    id: 'tenant',
    header: t('column.tenant'),
    width: 110,
    hideBelow: 900,
    cell: ({ tenantId, tenantMode }) => tenantId ?? t(`key.mode.${tenantMode}`)
  }
  const columns: TableColumn<KeyAnswer>[] = [
    { id: 'service', header: t('column.service'), cell: ({ service }) => service },
    {
      id: 'key',
      header: t('key.key'),
      grow: 3,
      mono: true,
      hideBelow: 560,
      cell: keyName,
      hint: keyName
    },
    { id: 'state', header: t('key.state'), width: 84, cell: (key) => keyState(key, words) },
    {
      id: 'env',
      header: t('column.env'),
      width: 104,
      hideBelow: 700,
      cell: ({ env }) => env
    },
    {
      id: 'rate',
      header: t('key.rate'),
      width: 96,
      align: 'end',
      hideBelow: 820,
      cell: ({ maxPerMinute }) => format.compact(maxPerMinute)
    },
    {
      id: 'overRate',
      header: t('key.overRate'),
      width: 96,
      align: 'end',
      hideBelow: 460,
      cell: ({ id, overRate }) =>
        overRate === undefined
          ? nothing
          : html`<a href=${refusedHref(id)}><span class="tag bad">${format.compact(overRate.count)}</span></a>`,
      hint: ({ overRate }) =>
        overRate === undefined ? '' : t('key.overRateHint', { at: hint(overRate.at, words) ?? '' })
    },
    {
      id: 'used',
      header: t('key.used'),
      width: 124,
      quiet: true,
      hideBelow: 620,
      cell: ({ lastUsedAt }) => moment(lastUsedAt, words),
      hint: ({ lastUsedAt }) => hint(lastUsedAt, words)
    },
    {
      id: 'act',
      header: t('key.act'),
      width: 112,
      align: 'end',
      cell: (key) =>
        key.revokedAt === null
          ? html`<button class="link" @click=${() => revoke(key)}>${t('key.revoke')}</button>`
          : nothing
    }
  ]
  return isPlatform ? [...columns.slice(0, 2), tenant, ...columns.slice(2)] : columns
}

export function rejectColumns(words: SystemWords, isPlatform: boolean): TableColumn<Reject>[] {
  const { t } = words
  const tenant: TableColumn<Reject> = {
    id: 'tenant',
    header: t('column.tenant'),
    width: 110,
    hideBelow: 620,
    cell: ({ tenantId }) => tenantId ?? html`<span class="dim">–</span>`
  }
  const columns: TableColumn<Reject>[] = [
    {
      id: 'at',
      header: t('column.time'),
      width: 136,
      quiet: true,
      cell: ({ at }) => timeText(at, words.now, words.format),
      hint: ({ at }) => hint(at, words)
    },
    { id: 'name', header: t('column.name'), width: 190, hideBelow: 420, cell: ({ name }) => name },
    {
      id: 'reason',
      header: t('reject.reason'),
      cell: ({ reason }) => reason,
      hint: ({ reason }) => reason
    }
  ]
  return isPlatform ? [...columns.slice(0, 1), tenant, ...columns.slice(1)] : columns
}
