// What the mailer has to mail in development: three contacts, and a template of each kind.

export const CONTACTS = [
  { _id: 'ada', email: 'ada@example.test', firstName: 'Ada', tags: ['beta'] },
  { _id: 'ben', email: 'ben@example.test', firstName: 'Ben', tags: [] },
  { _id: 'cleo', email: 'cleo@example.test', firstName: 'Cleo', tags: [] }
] as const

export const TEMPLATES = [
  {
    slug: 'offer',
    name: 'Offer',
    kind: 'marketing',
    // The words of a mail come with it, so that gates for templates let this one through.
    subject: '{{vars.subject}}',
    html: '<p>Hello {{contact.fields.firstName}}, {{vars.subject}}.</p><p><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>'
  },
  {
    slug: 'receipt',
    name: 'Receipt',
    kind: 'transactional',
    subject: 'Your receipt',
    html: '<p>Hello {{contact.fields.firstName}}, thank you for your order.</p>'
  }
] as const
