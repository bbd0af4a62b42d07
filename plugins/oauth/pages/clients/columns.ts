// The columns of the list of clients.
import { plainName, type TableColumn } from '@keelson/ui'
import { html } from 'lit'
import type { ClientAnswer } from '../../clients/client-schema.ts'

export interface ClientWords {
  t(key: string): string
  moment(at: string): unknown
  wholeTime(at: string): string | undefined
}

export const statusTag = ({ status, awaitsApproval }: ClientAnswer, t: (key: string) => string) => {
  const word = awaitsApproval === true ? 'waiting' : status
  const tone = { active: 'good', disabled: 'bad', waiting: 'warn' }[word]
  return html`<span class="tag ${tone}">${t(`clients.${word}`)}</span>`
}

export function clientColumns({ t, moment, wholeTime }: ClientWords): TableColumn<ClientAnswer>[] {
  return [
    {
      id: 'name',
      header: t('clients.name'),
      grow: 2,
      link: true,
      cell: ({ name }) => plainName(name),
      hint: ({ name }) => plainName(name)
    },
    {
      id: 'status',
      header: t('clients.status'),
      width: 92,
      cell: (client) => statusTag(client, t)
    },
    {
      id: 'type',
      header: t('clients.type'),
      width: 110,
      hideBelow: 620,
      cell: ({ type }) => t(`clients.${type}`)
    },
    {
      id: 'from',
      header: t('clients.from'),
      width: 190,
      quiet: true,
      hideBelow: 860,
      cell: ({ registration }) => t(`clients.from.${registration}`)
    },
    {
      id: 'id',
      header: t('clients.id'),
      grow: 2,
      mono: true,
      quiet: true,
      wraps: true,
      cell: ({ clientId }) =>
        html`${clientId} <keelson-copy text=${clientId} label=${t('client.copyId')}></keelson-copy>`,
      hint: ({ clientId }) => clientId
    },
    {
      id: 'made',
      header: t('clients.made'),
      width: 136,
      quiet: true,
      hideBelow: 640,
      cell: ({ createdAt }) => moment(createdAt),
      hint: ({ createdAt }) => wholeTime(createdAt)
    }
  ]
}
