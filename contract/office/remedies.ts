import Type, { type Static } from 'typebox'

/** What a press does about a problem of the doctor's checks or the to-do list, or where it is solved. */
export const Remedy = Type.Object({
  label: Type.String(),
  kind: Type.Unsafe<'open' | 'back-up' | 'run-job' | 'send-email'>({
    type: 'string',
    enum: ['open', 'back-up', 'run-job', 'send-email'],
  }),
  /** An address inside the office, the name of a job or the id of an email. */
  target: Type.String(),
})
export type Remedy = Static<typeof Remedy>
