import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { TestBook } from './builders.ts'
import type { TestSandbox } from './sandbox.ts'

export interface HttpBuyer {
  readonly headers: { xtoken: string }
  readonly book: TestBook
}

/** Buys a book over HTTP: repeats any request that got no response, and never pays twice. */
export async function buyOverHttp(
  urlOf: () => string,
  sandbox: TestSandbox,
  { headers, book }: HttpBuyer,
): Promise<void> {
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    for (;;)
      try {
        const answer = await fetch(urlOf() + path, {
          method,
          headers: { 'content-type': 'application/json', ...headers },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        const json = (await answer.json()) as T
        if (answer.ok) return json
        // 503 while the database restarts, 409 while a payment is being checked; anything else is a fault.
        expect(answer.status, JSON.stringify(json)).toBeOneOf([409, 503])
        await pause(50)
      } catch (error) {
        if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error
        await pause(50)
      }
  }
  const { cart } = await ask<{ cart: { uuid: string } }>('POST', '/api/cart_items', {
    audioBook: `/api/audio_books/${book.slug}`,
  })
  const checkout = { couponCode: null, waiver: true }
  const { clientSecret } = await ask<{ clientSecret: string | null }>(
    'POST',
    `/api/carts/${cart.uuid}/checkout`,
    checkout,
  )
  if (clientSecret === null) return
  const id = clientSecret.split('_secret_')[0]!
  await sandbox.confirm({ id, clientSecret })
  const proof = { paymentIntent: id, clientSecret }
  while ((await ask<{ outcome: string }>('POST', '/api/payments/return', proof)).outcome !== 'paid')
    await pause(50)
}
