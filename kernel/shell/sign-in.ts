// Where people sign in and out: pages of the host, the built-in form, or nowhere.
import { languageTags } from '@keelson/ui/server'
import type { FastifyInstance } from 'fastify'
import { below } from '../platform/kernel-addresses.ts'
import type { ShellOptions } from './page.ts'

/** Where the shell sends people. */
export interface SignIn {
  /** Undefined when sign-in is not configured. */
  address(): string | undefined
  /** Whether the built-in form works: something serves its POST. */
  hasForm(): boolean
  /** How people sign out; undefined when they cannot do it here. */
  signOut(): SignOut | undefined
}

export interface SignOut {
  readonly address: string
  /** `GET`: a page of the host to go to. `POST`: called by the shell, which then shows the sign-in. */
  readonly method: 'GET' | 'POST'
}

/** Asks the routes once, when all are registered. */
export function findSignIn(app: FastifyInstance, options: ShellOptions): SignIn {
  const { signIn: form, prefix } = options.addresses
  const logout = below(prefix, '/logout')
  // A page that is there before the shell is the host's own, or a plugin's.
  const isForeign = form !== undefined && app.hasRoute({ method: 'GET', url: form })
  let hasForm = false
  let hasLogout = false
  app.addHook('onReady', async () => {
    hasForm = form !== undefined && app.hasRoute({ method: 'POST', url: form })
    hasLogout = app.hasRoute({ method: 'POST', url: logout })
  })
  return {
    hasForm: () => hasForm,
    address: () => options.signIn ?? (isForeign || hasForm ? form : undefined),
    signOut() {
      if (options.signOut !== undefined) return { address: options.signOut, method: 'GET' }
      return hasLogout ? { address: logout, method: 'POST' } : undefined
    }
  }
}

/** The sign-in page, with the address that it leads back to, and the languages that the caller asks for. */
export function withNext(signIn: string, next: string, uiLocales?: string): string {
  const tags = languageTags(uiLocales).join(' ')
  const language = tags === '' ? '' : `&ui_locales=${encodeURIComponent(tags)}`
  return `${signIn}${signIn.includes('?') ? '&' : '?'}next=${encodeURIComponent(next)}${language}`
}
