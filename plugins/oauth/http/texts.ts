// English of the pages of the protocol: errors, sign-out, form posts.

/** Errors that people can do something about have a sentence; the others share the last. */
export interface ErrorSentences {
  readonly access_denied: string
  readonly invalid_client: string
  readonly invalid_request: string
  readonly login_required: string
  readonly server_error: string
  readonly too_many_requests: string
  readonly other: string
}

/** What the pages say in one language. Text, not markup: it is escaped where it is used. */
export interface PageTexts {
  readonly refusedTitle: string
  readonly refused: string
  readonly sentences: ErrorSentences
  readonly goBack: string
  readonly error: string
  readonly request: string
  readonly leavingTitle: string
  readonly leaving: string
  readonly continue: string
  readonly deviceTitle: string
  readonly deviceText: string
  readonly deviceCode: string
  readonly deviceWrong: string
  readonly deviceWarning: string
  readonly deviceAllowed: string
  readonly deviceDenied: string
  readonly deviceBack: string
  readonly signOutTitle: string
  signOutOf(host: string): string
  signOutAsked(client: string): string
  readonly signOutAskedByApplication: string
  readonly signOut: string
  readonly staySignedIn: string
  readonly signedOutTitle: string
  readonly signedOut: string
  sessionEnded(host: string): string
  readonly signInAgain: string
}

export const english: PageTexts = {
  refusedTitle: 'Request refused',
  refused: 'This request was refused',
  sentences: {
    access_denied: 'Access is not allowed.',
    invalid_client: 'The application is not known here.',
    invalid_request: 'The application sent a request that is not valid.',
    login_required: 'You must sign in first.',
    server_error: 'The server could not answer the request.',
    too_many_requests: 'Too many requests. Wait a moment, then try again.',
    other: 'The server refused the request of the application.'
  },
  goBack:
    "Go back to the application and try again. If this keeps happening, contact the application's developer.",
  error: 'Error',
  request: 'Request',
  leavingTitle: 'Going back',
  leaving: 'Going back to the application.',
  continue: 'Continue',
  deviceTitle: 'Connect a device',
  deviceText: 'Type the code that the device shows.',
  deviceCode: 'Code',
  deviceWrong: 'This code is wrong or has expired. Check it, or start again on the device.',
  deviceWarning: 'Continue only if you started this on a device of yours.',
  deviceAllowed: 'The device has access',
  deviceDenied: 'The device has no access',
  deviceBack: 'Go back to the device. You can close this window.',
  signOutTitle: 'Sign out?',
  signOutOf: (host) => `Sign out of ${host}?`,
  signOutAsked: (client) => `${client} asks to end your session.`,
  signOutAskedByApplication: 'An application asks to end your session.',
  signOut: 'Sign out',
  staySignedIn: 'Stay signed in',
  signedOutTitle: 'Signed out',
  signedOut: 'You are signed out',
  sessionEnded: (host) => `Your session at ${host} has ended in this browser.`,
  signInAgain: 'Sign in again'
}
