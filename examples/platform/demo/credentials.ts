// Reads and checks what someone typed into the sign-in form.
import { createHash, timingSafeEqual } from 'node:crypto'
import { type Static, Type } from '@keelson/sdk'
import { type Person, personByEmail } from './people.ts'

export const credentialsSchema = Type.Object({
  email: Type.String({ maxLength: 254 }),
  password: Type.String({ maxLength: 1024 })
})

export type Credentials = Static<typeof credentialsSchema>

const digest = (text: string) => createHash('sha256').update(text).digest()

/** The person with this address and password; undefined for a wrong one of either. */
export function personWith(credentials: Credentials, password: string): Person | undefined {
  const isRight = timingSafeEqual(digest(credentials.password), digest(password))
  const person = personByEmail(credentials.email)
  return isRight ? person : undefined
}

/** What guesses are counted by: the address in one spelling, not in the clear. */
export const accountOf = ({ email }: Credentials): string =>
  digest(email.trim().toLowerCase()).toString('base64url')
