import { MESSAGES } from '#contract/messages.ts'

/** The standard address pattern: something, an at sign, a domain with a dot. */
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Rules of the log-in form, in the shape react-hook-form takes (ACC-02). */
export const emailRules = {
  required: MESSAGES.emailRequired,
  validate: (value: string) => ADDRESS.test(value.trim()) || MESSAGES.emailMustBeValid,
}

export const passwordRules = { required: MESSAGES.passwordRequired }
