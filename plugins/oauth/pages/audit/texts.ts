// English of the Audit page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'audit.title': 'Audit',
  'audit.heading': 'What happened',
  'audit.note': 'newest first, kept as long as the config says',
  'audit.what': 'What',
  'audit.actor': 'By',
  'audit.administrator': 'Administrator',
  'audit.person': 'Person',
  'audit.ip': 'Address',
  'audit.label': '{what}, {time}',
  'audit.none': 'Nothing yet',
  'audit.noneText': 'Decisions, tokens, changes of clients and keys are written down here.',
  'audit.noneFound': 'Nothing fits',
  'audit.missing': 'This entry is not in the list',
  'audit.facts': 'Entry',
  'audit.time': 'Time',
  'audit.type': 'Type',
  'audit.grant': 'Grant',
  'audit.request': 'Request',
  'audit.meta': 'Details',
  'audit.alarm': 'alarm',
  'actor.user': 'the person',
  'actor.client': 'the client',
  'actor.admin': 'an administrator',
  'actor.system': 'the server',
  'type.client_created': 'Client made',
  'type.client_updated': 'Client changed',
  'type.client_disabled': 'Client disabled',
  'type.client_enabled': 'Client enabled',
  'type.client_secret_rotated': 'New secret of a client',
  'type.user_forgotten': 'Person forgotten',
  'type.user_access_revoked': 'All access of a person ended',
  'type.context_revoked': 'Access in a context ended',
  'type.key_rotated': 'New signing key',
  'type.key_removed': 'Signing key deleted',
  'type.consent_granted': 'Access allowed',
  'type.consent_denied': 'Access denied',
  'type.token_issued': 'Tokens issued',
  'type.token_refreshed': 'Tokens renewed',
  'type.token_revoked': 'Token ended',
  'type.grant_revoked': 'Access ended',
  'type.code_replay': 'Code used twice',
  'type.refresh_reuse_detected': 'Refresh token used twice',
  'type.refresh_wrong_client': 'Refresh token of another client',
  'type.logout': 'Signed out'
}

/** Adds the texts; cheap to call again. */
export function registerAuditTexts(): void {
  registerCatalog('en', texts)
}
