import Type, { type Static } from 'typebox'
import { Instant, nullable, NullableString, Uuid } from '../atoms.ts'
import { LIST_QUERY, officeEndpoint, officePage } from './office-endpoint.ts'

const Kind = Type.String({ pattern: '^[a-z_]{1,60}$' })

export const EmailTemplateRow = Type.Object({
  /** `order_confirmed` */
  kind: Type.String(),
  /** Rendered from the current text. */
  subject: Type.String(),
  lastSentAt: nullable(Instant),
  /** In the last 30 days. */
  sent: Type.Integer(),
})
export type EmailTemplateRow = Static<typeof EmailTemplateRow>

export const listEmailTemplates = officeEndpoint({
  method: 'GET',
  path: '/api/office/emails/templates',
  summary: 'Every email that the shop can send',
  may: 'emails.read',
  reply: Type.Object({ templates: Type.Array(EmailTemplateRow) }),
})
const ByKind = Type.Object({ kind: Kind })
export const getEmailTemplate = officeEndpoint({
  method: 'GET',
  path: '/api/office/emails/templates/{kind}',
  summary: 'One email with the data of the last one that was sent, or with made-up ones',
  may: 'emails.read',
  params: ByKind,
  reply: Type.Object({
    kind: Type.String(),
    subject: Type.String(),
    /** Its data are those of an email that was sent; links and codes in it are hidden. */
    isReal: Type.Boolean(),
    /** Where a test goes. */
    testTo: Type.String(),
  }),
})
/** HTML as in the email. */
export const previewEmailTemplate = officeEndpoint({
  method: 'GET',
  path: '/api/office/emails/templates/{kind}/preview',
  summary: 'The email itself',
  may: 'emails.read',
  params: ByKind,
})
export const testEmailTemplate = officeEndpoint({
  method: 'POST',
  path: '/api/office/emails/templates/{kind}/test',
  summary: 'Send the email to oneself',
  may: 'emails.send',
  params: ByKind,
  reply: Type.Object({ to: Type.String() }),
})

const FATES = ['waiting', 'paused', 'failed'] as const
/** `paused`: the shop was restored, and an operator says whether it goes out. */
export type EmailFate = (typeof FATES)[number]
const Fate = Type.Unsafe<EmailFate>({ type: 'string', enum: [...FATES] })

export const UnsentEmail = Type.Object({
  id: Uuid,
  kind: Type.String(),
  to: NullableString,
  queuedAt: Instant,
  fate: Fate,
  attempts: Type.Integer(),
  nextAttemptAt: nullable(Instant),
  /** The mail server's code, or `unreachable`. */
  problem: NullableString,
})
export type UnsentEmail = Static<typeof UnsentEmail>

const FILTERS = {
  /** A part of the address. */
  words: Type.Optional(Type.String({ maxLength: 254 })),
  kind: Type.Optional(Kind),
  fate: Type.Optional(Fate),
} as const
export const listUnsentEmails = officeEndpoint({
  method: 'GET',
  path: '/api/office/emails/unsent',
  summary: 'Emails that wait, and those that were given up',
  may: 'emails.read',
  query: Type.Object({ ...LIST_QUERY, ...FILTERS }),
  reply: officePage(
    UnsentEmail,
    Type.Object({
      /** Why nothing goes out: the demo keeps its emails, or no mail server is set. */
      note: NullableString,
    }),
  ),
})
export const exportUnsentEmails = officeEndpoint({
  method: 'GET',
  path: '/api/office/emails/unsent/export',
  summary: 'The emails of a list as CSV',
  may: 'emails.read',
  fresh: true,
  query: Type.Object({ sort: LIST_QUERY.sort, ...FILTERS }),
})
const ById = Type.Object({ id: Uuid })
export const getUnsentEmail = officeEndpoint({
  method: 'GET',
  path: '/api/office/emails/{id}',
  summary: 'What an email says, without the links that open something',
  may: 'emails.read',
  params: ById,
  reply: Type.Object({
    ...UnsentEmail.properties,
    subject: NullableString,
    text: NullableString,
    /** Written again from today's data. */
    isRebuilt: Type.Boolean(),
  }),
})
export const sendEmailAgain = officeEndpoint({
  method: 'POST',
  path: '/api/office/emails/{id}/again',
  summary: 'Send it once more; a link in it is replaced',
  may: 'emails.send',
  params: ById,
  reply: Type.Object({ entry: Type.Integer() }),
})
