// What callers pass to the template operations: types and limits.
import { closed, type Owner, optional, Type } from '@keelson/sdk'
import type { MailAuditEntry } from '../contracts/mailer-audit.ts'
import { inputs } from './checked-input.ts'
import { TEMPLATE_LIMITS } from './template-limits.ts'
import type { VariableSpec } from './template-rows.ts'

/** Who acts, for the audit log and for what happens later. */
export interface Acting
  extends Pick<MailAuditEntry, 'actor' | 'ip' | 'userAgent' | 'requestId' | 'via'> {
  /** Stored with what they let send; left out where nothing can be asked about them later. */
  readonly owner?: Owner
}

const nullable = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  Type.Union([schema, Type.Null()])
const line = (maxLength: number) => Type.String({ maxLength, pattern: '^[^\\r\\n]*$' })
const address = Type.String({ maxLength: 320, pattern: '^\\S*$' })
const source = Type.String({ maxLength: TEMPLATE_LIMITS.characters })
const kind = Type.Enum(['marketing', 'transactional'])
const flag = Type.Boolean()
const name = Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\r\\n]*$' })
const description = Type.String({ maxLength: 2000 })
const category = Type.String({ pattern: '^[a-z0-9]+([.-][a-z0-9]+)*$', maxLength: 64 })
const tags = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50 })

const editorJson = Type.Refine(
  Type.Record(Type.String(), Type.Unknown()),
  (value) => JSON.stringify(value).length <= TEMPLATE_LIMITS.characters,
  () => `must be JSON of at most ${TEMPLATE_LIMITS.characters} characters`
)

const variable = Type.Unsafe<VariableSpec>(
  Type.Object(
    {
      type: Type.Enum(['string', 'number', 'boolean', 'date', 'array', 'object']),
      required: optional(flag),
      description: optional(Type.String({ maxLength: 1024 })),
      defaultValue: optional(Type.Unknown())
    },
    closed
  )
)
const variableName = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$', maxLength: 64 })

/** A new template. Its content comes with the first draft. */
export const newTemplateSchema = Type.Object(
  {
    slug: inputs.slug,
    name,
    kind,
    description: optional(description),
    category: optional(category),
    tags: optional(tags)
  },
  closed
)

/** A change of a draft: what is left out stays. `null` clears a field, an empty text a source. */
export const draftChangeSchema = Type.Object(
  {
    name: optional(name),
    description: optional(nullable(description)),
    kind: optional(kind),
    category: optional(nullable(category)),
    tags: optional(tags),
    variablesSchema: optional(Type.Record(variableName, variable, { maxProperties: 100 })),
    providerOverride: optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
    providerPatienceHours: optional(
      nullable(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: 8760,
          description: 'How long a transactional mail waits for a provider that takes no mail.'
        })
      )
    ),
    subject: optional(line(998)),
    preheader: optional(Type.String({ maxLength: 998 })),
    fromName: optional(line(200)),
    fromEmail: optional(address),
    replyTo: optional(nullable(address)),
    bodyFormat: optional(Type.Enum(['multipart', 'text_only'])),
    trackOpens: optional(flag),
    trackClicks: optional(flag),
    html: optional(source),
    mjml: optional(source),
    plainText: optional(source),
    editorJson: optional(nullable(editorJson)),
    notes: optional(inputs.notes)
  },
  closed
)

const values = Type.Record(Type.String({ maxLength: 128 }), Type.Unknown())

/** A contact that the host does not have; what is left out is that of the sample contact. */
export const sampleContactSchema = Type.Object(
  {
    externalId: optional(inputs.externalId),
    email: optional(Type.String({ maxLength: 320 })),
    tags: optional(Type.Array(inputs.tag, { maxItems: 100 })),
    fields: optional(values)
  },
  closed
)

const rendering = {
  ...draftChangeSchema.properties,
  useDraft: optional(flag),
  contactId: optional(inputs.externalId),
  eventProperties: optional(values)
}

/** A preview: for whom, with which values, and changes of the draft that are not saved. */
export const previewSchema = Type.Object(
  { ...rendering, sampleContact: optional(sampleContactSchema), vars: optional(values) },
  closed
)

/** A test mail. */
export const testMailSchema = Type.Object(
  {
    ...rendering,
    to: inputs.email,
    isMarked: optional(
      Type.Boolean({ default: false, description: 'The subject begins with [Test].' })
    ),
    sampleData: optional(
      Type.Object({ contact: optional(sampleContactSchema), vars: optional(values) }, closed)
    )
  },
  closed
)
