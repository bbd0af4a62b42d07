// What the lists that are narrowed by client and person share: their query, and the controls in their header.
import type { Narrowing } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import type { Admin } from './admin.ts'

/** The parameters of the address that narrow such a list. */
export const NARROWED = { params: ['client', 'user'] } as const

/** What the rows of such a list have. */
export interface PersonRow {
  readonly userId?: string
  /** The name of the person. */
  readonly person?: string
}

/** The query of the API that reads what is narrowed so. */
export function narrowedQuery(
  { client, user }: Narrowing,
  more: Readonly<Record<string, string>>
): URLSearchParams {
  return new URLSearchParams({
    ...more,
    ...(client !== undefined && { clientId: client }),
    ...(user !== undefined && { userId: user })
  })
}

/** The controls in the header of the page. */
export function narrowedHeader(
  admin: Admin,
  list: { readonly rows: readonly PersonRow[]; readonly narrowing: Narrowing },
  t: (key: string) => string
): TemplateResult {
  const people = new Map(
    list.rows.flatMap(({ userId, person }): [string, string][] =>
      userId === undefined || person === undefined ? [] : [[userId, person]]
    )
  )
  return html`${admin.clientChoice(list.narrowing['client'] ?? '', ['', t('admin.allClients')])}
    ${admin.personField(people)} ${admin.refreshButton()}`
}
