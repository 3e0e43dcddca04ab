import { expect, test } from 'vitest'
import { emailProblem } from './NewsletterForm.tsx'

test('INFO-04: an empty newsletter address is required, one without a domain must be valid', () => {
  expect(emailProblem('  ')).toBe('Email is required')
  expect(emailProblem('nell')).toBe('Email must be valid')
  expect(emailProblem('nell@murmur')).toBe('Email must be valid')
  expect(emailProblem('nell@murmur.example')).toBeUndefined()
})
