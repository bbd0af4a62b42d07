// English of the Audit page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'audit.title': 'Audit',
  'audit.heading': 'Audit log',
  'audit.note': 'newest first',
  'audit.what': 'Event',
  'audit.actor': 'By',
  'audit.administrator': 'Administrator',
  'audit.person': 'Person',
  'audit.ip': 'Address',
  'audit.label': '{what}, {time}',
  'audit.none': 'No entries yet',
  'audit.noneText': 'Decisions, tokens, and changes of clients and keys are logged here.',
  'audit.noneFound': 'No matching entries',
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
  'type.client_created': 'Client created',
  'type.client_updated': 'Client changed',
  'type.client_disabled': 'Client disabled',
  'type.client_deleted': 'Client deleted',
  'type.client_enabled': 'Client enabled',
  'type.client_secret_rotated': 'Client secret rotated',
  'type.user_forgotten': 'Person erased',
  'type.user_access_revoked': 'All access of a person revoked',
  'type.context_revoked': 'Access in a context revoked',
  'type.key_rotated': 'New signing key',
  'type.key_removed': 'Signing key deleted',
  'type.consent_granted': 'Access allowed',
  'type.consent_denied': 'Access denied',
  'type.token_issued': 'Tokens issued',
  'type.token_refreshed': 'Tokens refreshed',
  'type.token_revoked': 'Token revoked',
  'type.grant_revoked': 'Access revoked',
  'type.code_replay': 'Code used twice',
  'type.refresh_reuse_detected': 'Refresh token used twice',
  'type.refresh_wrong_client': 'Refresh token of another client',
  'type.logout': 'Signed out'
}

/** Adds the texts; cheap to call again. */
export function registerAuditTexts(): void {
  registerCatalog('en', texts)
}
