// What a token is and may do, in words.
import { plainName } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import type { TokenAnswer } from '../../operations/token-operations.ts'

/** Words of the catalog. */
export type T = (key: string, values?: Readonly<Record<string, string | number>>) => string

/** The scopes, as they are offered. `mail:write` includes the other. */
export const SCOPES = [
  { id: 'mail:read', isSensitive: false },
  { id: 'mail:write', isSensitive: true }
] as const

const TONES = { active: 'good', held: 'warn', expired: '', revoked: 'bad' } as const

export const stateTag = ({ state }: TokenAnswer, t: T): TemplateResult =>
  html`<span class="tag ${TONES[state]}">${t(`state.${state}`)}</span>`

/** The widest scope says it all. */
export const scopeWords = ({ scopes }: Pick<TokenAnswer, 'scopes'>, t: T): string =>
  t(`scope.${scopes.includes('mail:write') ? 'mail:write' : 'mail:read'}`)

/** Who made or rotated it last, as the audit log names them. */
export const ownerName = ({ owner }: TokenAnswer): string => plainName(owner.replace(/^human:/, ''))
