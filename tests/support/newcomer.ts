import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'

export const aNewAddress = (name = 'newcomer') => `${name}+${randomUUID().slice(0, 8)}@murmur.example`

/** Creates an account for one journey through the form's API call; its password is the demo's. */
export async function aNewcomer(shopUrl: string, more: Record<string, unknown> = {}): Promise<string> {
  const email = aNewAddress()
  const answer = await fetch(`${shopUrl}/api/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email,
      password: 'murmur-demo',
      firstName: 'Una',
      lastName: 'Reed',
      countryCode: 'GB',
      ...more,
    }),
  })
  if (answer.status !== 201) throw new Error(`Registering answered ${answer.status}`)
  return email
}

interface Person {
  readonly email?: string
  readonly password?: string
}

/** Fills in the registration form; leave `email` out where the form already has it. */
export async function fillInRegistration(form: Page | Locator, { email, password = 'murmur-demo' }: Person) {
  await form.getByLabel('First name').fill('Una')
  await form.getByLabel('Last name').fill('Reed')
  await form.getByLabel('Country').selectOption({ label: 'United Kingdom' })
  if (email) await form.getByLabel('Email', { exact: true }).fill(email)
  await form.getByLabel('Password', { exact: true }).fill(password)
}

/** Whether these credentials can log in, according to the API. */
export async function opens(shopUrl: string, email: string, password: string): Promise<boolean> {
  const answer = await fetch(`${shopUrl}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  return answer.status === 200
}
