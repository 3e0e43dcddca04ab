// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { User } from '#contract/account.ts'
import { NetProblem } from '#net/problem.ts'
import { render } from '#tests/support/render.tsx'
import { ChangePasswordForm } from './PasswordForms.tsx'
import { type ProfileFields, ProfileForm } from './ProfileForm.tsx'

const user = {
  firstName: 'Nell',
  lastName: 'Hart',
  address1: null,
  address2: null,
  city: 'Hull',
  county: null,
  countryCode: null,
  postCode: null,
} as User

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const passed = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1_000))
const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const type = (label: string, text: string) => fireEvent.change(input(label), { target: { value: text } })
const button = (name: string) => screen.queryByRole<HTMLButtonElement>('button', { name })
const press = async (name: string) => {
  fireEvent.click(button(name)!)
  await passed(0)
}

test('ACC-28: each of the eight fields is shown as it is kept, and sent as it is typed', async () => {
  const save = vi.fn(async (profile: ProfileFields) => ({ ...user, ...profile }))
  render(<ProfileForm user={user} save={save} />)
  expect(['First name', 'Last name', 'City'].map((label) => input(label).value)).toEqual([
    'Nell',
    'Hart',
    'Hull',
  ])
  const typed = {
    'First name': 'Nora',
    'Last name': 'Lind',
    Address: '1 Lamp Row',
    'Address line 2': 'Flat 2',
    City: 'Goole',
    County: 'East Yorkshire',
    'Post code': 'HU1 1AA',
  }
  for (const [label, text] of Object.entries(typed)) type(label, text)
  fireEvent.change(input('Country'), { target: { value: 'IE' } })
  await press('Save changes')
  expect(save).toHaveBeenCalledExactlyOnceWith({
    firstName: 'Nora',
    lastName: 'Lind',
    address1: '1 Lamp Row',
    address2: 'Flat 2',
    city: 'Goole',
    county: 'East Yorkshire',
    countryCode: 'IE',
    postCode: 'HU1 1AA',
  })
})

test('the postal address is one level down, named in a line, and opens if the server refuses a part of it', async () => {
  const refused = new NetProblem('refused', 422, {
    violations: [{ propertyPath: 'postCode', message: 'Too long' }],
  })
  render(<ProfileForm user={{ ...user, address1: '1 Lamp Row' }} save={() => Promise.reject(refused)} />)
  const addresses = screen.getByText('Addresses').closest('details')!
  expect(addresses.open).toBe(false)
  screen.getByText('1 Lamp Row, Hull')
  type('First name', 'Nora')
  await press('Save changes')
  expect(addresses.open).toBe(true)
  expect(document.activeElement).toBe(input('Post code'))
})

test('ACC-31 ACC-35: “Changes saved!” is shown for five seconds, and Discard is disabled', async () => {
  // The server normalises the name.
  render(<ProfileForm user={user} save={async (profile) => ({ ...user, ...profile, city: 'Goole' })} />)
  type('City', ' goole ')
  await press('Save changes')
  expect(button('Changes saved!')).toBeTruthy()
  expect(input('City').value).toBe('Goole')
  expect(button('Cancel')!.disabled).toBe(true)
  await passed(4.9)
  expect(button('Changes saved!')).toBeTruthy()
  await passed(0.2)
  expect(button('Save changes')).toBeTruthy()
})

test('ACC-32: “Ups! Error!” is shown for five seconds, and typed text stays', async () => {
  render(<ProfileForm user={user} save={() => Promise.reject(new NetProblem('server', 500))} />)
  type('City', 'Goole')
  await press('Save changes')
  expect(button('Ups! Error!')).toBeTruthy()
  expect(input('City').value).toBe('Goole')
  await passed(4.9)
  expect(button('Ups! Error!')).toBeTruthy()
  await passed(0.2)
  expect(button('Save changes')).toBeTruthy()
})

test('ACC-33: Cancel can be pressed once something is changed, and takes that back', async () => {
  render(<ProfileForm user={user} save={vi.fn()} />)
  expect(button('Cancel')!.disabled).toBe(true)
  type('City', 'Goole')
  await passed(0)
  expect(button('Cancel')!.disabled).toBe(false)
  await press('Cancel')
  expect(input('City').value).toBe('Hull')
  expect(button('Cancel')!.disabled).toBe(true)
})

test('ACC-40: a saved password is confirmed for five seconds, and both fields are emptied', async () => {
  const change = vi.fn().mockResolvedValue(undefined)
  render(<ChangePasswordForm change={change} />)
  type('Old password', 'murmur-demo')
  type('New password', 'another-one')
  await press('Change password')
  expect(change).toHaveBeenCalledExactlyOnceWith('murmur-demo', 'another-one')
  const saved = () => screen.getByRole('status').textContent
  expect(saved()).toContain('Your new password is saved.')
  expect([input('Old password').value, input('New password').value]).toEqual(['', ''])
  await passed(4.9)
  expect(saved()).toContain('Your new password is saved.')
  await passed(0.2)
  expect(saved()).toBe('')
})
