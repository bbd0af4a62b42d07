// The address of the person at the page: test mails go there unless another one is typed.
import { Load, type LoadHost } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import type { MailApi } from './mail-api.ts'

/** Empty for a caller without an address, and when it cannot be read. */
export type OwnAddress = Pick<Load<readonly [], string>, 'isFirst' | 'value'>

/** Reads the address when it is needed. */
export const ownAddress = (
  host: LoadHost,
  { isNeeded, api }: { isNeeded(): boolean; api(): MailApi }
): OwnAddress =>
  new Load(host, {
    quiet: true,
    args: () => (isNeeded() ? ([] as const) : null),
    async run(_args, signal) {
      const { actor } = await api().read<{ readonly actor: string }>('/me', signal)
      return /^human:(\S+@\S+)$/.exec(actor)?.[1] ?? ''
    }
  })

/** The field `to` of a form. While the address is read nothing can be typed: the address would replace it. */
export const ownAddressField = ({ isFirst, value = '' }: OwnAddress): TemplateResult =>
  html`<input class="field" type="email" name="to" required autocomplete="email" ?readonly=${isFirst} .value=${value} />`
