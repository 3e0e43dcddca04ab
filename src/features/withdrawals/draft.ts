import { isEmailAddress } from '#contract/limits.ts'
import { MESSAGES } from '#contract/messages.ts'
import { tabNote } from '#session/user-scope.ts'

export interface StatementDraft {
  readonly name: string
  readonly contract: string
  readonly email: string
  readonly scope: string
}
/** The fields that must be filled in, in the order of the form. */
export const REQUIRED = ['name', 'contract', 'email'] as const
export type RequiredField = (typeof REQUIRED)[number]

export function problemsOfStatement({
  name,
  contract,
  email,
}: StatementDraft): Partial<Record<RequiredField, string>> {
  return {
    ...(name.trim() === '' && { name: 'Fill in your name' }),
    ...(contract.trim() === '' && { contract: 'Fill in the order number, or say which contract' }),
    ...(email.trim() === ''
      ? { email: MESSAGES.emailRequired }
      : !isEmailAddress(email) && { email: MESSAGES.emailMustBeValid }),
  }
}

const note = tabNote('withdraw')

export function recallStatement(): StatementDraft | undefined {
  const stored = note.read()
  if (!stored) return undefined
  const text = (field: keyof StatementDraft) => (typeof stored[field] === 'string' ? stored[field] : '')
  return { name: text('name'), contract: text('contract'), email: text('email'), scope: text('scope') }
}
export const storeStatement = (draft: StatementDraft): void => note.write(draft)
export const forgetStatement = (): void => note.forget()
