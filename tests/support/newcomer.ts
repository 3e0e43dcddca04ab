import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'

export const aNewAddress = (name = 'newcomer') => `${name}+${randomUUID().slice(0, 8)}@murmur.example`

/** An account of this journey alone, made by the call that the form makes; its password is the demo's. */
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

/** As somebody fills in who joins; without an address where that stands there already. */
export async function fillInRegistration(form: Page | Locator, { email, password = 'murmur-demo' }: Person) {
  await form.getByLabel('First name').fill('Una')
  await form.getByLabel('Last name').fill('Reed')
  await form.getByLabel('Country').selectOption({ label: 'United Kingdom' })
  if (email) await form.getByLabel('Email', { exact: true }).fill(email)
  await form.getByLabel('Password', { exact: true }).fill(password)
}

/** Whether these credentials open an account, asked of the shop itself. */
export async function opens(shopUrl: string, email: string, password: string): Promise<boolean> {
  const answer = await fetch(`${shopUrl}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  return answer.status === 200
}
