// English of the consent page.
import { type Messages, registerCatalog } from '@keelson/ui'

/** The English texts. */
export const texts = {
  'consent.title': 'Allow access',
  'consent.heading': 'Allow {name} access?',
  'consent.as': 'You are signed in as {name}.',
  'consent.client': 'Application',
  'consent.by': 'by {publisher}',
  'consent.proven': 'run by {host}',
  'consent.target': 'Redirects to',
  'consent.for': 'Access to',
  'consent.loopback':
    'This redirects to a program on this computer, and which program cannot be checked. Allow it only if you have just started {name} here yourself.',
  'consent.app':
    'This redirects to an app on this device. Allow it only if you have just started {name} here yourself.',
  'consent.scopes': 'This will allow it to',
  'consent.sensitive': 'sensitive',
  'consent.new': 'new',
  'consent.before': 'already allowed',
  'consent.switch': 'Not you? Switch account',
  'consent.always': 'always part of signing in',
  'consent.offline': 'Keep access while you are away',
  'consent.offlineText': 'Otherwise access ends after {time}.',
  'consent.noScopes': 'Select at least one, or deny the request.',
  'consent.context': 'On behalf of',
  'consent.choose': 'Choose one',
  'consent.moreContexts': 'Only the first {count} are listed.',
  'consent.noContexts':
    'You have nothing to grant access on behalf of. Deny the request, or ask for an invitation first.',
  'consent.end': 'You can end this access at any time under Account, Connected apps.',
  'consent.until': 'This request expires at {time}.',
  'consent.deny': 'Deny',
  'consent.allow': 'Allow',
  'consent.privacy': 'Privacy',
  'consent.terms': 'Terms',
  'consent.homepage': 'Home page',
  'consent.failed': 'Your answer was not sent: {reason}',
  'consent.refusedTarget': 'The address of the application cannot be opened here.',
  'consent.signedOut': 'Sign in to continue',
  'consent.signedOutText': 'An application asks for access. After you sign in, you come back here.',
  'consent.signIn': 'Sign in',
  'consent.foreign': 'This request belongs to another user',
  'consent.foreignText':
    'It was made by another person or in another browser. Go back to the application and start again.',
  'consent.over': 'This request has expired',
  'consent.overText':
    'It was already answered, or it waited too long. Go back to the application and start again.',
  'consent.leaving': 'Returning to the application',
  'consent.leavingText': 'This takes a moment.',
  'consent.leavingApp':
    'Your answer was sent. If nothing happens, open the application with the button; then you can close this window.',
  'consent.continue': 'Continue',
  'consent.openApp': 'Open the application',
  'consent.refused.bad_origin': 'It came from a page of another site.',
  'consent.refused.invalid_request': 'This request was changed or decided meanwhile.',
  'consent.refused.server_error': 'Something went wrong on the server. Try again.',
  'consent.refused.too_many_requests': 'Too many requests. Wait a moment, then try again.'
} satisfies Messages

/** The elements bring English along. */
const elements: Messages = {}

/** Adds the texts; cheap to call again. */
export function registerConsentTexts(): void {
  registerCatalog('en', elements, { de: () => import('@keelson/ui/german') })
  registerCatalog('en', texts, { de: () => import('./texts.de.ts') })
}
