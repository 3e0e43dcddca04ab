import Type, { type Static } from 'typebox'
import { Instant, nullable, NullableString } from '../atoms.ts'
import { officeEndpoint } from './office-endpoint.ts'

const Markdown = Type.String({ minLength: 1, maxLength: 40_000 })
const Issue = Type.String({ pattern: '^[0-9a-f]{10}$' })

export const NewsletterPart = Type.Object({
  kind: Type.Unsafe<'text' | 'title' | 'button' | 'quote'>({
    type: 'string',
    enum: ['text', 'title', 'button', 'quote'],
  }),
  words: Type.String(),
  /** Where a button leads. */
  to: NullableString,
})
export type NewsletterPart = Static<typeof NewsletterPart>

export const SentNewsletter = Type.Object({
  issue: Type.String(),
  subject: NullableString,
  sentAt: Instant,
  sent: Type.Integer(),
  waiting: Type.Integer(),
  failed: Type.Integer(),
})
export type SentNewsletter = Static<typeof SentNewsletter>

export const getNewsletters = officeEndpoint({
  method: 'GET',
  path: '/api/office/newsletter',
  summary: 'How many subscribe, and what was sent',
  may: 'newsletter.write',
  reply: Type.Object({
    subscribers: Type.Integer(),
    issues: Type.Array(SentNewsletter),
    /** Where a test goes. */
    testTo: Type.String(),
  }),
})
export const previewNewsletter = officeEndpoint({
  method: 'POST',
  path: '/api/office/newsletter/preview',
  summary: 'A newsletter as its readers will see it',
  may: 'newsletter.write',
  body: Type.Object({ markdown: Markdown }),
  reply: Type.Object({
    /** A hash of the text. No subscriber gets the same issue twice. */
    issue: Issue,
    subject: Type.String(),
    parts: Type.Array(NewsletterPart),
    /** When this text went out already: then only new subscribers get it. */
    sentAt: nullable(Instant),
  }),
})
export const testNewsletter = officeEndpoint({
  method: 'POST',
  path: '/api/office/newsletter/test',
  summary: 'Send a newsletter to oneself',
  may: 'newsletter.write',
  body: Type.Object({ markdown: Markdown }),
  reply: Type.Object({ to: Type.String() }),
})
export const sendNewsletter = officeEndpoint({
  method: 'POST',
  path: '/api/office/newsletter/send',
  summary: 'Send a newsletter to everybody who subscribed',
  may: 'newsletter.send',
  fresh: true,
  body: Type.Object({
    markdown: Markdown,
    /** The issue that was looked at: another text is refused with 409. */
    issue: Issue,
  }),
  reply: Type.Object({ entry: Type.Integer(), queued: Type.Integer() }),
})
export const stopNewsletter = officeEndpoint({
  method: 'POST',
  path: '/api/office/newsletter/{issue}/stop',
  summary: 'Send no more of an issue',
  may: 'newsletter.send',
  params: Type.Object({ issue: Type.String({ maxLength: 40 }) }),
  reply: Type.Object({ stopped: Type.Integer() }),
})
export const exportSubscribers = officeEndpoint({
  method: 'GET',
  path: '/api/office/newsletter/export',
  summary: 'Addresses with their links to unsubscribe, as CSV',
  may: 'newsletter.send',
  fresh: true,
})
