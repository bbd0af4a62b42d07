// The customers of the demo: who they are, by their number. Pure.

/** How many customers there are. */
export const CONTACT_COUNT = 200

/** A row of `demo_users`. */
export interface ContactRow {
  /** `u1` to `u200`, which is the id that the mailer knows. */
  readonly _id: string
  readonly email: string
  readonly firstName: string
  readonly plan: 'free' | 'pro'
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** IANA name. */
  readonly timezone: string
  /** BCP 47. */
  readonly locale: string
  readonly tags: readonly string[]
  readonly createdAt: Date
}

interface Place {
  readonly country: string
  readonly timezone: string
  readonly locale: string
  readonly names: readonly string[]
}

const PLACES: readonly Place[] = [
  {
    country: 'US',
    timezone: 'America/New_York',
    locale: 'en-US',
    names: ['Emma', 'Liam', 'Olivia', 'Noah', 'Ava', 'Ethan', 'Grace', 'Mason']
  },
  {
    country: 'DE',
    timezone: 'Europe/Berlin',
    locale: 'de-DE',
    names: ['Anna', 'Jonas', 'Lena', 'Paul', 'Mia', 'Felix', 'Clara', 'Emil']
  },
  {
    country: 'GB',
    timezone: 'Europe/London',
    locale: 'en-GB',
    names: ['Amelia', 'Oliver', 'Isla', 'Harry', 'Poppy', 'George', 'Freya', 'Arthur']
  },
  {
    country: 'FR',
    timezone: 'Europe/Paris',
    locale: 'fr-FR',
    names: ['Léa', 'Louis', 'Chloé', 'Hugo', 'Manon', 'Jules', 'Inès', 'Gabriel']
  },
  {
    country: 'US',
    timezone: 'America/Los_Angeles',
    locale: 'en-US',
    names: ['Sofia', 'Lucas', 'Chloe', 'Mateo', 'Zoe', 'Dylan', 'Naomi', 'Owen']
  },
  {
    country: 'JP',
    timezone: 'Asia/Tokyo',
    locale: 'ja-JP',
    names: ['Yui', 'Haruto', 'Hina', 'Sota', 'Aoi', 'Ren', 'Sakura', 'Yuto']
  },
  {
    country: 'BR',
    timezone: 'America/Sao_Paulo',
    locale: 'pt-BR',
    names: ['Ana', 'João', 'Beatriz', 'Pedro', 'Larissa', 'Rafael', 'Camila', 'Thiago']
  },
  {
    country: 'IN',
    timezone: 'Asia/Kolkata',
    locale: 'en-IN',
    names: ['Priya', 'Arjun', 'Ananya', 'Rohan', 'Isha', 'Vikram', 'Meera', 'Kabir']
  }
]

const HOUR_MS = 3_600_000
/** The newest customer signed up before the month that the traffic plays: no mail is older than its contact. */
const NEWEST_MS = 30 * 24 * HOUR_MS
/** Customers came about every seven hours: the first of 200 about thirteen weeks ago. */
const BETWEEN_MS = 7.5 * HOUR_MS
const BETA_EVERY = 10

/** Customer `number`, from 1 on, of a shop as it is at `now`. */
export function contactRow(number: number, now: Date): ContactRow {
  const place = PLACES[number % PLACES.length] as Place
  const { country, timezone, locale, names } = place
  return {
    _id: `u${number}`,
    email: `user${number}@example.test`,
    firstName: names[Math.floor(number / PLACES.length) % names.length] as string,
    plan: number % 3 === 0 ? 'pro' : 'free',
    country,
    timezone,
    locale,
    tags: number % BETA_EVERY === 0 ? ['beta'] : [],
    createdAt: new Date(now.getTime() - NEWEST_MS - (CONTACT_COUNT - number) * BETWEEN_MS)
  }
}
