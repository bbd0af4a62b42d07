// The names of the mailer's families of events, in each language of its pages.

interface Labels {
  readonly label: string
  /** By language. */
  readonly labels: Readonly<Record<string, string>>
}

const of = (label: string, de: string): Labels => ({ label, labels: { de } })

/** By family. */
export const MAIL_EVENT_LABELS = {
  mail_sent: of('Mail sent', 'Mail gesendet'),
  mail_sent_by_template: of('Mails sent by template', 'Gesendete Mails nach Vorlage'),
  mail_delivered: of('Mail delivered', 'Mail zugestellt'),
  mail_delivered_by_template: of('Mails delivered by template', 'Zugestellte Mails nach Vorlage'),
  mail_opened: of('Mail opened', 'Mail geöffnet'),
  mail_opened_by_template: of('Mails opened by template', 'Geöffnete Mails nach Vorlage'),
  mail_clicked: of('Mail clicked', 'In Mail geklickt'),
  mail_clicked_by_template: of('Mails clicked by template', 'Geklickte Mails nach Vorlage'),
  mail_bounced: of('Mail bounced', 'Mail unzustellbar'),
  mail_bounced_by_template: of('Mails bounced by template', 'Unzustellbare Mails nach Vorlage'),
  mail_complained: of('Mail reported as spam', 'Mail als Spam gemeldet'),
  mail_complained_by_template: of(
    'Mails reported as spam by template',
    'Als Spam gemeldete Mails nach Vorlage'
  ),
  mail_unsubscribed: of('Unsubscribed by mail', 'Per Mail abgemeldet'),
  mail_unsubscribed_by_template: of(
    'Mails used to unsubscribe, by template',
    'Mails mit Abmeldung nach Vorlage'
  )
} satisfies Readonly<Record<string, Labels>>
