// English of the Diagnostics page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'attempts.title': 'Diagnostics',
  'attempts.heading': 'Authorization attempts',
  'attempts.note': 'the last 100 of this client, kept for 14 days',
  'attempts.unknown': 'Unknown clients',
  'attempts.none': 'No attempts yet',
  'attempts.noneText':
    'When this client sends a person here to allow access, each step is logged with its result.',
  'attempts.noneUnknown':
    'Requests that name no client, or an unknown one, are logged here with the reason.',
  'attempts.noClients': 'No clients yet',
  'attempts.noClientsText': 'Diagnostics start with the first request of a client.',
  'attempts.toClients': 'Open Clients',
  'attempts.started': 'Started',
  'attempts.ending': 'Result',
  'attempts.last': 'Last step',
  'attempts.detail': 'Details',
  'attempts.label': 'Attempt of {time}',
  'attempts.missing': 'This attempt is not among the last 100',
  'attempts.person': 'Person',
  'attempts.signedOut': 'not signed in',
  'attempts.address': 'IP address',
  'attempts.steps': 'Steps',
  'attempts.noSteps': 'No steps were logged.',
  'attempts.meaning': 'What this usually means',
  'ending.done': 'Completed',
  'ending.refused': 'Refused',
  'ending.open': 'In progress',
  'ending.left': 'Abandoned',
  'ending.doneText': 'tokens were issued',
  'ending.refusedText': 'by the server or the person',
  'ending.openText': 'in the last minutes',
  'ending.leftText': 'not continued',
  'outcome.passed': 'passed',
  'outcome.refused': 'refused',
  'outcome.waiting': 'waiting',
  'step.client': 'Client',
  'step.request': 'Request',
  'step.login': 'Sign-in',
  'step.decision': 'Decision',
  'step.consent': 'Consent',
  'step.token': 'Token',
  'step.revoke': 'Revocation',
  'step.introspect': 'Introspection',
  'step.par': 'Pushed request',
  'meaning.token':
    'The token request did not match the authorization request or the registration of the client: check its secret or key, its callback address, its code verifier, and whether it sends the same code twice.',
  'meaning.login':
    'The person was sent to sign in and did not come back. The request can be opened again from the client.',
  'meaning.consent':
    'The consent page was shown but not answered. Closing the page sends nothing to the client.',
  'meaning.code':
    'A code was sent to the callback, but it was not exchanged. Either the callback could not be opened, or the client could not reach the token endpoint: check its secret, its clock, and its connection to this server.'
}

/** Adds the texts; cheap to call again. */
export function registerAttemptTexts(): void {
  registerCatalog('en', texts)
}
