// English of the Diagnostics page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'attempts.title': 'Diagnostics',
  'attempts.heading': 'Authorization attempts',
  'attempts.note': 'the last 100 of this client, kept for 14 days',
  'attempts.unknown': 'Unknown clients',
  'attempts.none': 'No attempts yet',
  'attempts.noneText':
    'When this client sends somebody here to allow access, each step is noted, with what became of it.',
  'attempts.noneUnknown':
    'Requests that name no client, or one that is not there, are noted here with the reason.',
  'attempts.noClients': 'No clients yet',
  'attempts.noClientsText': 'Diagnostics start with the first request of a client.',
  'attempts.toClients': 'Go to the clients',
  'attempts.started': 'Started',
  'attempts.ending': 'Ending',
  'attempts.last': 'Last step',
  'attempts.detail': 'What happened',
  'attempts.label': 'Attempt of {time}',
  'attempts.missing': 'This attempt is not among the last 100',
  'attempts.steps': 'Step by step',
  'attempts.noSteps': 'Nothing was noted.',
  'attempts.meaning': 'What this usually means',
  'ending.done': 'completed',
  'ending.refused': 'refused',
  'ending.open': 'under way',
  'ending.left': 'left',
  'ending.doneText': 'tokens were issued',
  'ending.refusedText': 'by us or by the person',
  'ending.openText': 'in the last minutes',
  'ending.leftText': 'nobody went on',
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
    'The client came to the token endpoint, but not as it had announced or as it is registered: look at its secret or key, its callback address, its code verifier, and whether it sends the same code twice.',
  'meaning.login':
    'The person was sent to sign in and did not come back. The request can be opened again from the client.',
  'meaning.consent':
    'The consent page was shown and not answered. A page that is closed sends nothing to the client.',
  'meaning.code':
    'A code was sent to the callback, and nobody exchanged it. Either the callback could not be opened, or the client’s call to the token endpoint did not get through: look for its secret, its clock, and whether its server reaches this one.'
}

/** Adds the texts; cheap to call again. */
export function registerAttemptTexts(): void {
  registerCatalog('en', texts)
}
