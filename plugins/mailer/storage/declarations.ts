// What the mailer stores: collections with their indexes, and the queues over them, as a manifest declares them.

export const declarations = {
  id: 'mailer',
  collections: [
    {
      name: 'mailer_sends',
      indexes: [
        { name: 'dedupe_key', keys: { dedupeKey: 1 }, unique: true },
        { name: 'contact_time', keys: { externalId: 1, queuedAt: -1 } },
        { name: 'template_time', keys: { templateSlug: 1, queuedAt: -1 } },
        { name: 'status_time', keys: { status: 1, queuedAt: -1 } },
        {
          name: 'broadcast_status',
          keys: { broadcastId: 1, status: 1, _id: 1 },
          partial: { broadcastId: { $exists: true } }
        },
        {
          name: 'broadcast_unsubscribed',
          keys: { broadcastId: 1 },
          partial: { broadcastId: { $exists: true }, unsubscribedAt: { $exists: true } }
        },
        { name: 'flow_run', keys: { flowRunId: 1 }, partial: { flowRunId: { $exists: true } } },
        {
          name: 'provider_message',
          keys: { providerMessageId: 1 },
          partial: { providerMessageId: { $exists: true } }
        },
        {
          name: 'parked',
          keys: { handoff: 1, parkedAt: 1 },
          partial: { parkedAt: { $exists: true } }
        },
        {
          name: 'soft_bounce',
          keys: { bounceType: 1, bouncedAt: 1, emailAtSend: 1 },
          partial: { bounceType: { $exists: true } }
        },
        {
          name: 'address_handed',
          keys: { emailAtSend: 1, kind: 1, handedAt: -1 },
          partial: { handedAt: { $exists: true } }
        }
      ],
      indexBudget: 13,
      personalData: [
        'externalId',
        'emailAtSend',
        'subject',
        'vars',
        'event',
        'opens',
        'clickedLinks',
        'honeypotVisits'
      ]
    },
    {
      name: 'mailer_subscriptions',
      indexes: [
        { name: 'external_id', keys: { externalId: 1 }, unique: true },
        { name: 'status_contact', keys: { status: 1, externalId: 1 } },
        {
          name: 'email',
          keys: { emailAtSubscribe: 1 },
          partial: { emailAtSubscribe: { $exists: true } }
        }
      ],
      personalData: [
        'externalId',
        'emailAtSubscribe',
        'consentIp',
        'consentUserAgent',
        'doiIp',
        'doiUserAgent'
      ]
    },
    {
      name: 'mailer_suppressions',
      indexes: [
        {
          name: 'email_scope',
          keys: { email: 1, scope: 1 },
          unique: true,
          partial: { email: { $type: 'string' } }
        },
        { name: 'email_hash', keys: { emailHash: 1, scope: 1 } },
        { name: 'added', keys: { addedAt: -1, _id: -1 } },
        { name: 'reason_added', keys: { reason: 1, addedAt: -1, _id: -1 } },
        { name: 'scope_added', keys: { scope: 1, addedAt: -1, _id: -1 } },
        { name: 'expiry', keys: { expiresAt: 1 }, partial: { expiresAt: { $type: 'date' } } }
      ],
      personalData: ['email', 'emailHash', 'notes']
    },
    {
      name: 'mailer_contact_tags',
      indexes: [
        { name: 'contact_tag', keys: { externalId: 1, tag: 1 }, unique: true },
        { name: 'tag_contact', keys: { tag: 1, externalId: 1 } }
      ],
      personalData: ['externalId']
    },
    {
      name: 'mailer_leads',
      indexes: [
        { name: 'email', keys: { email: 1 }, unique: true },
        { name: 'status_created', keys: { status: 1, createdAt: -1 } },
        {
          name: 'promoted_to',
          keys: { promotedToExternalId: 1 },
          partial: { promotedToExternalId: { $exists: true } }
        }
      ],
      personalData: ['email', 'capturedFields', 'consentIp', 'consentUserAgent']
    },
    {
      name: 'mailer_events',
      indexes: [
        { name: 'dedupe_key', keys: { dedupeKey: 1 }, unique: true },
        { name: 'contact_name_time', keys: { externalId: 1, name: 1, occurredAt: -1 } },
        { name: 'contact_time', keys: { externalId: 1, occurredAt: -1 } },
        { name: 'name_time', keys: { name: 1, occurredAt: -1 } }
      ],
      personalData: ['externalId', 'properties', 'dedupeKey']
    },
    {
      name: 'mailer_outbox',
      indexes: [
        { name: 'contact', keys: { 'payload.externalId': 1 } },
        { name: 'done', keys: { doneAt: 1 }, ttlSeconds: 604800 }
      ],
      personalData: ['payload']
    },
    {
      name: 'mailer_templates',
      indexes: [
        { name: 'slug', keys: { slug: 1 }, unique: true },
        { name: 'updated', keys: { updatedAt: -1 } }
      ]
    },
    {
      name: 'mailer_template_versions',
      indexes: [{ name: 'slug_version', keys: { slug: 1, version: -1 } }]
    },
    {
      name: 'mailer_flows',
      indexes: [
        { name: 'slug', keys: { slug: 1 }, unique: true },
        { name: 'enabled_trigger', keys: { enabled: 1, 'trigger.type': 1, 'trigger.eventName': 1 } }
      ]
    },
    {
      name: 'mailer_flow_versions',
      indexes: [{ name: 'flow_version', keys: { flowId: 1, version: -1 } }]
    },
    {
      name: 'mailer_flow_runs',
      indexes: [
        { name: 'contact_flow', keys: { externalId: 1, flowId: 1, status: 1 } },
        { name: 'flow_status', keys: { flowId: 1, status: 1, enteredAt: -1, _id: -1 } },
        { name: 'flow_time', keys: { flowId: 1, enteredAt: -1, _id: -1 } },
        { name: 'time', keys: { enteredAt: -1, _id: -1 } },
        {
          name: 'waiting',
          keys: { waitingFor: 1, externalId: 1 },
          partial: { waitingFor: { $exists: true } }
        },
        {
          name: 'parked',
          keys: { status: 1, parkedAt: 1 },
          partial: { parkedAt: { $exists: true } }
        }
      ],
      personalData: ['externalId', 'emailAtEntry', 'triggerEvent', 'history']
    },
    {
      name: 'mailer_flow_members',
      indexes: [
        { name: 'flow_scan', keys: { flowId: 1, scan: 1 } },
        { name: 'contact', keys: { externalId: 1 } }
      ],
      personalData: ['externalId']
    },
    {
      name: 'mailer_broadcasts',
      indexes: [
        { name: 'slug', keys: { slug: 1 }, unique: true },
        { name: 'status_time', keys: { status: 1, scheduledAt: 1 } },
        { name: 'created', keys: { createdAt: -1, _id: -1 } }
      ]
    },
    {
      name: 'mailer_webhook_events',
      indexes: [
        { name: 'provider_event', keys: { provider: 1, providerEventId: 1 }, unique: true },
        { name: 'email', keys: { email: 1 } },
        { name: 'mentions', keys: { mentions: 1 }, partial: { mentions: { $exists: true } } },
        {
          name: 'send',
          keys: { sendId: 1, occurredAt: 1 },
          partial: { sendId: { $exists: true } }
        },
        { name: 'done', keys: { doneAt: 1 }, ttlSeconds: 7776000 }
      ],
      retention: '90 days after it was applied',
      personalData: ['email', 'details', 'mentions']
    },
    {
      name: 'mailer_outcomes',
      indexes: [
        { name: 'place', keys: { place: 1 }, partial: { place: { $exists: true } } },
        {
          name: 'unplaced',
          keys: { unplaced: 1, recordedAt: 1 },
          partial: { unplaced: { $exists: true } }
        },
        { name: 'recorded', keys: { recordedAt: 1 }, ttlSeconds: 2592000 }
      ],
      retention: '30 days',
      personalData: ['externalId']
    },
    { name: 'mailer_feed_readers', indexes: [] },
    {
      name: 'mailer_audit_log',
      indexes: [
        { name: 'time', keys: { at: -1, _id: -1 } },
        {
          name: 'resource_id',
          keys: { 'resource.id': 1, at: -1, _id: -1 },
          partial: { 'resource.id': { $exists: true } }
        },
        {
          name: 'resource_slug',
          keys: { 'resource.slug': 1, at: -1, _id: -1 },
          partial: { 'resource.slug': { $exists: true } }
        },
        { name: 'actor', keys: { actor: 1, at: -1, _id: -1 } },
        { name: 'action', keys: { action: 1, at: -1, _id: -1 } },
        {
          name: 'mentions',
          keys: { mentions: 1 },
          partial: { mentions: { $exists: true } }
        }
      ],
      personalData: ['actor', 'before', 'after', 'diffSummary', 'ip', 'userAgent']
    }
  ],
  queues: [
    {
      name: 'urgent-sends',
      collection: 'mailer_sends',
      where: { lane: 'urgent' },
      batch: 100,
      leaseSeconds: 60,
      attempts: 4,
      backoff: 60
    },
    {
      name: 'bulk-sends',
      collection: 'mailer_sends',
      where: { lane: 'bulk' },
      batch: 400,
      leaseSeconds: 60,
      attempts: 4,
      backoff: 60
    },
    { name: 'events', collection: 'mailer_events', batch: 200, attempts: 10 },
    { name: 'outbox', collection: 'mailer_outbox', batch: 200, attempts: 10 },
    { name: 'flow-runs', collection: 'mailer_flow_runs', batch: 200, attempts: 10, backoff: 10 },
    {
      name: 'webhook-events',
      collection: 'mailer_webhook_events',
      batch: 200,
      attempts: 10,
      backoff: 10
    }
  ]
} as const
