// The columns of the list of agent tokens.
import { type Format, plainName, type TableColumn, timeColumn } from '@keelson/ui'
import type { TokenAnswer } from '../../operations/token-operations.ts'
import { ownerName, scopeWords, stateTag, type T } from './words.ts'

export function tokenColumns({
  t,
  format
}: {
  readonly t: T
  readonly format: Format
}): TableColumn<TokenAnswer>[] {
  return [
    {
      id: 'name',
      header: t('tokens.name'),
      grow: 2,
      link: true,
      cell: ({ name }) => plainName(name),
      hint: ({ name }) => plainName(name)
    },
    {
      id: 'scopes',
      header: t('tokens.scopes'),
      grow: 2,
      wraps: true,
      cell: (token) => scopeWords(token, t),
      hint: ({ scopes }) => scopes.join(' ')
    },
    {
      id: 'owner',
      header: t('tokens.owner'),
      grow: 2,
      quiet: true,
      hideBelow: 820,
      cell: ownerName,
      hint: ownerName
    },
    timeColumn({ format }, ({ lastUsedAt }) => lastUsedAt, {
      id: 'used',
      header: t('tokens.used'),
      hideBelow: 600
    }),
    timeColumn({ format }, ({ expiresAt }) => expiresAt, {
      id: 'expires',
      header: t('tokens.expires'),
      hideBelow: 700
    }),
    {
      id: 'state',
      header: t('tokens.state'),
      width: 104,
      cell: (token) => stateTag(token, t)
    }
  ]
}
