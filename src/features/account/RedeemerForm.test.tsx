// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { NetProblem } from '#net/problem.ts'
import { render } from '#tests/support/render.tsx'
import { RedeemerForm } from './RedeemerForm.tsx'

afterEach(cleanup)

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const noteOf = (label: string) => {
  const id = input(label).getAttribute('aria-describedby')
  return id ? (document.getElementById(id)?.textContent ?? '') : ''
}
const type = async (fields: Readonly<Record<string, string>>) => {
  for (const [label, text] of Object.entries(fields)) {
    await userEvent.clear(input(label))
    if (text) await userEvent.type(input(label), text)
    await userEvent.tab()
  }
}
const button = () => screen.getByRole('button', { name: 'Create account' })
const isOff = () => button().getAttribute('aria-disabled') === 'true'
const UNA = {
  Email: 'una@murmur.example',
  'First name': 'Una',
  'Last name': 'Reed',
  Country: 'United Kingdom',
  Password: 'eight-it-is',
}

test('RDM-06 RDM-07: five fields, all of them needed; names have two letters and the country is found by its name', async () => {
  const register = vi.fn().mockResolvedValue(undefined)
  render(<RedeemerForm register={register} />)
  for (const left of Object.keys(UNA)) {
    await type({ ...UNA, [left]: '' })
    expect(isOff(), `without ${left}`).toBe(true)
  }
  await type({ ...UNA, 'First name': 'U' })
  expect(noteOf('First name')).toBe('This must be longer than one letter')
  await type({ 'First name': 'Una', 'Last name': ' R ' })
  expect(isOff()).toBe(true)
  await type({ 'Last name': 'Reed', Country: 'Atlantis' })
  expect(noteOf('Country')).toBe('Choose a country from the list')
  expect([...document.querySelectorAll('datalist option')]).toHaveLength(249)
  await type({ Country: 'united king', Password: 'seven77' })
  expect(isOff()).toBe(true)
  await type({ Password: UNA.Password })
  await userEvent.click(button())
  expect(register).toHaveBeenCalledWith({
    email: 'una@murmur.example',
    firstName: 'Una',
    lastName: 'Reed',
    countryCode: 'GB',
    password: 'eight-it-is',
  })
})

test('RDM-08: advice on the password goes once it is longer than seven', async () => {
  render(<RedeemerForm register={vi.fn()} />)
  const advice = /Letters, numbers and special characters are best/
  expect(noteOf('Password')).toMatch(advice)
  await userEvent.type(input('Password'), '1234567')
  expect(noteOf('Password')).toMatch(advice)
  await userEvent.type(input('Password'), '8')
  expect(noteOf('Password')).not.toMatch(advice)
})

test('RDM-09: an invalid address is marked when its field is left', async () => {
  render(<RedeemerForm register={vi.fn()} />)
  await userEvent.type(input('Email'), 'una')
  expect(input('Email').getAttribute('aria-invalid')).toBeNull()
  await userEvent.tab()
  expect(input('Email').getAttribute('aria-invalid')).toBe('true')
})

test('ERR-28: a known address is told so, and everything that was typed stays', async () => {
  const taken = new NetProblem('refused', 422, { reason: 'email_taken' })
  render(<RedeemerForm register={() => Promise.reject(taken)} />)
  await type(UNA)
  await userEvent.click(button())
  expect((await screen.findByRole('alert')).textContent).toBe(
    'This email already exists with a user account, please sign in',
  )
  expect(input('Last name').value).toBe('Reed')
})

test('the button names the first field that is missing or wrong', async () => {
  render(<RedeemerForm register={vi.fn()} />)
  const why = () => document.getElementById(button().getAttribute('aria-describedby') ?? '')?.textContent
  expect(why()).toBe('Fill in your email first.')
  await type({ ...UNA, Country: '' })
  expect(why()).toBe('Fill in your country first.')
  await type({ Country: 'Atlantis' })
  expect(why()).toBe('Check your country first.')
})
