// A mailer's configuration from environment variables.
import { createMongoContactAdapter } from '../../audience/contacts/mongo/mongo-adapter.ts'
import { errors } from '../../errors.ts'
import type { MailerConfig } from '../../ledger/schema.ts'
import { createSendGridProvider } from '../../providers/sendgrid/sendgrid-provider.ts'
import { createSmtpProvider } from '../../providers/smtp/smtp-provider.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * The configuration that `MAILER_*` variables describe; the table is in the README.
 *
 * @throws MLR_ENV_MISSING, naming the variable
 */
export function configFromEnv(env: Env): MailerConfig {
  const read = readerOf(env)
  const uri = read.required('MAILER_MONGODB_URI')
  const dbName = read.optional('MAILER_MONGODB_DB')
  const providers = providersFrom(read)
  const defaultProvider = read.optional('MAILER_DEFAULT_PROVIDER')
  const senderAddress = read.optional('MAILER_SENDER_ADDRESS')
  const fromDefaults = senderFrom(read)
  return {
    mongo: { uri, ...(dbName !== undefined && { dbName }) },
    queue: { driver: read.optional('MAILER_QUEUE_DRIVER') === 'noop' ? 'noop' : 'leased' },
    publicUrl: read.required('MAILER_PUBLIC_URL'),
    unsubscribeSecret: read.required('MAILER_UNSUBSCRIBE_SECRET'),
    adapter: adapterFrom(read),
    providers,
    ...(defaultProvider !== undefined && { defaultProvider }),
    ...(senderAddress !== undefined && { senderAddress }),
    ...(fromDefaults !== undefined && { fromDefaults })
  }
}

interface Reader {
  optional(name: string): string | undefined
  required(name: string): string
}

/** An empty variable is one that is left out. */
function readerOf(env: Env): Reader {
  const optional = (name: string) => env[name] || undefined
  return {
    optional,
    required(name) {
      const value = optional(name)
      if (value === undefined) throw errors.MLR_ENV_MISSING({ name })
      return value
    }
  }
}

function providersFrom(read: Reader): MailerConfig['providers'] {
  const apiKey = read.optional('MAILER_SENDGRID_API_KEY')
  const url = read.optional('MAILER_SMTP_URL')
  if (apiKey === undefined && url === undefined) {
    throw errors.MLR_ENV_MISSING({ name: 'MAILER_SENDGRID_API_KEY or MAILER_SMTP_URL' })
  }
  return {
    ...(apiKey !== undefined && { sendgrid: sendgridFrom(read, apiKey) }),
    ...(url !== undefined && { smtp: createSmtpProvider({ url }) })
  }
}

function sendgridFrom(read: Reader, apiKey: string) {
  const webhookVerificationKey = read.optional('MAILER_SENDGRID_WEBHOOK_KEY')
  const tolerance = Number(read.optional('MAILER_SENDGRID_WEBHOOK_TOLERANCE') ?? Number.NaN)
  return createSendGridProvider({
    apiKey,
    ...(webhookVerificationKey !== undefined && { webhookVerificationKey }),
    ...(Number.isFinite(tolerance) && { webhookToleranceSeconds: tolerance })
  })
}

function senderFrom(read: Reader): MailerConfig['fromDefaults'] {
  const email = read.optional('MAILER_FROM_EMAIL')
  return email === undefined ? undefined : { email, name: read.optional('MAILER_FROM_NAME') ?? '' }
}

function adapterFrom(read: Reader): MailerConfig['adapter'] {
  const tagsField = read.optional('MAILER_HOST_USERS_TAGS_FIELD')
  const tagsWritable = ['1', 'true'].includes(
    read.optional('MAILER_HOST_USERS_TAGS_WRITABLE') ?? ''
  )
  return (db) =>
    createMongoContactAdapter({
      db,
      collection: read.optional('MAILER_HOST_USERS_COLLECTION') ?? 'users',
      emailField: read.optional('MAILER_HOST_USERS_EMAIL_FIELD') ?? 'email',
      idField: read.optional('MAILER_HOST_USERS_ID_FIELD') ?? '_id',
      ...(tagsField !== undefined && { tagsField, tagsWritable })
    })
}
