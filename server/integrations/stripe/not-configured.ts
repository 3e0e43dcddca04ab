import { NoProvider } from './problems.ts'

export function notConfigured(): Promise<never> {
  return Promise.reject(
    new NoProvider('Payments need STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET.'),
  )
}

// eslint-disable-next-line require-yield -- there is nothing to give
export async function* nothingFrom(): AsyncGenerator<never> {
  await notConfigured()
}
