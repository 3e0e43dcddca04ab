import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { countryNamed } from '#format/countries.ts'
import { firstNameRules, lastNameRules } from './validation.ts'

/** RDM-07: one letter is no name there. */
export const longerNameRules = (which: 'first' | 'last') => {
  const { required, validate } = which === 'first' ? firstNameRules : lastNameRules
  return {
    required,
    validate: (value: string) => {
      const right = validate(value)
      if (right !== true) return right
      return Array.from(value.trim()).length > 1 || 'This must be longer than one letter'
    },
  }
}
/** By its name, which is chosen or typed. */
export const countryRules = {
  required: ACCOUNT_MESSAGES.countryRequired,
  validate: (value: string) =>
    value.trim() === ''
      ? ACCOUNT_MESSAGES.countryRequired
      : !!countryNamed(value) || 'Choose a country from the list',
}
