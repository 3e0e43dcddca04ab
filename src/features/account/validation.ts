import { NAME_LENGTH, PASSWORD_LENGTH, isEmailAddress } from '#contract/limits.ts'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { MESSAGES } from '#contract/messages.ts'
import { NetProblem } from '#net/problem.ts'
import { refusalMessage } from '../../writes/use-write.ts'

/** Rules for react-hook-form (ACC-02). */
export const emailRules = {
  required: MESSAGES.emailRequired,
  validate: (value: string) => isEmailAddress(value) || MESSAGES.emailMustBeValid,
}

/** The address that a gift was sent to, and no other (ACC-13). */
export const sameEmailRules = (email: string) => ({
  required: MESSAGES.emailRequired,
  validate: (value: string) =>
    value.trim().toLowerCase() === email.trim().toLowerCase() || ACCOUNT_MESSAGES.emailMustBeSame,
})

/** An existing password may have any length. */
export const passwordRules = { required: MESSAGES.passwordRequired }

/** 8 to 60 characters, counted as code points (ACC-37, ACC-38). */
export const newPasswordRules = (required: string = MESSAGES.passwordRequired) => ({
  required,
  validate: (value: string) => {
    const length = Array.from(value).length
    if (length < PASSWORD_LENGTH.min) return ACCOUNT_MESSAGES.passwordTooShort
    return length <= PASSWORD_LENGTH.max || ACCOUNT_MESSAGES.passwordTooLong
  },
})

/** Same rule as the contract's `PERSON_NAME`: no markup and no addresses. */
export const holdsLink = (name: string): boolean => /[<>@]|:\/\/|www\./.test(name)

const filled = (message: string) => ({
  required: message,
  validate: (value: string) => {
    const name = value.trim()
    if (name === '') return message
    if (Array.from(name).length > NAME_LENGTH) return ACCOUNT_MESSAGES.nameTooLong
    return !holdsLink(name) || ACCOUNT_MESSAGES.nameHoldsLink
  },
})
export const firstNameRules = filled(ACCOUNT_MESSAGES.firstNameRequired)
export const lastNameRules = filled(ACCOUNT_MESSAGES.lastNameRequired)
export const oldPasswordRules = { required: ACCOUNT_MESSAGES.oldPasswordRequired }

/** With or without its hyphen. */
export const codeRules = {
  required: 'Enter the code from the email',
  validate: (value: string) => /^\d{8}$/.test(value.replaceAll(/[\s-]/g, '')) || 'The code has eight digits',
}

/** The message of a refused registration (ERR-26, ERR-27, ERR-29). */
export const registrationRefusal = (problem: unknown): string =>
  problem instanceof NetProblem && problem.reason === 'email_taken'
    ? ACCOUNT_MESSAGES.emailAlreadyExists
    : refusalMessage(problem)
