import { expect } from 'vitest'
import type { MailServer, ReceivedMail } from './mail-server.ts'
import type { TestSandbox } from './sandbox.ts'
import { soon } from './wait-for.ts'

interface Begun {
  readonly id?: string
  readonly paymentIntent?: string | null
  readonly clientSecret?: string | null
  readonly returnUrl: string
}

export interface Surroundings {
  readonly url: () => string
  readonly sandbox: TestSandbox
  readonly mails: MailServer
}

/** The decoded text of a mail: its parts are quoted-printable or base64. */
export function wordsOf({ raw }: ReceivedMail): string {
  const parts = raw.split(/\r\n\r\n/)
  return parts
    .map((part, index) => {
      const head = parts[index - 1] ?? ''
      const body = part.split(/\r\n--/)[0]!
      if (/content-transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
      if (!/quoted-printable/i.test(head)) return body
      const bytes = body
        .replaceAll(/=\r\n/g, '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
      return Buffer.from(bytes, 'latin1').toString('utf8')
    })
    .join('\n')
}

/** A customer with an account who uses the API as the app does. */
export class Customer {
  readonly email: string
  readonly #where: Surroundings
  #token: string | undefined

  private constructor(email: string, where: Surroundings) {
    this.email = email
    this.#where = where
  }

  /** Registers, and confirms the address with the mailed link. */
  static async register(where: Surroundings, email: string, countryCode = 'GB'): Promise<Customer> {
    const one = new Customer(email, where)
    const { token } = await one.ask<{ token: string }>('POST', '/api/users', {
      email,
      password: PASSWORD,
      firstName: 'Nell',
      lastName: 'Marsh',
      countryCode,
    })
    one.#token = token
    const mail = await one.mailed(/confirm/i)
    const [, confirmationToken] = /\/confirm\/([\w.-]+)/.exec(wordsOf(mail)) ?? []
    await one.ask('POST', '/api/user_confirmation/confirm', { confirmationToken })
    return one
  }

  /** Sets a password with the mailed link and logs in, as the staff of a bookshop does. */
  static async byMail(where: Surroundings, email: string): Promise<Customer> {
    const one = new Customer(email, where)
    await one.ask('POST', '/api/forgot_passwords', { email })
    const [, user, resetToken] =
      /reset-password\/([\w-]+)\?token=([\w.-]+)/.exec(wordsOf(await one.mailed(/password/i))) ?? []
    await one.ask('PATCH', `/api/forgot_passwords/${user}`, { resetToken, password: PASSWORD })
    one.#token = (await one.ask<{ token: string }>('POST', '/api/login', { email, password: PASSWORD })).token
    return one
  }

  async ask<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(this.#where.url() + path, {
      method,
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(this.#token ? { xtoken: `Bearer ${this.#token}` } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller names what the contract promises
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  /** The newest mail to this address with a matching subject. */
  async mailed(subject: RegExp): Promise<ReceivedMail> {
    const found = () =>
      this.#where.mails.received.findLast(
        ({ to, headers }) => to.includes(this.email) && subject.test(headers.get('subject') ?? ''),
      )
    await soon(() =>
      // oxlint-disable-next-line vitest/no-standalone-expect -- called by tests
      expect([this.email, subject.source, found() !== undefined]).toEqual([this.email, subject.source, true]),
    )
    return found()!
  }

  /** Puts titles into the bag and pays for them; returns the order number. */
  async buy(
    titles: readonly (string | { readonly title: string; readonly giftEmail: string })[],
    { by = 'card', couponCode = null }: { by?: 'card' | 'PayPal'; couponCode?: string | null } = {},
  ): Promise<string> {
    let bag = ''
    for (const wanted of titles) {
      const { title, ...gift } = typeof wanted === 'string' ? { title: wanted } : { ...wanted, gift: true }
      const [kind, slug] = title.split('/')
      const item = await this.ask<{ cart: { uuid: string } }>('POST', '/api/cart_items', {
        [kind === 'e_books' ? 'eBook' : 'audioBook']: `/api/${kind}/${slug}`,
        ...gift,
      })
      bag = item.cart.uuid
    }
    if (couponCode) await this.ask('PATCH', `/api/carts/${bag}/apply-coupon`, { couponCode })
    const begun = await this.ask<Begun & { order: string }>('POST', `/api/carts/${bag}/checkout`, {
      couponCode,
      waiver: true,
    })
    if (begun.clientSecret) await this.#pay(begun.clientSecret, begun.returnUrl, by)
    return (await this.ask<{ orderNumber: string }>('GET', `/api/order_carts/${begun.order}`)).orderNumber
  }

  /** Starts the free trial with a card. */
  async tryMembership(): Promise<void> {
    const begun = await this.ask<Begun>('POST', '/api/subscriptions/create_trial_subscription', {})
    await this.#pay(begun.paymentIntent!, begun.returnUrl, 'card')
  }

  async join(plan: number): Promise<void> {
    const begun = await this.ask<Begun>('POST', '/api/subscriptions', { plan, startNow: true })
    await this.#pay(begun.paymentIntent!, begun.returnUrl, 'card')
  }

  async giveMembership(plan: number, giftEmail: string): Promise<void> {
    const begun = await this.ask<Begun>('POST', '/api/subscriptions', {
      plan,
      gift: true,
      giftEmail,
      startNow: true,
    })
    await this.#pay(begun.paymentIntent!, begun.returnUrl, 'card')
  }

  async library(): Promise<string[]> {
    const { 'hydra:member': members } = await this.ask<{
      'hydra:member': { audioBook?: { slug: string }; eBook?: { slug: string } }[]
    }>('GET', '/api/libraries')
    return members.map(({ audioBook, eBook }) => (audioBook ?? eBook)?.slug ?? '?').toSorted()
  }

  async #pay(clientSecret: string, returnUrl: string, by: 'card' | 'PayPal'): Promise<void> {
    const { sandbox } = this.#where
    const id = clientSecret.split('_secret_')[0]!
    const intent = { id, clientSecret }
    const isSetUp = id.startsWith('seti_')
    const back = new URL(returnUrl, this.#where.url()).href
    if (by === 'PayPal') await sandbox.decide(await sandbox.confirmPayPal(intent, back), 'approve')
    else await (isSetUp ? sandbox.confirmSetUp(intent) : sandbox.confirm(intent))
    const [path, proof, outcome] = isSetUp
      ? (['/api/set_ups/return', { setupIntent: id, clientSecret }, 'done'] as const)
      : (['/api/payments/return', { paymentIntent: id, clientSecret }, 'paid'] as const)
    await soon(async () =>
      // oxlint-disable-next-line vitest/no-standalone-expect -- called by tests
      expect((await this.ask<{ outcome: string }>('POST', path, proof)).outcome).toBe(outcome),
    )
  }
}

const PASSWORD = 'a lantern on the harbour wall'
