import { expect, test, vi } from 'vitest'
import type { Checkout } from '#contract/checkout.ts'
import type { RefusalReason } from '#contract/problem.ts'
import { NetProblem } from '#net/problem.ts'
import { intentOf, isFree, payFor, type PaymentDeps } from './pay.ts'

const secret = 'pi_1_secret_x'
const checkout: Checkout = {
  success: true,
  message: null,
  amount: 12,
  clientSecret: secret,
  url: null,
  order: 'o1',
  returnUrl: 'https://murmur.example/payment-successful',
}
const account = {
  email: 'a@b.example',
  password: '12345678',
  firstName: 'An',
  lastName: 'Ox',
  countryCode: 'GB',
}

function stage(change: Partial<PaymentDeps> = {}) {
  const steps: string[] = []
  const step =
    <T>(name: string, answer: T) =>
    async () => {
      steps.push(name)
      return answer
    }
  const deps: PaymentDeps = {
    isUpdated: step('availability', false),
    register: step('register', undefined),
    checkout: step('checkout', checkout),
    confirm: step('confirm', 'done' as const),
    outcome: step('outcome', 'refused' as const),
    remember: () => void steps.push('remember'),
    ...change,
  }
  return { steps, deps }
}
const refuse = (status: number, message: string, kind: 'refused' | 'server' | 'offline' = 'refused') =>
  vi.fn(async () => {
    throw new NetProblem(kind, status, { message })
  })
const refuseBecause = (reason: RefusalReason) =>
  vi.fn(async () => {
    throw new NetProblem('refused', reason === 'total_changed' ? 409 : 422, {
      reason,
      message: 'Other words',
    })
  })

test('PAY-27: a visitor is registered before anything is ordered, a logged-in user is not', async () => {
  const visitor = stage()
  expect(await payFor(account, visitor.deps)).toEqual({
    end: 'successful',
    order: 'o1',
    secret,
    newUser: true,
  })
  expect(visitor.steps).toEqual(['availability', 'register', 'checkout', 'remember', 'confirm'])
  const member = stage()
  expect(await payFor(undefined, member.deps)).toMatchObject({ end: 'successful', newUser: false })
  expect(member.steps).toEqual(['availability', 'checkout', 'remember', 'confirm'])
})

test('unavailable items lead back to the bag before anything is registered or paid', async () => {
  const { deps, steps } = stage({ isUpdated: async () => true })
  expect(await payFor(account, deps)).toEqual({ end: 'updated' })
  expect(steps).toEqual([])
})

test('a taken address and any other registration failure keep the form, each with its own message', async () => {
  const taken = stage({ register: refuseBecause('email_taken') })
  expect(await payFor(account, taken.deps)).toEqual({
    end: 'stay',
    message: 'This email already exists with a user account, please sign in',
    fields: { email: 'This email already exists with a user account, please sign in' },
  })
  expect(taken.steps).toEqual(['availability'])
  const broken = stage({ register: refuse(500, 'x', 'server') })
  expect(await payFor(account, broken.deps)).toEqual({
    end: 'stay',
    message: 'Something went wrong, please try again',
  })
})

test('trap 24: after an error from Stripe the server’s outcome counts, which can be paid', async () => {
  const confirm = async () => 'failed' as const
  for (const outcome of ['paid', 'checking'] as const)
    expect(await payFor(undefined, stage({ confirm, outcome: async () => outcome }).deps)).toMatchObject({
      end: 'successful',
    })
  for (const outcome of ['refused', 'open', 'cancelled'] as const)
    expect(await payFor(undefined, stage({ confirm, outcome: async () => outcome }).deps)).toEqual({
      end: 'problem',
      secret,
    })
  const thrown = stage({ confirm: async () => Promise.reject(new Error('frame gone')) })
  expect(await payFor(undefined, thrown.deps)).toEqual({ end: 'problem', secret })
})

test('trap 24: an unknown outcome is neither paid nor refused: the form stays and says so', async () => {
  const confirm = async () => 'failed' as const
  const said = [
    [refuse(0, '', 'offline'), 'Check your connection and try again. You won’t be charged twice.'],
    [refuse(503, 'Our payment provider isn’t answering.', 'server'), 'Our payment provider isn’t answering.'],
    [
      refuse(500, 'Internal Server Error', 'server'),
      'We can’t find out just now. Please try again in a few minutes. You won’t be charged twice.',
    ],
  ] as const
  for (const [outcome, message] of said)
    expect(await payFor(undefined, stage({ confirm, outcome }).deps)).toEqual({
      end: 'stay',
      uncertain: true,
      message,
    })
})

test('violations from the server appear at their fields, never as "something went wrong"', async () => {
  const lastName = 'must not have more than 100 characters'
  const violations = [
    { propertyPath: 'lastName', message: lastName },
    { propertyPath: 'captcha', message: 'unknown to the form' },
  ]
  const register = async () => {
    throw new NetProblem('refused', 422, { message: `lastName: ${lastName}`, violations })
  }
  expect(await payFor(account, stage({ register }).deps)).toEqual({
    end: 'stay',
    message: `lastName: ${lastName}`,
    fields: { lastName },
  })
  const waiver = 'Please agree that you can’t cancel once your books are in your library.'
  const checkout = async () => {
    throw new NetProblem('refused', 422, {
      message: waiver,
      violations: [{ propertyPath: 'waiver', message: waiver }],
    })
  }
  expect(await payFor(undefined, stage({ checkout }).deps)).toMatchObject({ fields: { waiver } })
})

test('an order that needs no payment is confirmed at once, and a redirect from the server is followed', async () => {
  const free = stage({ checkout: async () => ({ ...checkout, clientSecret: null, amount: 0 }) })
  expect(await payFor(undefined, free.deps)).toMatchObject({ end: 'successful', secret: null })
  expect(free.steps).toEqual(['availability'])
  const url = 'https://murmur.example/payment-successful?order=o1'
  const followed = stage({ checkout: async () => ({ ...checkout, clientSecret: null, url }) })
  expect(await payFor(undefined, followed.deps)).toEqual({ end: 'follow', url })
})

test('before money moves: no response or a 503 with a reason keeps the form, any other 5xx doesn’t', async () => {
  const end = (door: () => Promise<never>) => payFor(undefined, stage({ checkout: door }).deps)
  expect(await end(refuse(0, '', 'offline'))).toMatchObject({ end: 'stay' })
  expect(await end(refuse(422, 'This discount code was already used'))).toEqual({
    end: 'stay',
    message: 'This discount code was already used',
    fields: {},
  })
  expect(await end(refuse(503, 'Our payment provider isn’t answering.', 'server'))).toEqual({
    end: 'stay',
    message: 'Our payment provider isn’t answering.',
  })
  expect(await end(refuse(500, 'x', 'server'))).toEqual({ end: 'problem', secret: null })
})

test('a changed total is reported and not charged; a sold-out item leads back to the bag', async () => {
  const changed = stage({ checkout: refuseBecause('total_changed') })
  expect(await payFor(undefined, changed.deps)).toEqual({
    end: 'stay',
    message: 'The total has changed. Check it and pay again.',
    totalChanged: true,
  })
  const answers = [false, true]
  const gone = stage({ checkout: refuse(409, 'gone'), isUpdated: async () => answers.shift() ?? true })
  expect(await payFor(undefined, gone.deps)).toEqual({ end: 'updated' })
  const checking = stage({ checkout: refuse(409, 'An earlier payment is being checked') })
  expect(await payFor(undefined, checking.deps)).toEqual({
    end: 'stay',
    message: 'An earlier payment is being checked',
  })
})

test('extracts the intent’s id from a client secret', () => expect(intentOf(secret)).toBe('pi_1'))

test('CONST-02: a bag with items and a total of zero is a free order', () => {
  expect(isFree(0, 2)).toBe(true)
  expect(isFree(30, 2)).toBe(false)
  expect(isFree(0, 0)).toBe(false)
})

test('ERR-01 ERR-02 ERR-03: a refused membership shows the reason, or leads to another card', async () => {
  for (const [reason, kind] of [
    ['already_member', 'active'],
    ['membership_payment_failed', 'payment failed'],
  ] as const) {
    const { deps } = stage({ checkout: refuseBecause(reason) })
    expect(await payFor(undefined, deps)).toMatchObject({
      end: 'stay',
      message: `You already have an ${kind} subscription`,
    })
  }
  const { deps } = stage({ checkout: refuseBecause('payment_method_invalid') })
  expect(await payFor(undefined, deps)).toEqual({ end: 'problem', secret: null })
})
