// English of the consent page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'consent.title': 'Allow access',
  'consent.heading': 'Allow {name} access?',
  'consent.as': 'You are signed in as {name}.',
  'consent.client': 'Application',
  'consent.by': 'by {publisher}',
  'consent.proven': 'run by {host}',
  'consent.target': 'Answer goes to',
  'consent.for': 'Access to',
  'consent.loopback':
    'The answer goes to a program on this computer, and which one cannot be checked. Allow it only if you have just started {name} here yourself.',
  'consent.app':
    'The answer goes to an app on this device. Allow it only if you have just started {name} here yourself.',
  'consent.scopes': 'It asks to',
  'consent.sensitive': 'sensitive',
  'consent.new': 'new',
  'consent.always': 'always part of signing in',
  'consent.noScopes': 'Leave at least one of them on, or deny the request.',
  'consent.context': 'On behalf of',
  'consent.choose': 'Choose one',
  'consent.moreContexts': 'Only the first {count} are listed.',
  'consent.noContexts':
    'There is nothing you may grant access to on behalf of. Deny the request, or ask for an invitation first.',
  'consent.end': 'You can end this access at any time under Account, Connected apps.',
  'consent.until': 'This request is open until {time}.',
  'consent.deny': 'Deny',
  'consent.allow': 'Allow',
  'consent.privacy': 'Privacy',
  'consent.terms': 'Terms',
  'consent.homepage': 'Home page',
  'consent.failed': 'Your answer did not arrive: {reason}',
  'consent.refusedTarget': 'The application’s address cannot be opened here.',
  'consent.signedOut': 'Sign in to go on',
  'consent.signedOutText': 'An application asks for access. Sign in, and you will come back here.',
  'consent.signIn': 'Sign in',
  'consent.foreign': 'This request is not yours to answer',
  'consent.foreignText': 'Go back to the application and start again.',
  'consent.over': 'This request is over',
  'consent.overText':
    'It was answered already, or it waited too long. Go back to the application and start again.',
  'consent.leaving': 'Going back to the application',
  'consent.leavingText': 'This takes a moment.',
  'consent.leavingApp':
    'Your answer is on its way. If nothing happens, open the application with the button; you can close this window then.',
  'consent.continue': 'Continue',
  'consent.openApp': 'Open the application'
}

/** Adds the texts; cheap to call again. */
export function registerConsentTexts(): void {
  registerCatalog('en', texts)
}
